import type { Authenticator } from '../../auth/authenticate.ts'
import { setPassword } from '../../auth/create-account.ts'
import { lockCredentials } from '../../auth/current-login.ts'
import { hashPassword } from '../../auth/password.ts'
import type { Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { noContent } from '../../rest/routes.ts'
import { newPassword, password } from './credential-fields.ts'
import { given, holderOf, shared } from './credential-holder.ts'
import { missingPassword, refuseUnlessCurrent, verifyOwnPassword } from './own-password.ts'
import { secondFactorOperations } from './second-factor.ts'

const passwordChange = {
  new_password: text({ ...newPassword, required: true }),
  current_password: text({
    about: 'Needed for one’s own account.',
    multiline: true,
    maximumLength: 256,
    example: password.example,
  }),
}

function changePassword(authenticator: Authenticator): Operation {
  const path = '/accounts/{_id}/change_password'
  return {
    ...shared,
    id: 'accounts.change_password',
    scope: 'none',
    path,
    summary: 'Set a new password',
    about: 'All other sessions of the account end.',
    body: passwordChange,
    answers: noContent,
    async handle(call) {
      const holder = await holderOf(call, 'ownOrChild')
      const values = given(passwordChange, call, ({ current_password }) =>
        holder.isOwn && current_password === undefined ? [missingPassword] : [],
      )
      const verified = holder.isOwn
        ? await verifyOwnPassword(authenticator, call, String(values['current_password']))
        : null
      const passwordHash = await hashPassword(String(values['new_password']))
      const login = { scope: 'customer', account_id: holder.id } as const
      await call.database.transaction(async (transaction) => {
        await lockCredentials(transaction, holder.id)
        if (verified !== null) await refuseUnlessCurrent(transaction, verified)
        await setPassword(transaction, login, passwordHash, holder.isOwn ? call.caller.session_id : null)
      })
      return { status: 204 }
    },
  }
}

/** Changing the password of a login (answers §4). */
export function accountCredentials(authenticator: Authenticator): readonly Operation[] {
  return [changePassword(authenticator), ...secondFactorOperations(authenticator)]
}
