import { setTimeout as delay } from 'node:timers/promises'
import { createAuthenticator } from './auth/authenticate.ts'
import { loginPages } from './auth/pages/web.ts'
import type { Config } from './config.ts'
import { ensureDataDirectory } from './data-directory.ts'
import { openArtifacts } from './database/artifacts/open.ts'
import type { ArtifactStore } from './database/artifacts/store.ts'
import { sweepArtifacts } from './database/artifacts/sweep.ts'
import type { Database } from './database/connect.ts'
import { openDatabase } from './database/open.ts'
import { textCollation } from './database/text.ts'
import type { Clock } from './domain/clock.ts'
import { errorTypeById } from './domain/error-types.ts'
import { type ConnectedStations, farStationsOf, serveStationsOn, stationsComeBack } from './far-stations.ts'
import { ensureLocalSensors, type FirstStart, makeFirstLogins, noteSensorCategories } from './first-start.ts'
import { ensureCanListen, explainListening, urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { type Monitoring, startMonitoring } from './monitoring/start.ts'
import { pictureReader } from './notifications/pictures.ts'
import { startNotifier } from './notifications/start.ts'
import { packHistory } from './pack-history.ts'
import { openReach } from './reach.ts'
import { render } from './reports/render.ts'
import { startReporter } from './reports/start.ts'
import { allResources } from './resources/index.ts'
import { buildApi } from './rest/server.ts'
import { type LocalStations, startLocalStations } from './sensor/local.ts'
import { gaugeStations } from './station-gauges.ts'
import { startWatching, type Watching } from './watching.ts'
import { errorTypeText } from './wording/error-types.ts'

export interface Program {
  /** Null when this process serves no API. */
  readonly apiUrl: string | null
  /** Null when this process serves no metrics. */
  readonly metricsUrl: string | null
  /** Null when no stations run here. */
  readonly stations: LocalStations | null
  /** What nobody does, one sentence each. */
  missing(): readonly string[]
  /** Stops the roles together, then what they stand on. Never rejects. */
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** Called once the first logins are stored, before anything else may fail. */
  readonly tellFirstLogins: (made: FirstStart) => void
}

type Stop = () => Promise<unknown>

/** A role that does not stop in time is left behind: its leases run out and another process takes its work. */
const rolesPatienceMs = 9000

/** Of a statement by which the API reads: beyond it only those are who mean harm, and ten of them would take all connections. */
const longestReadMs = 30_000

class Started {
  readonly #log: Log
  readonly #ground: Stop[] = []
  readonly #roles: Stop[] = []

  constructor(log: Log) {
    this.#log = log
  }

  /** Stands under the roles: stopped after them, the last one first. */
  ground(stop: Stop): void {
    this.#ground.unshift(stop)
  }

  role(stop: Stop): void {
    this.#roles.push(stop)
  }

  async stop(): Promise<void> {
    const rolesStopped = Promise.all(this.#roles.map((stop) => this.#attempt(stop)))
    await Promise.race([rolesStopped, delay(rolesPatienceMs, undefined, { ref: false })])
    for (const stop of this.#ground) await this.#attempt(stop)
  }

  async #attempt(stop: Stop): Promise<void> {
    await stop().catch((error: unknown) => this.#log.error({ err: error }, 'a part did not stop cleanly'))
  }
}

/** Brings up the database and the chosen roles; what was started is stopped again when a later part cannot start. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const started = new Started(options.log)
  try {
    return await startParts(options, started)
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function startParts(options: ProgramOptions, started: Started): Promise<Program> {
  const { config, log, clock } = options
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const watching = await startWatching(options)
  started.ground(watching.stop)
  if (has('api')) await ensureCanListen(config)
  const { databaseUrl, dataDirectory, isCluster } = config
  await ensureDataDirectory(dataDirectory)
  const opened = await openDatabase({ databaseUrl, dataDirectory, isCluster, log, clock })
  started.ground(opened.close)
  const apiPool = has('api') ? opened.further({ readLimit: longestReadMs }) : null
  watching.standOn({ work: opened.database, ...(apiPool === null ? {} : { api: apiPool }) })
  const database = watching.traced(opened.database)
  const { partitionMode } = opened
  const localSensorIds = await ensureLocalSensors(database, config.localSensors)
  const stations = has('sensor') ? await startStations(options, database, localSensorIds) : null
  if (stations !== null) started.ground(() => stations.stop())
  const made = await makeFirstLogins(database, config, clock.now())
  if (made !== null) options.tellFirstLogins(made)
  const artifacts = openArtifacts(config.artifacts)
  const far = has('api') ? farStationsOf(database, clock, log) : null
  if (far !== null) started.ground(() => far.stop())
  const reach = await openReach({ config, clock, log, database: opened.further, local: stations, localSensorIds, far })
  let monitoring: Monitoring | null = null
  // The connections of stations keep the API from closing.
  started.role(() => reach.leave(monitoring?.stop() ?? Promise.resolve()))
  gaugeStations(watching.metrics, stations, far?.stations ?? null)
  const apiUrl =
    apiPool === null
      ? null
      : await startApi(options, { database: watching.traced(apiPool), artifacts, far, watching }, started)
  if (has('monitoring')) {
    const packing = new AbortController()
    started.role(async () => packing.abort())
    await stationsComeBack(reach.stations, database, clock)
    monitoring = await startMonitoring({
      ...{ database, clock, log, partitionMode, keepArtifact: artifacts.put },
      stations: reach.stations,
      retentionDays: config.retentionDays,
      administratorContact: config.administratorContact,
      packHistory: (nowAt) => packHistory({ url: opened.url, nowAt, mode: partitionMode }, packing.signal),
      telemetry: watching.rounds,
      pruneArtifacts: (beforeAt) => sweepArtifacts(artifacts, database, { beforeAt, nowAt: clock.now() }),
    })
  }
  if (has('notifier')) {
    const publicUrl = config.publicUrl ?? apiUrl ?? urlOf(config)
    const { mail, gateways, administratorContact } = config
    const notifier = await startNotifier({
      ...{ database, clock, log, mail, ...gateways, publicUrl, diagnose, administratorContact },
      telemetry: watching.deliveries,
      readPicture: pictureReader(database, artifacts, log),
    })
    started.role(() => notifier.stop())
  }
  if (has('reporter')) {
    const reporter = await startReporter({ database, clock, log, render, telemetry: watching.reports })
    started.role(() => reporter.stop())
  }
  watching.readiness.started()
  async function stop(): Promise<void> {
    watching.readiness.draining()
    await started.stop()
  }
  return { apiUrl, metricsUrl: watching.metricsUrl, stations, missing: reach.missing, stop }
}

async function startStations(
  { config, log }: ProgramOptions,
  database: Database,
  sensorIds: readonly number[],
): Promise<LocalStations> {
  const stations = await startLocalStations({
    sensorIds,
    allow: config.allowPrivateTargets,
    browser: config.browser,
    log: (level, message, facts) => log[level]({ ...facts }, message),
  })
  await noteSensorCategories(database, sensorIds, stations.categories)
  return stations
}

interface ApiGround {
  readonly database: Database
  readonly artifacts: ArtifactStore
  readonly far: ConnectedStations | null
  readonly watching: Watching
}

async function startApi(options: ProgramOptions, ground: ApiGround, started: Started): Promise<string> {
  const { config, log, clock } = options
  const { database, artifacts, watching } = ground
  const authenticator = createAuthenticator({ database, clock, loginLimit: config.loginAttemptsPerMinute })
  const api = await buildApi({
    database,
    clock,
    log,
    health: watching.health,
    telemetry: watching.requests,
    registry: allResources({
      authenticator,
      artifacts,
      forceLimits: config.forceLimits,
      isRegistrationOpen: config.isRegistrationOpen,
      configuredClientIds: config.oauthClients.map((client) => client.client_id),
    }),
    authenticate: authenticator.authenticate,
    collation: await textCollation(database),
    requestsPerMinute: config.requestsPerMinute,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    pages: loginPages({
      database,
      clock,
      authenticator,
      clients: config.oauthClients,
      publicUrl: config.publicUrl,
    }),
  })
  if (ground.far !== null) serveStationsOn(api.server, ground.far.stations, options, database)
  started.role(() => api.close())
  await api.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListening(error, config)
  })
  const address = api.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : config.port
  return urlOf({ host: config.host, port })
}

function diagnose(errorTypeId: number, language: 'pl' | 'en') {
  const errorType = errorTypeById(errorTypeId)
  return errorType === null ? null : errorTypeText(errorType.symbol, language)
}
