import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../domain/caller.ts'
import type { Clock } from '../domain/clock.ts'
import { expirationDuration, isUsername } from '../domain/credentials.ts'
import type { Problem } from '../domain/problem.ts'
import type { ProblemSymbol } from '../domain/problem-codes.ts'
import { isAddressWithin } from './address-filter.ts'
import { readAuthorization } from './authorization-header.ts'
import { callerOf, findLogin, type Login } from './callers.ts'
import { LoginLimit } from './login-limit.ts'
import { verifyPassword } from './password.ts'
import { createSession, type NewSession, storedUserAgent, useSession } from './sessions.ts'
import { VerifiedPasswords } from './verified-passwords.ts'

export interface Refusal {
  readonly problems: readonly Problem[]
  /** With `too_many_requests`. */
  readonly retryAfterSeconds?: number
}

export interface RequestOrigin {
  readonly ipAddress: string
  readonly userAgent: string
}

export interface AuthenticationRequest extends RequestOrigin {
  readonly authorization: string | undefined
}

export interface LogInRequest extends RequestOrigin {
  readonly username: string
  readonly password: string
  readonly method: 'session' | 'auth_token' | 'oauth'
  readonly expirationDurationSeconds?: number | undefined
}

export interface Authenticator {
  /** Null when the request carries no credentials. */
  authenticate(request: AuthenticationRequest): Promise<{ readonly caller: Caller } | Refusal | null>
  logIn(request: LogInRequest): Promise<{ readonly session: NewSession } | Refusal>
}

export interface AuthenticatorOptions {
  readonly database: Database
  readonly clock: Clock
  /** Failed attempts a minute, per address and per username. */
  readonly loginLimit: number
}

interface PasswordAttempt extends RequestOrigin {
  readonly username: string
  readonly password: string
  readonly method: 'basic' | LogInRequest['method']
}

interface Context {
  readonly database: Database
  readonly clock: Clock
  readonly limit: LoginLimit
  readonly verified: VerifiedPasswords
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, clock, loginLimit } = options
  const limit = new LoginLimit({ attemptsPerMinute: loginLimit, clock })
  const context = { database, clock, limit, verified: new VerifiedPasswords() }
  return {
    authenticate: (request) => authenticate(context, request),
    logIn: (request) => logIn(context, request),
  }
}

async function authenticate(
  context: Context,
  request: AuthenticationRequest,
): ReturnType<Authenticator['authenticate']> {
  const credentials = readAuthorization(request.authorization)
  if (credentials === null) return null
  if (credentials.scheme === 'unreadable') return refusal('incorrect_credentials')
  if (credentials.scheme === 'bearer') return bySession(context, credentials.token, request)
  const outcome = await byPassword(context, { ...request, ...credentials, method: 'basic' })
  return 'login' in outcome ? { caller: callerOf(outcome.login, null) } : outcome
}

async function logIn(context: Context, request: LogInRequest): ReturnType<Authenticator['logIn']> {
  const outcome = await byPassword(context, request)
  if (!('login' in outcome)) return outcome
  const session = await createSession(context.database, {
    login: outcome.login,
    userAgent: request.userAgent,
    expirationDurationSeconds: request.expirationDurationSeconds ?? expirationDuration.default,
    now: context.clock.now(),
  })
  return { session }
}

async function bySession(
  context: Context,
  token: string,
  origin: RequestOrigin,
): Promise<{ caller: Caller } | Refusal> {
  const session = await useSession(context.database, token, context.clock.now())
  if (session === undefined) return refusal('incorrect_credentials')
  if (session.isExpired) return refusal('session_expired')
  const problems = obstaclesOf(session.login, origin.ipAddress)
  return problems.length > 0 ? { problems } : { caller: callerOf(session.login, session) }
}

/** A wrong password, an unknown user and a login with two factors get one answer at one cost. */
async function byPassword(context: Context, attempt: PasswordAttempt): Promise<{ login: Login } | Refusal> {
  const { username, ipAddress } = attempt
  // Text that is no username is not looked up: PostgreSQL refuses a NUL character.
  const login = isUsername(username) ? await findLogin(context.database, username) : undefined
  if (!isRemembered(context, attempt, login)) {
    const outcome = await context.limit.attempt(ipAddress, username, () => verify(context, attempt, login))
    if ('waitSeconds' in outcome) return { ...refusal('too_many_requests'), retryAfterSeconds: outcome.waitSeconds }
    if (!outcome.isRight) return refusal('incorrect_credentials')
  }
  if (login === undefined) return refusal('incorrect_credentials')
  const problems = obstaclesOf(login, ipAddress)
  return problems.length > 0 ? { problems } : { login }
}

function isRemembered({ verified, clock }: Context, attempt: PasswordAttempt, login: Login | undefined): boolean {
  if (login === undefined || login.has_2fa_enabled || attempt.method !== 'basic') return false
  return verified.has(attempt.username, attempt.password, { passwordHash: login.password_hash, now: clock.now() })
}

async function verify(context: Context, attempt: PasswordAttempt, login: Login | undefined): Promise<boolean> {
  // The same call may have been verified while this one waited for its turn.
  if (isRemembered(context, attempt, login)) return true
  const passwordHash = login?.password_hash ?? null
  const isRight = (await verifyPassword(passwordHash, attempt.password)) && login?.has_2fa_enabled === false
  const now = context.clock.now()
  if (isRight && passwordHash !== null && attempt.method === 'basic') {
    context.verified.add(attempt.username, attempt.password, { passwordHash, now })
  }
  if (login !== undefined) {
    const logged = logAuthentication(context.database, { login, attempt, now, isRight })
    // A failure is not waited for: the time of the write would tell that the user exists.
    if (isRight) await logged
    else logged.catch(() => undefined)
  }
  return isRight
}

async function logAuthentication(
  database: Database,
  entry: { login: Login; attempt: PasswordAttempt; now: number; isRight: boolean },
): Promise<void> {
  const { login, attempt } = entry
  const success = entry.isRight && obstaclesOf(login, attempt.ipAddress).length === 0
  await database.execute(sql`
    insert into authentications (account_id, time, ip_address, user_agent, method, success)
    values (${login.account_id}, ${new Date(entry.now)}, ${attempt.ipAddress}, ${storedUserAgent(attempt.userAgent)},
      ${attempt.method}, ${success})`)
}

/** What keeps the owner of right credentials out. */
function obstaclesOf(login: Login, ipAddress: string): Problem[] {
  const problems: Problem[] = []
  if (!login.is_activated) problems.push({ error: 'account_not_activated' })
  if (login.is_blocked) problems.push({ error: 'account_blocked' })
  if (login.ip_whitelist_enabled && !isAddressWithin(ipAddress, login.ip_whitelist)) {
    problems.push({ error: 'ip_address_not_allowed' })
  }
  return problems
}

function refusal(error: ProblemSymbol): Refusal {
  return { problems: [{ error }] }
}
