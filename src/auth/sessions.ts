import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { type Login, loginsWhere } from './callers.ts'
import { lockCredentials } from './current-login.ts'
import { digestOf, newToken } from './tokens.ts'

export interface NewSession {
  readonly id: string
  /** Shown only this once; its digest is stored. */
  readonly token: string
  readonly account_id: number
  readonly scope: Login['scope']
  readonly is_verified: boolean
  readonly expiration_duration: number
  /** Unix milliseconds, a whole second. */
  readonly expiration_time: number
}

export interface SessionOptions {
  readonly login: Pick<Login, 'account_id' | 'scope' | 'distribution_id'>
  /** False: it lacks its second factor, and lives a few minutes until it has one. */
  readonly isVerified: boolean
  readonly userAgent: string
  readonly expirationDurationSeconds: number
  readonly now: number
}

const maximumUserAgentLength = 512
/** The limit per account; each further session ends the one that would expire first. */
const maximumSessions = 1000
/** The time to enter the code of the second factor. */
const unverifiedLifeSeconds = 300

export function storedUserAgent(userAgent: string): string {
  return userAgent.slice(0, maximumUserAgentLength)
}

function expirationOf(now: number, durationSeconds: number): number {
  return (Math.floor(now / 1000) + durationSeconds) * 1000
}

/** Deletes sessions a day after they expired; until then a late caller learns that the session expired. */
export async function forgetExpiredSessions(executor: Executor, now: number): Promise<void> {
  await executor.execute(sql`delete from sessions where expiration_time < ${new Date(now - dayLength)}`)
}

/** Call it while the underlying credentials are locked. */
export async function createSession(executor: Executor, options: SessionOptions): Promise<NewSession> {
  const { login, now, expirationDurationSeconds, isVerified } = options
  const token = newToken()
  const session = {
    id: randomUUID(),
    token,
    account_id: login.account_id,
    scope: login.scope,
    is_verified: isVerified,
    expiration_duration: expirationDurationSeconds,
    expiration_time: expirationOf(now, isVerified ? expirationDurationSeconds : unverifiedLifeSeconds),
  }
  await executor.execute(sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${session.account_id}
      order by expiration_time desc offset ${maximumSessions - 1})`)
  await executor.execute(sql`
    insert into sessions (id, token_hash, account_id, scope, distribution_id, user_agent, created_at, is_verified,
      expiration_duration, expiration_time)
    values (${session.id}, ${digestOf(token)}, ${session.account_id}, ${session.scope}, ${login.distribution_id},
      ${storedUserAgent(options.userAgent)}, ${new Date(now)}, ${isVerified}, ${session.expiration_duration},
      ${new Date(session.expiration_time)})`)
  return session
}

export interface UsedSession {
  readonly id: string
  readonly manager_id: number | null
  readonly is_verified: boolean
  readonly isExpired: boolean
  readonly login: Login
}

type UsedSessionRow = Login & {
  readonly session_id: string
  readonly session_manager_id: number | null
  readonly session_is_verified: boolean
  readonly session_expiration_time: number
}

/**
 * Finds the session of a token with its owner and extends it, in one statement. The expiry is stored in whole seconds
 * and written only if it changes: at most once per second and session, and exact for every reader.
 */
export async function useSession(executor: Executor, token: string, now: number): Promise<UsedSession | undefined> {
  const at = new Date(now)
  const [row] = await executor.query<UsedSessionRow>(
    sql`
    with known as (select * from sessions where token_hash = ${digestOf(token)}),
    extended as (
      update sessions s
      set expiration_time = date_trunc('second', ${at}::timestamptz) + make_interval(secs => s.expiration_duration)
      from known
      where s.id = known.id and s.is_verified and s.expiration_time > ${at}
        and s.expiration_time < date_trunc('second', ${at}::timestamptz) + make_interval(secs => s.expiration_duration)
    )
    select known.id as session_id, known.manager_id as session_manager_id,
      known.is_verified as session_is_verified,
      known.expiration_time as session_expiration_time, login.*
    from known join lateral (${loginsWhere(sql`a.id = known.account_id`)}) login on true`,
    'use_session',
  )
  if (row === undefined) return undefined
  const { session_id, session_manager_id, session_is_verified, session_expiration_time, ...login } = row
  return {
    id: session_id,
    manager_id: session_manager_id,
    is_verified: session_is_verified,
    isExpired: session_expiration_time <= now,
    login,
  }
}

/** Completes the second factor: from now on the session has the life that was asked for. */
export async function verifySession(executor: Executor, id: string, now: number): Promise<void> {
  const at = new Date(now)
  await executor.execute(sql`
    update sessions set is_verified = true,
      expiration_time = date_trunc('second', ${at}::timestamptz) + make_interval(secs => expiration_duration)
    where id = ${id}`)
}

/** For this long after a login the password is not asked for again. */
const freshMs = 10 * 60_000

/** True if the password was given recently; Basic (no session) sends it with each call. */
export async function hasJustLoggedIn(executor: Executor, sessionId: string | null, now: number): Promise<boolean> {
  if (sessionId === null) return true
  const [session] = await executor.query<{ created_at: number }>(
    sql`select created_at from sessions where id = ${sessionId}`,
  )
  return session !== undefined && now - session.created_at < freshMs
}

/** Returns whether the session existed. */
export async function endSession(executor: Executor, id: string): Promise<boolean> {
  return (await executor.execute(sql`delete from sessions where id = ${id}`)) > 0
}

/**
 * For changed credentials or a blocked account. Also ends everything that could still become a session. Parallel logins
 * wait for the end of the transaction and see its change. Returns how many sessions ended.
 */
export async function endSessionsOf(
  transaction: Executor,
  accountId: number,
  exceptSessionId?: string | null,
): Promise<number> {
  await lockCredentials(transaction, accountId)
  await transaction.execute(sql`delete from oauth_codes where account_id = ${accountId}`)
  await transaction.execute(sql`delete from account_tokens where account_id = ${accountId} and purpose = 'login'`)
  await transaction.execute(sql`delete from api_keys where owner_id = ${accountId} and client_id is not null`)
  return transaction.execute(sql`
    delete from sessions where account_id = ${accountId} and id is distinct from ${exceptSessionId ?? null}`)
}
