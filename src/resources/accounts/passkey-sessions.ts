import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { lifeSeconds } from './credential-fields.ts'
import { given } from './credential-holder.ts'
import { optionsAnswer, passkeyAnswer, passkeyOrigin } from './passkey-fields.ts'
import { unlessRefused } from './refused.ts'
import { verifiedSessionAnswer } from './session-answer.ts'

const response = { ...passkeyAnswer, required: true }

/** `POST /sessions/passkey/options` */
function beginLogin({ passkeys }: Authenticator): Operation {
  return {
    id: 'sessions.passkey_options',
    method: 'POST',
    path: '/sessions/passkey/options',
    tag: 'sessions',
    summary: 'Begin to log in with a passkey',
    about: 'It names no account: the browser offers the passkeys that it has for this site.',
    access: 'open',
    answers: optionsAnswer('parseRequestOptionsFromJSON'),
    refusals: [422],
    async handle(call) {
      const { options } = unlessRefused(await passkeys.beginLogin(passkeyOrigin(call)))
      return { status: 200, body: options, headers: secretHeaders }
    },
  }
}

const login = { response, expiration_duration: lifeSeconds }

/** `POST /sessions/passkey` */
function logIn({ passkeys }: Authenticator): Operation {
  return {
    id: 'sessions.create_by_passkey',
    method: 'POST',
    path: '/sessions/passkey',
    tag: 'sessions',
    summary: 'Log in with a passkey',
    about: 'With the answer to `POST /sessions/passkey/options`. Neither a password nor a code is asked for.',
    access: 'open',
    body: login,
    answers: verifiedSessionAnswer,
    refusals: [401, 403],
    async handle(call) {
      const values = given(login, call)
      const outcome = await passkeys.logIn({
        ...passkeyOrigin(call),
        response: values['response'],
        expirationDurationSeconds: values['expiration_duration'] as number | undefined,
      })
      const { id, token } = unlessRefused(outcome).session
      return {
        status: 201,
        body: { id, token },
        headers: { ...secretHeaders, Location: `${call.baseUrl}/sessions/${id}` },
      }
    },
  }
}

function refuseOther(call: Call): void {
  const named = call.parameters['_id']
  if (call.caller.session_id === null || (named !== 'my_session' && named !== call.caller.session_id)) {
    refuse('not_found')
  }
}

const ofSession = {
  method: 'POST',
  tag: 'sessions',
  access: 'unverified',
  scope: 'none',
  parameters: pathParameters('{_id}'),
} as const

/** `POST /sessions/{_id}/2fa/passkey_options` */
function beginConfirmation({ passkeys }: Authenticator): Operation {
  return {
    ...ofSession,
    id: 'sessions.passkey_2fa_options',
    path: '/sessions/{_id}/2fa/passkey_options',
    summary: 'Begin to prove the second factor with a passkey',
    about: 'For a session that lacks its second factor, and for switching the second factor off.',
    answers: optionsAnswer('parseRequestOptionsFromJSON'),
    refusals: [422],
    async handle(call) {
      refuseOther(call)
      const { options } = unlessRefused(await passkeys.beginConfirmation(call.caller, passkeyOrigin(call)))
      return { status: 200, body: options, headers: secretHeaders }
    },
  }
}

const verification = { response }

/** `POST /sessions/{_id}/2fa/verify_passkey` */
function verify({ passkeys }: Authenticator): Operation {
  return {
    ...ofSession,
    id: 'sessions.verify_passkey',
    path: '/sessions/{_id}/2fa/verify_passkey',
    summary: 'Complete a session with a passkey as the second factor',
    about: 'With the answer to `POST /sessions/{_id}/2fa/passkey_options`.',
    body: verification,
    answers: noContent,
    async handle(call) {
      refuseOther(call)
      const { session_id: id } = call.caller
      const [waiting] = await call.database.query(sql`select 1 from sessions where id = ${id} and not is_verified`)
      if (waiting === undefined) refuse('not_found')
      const answer = { ...passkeyOrigin(call), response: given(verification, call)['response'] }
      const outcome = await passkeys.complete(call.caller, answer)
      if (!unlessRefused(outcome).isRight) refuse('incorrect_value', 'data.response', { detail: 'passkey' })
      return { status: 204 }
    },
  }
}

/** Logging in with a passkey, alone or after the password. */
export function passkeySessions(authenticator: Authenticator): readonly Operation[] {
  return [beginLogin, logIn, beginConfirmation, verify].map((operation) => operation(authenticator))
}
