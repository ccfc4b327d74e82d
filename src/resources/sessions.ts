import sql from 'sql-template-tag'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller } from '../domain/caller.ts'
import { always, type Condition, oneOf } from '../domain/condition.ts'
import { expirationDuration } from '../domain/credentials.ts'
import type { Operation } from '../rest/call.ts'
import { type Resource, resource, table } from '../rest/declare.ts'
import { integer, moment, text } from '../rest/fields.ts'
import { readBody } from '../rest/input.ts'
import { ApiError, refuseAny } from '../rest/problems.ts'

const credentials = {
  username: text({ required: true, maximumLength: 64, example: 'alice' }),
  password: text({ required: true, maximumLength: 256, example: 'correct horse battery' }),
  expiration_duration: integer({
    about: 'Seconds; every call extends the session by it.',
    minimum: expirationDuration.minimum,
    maximum: expirationDuration.maximum,
    example: 3600,
  }),
}

const answer = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    token: { type: 'string', description: 'Shown this once: `Authorization: Bearer TOKEN`.' },
  },
}

/** `POST /sessions` */
function logIn(authenticator: Authenticator): Operation {
  return {
    id: 'sessions.create',
    method: 'POST',
    path: '/sessions',
    tag: 'sessions',
    summary: 'Log in',
    access: 'open',
    body: credentials,
    answers: { 201: { about: 'The session.', schema: answer, headers: { Location: 'Address of the session.' } } },
    async handle(call) {
      const { values, problems } = readBody(credentials, call.body, call.nowAt)
      refuseAny(problems)
      const outcome = await authenticator.logIn({
        username: String(values['username']),
        password: String(values['password']),
        expirationDurationSeconds: values['expiration_duration'] as number | undefined,
        method: 'session',
        ipAddress: call.ipAddress,
        userAgent: call.userAgent,
      })
      if ('problems' in outcome) {
        const seconds = outcome.retryAfterSeconds
        throw new ApiError(outcome.problems, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
      }
      const { id, token } = outcome.session
      return { status: 201, body: { id, token }, headers: { Location: `${call.baseUrl}/sessions/${id}` } }
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
    // An ended session is no object any more.
    source: table('sessions', ({ nowAt }) => sql`select * from sessions where expiration_time > ${new Date(nowAt)}`),
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
    visible: ownSessions,
    permissions: (caller) => ({
      own: ownSessions(caller),
      read: always(true),
      update: always(false),
      delete: ownSessions(caller),
    }),
    operations: ['list', 'search', 'read', 'remove', 'permissions'],
    actions: [logIn(authenticator)],
  })
}
