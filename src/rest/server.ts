import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Sql } from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { anonymousCaller, type Caller } from '../domain/access/caller.ts'
import type { Clock } from '../domain/clock.ts'
import type { RequestTelemetry } from '../telemetry/port.ts'
import type { Language } from '../wording/language.ts'
import { maximumBodyBytes, maximumStrangersBytes, refuseLargeBody } from './body.ts'
import type { Operation } from './call.ts'
import { askedBy, baseUrlOf, callOf } from './calls.ts'
import { compressAnswers } from './compression.ts'
import { type ConnectionLimits, connectionOptions, guardConnections } from './connections.ts'
import { allowOtherOrigins } from './cors.ts'
import { type CpuBudget, type CpuBudgetOptions, createCpuBudget } from './cpu-budget.ts'
import type { Registry } from './declare.ts'
import { serveDocumentation } from './documentation.ts'
import { createEngine, type Engine } from './engine.ts'
import { frameworkErrorOptions, handleErrors, type NoPage } from './framework-errors.ts'
import { addHealth, databaseHealth, type Health } from './health.ts'
import { languageOf } from './language.ts'
import { withoutLostRaces } from './lost-races.ts'
import { openApiDocument } from './openapi.ts'
import { allowedMethods, fastifyPath, keepPathsApart, methodsByPath } from './other-methods.ts'
import { createRateLimit, type RateLimit, type RequestLimits, unlimited } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { followRequests, requestIdOptions, type Within } from './requests.ts'
import { sendAnswer } from './respond.ts'
import { allOperations } from './routes.ts'
import { sendStream } from './streams.ts'
import { recorded } from './trail.ts'
import { type Authenticate, countedAs, identify } from './who-calls.ts'

export interface ApiOptions {
  readonly database: Database
  readonly clock: Clock
  readonly registry: Registry
  /** Operations that belong to no resource. */
  readonly operations?: readonly Operation[]
  readonly authenticate: Authenticate
  /** `collate …` for ordering texts. */
  readonly collation: Sql
  readonly requestsPerMinute: RequestLimits
  /** Default: callers may cost any time. */
  readonly cpu?: CpuBudgetOptions
  /** Undefined: where the request came in. */
  readonly publicUrl: string | undefined
  /** Addresses whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly log: FastifyBaseLogger
  /** Default: patient enough for anybody. */
  readonly connections?: ConnectionLimits
  /** The answer of `/readyz`; without it only the database counts. */
  readonly health?: Health
  /** Observes the requests. */
  readonly telemetry?: RequestTelemetry | undefined
  /** The OpenAPI document as JSON, written before the program began; null: it is made now, which takes long. */
  readonly writtenInterface?: (language: Language) => Promise<string | null>
  /** The token of the console's session in the cookie of a browser. */
  readonly cookieToken?: (request: FastifyRequest) => string | null
  /** Adds what is no operation of the API: pages for people, other protocols. */
  readonly pages?: (server: FastifyInstance, languageOf: (request: FastifyRequest) => Language) => Promise<void>
  /** Adds what is served to anybody from memory, whatever the limits of requests are. */
  readonly publicPages?: (server: FastifyInstance, languageOf: (request: FastifyRequest) => Language) => void
  /** The path of a request whose host is not that of the API. */
  readonly rewriteUrl?: (url: string, host: string | undefined) => string
  /** Adds addresses for machines, which count and limit their callers themselves. */
  readonly machines?: (server: FastifyInstance) => void
  /** Adds other protocols that run operations of the API. */
  readonly protocols?: (server: FastifyInstance, engine: Engine) => Promise<void>
  /** The page for a browser at an unknown address; default: the same problem as for everybody else. */
  readonly noPage?: NoPage
}

interface OperationOptions extends ApiOptions {
  readonly within: Within
  readonly limit: RateLimit
  readonly budget: CpuBudget
}

function addOperations(server: FastifyInstance, operations: readonly Operation[], options: OperationOptions): void {
  const { within } = options
  const callers = new WeakMap<FastifyRequest, Caller>()
  const whoCalls = identify(options)
  for (const operation of operations) {
    server.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      bodyLimit: operation.access === 'open' ? maximumStrangersBytes : maximumBodyBytes,
      // Before the body is read: whoever may not call is refused whatever they sent.
      onRequest: async (request) => {
        callers.set(request, await within(request, () => whoCalls(request, operation)))
      },
      handler: async (request, reply) => {
        const caller = callers.get(request) ?? anonymousCaller
        options.budget.work(countedAs(request, caller))
        if (caller.scope === 'anonymous') refuseLargeBody(request)
        const call = recorded(callOf(options, request, caller, askedBy(request)), operation)
        const answer = await within(request, () => operation.handle(call))
        return answer.stream === undefined
          ? sendAnswer(request, reply, answer)
          : sendStream(request, reply, { ...answer, stream: answer.stream })
      },
    })
  }
}

/** Pages ask the database too: who is not logged in has the requests of their address. */
async function addPages(
  server: FastifyInstance,
  pages: ApiOptions['pages'],
  { limit, budget }: Pick<OperationOptions, 'limit' | 'budget'>,
): Promise<void> {
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      const counted = countedAs(request, anonymousCaller)
      await limit(counted)
      await budget.admit(counted)
    })
    scope.addHook('preHandler', async (request) => budget.work(countedAs(request, anonymousCaller)))
    await pages?.(scope, languageOf)
  })
}

/** Builds the HTTP server with every operation of every resource. The caller listens and closes. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const operations = [...allOperations(options.registry), ...(options.operations ?? [])]
  const paths = methodsByPath(operations)
  const allowedAt = allowedMethods(paths)
  const server = fastify({
    loggerInstance: options.log,
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    ...requestIdOptions,
    bodyLimit: maximumBodyBytes,
    rewriteUrl: ({ url = '/', headers }) => options.rewriteUrl?.(url, headers.host) ?? url,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    ...connectionOptions(options.connections),
    ...frameworkErrorOptions(allowedAt),
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', readBody)
  // No path of ours has it: whatever it carries, the answer is 405.
  server.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  handleErrors(server, allowedAt, options.noPage)
  const within = followRequests(server, options.telemetry)
  guardConnections(server, options.connections)
  allowOtherOrigins(server)
  compressAnswers(server)
  const limit = createRateLimit(options.requestsPerMinute)
  const budget = createCpuBudget(options.cpu ?? { limits: unlimited })
  const parts = { ...options, within, limit, budget, database: withoutLostRaces(options.database) }
  addOperations(server, operations, parts)
  keepPathsApart(server, paths)
  addHealth(server, options.health ?? databaseHealth(options.database))
  await addPages(server, options.pages, { limit, budget })
  options.publicPages?.(server, languageOf)
  await server.register(async (scope) => options.machines?.(scope))
  await server.register(async (scope) => options.protocols?.(scope, createEngine({ ...parts, operations })))
  await serveDocumentation(server, {
    describe: async (language) =>
      (await options.writtenInterface?.(language)) ??
      JSON.stringify(openApiDocument(options.registry, operations, language)),
    baseUrlOf: (request) => baseUrlOf(options, request),
  })
  return server
}
