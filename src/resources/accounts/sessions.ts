import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { always, type Condition, oneOf } from '../../domain/queries/condition.ts'
import { type Operation, secretHeaders } from '../../rest/call.ts'
import { type Resource, resource, table } from '../../rest/declare.ts'
import { integer, moment, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { authToken } from './auth-token.ts'
import { code, lifeSeconds, password, username } from './credential-fields.ts'
import { passkeySessions } from './passkey-sessions.ts'
import { unlessRefused } from './refused.ts'
import { newSessionAnswer } from './session-answer.ts'

const credentials = { username, password, expiration_duration: lifeSeconds, code }

/** `POST /sessions` */
function logIn(authenticator: Authenticator): Operation {
  return {
    id: 'sessions.create',
    method: 'POST',
    path: '/sessions',
    tag: 'sessions',
    summary: 'Log in',
    about: 'With a second factor on, send its code too, or verify the session afterwards.',
    access: 'open',
    body: credentials,
    answers: newSessionAnswer,
    refusals: [401, 403],
    async handle(call) {
      const { values, problems } = readBody(credentials, call.body, call.nowAt)
      refuseAny(problems)
      const outcome = await authenticator.logIn({
        username: String(values['username']),
        password: String(values['password']),
        code: values['code'] as string | undefined,
        isUnverifiedAllowed: true,
        expirationDurationSeconds: values['expiration_duration'] as number | undefined,
        method: 'session',
        ipAddress: call.ipAddress,
        userAgent: call.userAgent,
      })
      const { id, token, is_verified: isVerified } = unlessRefused(outcome).session
      const body = { id, token, ...(isVerified ? {} : { is_2fa_verification_required: true }) }
      return { status: 201, body, headers: { ...secretHeaders, Location: `${call.baseUrl}/sessions/${id}` } }
    },
  }
}

const verification = { code: { ...code, required: true } }

/** `POST /sessions/{_id}/2fa/verify` */
function verify(authenticator: Authenticator): Operation {
  return {
    id: 'sessions.verify_2fa',
    scope: 'none',
    method: 'POST',
    path: '/sessions/{_id}/2fa/verify',
    tag: 'sessions',
    summary: 'Complete a session with the code of the second factor',
    access: 'unverified',
    parameters: pathParameters('{_id}'),
    body: verification,
    answers: noContent,
    async handle(call) {
      const { session_id: id } = call.caller
      const named = call.parameters['_id']
      const [waiting] = await call.database.query(sql`select 1 from sessions where id = ${id} and not is_verified`)
      if (waiting === undefined || (named !== 'my_session' && named !== id)) refuse('not_found')
      const { values, problems } = readBody(verification, call.body, call.nowAt)
      refuseAny(problems)
      const outcome = await authenticator.verifySession(call.caller, String(values['code']), call)
      if (!unlessRefused(outcome).isRight) refuse('incorrect_value', 'data.code', { detail: 'code' })
      return { status: 204 }
    },
  }
}

function ownSessions(caller: Caller): Condition {
  return oneOf('account_id', [caller.account_id])
}

const column = { readOnly: true, filter: true, sort: true } as const

export function sessions(authenticator: Authenticator): Resource {
  return resource('sessions', {
    about: 'Log-ins to the API. The token is shown once, at creation.',
    singular: 'session',
    // An ended session is no object any more, one that lacks its second factor is none yet.
    source: table(
      'sessions',
      ({ nowAt }) => sql`select * from sessions where expiration_time > ${new Date(nowAt)} and is_verified`,
    ),
    access: 'any',
    alias: { my_session: ({ caller }) => caller.session_id },
    fields: {
      id: text({ ...column, example: '9f1c2a4e-0d53-4c8e-9a57-2f8a7f6f3a10' }),
      account_id: integer(column),
      created_at: moment(column),
      expiration_duration: integer({ ...column, about: 'Seconds.', example: 3600 }),
      expiration_time: moment(column),
      scope: text({ ...column, oneOf: ['customer', 'administrator'], example: 'customer' }),
      distribution_id: integer({ ...column, nullable: true, example: null }),
      manager_id: integer({ ...column, nullable: true, example: null }),
      user_agent: text({ ...column, contains: true, example: 'curl/8.5.0' }),
    },
    embed: ['permissions'],
    search: ['user_agent'],
    scope: 'account',
    visible: ownSessions,
    permissions: (caller) => ({
      own: ownSessions(caller),
      read: always(true),
      update: always(false),
      delete: ownSessions(caller),
    }),
    operations: ['list', 'search', 'read', 'remove', 'permissions'],
    beforeSecondFactor: ['read', 'remove'],
    actions: [
      ...[logIn(authenticator), verify(authenticator)],
      ...passkeySessions(authenticator),
      ...authToken(authenticator),
    ],
  })
}
