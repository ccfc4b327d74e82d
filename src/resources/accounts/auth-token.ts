import sql from 'sql-template-tag'
import type { Authenticator } from '../../auth/authenticate.ts'
import { endSession } from '../../auth/sessions.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import { code, lifeSeconds, password, username } from './credential-fields.ts'
import { unlessRefused } from './refused.ts'

const shared = { path: '/auth_token', tag: 'auth_token', deprecated: true } as const

const credentials = {
  username,
  password,
  timeout: { ...lifeSeconds, about: 'Life of the token in seconds; every call extends it.' },
  code,
}

const id = { type: 'string', description: 'The token: `Authorization: Bearer ID`.' } as const

function logIn(authenticator: Authenticator): Operation {
  return {
    ...shared,
    id: 'auth_token.create',
    method: 'POST',
    summary: 'Log in',
    about: 'Use `POST /sessions`. Tokens of both are interchangeable.',
    access: 'open',
    body: credentials,
    answers: {
      201: {
        about: 'The token.',
        schema: { type: 'object', required: ['id'], properties: { id }, example: { id: 'TOKEN' } },
        headers: { Location: 'Address of the token.' },
      },
    },
    refusals: [401, 403],
    async handle(call) {
      const { values, problems } = readBody(credentials, call.body, call.nowAt)
      refuseAny(problems)
      const outcome = await authenticator.logIn({
        username: String(values['username']),
        password: String(values['password']),
        code: values['code'] as string | undefined,
        expirationDurationSeconds: values['timeout'] as number | undefined,
        method: 'auth_token',
        ipAddress: call.ipAddress,
        userAgent: call.userAgent,
      })
      const { token } = unlessRefused(outcome).session
      return { status: 201, body: { id: token }, headers: { ...secretHeaders, Location: `${call.baseUrl}/auth_token` } }
    },
  }
}

/** Basic carries no token, and neither does an anonymous call. */
function sessionOf({ caller }: Call): string {
  return caller.session_id ?? refuse('not_found')
}

const read: Operation = {
  ...shared,
  id: 'auth_token.read',
  method: 'GET',
  summary: 'The login or key behind the token',
  about: 'Use `GET /sessions/my_session`.',
  access: 'any',
  scope: 'none',
  answers: {
    200: {
      about: 'The token with its account.',
      schema: {
        type: 'object',
        required: ['account_id', 'expires_in', 'id', 'scope'],
        properties: {
          account_id: { type: 'integer', maximum: maximumInteger },
          expires_in: { type: 'integer', maximum: maximumInteger, description: 'Seconds.' },
          id,
          scope: { type: 'string', enum: ['customer', 'administrator'] },
        },
        example: { account_id: 1, expires_in: 3600, id: 'TOKEN', scope: 'customer' },
      },
    },
  },
  refusals: [404],
  async handle(call) {
    const [session] = await call.database.query<{ expiration_time: number }>(
      sql`select expiration_time from sessions where id = ${sessionOf(call)}`,
    )
    if (session === undefined) return refuse('not_found')
    const { account_id, scope } = call.caller
    const expiresInSeconds = Math.max(0, Math.ceil((session.expiration_time - call.nowAt) / 1000))
    return { status: 200, body: { account_id, expires_in: expiresInSeconds, id: call.bearerToken, scope } }
  },
}

const remove: Operation = {
  ...shared,
  id: 'auth_token.remove',
  method: 'DELETE',
  summary: 'Log out',
  about: 'Use `DELETE /sessions/my_session`.',
  access: 'any',
  scope: 'none',
  answers: noContent,
  refusals: [404],
  async handle(call) {
    await endSession(call.database, sessionOf(call))
    return { status: 204 }
  },
}

/** The older form of sessions (specification: Authentication; answers §15). */
export function authToken(authenticator: Authenticator): readonly Operation[] {
  return [logIn(authenticator), read, remove]
}
