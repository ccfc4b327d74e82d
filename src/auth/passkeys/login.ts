import type { Executor } from '../../database/connect.ts'
import { expirationDuration } from '../../domain/access/credentials.ts'
import { limited, logAuthentication, obstaclesOf, type Refusal, refusal, tooMany } from '../attempts.ts'
import { findLoginOf, type Login } from '../callers.ts'
import { lockCurrentLogin } from '../current-login.ts'
import { createSession, forgetExpiredSessions, type NewSession } from '../sessions.ts'
import { readAssertion } from './answers.ts'
import { assertionOptions } from './ceremony.ts'
import { makeChallenge } from './challenges.ts'
import { type PasskeyAnswer, type PasskeyContext, type PasskeyOrigin, partyOf } from './context.ts'
import { type Proof, prove, use } from './proof.ts'
import { findPasskey, type StoredPasskey } from './stored.ts'

/** Logging in with a passkey alone. It is two factors: the device, and the finger or the PIN that opens it. */

export type AssertionOptions = Awaited<ReturnType<typeof assertionOptions>>

export interface PasskeyLogin extends PasskeyAnswer {
  readonly expirationDurationSeconds?: number | undefined
}

const nobody = { accountId: null, sessionId: null }

/** The input of a browser that logs in with any passkey of this site. It names no account, so it tells of none. */
export async function beginLogin(
  context: PasskeyContext,
  { root, ipAddress }: PasskeyOrigin,
): Promise<{ readonly options: AssertionOptions } | Refusal> {
  const party = partyOf(context, root)
  if ('problems' in party) return party
  const outcome = await context.challenges.attempt(ipAddress, ipAddress, async () => false)
  if ('waitSeconds' in outcome) return tooMany(outcome.waitSeconds)
  const challenge = await makeChallenge(context.database, { purpose: 'log_in', ...nobody, now: context.clock.now() })
  return { options: await assertionOptions(party, challenge, []) }
}

interface Owned {
  readonly passkey: StoredPasskey
  readonly login: Login
}

/** The passkey with this identifier and its owner. */
async function ownedBy({ database }: PasskeyContext, credentialId: string): Promise<Owned | undefined> {
  const passkey = await findPasskey(database, credentialId)
  if (passkey === undefined) return undefined
  const login = await findLoginOf(database, { scope: 'customer', account_id: passkey.owner_id })
  return login === undefined ? undefined : { passkey, login }
}

/** Stores what a login gives, in a transaction that locks the account. */
export type Grant<T> = (transaction: Executor, login: Login) => Promise<T>

export async function logInByPasskey(
  context: PasskeyContext,
  request: PasskeyLogin,
): Promise<{ readonly session: NewSession } | Refusal> {
  const { userAgent, expirationDurationSeconds = expirationDuration.default } = request
  const outcome = await grantByPasskey(context, request, (transaction, login) => {
    const now = context.clock.now()
    return createSession(transaction, { login, isVerified: true, userAgent, expirationDurationSeconds, now })
  })
  await forgetExpiredSessions(context.database, context.clock.now())
  return 'problems' in outcome ? outcome : { session: outcome.granted }
}

/**
 * Like logging in, but stores something else than a session. An unknown passkey and a wrong signature get the same
 * answer, as wrong passwords do.
 */
export async function grantByPasskey<T>(
  context: PasskeyContext,
  request: PasskeyAnswer,
  make: Grant<T>,
): Promise<{ readonly granted: T } | Refusal> {
  const party = partyOf(context, request.root)
  if ('problems' in party) return party
  const answer = readAssertion(request.response)
  const owned = answer === null ? undefined : await ownedBy(context, answer.id)
  const proofs: Proof[] = []
  const who = { ipAddress: request.ipAddress, username: owned?.login.username ?? '' }
  const tried = await limited(context, who, async () => {
    const expected = { purpose: 'log_in', ...nobody } as const
    const proof = await prove(context, { party, answer, passkey: owned?.passkey, expected })
    if (proof !== null) proofs.push(proof)
    else if (owned !== undefined) log(context, owned.login, request, false).catch(context.onUnrecorded)
    return proof === null ? 'wrong' : 'right'
  })
  if ('problems' in tried) return tried
  const [proof] = proofs
  if (owned === undefined || proof === undefined) return refusal('incorrect_credentials')
  const outcome = await stored(context, { login: owned.login, proof }, request, make)
  await log(context, owned.login, request, 'granted' in outcome)
  return outcome
}

function stored<T>(
  context: PasskeyContext,
  proven: { readonly login: Login; readonly proof: Proof },
  { ipAddress }: PasskeyAnswer,
  make: Grant<T>,
): Promise<{ readonly granted: T } | Refusal> {
  return context.database.transaction(async (transaction) => {
    const login = await lockCurrentLogin(transaction, proven.login)
    if (login === undefined) return refusal('incorrect_credentials')
    if (!(await use(transaction, context, proven.proof))) return refusal('incorrect_credentials')
    const problems = obstaclesOf(login, ipAddress)
    if (problems.length > 0) return { problems }
    return { granted: await make(transaction, login) }
  })
}

function log(context: PasskeyContext, login: Login, origin: PasskeyOrigin, isRight: boolean): Promise<void> {
  const { ipAddress, userAgent } = origin
  const attempt = { ipAddress, userAgent, method: 'passkey' } as const
  return logAuthentication(context, { login, attempt, now: context.clock.now(), isRight })
}
