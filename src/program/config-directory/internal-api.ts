import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { callerNamed } from '../../auth/caller-named.ts'
import { type Api, ApiRefuses, problemsIn } from '../../configuration/api.ts'
import type { Database } from '../../database/connect.ts'
import type { Authenticate } from '../../rest/who-calls.ts'

/** The API for the program itself: without a socket, as the account that the operator named. */

export interface InternalLogin {
  /** Also accepts the requests of `internalApi`. */
  readonly authenticate: Authenticate
  readonly authorization: string
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** A random token that never leaves this process stands for the account. */
export function internalLogin(
  database: Database,
  { username, authenticate }: { readonly username: string; readonly authenticate: Authenticate },
): InternalLogin {
  const authorization = `Bearer internal_${randomBytes(32).toString('base64url')}`
  const digest = digestOf(authorization)
  const isOwn = (given: string | undefined) => given !== undefined && timingSafeEqual(digestOf(given), digest)
  return {
    authorization,
    authenticate: (credentials) =>
      isOwn(credentials.authorization) ? callerNamed(database, username) : authenticate(credentials),
  }
}

interface InternalOptions {
  readonly server: Pick<FastifyInstance, 'inject'>
  readonly login: InternalLogin
  /** For people, and the host of the requests. */
  readonly origin: string
  readonly signal: AbortSignal
}

/** Answers of "too many requests" that are waited out: limits hold for the account as for everybody. */
const mostPatience = 5
const longestWaitSeconds = 120

export function internalApi({ server, login, origin, signal }: InternalOptions): Api {
  const send: Api['send'] = async ({ method, path, body, ifMatch }) => {
    const headers = {
      ...{ host: new URL(origin).host, authorization: login.authorization, 'latarnik-source': 'apply' },
      ...{ accept: 'application/json', 'accept-language': 'en', 'user-agent': 'Latarnik CONFIG_DIR' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    for (let patience = mostPatience; ; patience -= 1) {
      const reply = await server.inject({ method, url: `/v3${path}`, headers, ...payload })
      const waitSeconds = Number(reply.headers['retry-after'] ?? Number.NaN)
      const isBusy = (reply.statusCode === 429 || reply.statusCode === 503) && waitSeconds <= longestWaitSeconds
      if (isBusy && patience > 0) {
        await pause(Math.max(1, waitSeconds) * 1000, undefined, { signal })
        continue
      }
      const etag = reply.headers.etag
      return {
        ...{ status: reply.statusCode, body: reply.body === '' ? null : reply.json<unknown>() },
        etag: typeof etag === 'string' ? etag : null,
      }
    }
  }
  return {
    origin,
    async send(request) {
      const reply = await send(request)
      if (![401, 429].includes(reply.status) && reply.status < 500) return reply
      throw new ApiRefuses(problemsIn(reply)[0]?.message ?? `The API answers ${reply.status}.`)
    },
  }
}
