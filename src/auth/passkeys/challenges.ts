import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { challengeLife } from '../../domain/access/passkey.ts'
import { digestOf } from '../tokens.ts'

/** Random values that an answer of a passkey must sign. They are in the database, so any process takes the answer. */

export type ChallengePurpose = 'register' | 'log_in' | 'confirm'

/** The session that asked; both are null before a login. */
export interface ChallengeHolder {
  readonly accountId: number | null
  readonly sessionId: string | null
}

export interface NewChallenge extends ChallengeHolder {
  readonly purpose: ChallengePurpose
  /** The name of the account for passkeys; for registering alone. */
  readonly userHandle?: Buffer
  readonly now: number
}

/** Each new challenge removes at most this many that have expired. */
const sweptAtOnce = 10

/** Returns the challenge in base64url, as browsers repeat it. Only its digest is stored. */
export async function makeChallenge(executor: Executor, wanted: NewChallenge): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const { purpose, accountId, sessionId, userHandle = null, now } = wanted
  await executor.execute(sql`
    delete from passkey_challenges where challenge_hash in (
      select challenge_hash from passkey_challenges where expires_at <= ${new Date(now)}
      limit ${sweptAtOnce} for update skip locked)`)
  await executor.execute(sql`
    insert into passkey_challenges (challenge_hash, purpose, account_id, session_id, user_handle, expires_at)
    values (${digestOf(challenge)}, ${purpose}, ${accountId}, ${sessionId}, ${userHandle},
      ${new Date(now + challengeLife)})`)
  return challenge
}

interface StoredChallenge {
  readonly purpose: ChallengePurpose
  readonly account_id: number | null
  readonly session_id: string | null
  readonly user_handle: Buffer | null
  readonly expires_at: number
}

/** Uses up a challenge, whatever becomes of the answer. Null: it is none, has expired, or is another session's. */
export async function takeChallenge(
  executor: Executor,
  challenge: string,
  expected: ChallengeHolder & { readonly purpose: ChallengePurpose; readonly now: number },
): Promise<{ readonly userHandle: Buffer | null } | null> {
  const [found] = await executor.query<StoredChallenge>(sql`
    delete from passkey_challenges where challenge_hash = ${digestOf(challenge)}
    returning purpose, account_id, session_id, user_handle, expires_at`)
  if (found === undefined || found.expires_at <= expected.now || found.purpose !== expected.purpose) return null
  const isOwn = found.account_id === expected.accountId && found.session_id === expected.sessionId
  return isOwn ? { userHandle: found.user_handle } : null
}
