import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Caller, CallersKey } from '../domain/access/caller.ts'
import { liveKeys } from './api-keys.ts'
import { obstaclesOf } from './attempts.ts'
import { callerOf, type Login, loginsWhere } from './callers.ts'

/** A caller with a lasting connection, and the credentials that admitted it. */
export interface ConnectedCaller {
  readonly accountId: number
  /** Null for Basic and API keys. */
  readonly sessionId: string | null
  /** Null without an API key. An access token stands for its key from here on. */
  readonly key: CallersKey | null
  readonly ipAddress: string
  /** The hash of the right password; used for Basic alone. */
  readonly passwordHash: string | null
}

/** The holder's current caller; null if the credentials are no longer valid. */
export type Standing = (holder: ConnectedCaller) => Caller | null

interface LiveSession {
  readonly id: string
  readonly manager_id: number | null
  readonly account_id: number
}

/** Checks which of the holders are still admitted, and what they may do. */
export async function readStandings(
  executor: Executor,
  holders: readonly ConnectedCaller[],
  now: number,
): Promise<Standing> {
  const accountIds = [...new Set(holders.map(({ accountId }) => accountId))]
  const keys = await liveKeys(
    executor,
    holders.flatMap(({ key }) => key?.id ?? []),
    now,
  )
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
    if (holder.key !== null) return byKey(login, holder.key, keys.get(holder.key.id), now)
    if (holder.sessionId === null) return isStillRight(login, holder) ? callerOf(login, null) : null
    const session = live.get(holder.sessionId)
    return session?.account_id === holder.accountId ? callerOf(login, session) : null
  }
}

/** The scopes that the connection began with, and the rest as the key is now. */
function byKey(
  login: Login,
  begun: CallersKey,
  live: (CallersKey & { readonly owner_id: number }) | undefined,
  now: number,
): Caller | null {
  if (live === undefined || live.owner_id !== login.account_id) return null
  if (begun.expires_at !== null && begun.expires_at <= now) return null
  const scopes = begun.scopes.filter((scope) => live.scopes.includes(scope))
  return callerOf(login, null, { ...live, scopes, expires_at: begun.expires_at })
}

/** Basic has no second factor. */
function isStillRight(login: Login, { passwordHash }: ConnectedCaller): boolean {
  return login.password_hash === passwordHash && !login.has_2fa_enabled
}

/** The holder for the caller of a request; null if the caller is gone already. */
export async function holderOf(
  executor: Executor,
  { account_id: accountId, session_id: sessionId, key }: Caller,
  ipAddress: string,
): Promise<ConnectedCaller | null> {
  if (sessionId !== null || key !== null) return { accountId, sessionId, key, ipAddress, passwordHash: null }
  const [login] = await executor.query<{ password_hash: string | null }>(
    sql`select password_hash from accounts where id = ${accountId}`,
  )
  return login === undefined ? null : { accountId, sessionId, key, ipAddress, passwordHash: login.password_hash }
}
