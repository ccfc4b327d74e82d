import type { Executor } from '../../database/connect.ts'
import type { RelyingParty } from '../../domain/access/passkey.ts'
import { challengeIn, type PasskeyAssertion } from './answers.ts'
import { verifyAssertion } from './ceremony.ts'
import { type ChallengeHolder, type ChallengePurpose, takeChallenge } from './challenges.ts'
import type { PasskeyContext } from './context.ts'
import { recordUse, type StoredPasskey } from './stored.ts'

/** A passkey that has answered a challenge. */
export interface Proof {
  readonly passkey: StoredPasskey
  readonly count: number
  readonly isSynced: boolean
}

interface Answered {
  readonly party: RelyingParty
  /** Null: the answer cannot be read. */
  readonly answer: PasskeyAssertion | null
  /** Undefined: nobody has it. */
  readonly passkey: StoredPasskey | undefined
  readonly expected: ChallengeHolder & { readonly purpose: ChallengePurpose }
}

/** Null if the answer proves nothing. Its challenge is used up in any case. */
export async function prove(context: PasskeyContext, answered: Answered): Promise<Proof | null> {
  const { party, answer, passkey, expected } = answered
  const challenge = answer === null ? null : challengeIn(answer.response.clientDataJSON)
  if (answer === null || challenge === null) return null
  const { database, clock } = context
  const taken = await takeChallenge(database, challenge, { ...expected, now: clock.now() })
  if (taken === null || passkey === undefined || passkey.rp_id !== party.id) return null
  const verified = await verifyAssertion(party, challenge, { passkey, answer })
  return verified === null ? null : { passkey, ...verified }
}

/** Records the use; false: the passkey was removed meanwhile, or its counter did not grow. */
export async function use(
  transaction: Executor,
  { clock, onRegression }: PasskeyContext,
  { passkey, count, isSynced }: Proof,
): Promise<boolean> {
  const used = await recordUse(transaction, { id: passkey.id, count, isSynced, now: clock.now() })
  if (used === 'regression') onRegression({ accountId: passkey.owner_id, passkeyId: passkey.id })
  return used === 'used'
}
