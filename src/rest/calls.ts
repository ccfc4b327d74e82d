import type { FastifyRequest } from 'fastify'
import type { Sql } from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { Clock } from '../domain/clock.ts'
import { parseBody } from './body.ts'
import type { Call } from './call.ts'
import type { CpuBudget } from './cpu-budget.ts'
import type { Registry } from './declare.ts'
import { basePath } from './documentation.ts'
import { askedLanguageOf, languageOf, prefersPage } from './language.ts'
import { refuse } from './problems.ts'
import type { RateLimit } from './rate-limit.ts'
import { addressOf, countedAs } from './who-calls.ts'

/** The parts of the server that every call needs. */
export interface CallParts {
  readonly database: Database
  readonly clock: Clock
  readonly registry: Registry
  readonly collation: Sql
  readonly publicUrl: string | undefined
  readonly limit: RateLimit
  readonly budget: CpuBudget
}

/** The members of a call that say what is asked for. */
export type Asked = Pick<Call, 'parameters' | 'query' | 'body' | 'source'>

/** The question of a request to an operation's own path. */
export function askedBy(request: FastifyRequest): Asked {
  return {
    parameters: request.params as Record<string, string>,
    query: queryOf(request.url),
    body: parseBody(request),
    source: headerOf(request, 'latarnik-source'),
  }
}

/** The call that a caller makes with a request. */
export function callOf(parts: CallParts, request: FastifyRequest, caller: Caller, asked: Asked): Call {
  const counted = countedAs(request, caller)
  return {
    ...asked,
    caller,
    language: languageOf(request),
    askedLanguage: askedLanguageOf(request),
    nowAt: parts.clock.now(),
    database: parts.budget.metered(parts.database, counted),
    registry: parts.registry,
    collation: parts.collation,
    bearerToken: /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null,
    accept: request.headers.accept ?? '',
    ifMatch: request.headers['if-match'] ?? null,
    lastEventId: headerOf(request, 'last-event-id'),
    prefersPage: prefersPage(request),
    ipAddress: addressOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    trail: null,
    charge: (requests) => parts.limit(counted, requests),
    logFault: (error) => request.log.error({ err: error }, 'a part of a request failed'),
    baseUrl: baseUrlOf(parts, request),
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const given = headers[name]
  return typeof given === 'string' && given !== '' ? given : null
}

/** A query string of more costs more than what it may ask for. */
const maximumParameters = 2000

function queryOf(url: string): URLSearchParams {
  const question = url.indexOf('?')
  const written = question < 0 ? '' : url.slice(question + 1)
  let at = written.indexOf('&')
  for (let count = 1; at >= 0; count += 1) {
    if (count >= maximumParameters) refuse('value_too_long', 'query', { maximum: maximumParameters })
    at = written.indexOf('&', at + 1)
  }
  return new URLSearchParams(written)
}

/** The address by which callers reach the server. */
export function rootOf({ publicUrl }: Pick<CallParts, 'publicUrl'>, { protocol, host }: FastifyRequest): string {
  return publicUrl ?? `${protocol}://${host}`
}

/** `http://host:port/v3` */
export function baseUrlOf(parts: Pick<CallParts, 'publicUrl'>, request: FastifyRequest): string {
  return `${rootOf(parts, request)}${basePath}`
}
