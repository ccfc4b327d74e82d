import { setTimeout as pause } from 'node:timers/promises'
import type { Authenticator } from '../../auth/authenticate.ts'
import { findLogin } from '../../auth/callers.ts'
import { writeLetter } from '../../auth/letters.ts'
import { setPasswordByLink } from '../../auth/links.ts'
import { auditSource } from '../../domain/audit.ts'
import { isUsername } from '../../domain/credentials.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { newPassword, username } from './credential-fields.ts'
import { unlessRefused } from './refused.ts'

/** Longer than the work ever takes: the time of the answer does not tell whether there is such a user. */
const answerAfterMs = 250

const request = { username }

async function sendLink(call: Call, name: string): Promise<void> {
  if (!isUsername(name)) return
  const login = await findLogin(call.database, name)
  if (login === undefined || login.scope !== 'customer' || login.is_blocked) return
  const { account_id: accountId } = login
  await call.database.transaction((transaction) =>
    writeLetter(transaction, { accountId, kind: 'password_reset', now: call.nowAt }),
  )
}

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
      await Promise.all([sendLink(call, String(values['username'])), pause(answerAfterMs)])
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
