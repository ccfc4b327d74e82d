import type { Authenticator } from '../../auth/authenticate.ts'
import { askForNewPassword } from '../../auth/forgotten-password.ts'
import { setPasswordByLink } from '../../auth/links.ts'
import { auditSource } from '../../domain/access/audit.ts'
import type { Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { newPassword, username } from './credential-fields.ts'
import { unlessRefused } from './refused.ts'

const request = { username }

function initialize(authenticator: Authenticator): Operation {
  return {
    id: 'system.initialize_password_reset',
    method: 'POST',
    path: '/system/reset_password/initialize',
    tag: 'system',
    summary: 'Ask for a link that sets a new password',
    about: 'Mailed to the address in user_data. The answer is the same for a user who does not exist.',
    access: 'open',
    body: request,
    answers: noContent,
    async handle(call) {
      const { values, problems } = readBody(request, call.body, call.nowAt)
      refuseAny(problems)
      unlessRefused((await authenticator.admit(call.ipAddress)) ?? {})
      await askForNewPassword(call.database, String(values['username']), call.nowAt)
      return { status: 204 }
    },
  }
}

const confirmation = {
  token: text({ about: 'As mailed.', required: true, multiline: true, maximumLength: 200, example: 'TOKEN' }),
  new_password: text({ ...newPassword, required: true }),
}

const confirm: Operation = {
  id: 'system.confirm_password_reset',
  method: 'POST',
  path: '/system/reset_password/confirm',
  tag: 'system',
  summary: 'Set a new password with the mailed link',
  about: 'All sessions of the account end. The second factor stays on.',
  access: 'open',
  body: confirmation,
  answers: noContent,
  async handle(call) {
    const { values, problems } = readBody(confirmation, call.body, call.nowAt)
    refuseAny(problems)
    const [token, password] = [String(values['token']), String(values['new_password'])]
    const origin = { source: auditSource(call.source, call.caller), ipAddress: call.ipAddress, now: call.nowAt }
    if ((await setPasswordByLink(call.database, { token, password, ...origin })) === null)
      refuse('incorrect_value', 'data.token', { detail: 'link' })
    return { status: 204 }
  },
}

/** A new password for who has forgotten the old one (answers §4). */
export function passwordReset(authenticator: Authenticator): readonly Operation[] {
  return [initialize(authenticator), confirm]
}
