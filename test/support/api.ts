import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import type { AnswerAt, Method as DocumentedMethod, PathAt } from '../../client/client.ts'
import { assistants } from '../../src/assistants/endpoint.ts'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import type { RegistrationPolicy } from '../../src/auth/oauth/client-registration.ts'
import { loginPages } from '../../src/auth/pages/web.ts'
import { passkeyScriptAt, webConsole } from '../../src/console/console.ts'
import type { OidcLogin } from '../../src/console/context.ts'
import { noPage } from '../../src/console/no-page.ts'
import { sessionToken } from '../../src/console/session-cookie.ts'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { ArtifactStore } from '../../src/database/artifacts/store.ts'
import type { Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import type { OAuthClient } from '../../src/domain/access/oauth-client.ts'
import { trialsOn } from '../../src/monitoring/trials.ts'
import { pingEndpoint } from '../../src/pings/endpoint.ts'
import { PingWriter } from '../../src/pings/ping-writer.ts'
import { passwordLimit, visitorsOf } from '../../src/program/page-visitors.ts'
import { previews } from '../../src/program/previews.ts'
import { EventFeed, type StreamLimits } from '../../src/resources/event-stream/feed.ts'
import { allResources } from '../../src/resources/index.ts'
import { heartbeatsMadeIn } from '../../src/resources/services/made-by-ping.ts'
import type { CpuBudgetOptions } from '../../src/rest/cpu-budget.ts'
import type { Registry } from '../../src/rest/declare.ts'
import type { RequestLimits } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { Badges } from '../../src/status-pages/badges.ts'
import { StatusPages } from '../../src/status-pages/pages.ts'
import { rewrittenUrl, serveStatusPages } from '../../src/status-pages/serve.ts'
import { Subscriptions } from '../../src/status-pages/subscribing/subscriptions.ts'
import type { RequestTelemetry } from '../../src/telemetry/port.ts'
import { tracedDatabase } from '../../src/telemetry/traced-database.ts'
import type { Traces } from '../../src/telemetry/traces.ts'
import { type VirtualClock, virtualClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { type FakeStations, fakeStations } from './fake-stations.ts'
import { makePeople, type People, type Person, passwordOf } from './people.ts'

/** The type of the answer at an address by the document; unknown where it says nothing. */
type Answered<M extends Method, Address extends string> = string extends Address
  ? unknown
  : M extends DocumentedMethod
    ? [PathAt<M, Address>] extends [never]
      ? unknown
      : AnswerAt<M, Address>
    : unknown

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** The parsed JSON, or undefined without a body. */
  readonly body: unknown
  readonly text: string
}

/** `answer` is the body with the type that the document gives to an answer of success. */
export interface TypedReply<Answer> extends Reply {
  readonly answer: Answer
}

export interface ApiWorld {
  readonly database: Database
  readonly clock: VirtualClock
  readonly people: People
  readonly registry: Registry
  readonly artifacts: ArtifactStore
  readonly events: EventFeed
  /** Not started: a page is made when somebody asks, and again when it is old. */
  readonly pages: StatusPages
  readonly server: FastifyInstance
  /** The stations that run trials. */
  readonly stations: FakeStations
  /** Calls the API as a person (Basic), or as nobody. `path` is below `/v3`. */
  call<const M extends Method, const Address extends string>(
    person: Person | null,
    method: M,
    path: Address,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TypedReply<Answered<M, Address>>>
  drop(): Promise<void>
}

export interface ApiWorldOptions {
  /** Unix milliseconds; default: a Saturday morning. */
  readonly startsAt?: number
  readonly requestsPerMinute?: number | RequestLimits
  /** Default: callers may cost any time. */
  readonly cpu?: CpuBudgetOptions
  /** Default: true. */
  readonly isRegistrationOpen?: boolean
  /** Default: true. */
  readonly hasServiceMetrics?: boolean
  /** Default: 2. */
  readonly smsDaily?: number
  /** Before answers that do not tell by their time what was found. Default: none. */
  readonly pause?: (milliseconds: number) => Promise<unknown>
  /** Default: true. */
  readonly servesAssistants?: boolean
  /** Default: there is no identity provider. */
  readonly oidc?: (clock: VirtualClock) => OidcLogin
  /** The address to which passkeys belong. Default: the API's own over TLS. */
  readonly passkeysAt?: string
  readonly onRegression?: (passkey: { readonly accountId: number; readonly passkeyId: number }) => void
  /** Default: false. */
  readonly mustConfirmAddresses?: boolean
  readonly trustedProxies?: readonly string[]
  readonly clients?: readonly OAuthClient[]
  /** Default: on the own machine, and assistants.example.com. */
  readonly clientRegistration?: RegistrationPolicy
  /** Default: only warnings and worse, to stdout. */
  readonly log?: Logger
  /** Streams of events at once. */
  readonly streams?: StreamLimits
  /** Default: nobody watches. */
  readonly telemetry?: RequestTelemetry
  /** Default: none. */
  readonly traces?: Traces
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH'

export function authorizationOf(person: Person): string {
  return `Basic ${Buffer.from(`${person}:${passwordOf(person)}`).toString('base64')}`
}

function typed<Answer>(answer: unknown): Answer {
  return answer as Answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const publicUrl = 'http://api.test'

/** Usernames of accounts that may import confirmed subscribers. */
const consentAccounts = ['alice']
const pageHosts = { permitted: ['*.shops.test'], free: ['*.pages.test'], own: ['api.test'] }

/** The same number for everybody. */
function limitsOf(requests: number | RequestLimits): RequestLimits {
  return typeof requests === 'number' ? { anonymous: requests, account: requests } : requests
}

/** The whole API on a database of its own with everybody in it, called without a socket. */
export async function apiWorld(options: ApiWorldOptions = {}): Promise<ApiWorld> {
  const { log = pino({ level: 'warn' }), pause = async () => undefined } = options
  const { database, drop } = await testDatabase()
  const clock = virtualClock(options.startsAt)
  const people = await makePeople(database, clock.now())
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-api-'))
  const artifacts = diskArtifacts(join(directory, 'artifacts'))
  const authenticator = createAuthenticator({
    ...{ database, clock, loginLimit: 100 },
    publicUrl: options.passkeysAt ?? 'https://api.test',
    ...(options.onRegression === undefined ? {} : { onRegression: options.onRegression }),
  })
  const stations = fakeStations()
  stations.connect(...people.sensorIds)
  const events = new EventFeed({
    database,
    clock,
    ...(options.streams === undefined ? {} : { limits: options.streams }),
    onFault: (error) => log.warn(error),
  })
  const registry = allResources({
    authenticator,
    artifacts,
    events,
    forceLimits: { minute: 3, hour: 30, day: 100 },
    trials: trialsOn({ database, clock, stations }),
    isRegistrationOpen: options.isRegistrationOpen ?? true,
    hasServiceMetrics: options.hasServiceMetrics ?? true,
    smsDaily: options.smsDaily ?? 2,
    mustConfirmAddresses: options.mustConfirmAddresses ?? false,
    configuredClientIds: ['configured'],
    accountDefaults: { languageId: 'pl', timeZoneId: 'europe_warsaw' },
    pageHosts,
    consentAccounts,
    previews,
  })
  const pages = new StatusPages({
    ...{ database, clock, publicUrl, hosts: pageHosts },
    onFault: (error) => log.warn(error),
  })
  const collation = await textCollation(database)
  const writer = new PingWriter({ database, clock, timers: clock, onFault: (error) => log.warn(error) })
  const server = await buildApi({
    database: options.traces === undefined ? database : tracedDatabase(database, options.traces),
    clock,
    registry,
    authenticate: authenticator.authenticate,
    ...(options.servesAssistants === false ? {} : { protocols: assistants(publicUrl) }),
    collation,
    machines: pingEndpoint({
      ...{ database, clock, writer },
      create: heartbeatsMadeIn({ database, clock, registry, collation, log }),
      onFault: (error) => log.warn(error),
    }),
    requestsPerMinute: limitsOf(options.requestsPerMinute ?? 0),
    ...(options.cpu === undefined ? {} : { cpu: options.cpu }),
    publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    pages: async (scope, languageOf) => {
      const clients = options.clients ?? []
      const registration = options.clientRegistration ?? { isLoopbackAllowed: true, hosts: ['assistants.example.com'] }
      const registering = options.servesAssistants === false ? null : registration
      const passkeyScript = passkeyScriptAt(publicUrl)
      const login = { database, clock, authenticator, clients, assistants: registering, publicUrl, passkeyScript }
      await loginPages(login)(scope, languageOf)
      await webConsole({ authenticator, publicUrl, oidc: options.oidc?.(clock) ?? null })(scope, languageOf)
    },
    publicPages: (scope, languageOf) =>
      serveStatusPages(scope, {
        ...{
          pages,
          badges: new Badges({ database, clock }),
          subscriptions: new Subscriptions({ database, clock, vendorUrls: new Map(), pause }),
          pause,
          languageOf,
          publicUrl,
          accountsOf: visitorsOf(authenticator),
        },
        limit: passwordLimit({ database, clock, attemptsPerMinute: 5 }),
      }),
    rewriteUrl: (url, host) => rewrittenUrl(pages, url, host),
    noPage: noPage(publicUrl),
    cookieToken: sessionToken,
    log,
    telemetry: options.telemetry,
  })
  server.addHook('preClose', async () => {
    await Promise.all([events.stop(), pages.stop()])
  })
  return {
    database,
    pages,
    clock,
    people,
    registry,
    events,
    artifacts,
    server,
    stations,
    async call(person, method, path, body, headers = {}) {
      const response = await server.inject({
        method,
        url: `/v3${path}`,
        headers: {
          ...(person === null ? {} : { authorization: authorizationOf(person) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const { statusCode, payload } = response
      const answer = parsed(payload)
      return { status: statusCode, headers: response.headers, body: answer, answer: typed(answer), text: payload }
    },
    async drop() {
      await server.close()
      await drop()
      await rm(directory, { recursive: true })
    },
  }
}
