import type { Authenticator } from '../../auth/authenticate.ts'
import type { Login } from '../../auth/callers.ts'
import { findCurrentLogin } from '../../auth/current-login.ts'
import type { Executor } from '../../database/connect.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import { refuse } from '../../rest/problems.ts'
import { unlessRefused } from './refused.ts'

/** Changes of the caller's own login need the caller's password beside the session or token. */

export const missingPassword: Problem = {
  error: 'missing_value',
  field: 'data.current_password',
  facts: { name: 'current_password' },
}

/** The login whose password this is. Problems: incorrect_value. */
export async function verifyOwnPassword(authenticator: Authenticator, call: Call, password: string): Promise<Login> {
  const { isRight, login } = unlessRefused(await authenticator.confirmPassword(call.caller, password, call))
  return isRight ? login : refuseCurrentPassword()
}

function refuseCurrentPassword(): never {
  return refuse('incorrect_value', 'data.current_password', { detail: 'current_password' })
}

/** The password may have been changed while it was verified. */
export async function refuseUnlessCurrent(transaction: Executor, verified: Login): Promise<void> {
  if ((await findCurrentLogin(transaction, verified)) === undefined) refuseCurrentPassword()
}
