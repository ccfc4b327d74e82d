import type { Database, Executor } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import { expirationDuration } from '../domain/access/credentials.ts'
import type { Clock } from '../domain/clock.ts'
import { isOfKey, useKey } from './api-keys.ts'
import {
  type AttemptContext,
  byCode,
  byOwnPassword,
  byPassword,
  logLinkLogin,
  obstaclesOf,
  type Refusal,
  type RequestOrigin,
  refusal,
  tooMany,
} from './attempts.ts'
import { readAuthorization } from './authorization-header.ts'
import { callerOf, findLoginOf, type Login } from './callers.ts'
import { windowMs } from './counted-attempts.ts'
import { findCurrentLogin, lockCurrentLogin } from './current-login.ts'
import { askForNewPassword } from './forgotten-password.ts'
import { knownDevicesIn } from './known-devices.ts'
import { LoginLimit } from './login-limit.ts'
import { loginOfLink, takeLoginLink } from './login-links.ts'
import type { PasskeyContext } from './passkeys/context.ts'
import { type Passkeys, passkeysIn } from './passkeys/passkeys.ts'
import { createSession, forgetExpiredSessions, type NewSession, useSession, verifySession } from './sessions.ts'
import { failuresIn } from './shared-failures.ts'
import { VerifiedPasswords } from './verified-passwords.ts'

export type { Refusal, RequestOrigin } from './attempts.ts'

export interface AuthenticationRequest extends RequestOrigin {
  readonly authorization: string | undefined
  /** Accepts a session that still lacks its second factor. */
  readonly isUnverifiedAllowed?: boolean
  /** Accepts tokens that assistants got by logging in, which open nothing else. */
  readonly isAssistant?: boolean
}

export interface LogInRequest extends RequestOrigin {
  readonly username: string
  readonly password: string
  readonly method: 'session' | 'auth_token' | 'oauth'
  readonly expirationDurationSeconds?: number | undefined
  /** The code of the second factor. */
  readonly code?: string | undefined
  /** Allows a missing second factor: the new session can do nothing but `verifySession`. */
  readonly isUnverifiedAllowed?: boolean
}

type Confirmation = Promise<{ readonly isRight: boolean } | Refusal>

/** The verified login. In a transaction, `lockCurrentLogin` checks whether it is still current. */
type PasswordConfirmation = Promise<{ readonly isRight: boolean; readonly login: Login } | Refusal>

/** Stores the result of a successful login, in a transaction that locks the credentials. */
type Grant<T> = (transaction: Executor, granted: { readonly login: Login; readonly isVerified: boolean }) => Promise<T>

export interface Authenticator {
  /** Null if the request carries no credentials. */
  authenticate(request: AuthenticationRequest): Promise<{ readonly caller: Caller } | Refusal | null>
  logIn(request: LogInRequest): Promise<{ readonly session: NewSession } | Refusal>
  /** Logs in with a link instead of a password. The link is used up even if something else keeps its owner out. */
  logInByLink(request: RequestOrigin & { readonly token: string }): Promise<{ readonly session: NewSession } | Refusal>
  /** Logs in an identity that a provider confirmed. Null: it has no account. The second factor is still asked for. */
  logInByIdentity(
    request: RequestOrigin & { readonly accountOf: (transaction: Executor) => Promise<number | null> },
  ): Promise<{ readonly session: NewSession; readonly isVerified: boolean } | Refusal | null>
  /** The username of a login link; null if the link does not work. */
  ownerOfLoginLink(token: string): Promise<string | null>
  /** Like logging in, but stores something else than a session. */
  grant<T>(request: LogInRequest, make: Grant<T>): Promise<{ readonly granted: T } | Refusal>
  /** Completes a session that lacks its second factor. */
  verifySession(caller: Caller, code: string, origin: RequestOrigin): Confirmation
  /** Uses up a code of the caller's second factor. */
  confirmCode(caller: Caller, code: string, origin: RequestOrigin): Confirmation
  /** Uses up the first code of an application that was just set up. */
  confirmFirstCode(caller: Caller, code: string, origin: RequestOrigin): Confirmation
  /** Checks the caller's password. */
  confirmPassword(caller: Caller, password: string, origin: RequestOrigin): PasswordConfirmation
  readonly passkeys: Passkeys
  /** For costly requests without a login. Null, or the refusal above the limit of their address. */
  admit(ipAddress: string): Promise<Refusal | null>
  /** Mails the user a link that sets a new password, if there is such a user with a mailbox. */
  askForNewPassword(username: string): Promise<void>
  /** For a login through a provider: the refusal after too many failures of its address; counts this one on request. */
  admitIdentity(ipAddress: string, hasFailed: boolean): Promise<Refusal | null>
}

export interface AuthenticatorOptions {
  readonly database: Database
  readonly clock: Clock
  /** Failed attempts per minute, per address and per username, over all processes. */
  readonly loginLimit: number
  /** The address of this installation, to which passkeys belong. Default: that of each request. */
  readonly publicUrl?: string | undefined
  /** Called if the counter of a passkey did not grow: a copy of it may be in use. */
  readonly onRegression?: PasskeyContext['onRegression']
  /** Called if the database could not record an attempt; its outcome is the same. */
  readonly onUnrecorded?: (error: unknown) => void
}

/** The challenges of passkeys per minute and address, as a multiple of the failed logins. */
const challengesPerAttempt = 10

/** The state behind an authenticator. */
function partsOf(options: AuthenticatorOptions) {
  const { database, clock, loginLimit, publicUrl } = options
  const { onUnrecorded = () => undefined, onRegression = () => undefined } = options
  const devices = knownDevicesIn(database)
  const limits = { attemptsPerMinute: loginLimit, clock, shared: failuresIn(database, windowMs), onUnrecorded }
  const limit = new LoginLimit({ ...limits, counted: 'logins', devices })
  const context: AttemptContext = { database, clock, limit, devices, onUnrecorded, verified: new VerifiedPasswords() }
  // An office that shares an address asks often, and a challenge costs little.
  const asked = { ...limits, attemptsPerMinute: loginLimit * challengesPerAttempt }
  const challenges = new LoginLimit({ ...asked, counted: 'passkey challenges' })
  return {
    context,
    passkeys: passkeysIn({ ...context, publicUrl, challenges, onRegression }),
    strangers: new LoginLimit({ ...limits, counted: 'strangers' }),
    identities: new LoginLimit({ ...limits, counted: 'identities' }),
  }
}

/** Null, or the refusal above the limit of the address; counts a failure. */
async function admit(limit: LoginLimit, ipAddress: string, hasFailed: boolean): Promise<Refusal | null> {
  const outcome = await limit.attempt(ipAddress, ipAddress, async () => !hasFailed)
  return 'waitSeconds' in outcome ? tooMany(outcome.waitSeconds) : null
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { context, passkeys, strangers, identities } = partsOf(options)
  return {
    passkeys,
    authenticate: (request) => authenticate(context, request),
    logIn: (request) => logIn(context, request),
    logInByLink: (request) => logInByLink(context, request),
    logInByIdentity: (request) => logInByIdentity(context, request),
    async ownerOfLoginLink(token) {
      return (await loginOfLink(context.database, token, context.clock.now()))?.username ?? null
    },
    grant: (request, make) => grant(context, request, make),
    verifySession: (caller, code, origin) => completeSession(context, caller, code, origin),
    confirmCode: (caller, code, origin) =>
      confirmCode(context, caller, code, { ...origin, isLogin: false, isFirst: false }),
    confirmFirstCode: (caller, code, origin) =>
      confirmCode(context, caller, code, { ...origin, isLogin: false, isFirst: true }),
    confirmPassword: (caller, password, origin) => confirmPassword(context, caller, password, origin),
    admit: (ipAddress) => admit(strangers, ipAddress, true),
    askForNewPassword: (username) => askForNewPassword(context.database, username, context.clock.now()),
    admitIdentity: (ipAddress, hasFailed) => admit(identities, ipAddress, hasFailed),
  }
}

async function authenticate(
  context: AttemptContext,
  request: AuthenticationRequest,
): ReturnType<Authenticator['authenticate']> {
  const credentials = readAuthorization(request.authorization)
  if (credentials === null) return null
  if (credentials.scheme === 'unreadable') return refusal('incorrect_credentials')
  if (credentials.scheme === 'bearer') {
    const by = isOfKey(credentials.token) ? byKey : bySession
    return by(context, credentials.token, request)
  }
  const { ipAddress, userAgent } = request
  const outcome = await byPassword(context, { ipAddress, userAgent, ...credentials, method: 'basic' })
  if (!('login' in outcome)) return outcome
  if (outcome.isRemembered) return { caller: callerOf(outcome.login, null) }
  const login = await findCurrentLogin(context.database, outcome.login)
  return login === undefined ? refusal('incorrect_credentials') : { caller: callerOf(login, null) }
}

async function grant<T>(
  context: AttemptContext,
  request: LogInRequest,
  make: Grant<T>,
): Promise<{ readonly granted: T } | Refusal> {
  const outcome = await byPassword(context, request)
  if (!('login' in outcome)) return outcome
  return context.database.transaction(async (transaction) => {
    const login = await lockCurrentLogin(transaction, outcome.login)
    if (login === undefined) return refusal('incorrect_credentials')
    const problems = obstaclesOf(login, request.ipAddress)
    if (problems.length > 0) return { problems }
    return { granted: await make(transaction, { login, isVerified: outcome.isVerified }) }
  })
}

async function logIn(context: AttemptContext, request: LogInRequest): ReturnType<Authenticator['logIn']> {
  const now = context.clock.now()
  const outcome = await grant(context, request, (transaction, granted) =>
    createSession(transaction, {
      ...granted,
      userAgent: request.userAgent,
      expirationDurationSeconds: request.expirationDurationSeconds ?? expirationDuration.default,
      now: context.clock.now(),
    }),
  )
  if (!('granted' in outcome)) return outcome
  await forgetExpiredSessions(context.database, now)
  return { session: outcome.granted }
}

async function logInByLink(
  context: AttemptContext,
  request: RequestOrigin & { readonly token: string },
): ReturnType<Authenticator['logInByLink']> {
  const now = context.clock.now()
  const found = await takeLoginLink(context.database, request.token, now)
  if (found === undefined || found.has_2fa_enabled) return refusal('incorrect_credentials')
  const outcome = await context.database.transaction(async (transaction) => {
    const login = await lockCurrentLogin(transaction, found)
    if (login === undefined) return refusal('incorrect_credentials')
    const problems = obstaclesOf(login, request.ipAddress)
    if (problems.length > 0) return { problems }
    const { userAgent } = request
    const expirationDurationSeconds = expirationDuration.default
    return {
      session: await createSession(transaction, { login, isVerified: true, userAgent, expirationDurationSeconds, now }),
    }
  })
  await logLinkLogin(context, { login: found, origin: request, now, success: 'session' in outcome })
  return outcome
}

async function logInByIdentity(
  context: AttemptContext,
  { accountOf, ...origin }: Parameters<Authenticator['logInByIdentity']>[0],
): ReturnType<Authenticator['logInByIdentity']> {
  const now = context.clock.now()
  const outcome = await context.database.transaction(async (transaction) => {
    const id = await accountOf(transaction)
    const found = id === null ? undefined : await findLoginOf(transaction, { scope: 'customer', account_id: id })
    const login = found === undefined ? undefined : await lockCurrentLogin(transaction, found)
    if (login === undefined) return null
    const problems = obstaclesOf(login, origin.ipAddress)
    if (problems.length > 0) return { login, problems }
    const isVerified = !login.has_2fa_enabled
    const { userAgent } = origin
    const expirationDurationSeconds = expirationDuration.default
    const session = await createSession(transaction, { login, isVerified, userAgent, expirationDurationSeconds, now })
    return { login, session, isVerified }
  })
  if (outcome === null) return null
  const { login, ...answer } = outcome
  await logLinkLogin(context, { login, origin, now, success: 'session' in answer })
  return 'problems' in answer ? { problems: answer.problems } : answer
}

async function bySession(
  context: AttemptContext,
  token: string,
  request: AuthenticationRequest,
): Promise<{ caller: Caller } | Refusal> {
  const session = await useSession(context.database, token, context.clock.now())
  if (session === undefined) return refusal('incorrect_credentials')
  if (session.isExpired) return refusal('session_expired')
  if (!session.is_verified && request.isUnverifiedAllowed !== true) return refusal('second_factor_required')
  const problems = obstaclesOf(session.login, request.ipAddress)
  return problems.length > 0 ? { problems } : { caller: callerOf(session.login, session) }
}

/** The owner's second factor was asked for when the key was made; a blocked owner is refused as everywhere. */
async function byKey(
  context: AttemptContext,
  token: string,
  request: AuthenticationRequest,
): Promise<{ caller: Caller } | Refusal> {
  const used = await useKey(context.database, token, context.clock.now())
  const isElsewhere = used?.key.client_id !== undefined && request.isAssistant !== true
  if (used === undefined || used.isExpired || isElsewhere) return refusal('invalid_token')
  const problems = obstaclesOf(used.login, request.ipAddress)
  return problems.length > 0 ? { problems } : { caller: callerOf(used.login, null, used.key) }
}

async function confirmCode(
  context: AttemptContext,
  caller: Caller,
  code: string,
  more: RequestOrigin & { readonly isLogin: boolean; readonly isFirst: boolean },
): Confirmation {
  const login = await findLoginOf(context.database, caller)
  return login === undefined ? refusal('incorrect_credentials') : byCode(context, { ...more, login, code })
}

async function completeSession(
  context: AttemptContext,
  caller: Caller,
  code: string,
  origin: RequestOrigin,
): Confirmation {
  const outcome = await confirmCode(context, caller, code, { ...origin, isLogin: true, isFirst: false })
  if ('isRight' in outcome && outcome.isRight && caller.session_id !== null) {
    await verifySession(context.database, caller.session_id, context.clock.now())
  }
  return outcome
}

async function confirmPassword(
  context: AttemptContext,
  caller: Caller,
  password: string,
  { ipAddress }: RequestOrigin,
): PasswordConfirmation {
  const login = await findLoginOf(context.database, caller)
  if (login === undefined) return refusal('incorrect_credentials')
  const outcome = await byOwnPassword(context, { login, ipAddress }, password)
  return 'problems' in outcome ? outcome : { ...outcome, login }
}
