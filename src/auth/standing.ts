import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Caller } from '../domain/caller.ts'
import { obstaclesOf } from './attempts.ts'
import { callerOf, type Login, loginsWhere } from './callers.ts'

/** Somebody who was let in and stays: what they were let in with. */
export interface Holder {
  readonly accountId: number
  /** Null for Basic. */
  readonly sessionId: string | null
  readonly ipAddress: string
  /** Of the password that was right; it matters for Basic alone. */
  readonly passwordHash: string | null
}

/** Who the holder is by now; null when they would not be let in any more. */
export type Standing = (holder: Holder) => Caller | null

interface LiveSession {
  readonly id: string
  readonly manager_id: number | null
  readonly account_id: number
}

/** Reads in two statements whether any number of holders would still be let in, and what they may do. */
export async function readStandings(executor: Executor, holders: readonly Holder[], now: number): Promise<Standing> {
  const accountIds = [...new Set(holders.map(({ accountId }) => accountId))]
  const sessionIds = [...new Set(holders.flatMap(({ sessionId }) => sessionId ?? []))]
  const logins = await executor.query<Login>(loginsWhere(sql`a.id = any(${accountIds}::int[])`), 'logins_by_id')
  const sessions = await executor.query<LiveSession>(
    sql`select id, manager_id, account_id from sessions
      where id = any(${sessionIds}::text[]) and is_verified and expiration_time > ${new Date(now)}`,
    'live_sessions',
  )
  const customers = new Map(
    logins.filter(({ scope }) => scope === 'customer').map((login) => [login.account_id, login]),
  )
  const live = new Map(sessions.map((session) => [session.id, session]))
  return (holder) => {
    const login = customers.get(holder.accountId)
    if (login === undefined || obstaclesOf(login, holder.ipAddress).length > 0) return null
    if (holder.sessionId === null) return isStillRight(login, holder) ? callerOf(login, null) : null
    const session = live.get(holder.sessionId)
    return session?.account_id === holder.accountId ? callerOf(login, session) : null
  }
}

/** Basic has no second factor. */
function isStillRight(login: Login, { passwordHash }: Holder): boolean {
  return login.password_hash === passwordHash && !login.has_2fa_enabled
}

/** What a caller of a request is held to from now on; null when they are gone already. */
export async function holderOf(
  executor: Executor,
  { account_id: accountId, session_id: sessionId }: Caller,
  ipAddress: string,
): Promise<Holder | null> {
  if (sessionId !== null) return { accountId, sessionId, ipAddress, passwordHash: null }
  const [login] = await executor.query<{ password_hash: string | null }>(
    sql`select password_hash from accounts where id = ${accountId}`,
  )
  return login === undefined ? null : { accountId, sessionId, ipAddress, passwordHash: login.password_hash }
}
