import type { Caller } from '../../domain/access/caller.ts'
import type { Refusal } from '../attempts.ts'
import { challengeIn, readRegistration } from './answers.ts'
import { type NewCredential, registrationOptions, verifyRegistration } from './ceremony.ts'
import { makeChallenge, takeChallenge } from './challenges.ts'
import { holderOf, type PasskeyAnswer, type PasskeyContext, type PasskeyOrigin, partyOf } from './context.ts'
import { passkeysOf, userHandleOf } from './stored.ts'

export type RegistrationOptions = Awaited<ReturnType<typeof registrationOptions>>

/** A passkey that has proven itself and is not stored yet. */
export interface ProvenPasskey extends NewCredential {
  readonly rpId: string
  readonly userHandle: Buffer
}

/** The input of a browser that makes a new passkey for the caller. */
export async function beginRegistration(
  context: PasskeyContext,
  caller: Caller,
  { root }: PasskeyOrigin,
): Promise<{ readonly options: RegistrationOptions } | Refusal> {
  const party = partyOf(context, root)
  if ('problems' in party) return party
  const { database, clock } = context
  const present = await passkeysOf(database, caller.account_id, party.id)
  const userHandle = await userHandleOf(database, caller.account_id)
  const wanted = { purpose: 'register', ...holderOf(caller), userHandle, now: clock.now() } as const
  const challenge = await makeChallenge(database, wanted)
  const { username } = caller
  return { options: await registrationOptions({ party, challenge, userHandle, username, present }) }
}

/** The new passkey in the browser's answer; null: the answer proves none for this session. */
export async function proveRegistration(
  context: PasskeyContext,
  caller: Caller,
  { response, root }: PasskeyAnswer,
): Promise<{ readonly passkey: ProvenPasskey | null } | Refusal> {
  const party = partyOf(context, root)
  if ('problems' in party) return party
  const answer = readRegistration(response)
  const challenge = answer === null ? null : challengeIn(answer.response.clientDataJSON)
  if (answer === null || challenge === null) return { passkey: null }
  const expected = { purpose: 'register', ...holderOf(caller), now: context.clock.now() } as const
  const taken = await takeChallenge(context.database, challenge, expected)
  if (taken === null || taken.userHandle === null) return { passkey: null }
  const credential = await verifyRegistration(party, challenge, answer)
  return { passkey: credential === null ? null : { ...credential, rpId: party.id, userHandle: taken.userHandle } }
}
