import type { Authenticator } from '../../auth/authenticate.ts'
import { lockCredentials } from '../../auth/current-login.ts'
import {
  countRecoveryCodes,
  disableSecondFactor,
  enableSecondFactor,
  enableWithPasskeys,
  lockFactor,
  readFactor,
  removeApplication,
  setUpSecondFactor,
} from '../../auth/second-factor.ts'
import { endSessionsOf } from '../../auth/sessions.ts'
import type { Executor } from '../../database/connect.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Call, Operation } from '../../rest/call.ts'
import type { Values } from '../../rest/input.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { code } from './credential-fields.ts'
import { type CredentialHolder, given, holderOf, shared } from './credential-holder.ts'
import { refuseUnlessCurrent } from './own-password.ts'
import { passkeyAnswer, passkeyOrigin } from './passkey-fields.ts'
import { confirmLogin, proofOfLogin } from './recent-login.ts'
import { unlessRefused } from './refused.ts'

const recoveryAnswer = {
  200: {
    about: 'Codes for the day when the telephone is lost; each works once. Shown this once.',
    schema: {
      type: 'object',
      required: ['recovery_codes'],
      properties: { recovery_codes: { type: 'array', items: { type: 'string' } } },
      example: { recovery_codes: ['abcd-efgh-jkmn-pqrs'] },
    },
  },
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
    body: proofOfLogin,
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
      const verified = await confirmLogin(authenticator, call)
      const body = await call.database.transaction(async (transaction) => {
        await lockCredentials(transaction, holder.id)
        if (verified !== null) await refuseUnlessCurrent(transaction, verified)
        if ((await lockFactor(transaction, holder.id)).hasApplication) refuse('second_factor_is_on')
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
    answers: recoveryAnswer,
    async handle(call) {
      const holder = await holderOf(call, 'own')
      const values = given(confirmation, call)
      const factor = await lockFactor(call.database, holder.id)
      if (factor.hasApplication) refuse('second_factor_is_on')
      if (!factor.isSetUp) refuse('second_factor_is_off')
      const confirmed = await authenticator.confirmFirstCode(call.caller, String(values['code']), call)
      if (!unlessRefused(confirmed).isRight) refuse('incorrect_value', 'data.code', { detail: 'code' })
      const codes = await call.database.transaction(async (transaction) => {
        await endSessionsOf(transaction, holder.id, call.caller.session_id)
        return enableSecondFactor(transaction, holder.id)
      })
      return { status: 200, body: { recovery_codes: codes } }
    },
  }
}

/** `GET /accounts/{_id}/2fa` */
function show(authenticator: Authenticator): Operation {
  const flag = { type: 'boolean' }
  return {
    ...shared,
    method: 'GET',
    id: 'accounts.read_2fa',
    isBeforeSecondFactor: true,
    scope: 'account',
    path: '/accounts/{_id}/2fa',
    summary: 'Read what serves as the second factor of the caller',
    answers: {
      200: {
        about: 'The second factor.',
        schema: {
          type: 'object',
          required: ['is_enabled', 'is_required', 'has_application', 'passkeys', 'recovery_codes'],
          properties: {
            is_enabled: flag,
            is_required: { ...flag, description: 'It cannot be switched off.' },
            has_application: { ...flag, description: 'An authenticator application is confirmed.' },
            passkeys: {
              type: 'integer',
              maximum: countLimits.passkeys,
              description: 'The number of passkeys of this site.',
            },
            recovery_codes: { type: 'integer', maximum: 10, description: 'Codes that were not used yet.' },
          },
          example: { is_enabled: true, is_required: false, has_application: true, passkeys: 1, recovery_codes: 10 },
        },
      },
    },
    async handle(call) {
      const { id } = await holderOf(call, 'own')
      const { isOn, isRequired, hasApplication } = await readFactor(call.database, id)
      const body = {
        ...{ is_enabled: isOn, is_required: isRequired, has_application: hasApplication },
        passkeys: await passkeysOf(authenticator, call, call.database),
        recovery_codes: await countRecoveryCodes(call.database, id),
      }
      return { status: 200, body }
    },
  }
}

/** How many of the caller's passkeys work at this site. */
function passkeysOf({ passkeys }: Authenticator, call: Call, transaction: Executor): Promise<number> {
  return passkeys.countOf(transaction, call.caller.account_id, passkeyOrigin(call).root)
}

/** `POST /accounts/{_id}/2fa/enable` */
function enable(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'accounts.enable_2fa',
    isBeforeSecondFactor: true,
    scope: 'none',
    path: '/accounts/{_id}/2fa/enable',
    summary: 'Switch the second factor on with the passkeys of the account',
    about: 'It needs a passkey, and no application. All other sessions of the account end, and Basic stops working.',
    body: proofOfLogin,
    isBodyOptional: true,
    answers: recoveryAnswer,
    async handle(call) {
      const holder = await holderOf(call, 'own')
      const verified = await confirmLogin(authenticator, call)
      const codes = await call.database.transaction(async (transaction) => {
        await lockCredentials(transaction, holder.id)
        if (verified !== null) await refuseUnlessCurrent(transaction, verified)
        if ((await lockFactor(transaction, holder.id)).isOn) refuse('second_factor_is_on')
        if ((await passkeysOf(authenticator, call, transaction)) === 0) refuse('second_factor_is_off')
        await endSessionsOf(transaction, holder.id, call.caller.session_id)
        return enableWithPasskeys(transaction, holder.id, call.nowAt)
      })
      return { status: 200, body: { recovery_codes: codes } }
    },
  }
}

const disabling = { code, passkey: passkeyAnswer }

/** One’s own factor proves itself before it goes: by a code, or by a passkey. */
async function confirmOwn(authenticator: Authenticator, call: Call, values: Values): Promise<void> {
  const isByPasskey = values['code'] === undefined
  const confirmed = isByPasskey
    ? await authenticator.passkeys.confirm(call.caller, { ...passkeyOrigin(call), response: values['passkey'] })
    : await authenticator.confirmCode(call.caller, String(values['code']), call)
  if (unlessRefused(confirmed).isRight) return
  if (isByPasskey) refuse('incorrect_value', 'data.passkey', { detail: 'passkey' })
  refuse('incorrect_value', 'data.code', { detail: 'code' })
}

/** An account that must have a second factor keeps its passkeys as one, if there are any. */
async function switchOff(
  authenticator: Authenticator,
  call: Call,
  transaction: Executor,
  { id, isOwn }: CredentialHolder,
): Promise<void> {
  const { hasApplication, isRequired } = await lockFactor(transaction, id)
  if (!isOwn || !isRequired) return disableSecondFactor(transaction, id)
  if (!hasApplication || (await passkeysOf(authenticator, call, transaction)) === 0) refuse('last_second_factor')
  return removeApplication(transaction, id)
}

function disable(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'accounts.disable_2fa',
    scope: 'none',
    path: '/accounts/{_id}/2fa/disable',
    summary: 'Switch the second factor off',
    about:
      'With a code of the application, a recovery code or a passkey; the parent account does it for its sub-accounts without one. An account that must have a second factor only forgets its application, and only if it has passkeys.',
    body: disabling,
    answers: noContent,
    async handle(call) {
      const holder = await holderOf(call, 'ownOrChild')
      const values = given(disabling, call, (read) =>
        holder.isOwn && read['code'] === undefined && read['passkey'] === undefined
          ? [{ error: 'missing_value', field: 'data.code', facts: { name: 'code' } }]
          : [],
      )
      if (!(await lockFactor(call.database, holder.id)).isOn) refuse('second_factor_is_off')
      if (holder.isOwn) await confirmOwn(authenticator, call, values)
      await call.database.transaction((transaction) => switchOff(authenticator, call, transaction, holder))
      return { status: 204 }
    },
  }
}

/** The second factor of a login (answers §4). */
export function secondFactorOperations(authenticator: Authenticator): readonly Operation[] {
  return [show, setUp, verify, enable, disable].map((operation) => operation(authenticator))
}
