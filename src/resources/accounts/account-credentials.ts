import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import type { Login } from '../../auth/callers.ts'
import { setPassword } from '../../auth/create-account.ts'
import { lockCredentials } from '../../auth/current-login.ts'
import { hashPassword } from '../../auth/password.ts'
import { disableSecondFactor, enableSecondFactor, setUpSecondFactor } from '../../auth/second-factor.ts'
import { endSessionsOf, hasJustLoggedIn } from '../../auth/sessions.ts'
import type { Executor } from '../../database/connect.ts'
import { holds, type Row } from '../../domain/condition.ts'
import { mayWrite } from '../../domain/permissions.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { readBody, type Values } from '../../rest/input.ts'
import { readParent } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { code, newPassword, password } from './credential-fields.ts'
import { missingPassword, refuseUnlessCurrent, verifyOwnPassword } from './own-password.ts'
import { unlessRefused } from './refused.ts'

type Fields = Parameters<typeof readBody>[0]

const shared = { method: 'POST', tag: 'accounts', access: 'customer', parameters: pathParameters('{_id}') } as const

interface Holder {
  readonly id: number
  readonly username: string
  /** False: a sub-account of the caller's. */
  readonly isOwn: boolean
}

/** A login's own credentials are its own to change, also when it may change nothing else; its parent may help. */
async function holderOf(call: Call, who: 'own' | 'ownOrChild'): Promise<Holder> {
  const account: Row = await readParent(call.registry.get('accounts'), call)
  const isOwn = account['id'] === call.caller.account_id
  const isChild = account['family_parent_id'] === call.caller.account_id && holds(mayWrite(call.caller), account)
  if (!isOwn && !(isChild && who === 'ownOrChild')) refuse('forbidden')
  return { id: Number(account['id']), username: String(account['username']), isOwn }
}

function given(fields: Fields, call: Call, more: (values: Values) => readonly Problem[] = () => []): Values {
  const { values, problems } = readBody(fields, call.body, call.nowAt)
  refuseAny([...problems, ...more(values)])
  return values
}

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

async function lockFactor(transaction: Executor, accountId: number): Promise<{ isOn: boolean; isSetUp: boolean }> {
  const [row] = await transaction.query<{ isOn: boolean; isSetUp: boolean }>(sql`
    select has_2fa_enabled as "isOn", exists (select from second_factors where account_id = id) as "isSetUp"
    from user_data where id = ${accountId} for update`)
  return row ?? { isOn: false, isSetUp: false }
}

const beginning = {
  current_password: text({
    multiline: true,
    about: 'Needed with a session whose log-in is more than ten minutes old.',
    maximumLength: 256,
    example: password.example,
  }),
}

/** Null: nothing had to be verified. */
async function confirmSetup(authenticator: Authenticator, call: Call): Promise<Login | null> {
  const body = call.body ?? {}
  // A token that was stolen is older, as a rule: with it alone nobody shuts the owner out by a factor of their own.
  const { current_password: sent } = given(beginning, { ...call, body })
  if (sent === undefined && (await hasJustLoggedIn(call.database, call.caller.session_id, call.nowAt))) return null
  if (sent === undefined) refuseAny([missingPassword])
  return verifyOwnPassword(authenticator, call, String(sent))
}

function setUp(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'accounts.set_up_2fa',
    isBeforeSecondFactor: true,
    scope: 'none',
    path: '/accounts/{_id}/2fa/setup',
    summary: 'Begin to set up a second factor',
    about: 'Makes a new secret for an authenticator application. Nothing changes until its first code is verified.',
    body: beginning,
    isBodyOptional: true,
    answers: {
      200: {
        about: 'The secret, shown this once.',
        schema: {
          type: 'object',
          required: ['secret', 'otpauth_url'],
          properties: {
            secret: { type: 'string', description: 'Base32.' },
            otpauth_url: { type: 'string', description: 'For a QR code.' },
          },
          example: {
            secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
            otpauth_url: 'otpauth://totp/Latarnik:alice?secret=…',
          },
        },
      },
    },
    async handle(call) {
      const holder = await holderOf(call, 'own')
      const verified = await confirmSetup(authenticator, call)
      const body = await call.database.transaction(async (transaction) => {
        await lockCredentials(transaction, holder.id)
        if (verified !== null) await refuseUnlessCurrent(transaction, verified)
        if ((await lockFactor(transaction, holder.id)).isOn) refuse('second_factor_is_on')
        return setUpSecondFactor(transaction, holder, call.nowAt)
      })
      return { status: 200, body }
    },
  }
}

const confirmation = { code: { ...code, required: true } }

function verify(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'accounts.verify_2fa',
    isBeforeSecondFactor: true,
    scope: 'none',
    path: '/accounts/{_id}/2fa/verify',
    summary: 'Switch the second factor on with its first code',
    about: 'All other sessions of the account end, and Basic stops working.',
    body: confirmation,
    answers: {
      200: {
        about: 'Codes for the day when the telephone is lost; each works once. Shown this once.',
        schema: {
          type: 'object',
          required: ['recovery_codes'],
          properties: { recovery_codes: { type: 'array', items: { type: 'string' } } },
          example: { recovery_codes: ['abcd-efgh-jkmn-pqrs'] },
        },
      },
    },
    async handle(call) {
      const holder = await holderOf(call, 'own')
      const values = given(confirmation, call)
      const factor = await lockFactor(call.database, holder.id)
      if (factor.isOn) refuse('second_factor_is_on')
      if (!factor.isSetUp) refuse('second_factor_is_off')
      const confirmed = await authenticator.confirmCode(call.caller, String(values['code']), call)
      if (!unlessRefused(confirmed).isRight) refuse('incorrect_value', 'data.code', { detail: 'code' })
      const codes = await call.database.transaction(async (transaction) => {
        await endSessionsOf(transaction, holder.id, call.caller.session_id)
        return enableSecondFactor(transaction, holder.id)
      })
      return { status: 200, body: { recovery_codes: codes } }
    },
  }
}

const disabling = { code }

function disable(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'accounts.disable_2fa',
    scope: 'none',
    path: '/accounts/{_id}/2fa/disable',
    summary: 'Switch the second factor off',
    about:
      'With a code of the application or a recovery code; the parent account does it for its sub-accounts without one.',
    body: disabling,
    answers: noContent,
    async handle(call) {
      const holder = await holderOf(call, 'ownOrChild')
      const values = given(disabling, call, (read) =>
        holder.isOwn && read['code'] === undefined
          ? [{ error: 'missing_value', field: 'data.code', facts: { name: 'code' } }]
          : [],
      )
      if (!(await lockFactor(call.database, holder.id)).isOn) refuse('second_factor_is_off')
      if (holder.isOwn) {
        const confirmed = await authenticator.confirmCode(call.caller, String(values['code']), call)
        if (!unlessRefused(confirmed).isRight) refuse('incorrect_value', 'data.code', { detail: 'code' })
      }
      await call.database.transaction((transaction) => disableSecondFactor(transaction, holder.id))
      return { status: 204 }
    },
  }
}

/** Changing the password and the second factor of a login (answers §4). */
export function accountCredentials(authenticator: Authenticator): readonly Operation[] {
  return [changePassword(authenticator), setUp(authenticator), verify(authenticator), disable(authenticator)]
}
