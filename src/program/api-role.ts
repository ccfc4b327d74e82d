import { assistants } from '../assistants/endpoint.ts'
import { type Authenticator, createAuthenticator } from '../auth/authenticate.ts'
import { loginPages } from '../auth/pages/web.ts'
import { confirmAll } from '../channels/confirmation-codes.ts'
import type { Config } from '../config/config.ts'
import { serveSchema } from '../configuration/serve-schema.ts'
import { passkeyScriptAt, webConsole } from '../console/console.ts'
import type { OidcLogin } from '../console/context.ts'
import { noPage } from '../console/no-page.ts'
import { sessionToken } from '../console/session-cookie.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Database } from '../database/connect.ts'
import type { Trials } from '../database/services/trials.ts'
import { textCollation } from '../database/text.ts'
import type { Clock } from '../domain/clock.ts'
import { trialsOn } from '../monitoring/trials.ts'
import { pingEndpoint } from '../pings/endpoint.ts'
import { PingWriter } from '../pings/ping-writer.ts'
import type { RegistryChecks } from '../registries/open.ts'
import { EventFeed } from '../resources/event-stream/feed.ts'
import { allResources } from '../resources/index.ts'
import { heartbeatsMadeIn } from '../resources/services/made-by-ping.ts'
import { buildApi } from '../rest/server.ts'
import type { Authenticate } from '../rest/who-calls.ts'
import type { Stations } from '../sensor/protocol.ts'
import { systemTimers } from '../turns/timers.ts'
import { watchDirectory } from './config-directory/watch-directory.ts'
import { type ConnectedStations, serveStationsOn } from './far-stations.ts'
import { explainListening, urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { pageHostsOf } from './page-hosts.ts'
import { leadToPages, startPageListener } from './page-listener.ts'
import { previews } from './previews.ts'
import { type PublicPages, pagesUrlOf, publicPages } from './public-pages.ts'
import { apiNote, mailRouteOf } from './running-api.ts'
import type { Watching } from './watching.ts'
import { readWrittenInterface } from './written-interface.ts'

export interface ApiParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly artifacts: ArtifactStore
  /** The stations of all processes, local and remote. */
  readonly stations: Stations
  /** The checks without stations. */
  readonly core: RegistryChecks
  /** Stations that connect on the same port; null for none. */
  readonly far: ConnectedStations | null
  readonly watching: Pick<Watching, 'health' | 'requests' | 'metrics'>
}

export interface ApiRole {
  readonly url: string
  stop(): Promise<unknown>
}

/** Serves the API with its documentation, the login pages and the stations' connections, on one port. */
export async function startApi(parts: ApiParts): Promise<ApiRole> {
  const { config, database, clock, far, log } = parts
  if (!config.isRegistrationOpen) await confirmAll(database, clock.now())
  const ending = new AbortController()
  const writer = pingWriter(parts)
  await writer.begin()
  const trials = trialsOn({ database, clock, stations: parts.stations, core: parts.core, ended: ending.signal })
  const authenticator = createAuthenticator({
    ...{ database, clock, publicUrl: config.publicUrl },
    loginLimit: config.loginAttemptsPerMinute,
    onRegression: (passkey) => log.warn(passkey, 'the counter of a passkey did not grow: a copy of it may be in use'),
    onUnrecorded: (err) => log.warn({ err }, 'an attempt to log in was not recorded in the database'),
  })
  const directory = watchDirectory({ config, log, clock, database, metrics: parts.watching.metrics, authenticator })
  const statusPages = publicPages({ config, log, clock, database, authenticator })
  const { authenticate } = directory
  const api = await assemble(parts, { trials, writer, authenticator, authenticate, statusPages })
  if (far !== null) serveStationsOn(api.server, far.stations, { config, clock }, database)
  const note = apiNote(config.dataDirectory, log)
  let pageListener: Awaited<ReturnType<typeof listenForPages>> = null
  let isNoted = false
  async function stop(): Promise<void> {
    await directory.stop()
    if (isNoted) await note.remove()
    ending.abort()
    await pageListener?.stop()
    await api.close()
    await writer.stop()
  }
  try {
    await api.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw explainListening(error, config)
    })
    pageListener = await listenForPages(parts, statusPages)
    const address = api.server.address()
    const port = address !== null && typeof address === 'object' ? address.port : config.port
    isNoted = true
    await note.write({ host: config.host, port, publicUrl: config.publicUrl, mailRoute: mailRouteOf(config) })
    const url = urlOf({ host: config.host, port })
    directory.start(api, config.publicUrl ?? url)
    return { url, stop }
  } catch (error) {
    // Nobody else could close what listens already.
    await stop()
    throw error
  }
}

function pingWriter({ database, clock, log }: ApiParts): PingWriter {
  const onFault = (err: unknown) => log.warn({ err }, 'pings cannot be stored')
  return new PingWriter({ database, clock, timers: systemTimers, onFault })
}

async function listenForPages({ config, log }: ApiParts, pages: PublicPages) {
  const { statusPages: listening } = config
  if (listening === undefined) return null
  const listener = await startPageListener({ config, listening, pages, log })
  log.info({ url: listener.url }, 'status pages have a port of their own')
  return listener
}

/** The part of the configuration that decides what the API offers. */
function resourceOptions(config: Config) {
  return {
    forceLimits: config.forceLimits,
    isRegistrationOpen: config.isRegistrationOpen,
    ...{ hasServiceMetrics: config.hasServiceMetrics, hasAccountabilityPage: config.hasAccountabilityPage },
    smsDaily: config.smsDaily,
    mustConfirmAddresses: config.isRegistrationOpen,
    vendorUrls: config.vendorUrls,
    accountDefaults: config.accountDefaults,
    pageHosts: pageHostsOf(config),
    consentAccounts: config.consentAccounts,
    configuredClientIds: config.oauthClients.map((client) => client.client_id),
  }
}

interface Assembled {
  readonly trials: Trials
  readonly writer: PingWriter
  readonly authenticator: Authenticator
  /** Knows the program itself too. */
  readonly authenticate: Authenticate
  readonly statusPages: PublicPages
}

async function assemble(
  { config, log, clock, database, artifacts, watching }: ApiParts,
  { trials, writer, authenticator, authenticate, statusPages }: Assembled,
) {
  const { publicUrl, oauthClients: clients } = config
  const events = new EventFeed({
    ...{ database, clock },
    onFault: (err) => log.warn({ err }, 'the event stream cannot be read; it goes on when the database answers'),
  })
  const registry = allResources({ ...resourceOptions(config), authenticator, artifacts, events, trials, previews })
  const collation = await textCollation(database)
  const api = await buildApi({
    ...{ database, clock, log, publicUrl, cookieToken: sessionToken, registry, collation },
    health: watching.health,
    telemetry: watching.requests,
    machines: pingEndpoint({
      ...{ database, clock, writer },
      create: heartbeatsMadeIn({ database, clock, registry, collation, log }),
      onFault: (err) => log.warn({ err }, 'a ping could not be answered'),
    }),
    ...(config.servesAssistants ? { protocols: assistants(publicUrl) } : {}),
    authenticate,
    writtenInterface: readWrittenInterface,
    requestsPerMinute: config.requestsPerMinute,
    cpu: { limits: config.cpuSecondsPerMinute },
    trustedProxies: config.trustedProxies,
    pages: async (server, languageOf) => {
      const registering = config.servesAssistants ? config.clientRegistration : null
      const login = { database, clock, authenticator, clients, assistants: registering, publicUrl }
      await loginPages({ ...login, passkeyScript: passkeyScriptAt(publicUrl) })(server, languageOf)
      await webConsole({ authenticator, publicUrl, oidc: await oidcLogin(config, clock) })(server, languageOf)
      serveSchema(server, registry)
    },
    ...(config.statusPages === undefined
      ? { publicPages: statusPages.serve, rewriteUrl: statusPages.rewriteUrl }
      : { publicPages: (server) => leadToPages(server, pagesUrlOf(config)) }),
    noPage: noPage(publicUrl),
  })
  api.addHook('preClose', () => events.stop())
  watching.metrics?.onCollect(() => watching.metrics?.set('latarnik_event_streams', {}, events.size))
  events.start()
  return api
}

async function oidcLogin({ oidc, accountDefaults }: Config, clock: Clock): Promise<OidcLogin | null> {
  if (oidc === null) return null
  // Few installations have a provider, and its library takes memory.
  const { Provider } = await import('../auth/oidc/provider.ts')
  return { provider: new Provider(oidc), name: oidc.name, rules: oidc.rules, defaults: accountDefaults, clock }
}
