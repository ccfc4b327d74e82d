import type { Authenticator } from '../../auth/authenticate.ts'
import type { Login } from '../../auth/callers.ts'
import { hasJustLoggedIn } from '../../auth/sessions.ts'
import type { Call } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { refuseAny } from '../../rest/problems.ts'
import { password } from './credential-fields.ts'
import { given } from './credential-holder.ts'
import { missingPassword, verifyOwnPassword } from './own-password.ts'

export const proofOfLogin = {
  current_password: text({
    multiline: true,
    about: 'Needed with a session whose log-in is more than ten minutes old.',
    maximumLength: 256,
    example: password.example,
  }),
}

/** Null: nothing had to be verified. */
export async function confirmLogin(authenticator: Authenticator, call: Call): Promise<Login | null> {
  const body = call.body ?? {}
  // A token that was stolen is older, as a rule: with it alone nobody shuts the owner out by a factor of their own.
  const { current_password: sent } = given(proofOfLogin, { ...call, body })
  if (sent === undefined && (await hasJustLoggedIn(call.database, call.caller.session_id, call.nowAt))) return null
  if (sent === undefined) refuseAny([missingPassword])
  return verifyOwnPassword(authenticator, call, String(sent))
}
