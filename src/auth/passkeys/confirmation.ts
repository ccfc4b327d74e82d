import type { Caller } from '../../domain/access/caller.ts'
import { limited, logAuthentication, type Refusal, refusal } from '../attempts.ts'
import { findLoginOf } from '../callers.ts'
import { verifySession } from '../sessions.ts'
import { readAssertion } from './answers.ts'
import { assertionOptions } from './ceremony.ts'
import { makeChallenge } from './challenges.ts'
import { holderOf, type PasskeyAnswer, type PasskeyContext, type PasskeyOrigin, partyOf } from './context.ts'
import type { AssertionOptions } from './login.ts'
import { prove, use } from './proof.ts'
import { findPasskey, passkeysOf } from './stored.ts'

/** A passkey as the second factor of a caller, in place of a code. */

type Confirmation = Promise<{ readonly isRight: boolean } | Refusal>

/** The input of a browser for the caller's own passkeys. */
export async function beginConfirmation(
  context: PasskeyContext,
  caller: Caller,
  { root }: PasskeyOrigin,
): Promise<{ readonly options: AssertionOptions } | Refusal> {
  const party = partyOf(context, root)
  if ('problems' in party) return party
  const { database, clock } = context
  const passkeys = await passkeysOf(database, caller.account_id, party.id)
  if (passkeys.length === 0) return refusal('second_factor_is_off')
  const challenge = await makeChallenge(database, { purpose: 'confirm', ...holderOf(caller), now: clock.now() })
  return { options: await assertionOptions(party, challenge, passkeys) }
}

/** Whether one of the caller's passkeys has answered a challenge of this session. */
export async function confirmByPasskey(context: PasskeyContext, caller: Caller, given: PasskeyAnswer): Confirmation {
  const party = partyOf(context, given.root)
  if ('problems' in party) return party
  const login = await findLoginOf(context.database, caller)
  if (login === undefined) return refusal('incorrect_credentials')
  const answer = readAssertion(given.response)
  const found = answer === null ? undefined : await findPasskey(context.database, answer.id)
  const passkey = found?.owner_id === caller.account_id ? found : undefined
  const tried = await limited(context, { ipAddress: given.ipAddress, username: login.username }, async () => {
    const expected = { purpose: 'confirm', ...holderOf(caller) } as const
    const proof = await prove(context, { party, answer, passkey, expected })
    if (proof === null) return 'wrong'
    const isUsed = await context.database.transaction((transaction) => use(transaction, context, proof))
    return isUsed ? 'right' : 'wrong'
  })
  return 'problems' in tried ? tried : { isRight: tried.verdict === 'right' }
}

/** Completes a session that lacks its second factor. */
export async function completeByPasskey(context: PasskeyContext, caller: Caller, given: PasskeyAnswer): Confirmation {
  const outcome = await confirmByPasskey(context, caller, given)
  if ('problems' in outcome) return outcome
  const now = context.clock.now()
  const login = await findLoginOf(context.database, caller)
  const { ipAddress, userAgent } = given
  const attempt = { ipAddress, userAgent, method: 'passkey' } as const
  if (login !== undefined) await logAuthentication(context, { login, attempt, now, isRight: outcome.isRight })
  if (outcome.isRight && caller.session_id !== null) await verifySession(context.database, caller.session_id, now)
  return outcome
}
