import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { isDiskFull } from '../database/failures.ts'
import { isUsername } from '../domain/access/credentials.ts'
import type { Clock } from '../domain/clock.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { ProblemSymbol } from '../domain/input/problem-codes.ts'
import { isAddressWithin } from './address-filter.ts'
import { findLogin, type Login } from './callers.ts'
import type { KnownDevices } from './known-devices.ts'
import type { LoginLimit } from './login-limit.ts'
import { verifyPassword } from './password.ts'
import { type CodeOutcome, useCode } from './second-factor.ts'
import { storedUserAgent } from './sessions.ts'
import type { VerifiedPasswords } from './verified-passwords.ts'

export interface Refusal {
  readonly problems: readonly Problem[]
  /** Set with `too_many_requests`. */
  readonly retryAfterSeconds?: number
}

export interface RequestOrigin {
  readonly ipAddress: string
  readonly userAgent: string
}

export const loginMethods = ['basic', 'session', 'auth_token', 'oauth', 'passkey'] as const
export type LoginMethod = (typeof loginMethods)[number]

export interface PasswordAttempt extends RequestOrigin {
  readonly username: string
  readonly password: string
  readonly method: LoginMethod
  /** The code of the second factor. */
  readonly code?: string | undefined
  /** Allows a login with a second factor but without its code to go as far as entering the code. */
  readonly isUnverifiedAllowed?: boolean
}

export interface AttemptContext {
  readonly database: Database
  readonly clock: Clock
  readonly limit: LoginLimit
  readonly devices: KnownDevices
  readonly verified: VerifiedPasswords
  readonly onUnrecorded: (error: unknown) => void
}

export function refusal(error: ProblemSymbol): Refusal {
  return { problems: [{ error }] }
}

export function tooMany(waitSeconds: number): Refusal {
  return {
    problems: [{ error: 'too_many_requests', facts: { retry_after: waitSeconds } }],
    retryAfterSeconds: waitSeconds,
  }
}

type Verdict = CodeOutcome | 'unverified'

export interface PasswordOutcome {
  /** The login before the password was verified. */
  readonly login: Login
  /** False: the second factor is missing. */
  readonly isVerified: boolean
  /** True: nothing had to be verified, so the login is current. */
  readonly isRemembered: boolean
}

/** A wrong password, an unknown user, a wrong code and Basic with two factors all get the same answer. */
export async function byPassword(
  context: AttemptContext,
  attempt: PasswordAttempt,
): Promise<PasswordOutcome | Refusal> {
  const { username, ipAddress } = attempt
  // A text that cannot be a username is not looked up, because PostgreSQL refuses a NUL character.
  const login = isUsername(username) ? await findLogin(context.database, username) : undefined
  let verdict: Verdict = 'right'
  const isKnown = isRemembered(context, attempt, login)
  if (!isKnown) {
    const tried = await limited(context, { ipAddress, username }, () => verify(context, attempt, login))
    if ('problems' in tried) return tried
    verdict = tried.verdict
  }
  if (login === undefined || verdict === 'wrong') return refusal('incorrect_credentials')
  const problems = obstaclesOf(login, ipAddress)
  return problems.length > 0 ? { problems } : { login, isVerified: verdict === 'right', isRemembered: isKnown }
}

/** Counts a wrong answer against the address and the username. */
export async function limited(
  { limit }: AttemptContext,
  who: { readonly ipAddress: string; readonly username: string },
  verifyOnce: () => Promise<Verdict>,
): Promise<{ readonly verdict: 'right' | 'wrong' | 'unverified' } | Refusal> {
  const verdicts: Verdict[] = []
  const outcome = await limit.attempt(who.ipAddress, who.username, async () => {
    const verdict = await verifyOnce()
    verdicts.push(verdict)
    return verdict === 'right' || verdict === 'unverified'
  })
  if ('waitSeconds' in outcome) return tooMany(outcome.waitSeconds)
  const [verdict = 'wrong'] = verdicts
  return typeof verdict === 'object' ? tooMany(verdict.waitSeconds) : { verdict }
}

function isRemembered({ verified, clock }: AttemptContext, attempt: PasswordAttempt, login: Login | undefined) {
  if (login === undefined || login.has_2fa_enabled || attempt.method !== 'basic') return false
  return verified.has(attempt.username, attempt.password, { passwordHash: login.password_hash, now: clock.now() })
}

async function verify(context: AttemptContext, attempt: PasswordAttempt, login: Login | undefined): Promise<Verdict> {
  // The same call may have been verified while this one waited for its turn.
  if (isRemembered(context, attempt, login)) return 'right'
  const passwordHash = login?.password_hash ?? null
  const isPassword = await verifyPassword(passwordHash, attempt.password)
  const verdict = isPassword && login !== undefined ? await verifySecond(context, attempt, login) : 'wrong'
  const now = context.clock.now()
  if (verdict === 'right' && passwordHash !== null && attempt.method === 'basic') {
    context.verified.add(attempt.username, attempt.password, { passwordHash, now })
  }
  if (login !== undefined && verdict !== 'unverified') {
    const isRight = verdict === 'right'
    const logged = logAuthentication(context, { login, attempt, now, isRight })
    // A failure is not awaited: the time of the write would reveal that the user exists.
    if (isRight) await logged.catch((error: unknown) => mayGoUnlogged(context, attempt.method, error))
    else logged.catch(context.onUnrecorded)
  }
  return verdict
}

/** While the disk of the database is full, whoever knows the password may still read; no session could be stored. */
function mayGoUnlogged({ onUnrecorded }: AttemptContext, method: LoginMethod, error: unknown): void {
  if (method !== 'basic' || !isDiskFull(error)) throw error
  onUnrecorded(error)
}

async function verifySecond(context: AttemptContext, attempt: PasswordAttempt, login: Login): Promise<Verdict> {
  if (!login.has_2fa_enabled) return 'right'
  if (attempt.method === 'basic') return 'wrong'
  if (attempt.code !== undefined)
    return useCode(context.database, login.account_id, attempt.code, { now: context.clock.now() })
  return attempt.isUnverifiedAllowed === true ? 'unverified' : 'wrong'
}

export interface CodeAttempt extends RequestOrigin {
  readonly login: Login
  readonly code: string
  /** True if the code completes a login, which is then logged. */
  readonly isLogin: boolean
  /** True if the code confirms an application that was just set up. */
  readonly isFirst: boolean
}

/** Uses up a code of a caller who is already authenticated. */
export async function byCode(context: AttemptContext, attempt: CodeAttempt): Promise<{ isRight: boolean } | Refusal> {
  const { login, ipAddress } = attempt
  const now = context.clock.now()
  const tried = await limited(context, { ipAddress, username: login.username }, () =>
    useCode(context.database, login.account_id, attempt.code, { now, isFirst: attempt.isFirst }),
  )
  if ('problems' in tried) return tried
  const isRight = tried.verdict === 'right'
  if (attempt.isLogin) {
    await logAuthentication(context, { login, attempt: { ...attempt, method: 'session' }, now, isRight })
  }
  return { isRight }
}

/** Checks the password of a caller who is logged in. */
export async function byOwnPassword(
  context: AttemptContext,
  who: { readonly login: Login; readonly ipAddress: string },
  password: string,
): Promise<{ isRight: boolean } | Refusal> {
  const { login, ipAddress } = who
  const tried = await limited(context, { ipAddress, username: login.username }, async () =>
    (await verifyPassword(login.password_hash, password)) ? 'right' : 'wrong',
  )
  return 'problems' in tried ? tried : { isRight: tried.verdict === 'right' }
}

export async function logAuthentication(
  { database, devices }: AttemptContext,
  entry: {
    readonly login: Login
    readonly attempt: RequestOrigin & { readonly method: LoginMethod }
    readonly now: number
    readonly isRight: boolean
  },
): Promise<void> {
  const { login, attempt } = entry
  const success = entry.isRight && obstaclesOf(login, attempt.ipAddress).length === 0
  if (entry.isRight) await devices.note(login.username, attempt.ipAddress, entry.now)
  await database.execute(sql`
    insert into authentications (account_id, time, ip_address, user_agent, method, success)
    values (${login.account_id}, ${new Date(entry.now)}, ${attempt.ipAddress}, ${storedUserAgent(attempt.userAgent)},
      ${attempt.method}, ${success})`)
}

/** A login by a link is logged like any other that begins a session. */
export async function logLinkLogin(context: AttemptContext, { login, origin, now, success }: LinkLogin): Promise<void> {
  await logAuthentication(context, { login, attempt: { ...origin, method: 'session' }, now, isRight: success })
}

interface LinkLogin {
  readonly login: Login
  readonly origin: RequestOrigin
  readonly now: number
  readonly success: boolean
}

/** The reasons that keep an owner of right credentials out. */
export function obstaclesOf(login: Login, ipAddress: string): Problem[] {
  const problems: Problem[] = []
  if (!login.is_activated) problems.push({ error: 'account_not_activated' })
  if (login.is_blocked) problems.push({ error: 'account_blocked' })
  if (login.ip_whitelist_enabled && !isAddressWithin(ipAddress, login.ip_whitelist)) {
    problems.push({ error: 'ip_address_not_allowed', facts: { address: ipAddress } })
  }
  return problems
}
