import { makeLoginLink } from '../auth/login-links.ts'
import type { Config } from '../config/config.ts'
import { loginLinkAddress } from '../console/login-link.ts'
import { sweepArtifacts } from '../database/artifacts/sweep.ts'
import type { Database } from '../database/connect.ts'
import { lacksConnections } from '../database/failures.ts'
import { DatabaseAway } from '../database/unusable.ts'
import type { Clock } from '../domain/clock.ts'
import { errorTypeById } from '../domain/judging/error-types.ts'
import { HistoryOnMachines } from '../history/on-machines.ts'
import type { HistoryWriter } from '../history/writer.ts'
import { type Monitoring, startMonitoring } from '../monitoring/start.ts'
import { diskLetters } from '../notifications/disk-letters.ts'
import { pictureReader } from '../notifications/pictures.ts'
import { type Notifier, startNotifier } from '../notifications/start.ts'
import { createDialler } from '../outgoing/dial.ts'
import { openRegistries, type RegistryChecks } from '../registries/open.ts'
import { render } from '../reports/render.ts'
import { startReporter } from '../reports/start.ts'
import type { LocalStations } from '../sensor/local.ts'
import type { Stations } from '../sensor/protocol.ts'
import { systemTimers } from '../turns/timers.ts'
import { errorTypeText } from '../wording/error-types.ts'
import { startApi } from './api-role.ts'
import { farStationsOf, stationsComeBack } from './far-stations.ts'
import type { FirstStart } from './first-start.ts'
import { ensureHeap, watchHeap } from './heap.ts'
import { type Infrastructure, openInfrastructure } from './infrastructure.ts'
import { ensureCanListen, urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { warnOfMemory } from './memory.ts'
import { packHistory } from './pack-history.ts'
import { pageHostsOf } from './page-hosts.ts'
import { openReach } from './reach.ts'
import { waysToRegistries } from './registries.ts'
import { sendServiceMetrics } from './service-export.ts'
import { Started } from './started.ts'
import { gaugeStations } from './station-gauges.ts'
import { startWatching, type Watching } from './watching.ts'

export interface Program {
  /** Null if this process serves no API. */
  readonly apiUrl: string | null
  /** Null if this process serves no metrics. */
  readonly metricsUrl: string | null
  /** Null if no stations run here. */
  readonly stations: LocalStations | null
  /**
   * An address that logs the account in to the console once; null if there is none: no API here, or a second factor.
   */
  loginLink(username: string): Promise<string | null>
  /** The missing roles, one sentence each. */
  missing(): readonly string[]
  /** Stops the roles together, then the infrastructure. Never rejects. */
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** Called once the first logins are stored, before anything else may fail. */
  readonly tellFirstLogins: (made: FirstStart) => void
  /** Cancels the start: everything started is stopped again, and the start rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with a sentence for a person if the database is lost for good: an orderly stop is impossible then. */
  readonly onLost: (sentence: string) => void
}

const tooFewConnections =
  'The database server grants too few connections: each process takes up to 23. End other users of it, or raise max_connections or the limit of the user or the database.'

/** Starts the database and the chosen roles. If a later part cannot start, the earlier ones are stopped again. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const started = new Started(options.log)
  try {
    return await startParts(options, started)
  } catch (error) {
    await started.stop()
    // Others may give connections back, and nobody can tell from the refusal, so a supervisor tries again.
    throw lacksConnections(error) ? new DatabaseAway(tooFewConnections, { cause: error }) : error
  }
}

async function startParts(options: ProgramOptions, started: Started): Promise<Program> {
  const { config, log, clock, signal } = options
  ensureHeap()
  warnOfMemory(config, log)
  started.infrastructure(watchHeap(log))
  const watching = await startWatching(options)
  started.infrastructure(watching.stop)
  if (config.roles.includes('api')) await ensureCanListen(config)
  signal?.throwIfAborted()
  const infrastructure = await openInfrastructure(options, watching, started)
  signal?.throwIfAborted()
  const { database, stations, localSensorIds } = infrastructure
  const far = config.roles.includes('api') ? farStationsOf(database, clock, log, config) : null
  if (far !== null) started.infrastructure(() => far.stop())
  const reach = await openReach({
    ...{ config, clock, log, metrics: watching.metrics, far },
    ...{ database: infrastructure.further, local: stations, localSensorIds },
  })
  let monitoring: Monitoring | null = null
  // The stations' connections would keep the API from closing.
  started.role(() => reach.leave(monitoring?.stop() ?? Promise.resolve()))
  gaugeStations(watching.metrics, stations, far?.stations ?? null)
  signal?.throwIfAborted()
  const needs = { watching, stations: reach.stations, core: registriesOf(options, infrastructure) }
  const api = await openApi(options, infrastructure, { far, ...needs })
  if (api !== null) started.role(api.stop)
  signal?.throwIfAborted()
  if (config.roles.includes('monitoring')) {
    await stationsComeBack(reach.stations, database, clock)
    monitoring = await monitor(options, infrastructure, { ...needs, started })
    await sendServiceMetrics(options, infrastructure.database, started)
  }
  const publicUrl = config.publicUrl ?? api?.url ?? urlOf(config)
  await startSenders(options, infrastructure, { watching, publicUrl, started })
  watching.readiness.started()
  const stop = async (): Promise<void> => {
    watching.readiness.draining()
    await started.stop()
  }
  const loginLink = linksTo(api, publicUrl, { database, clock })
  return {
    ...{ apiUrl: api?.url ?? null, metricsUrl: watching.metricsUrl, loginLink },
    ...{ stations, missing: reach.missing, stop },
  }
}

function openApi(
  { config, log, clock }: ProgramOptions,
  { apiDatabase, artifacts }: Infrastructure,
  needs: Pick<MonitoringNeeds, 'stations' | 'core' | 'watching'> & {
    readonly far: ReturnType<typeof farStationsOf> | null
  },
) {
  if (apiDatabase === null) return null
  return startApi({ config, log, clock, database: apiDatabase, artifacts, ...needs })
}

/** The roles that send messages, account mails and reports. */
async function startSenders(
  options: ProgramOptions,
  infrastructure: Infrastructure,
  { started, ...needs }: NotifierNeeds & { readonly started: Started },
): Promise<void> {
  const { config, log, clock } = options
  if (config.roles.includes('notifier')) started.role((await notify(options, infrastructure, needs)).stop)
  if (!config.roles.includes('reporter')) return
  const { database } = infrastructure
  started.role((await startReporter({ database, clock, log, render, telemetry: needs.watching.reports })).stop)
}

interface Ways {
  readonly database: Database
  readonly clock: Clock
}

function linksTo(api: object | null, publicUrl: string, { database, clock }: Ways): Program['loginLink'] {
  return async (username) => {
    if (api === null) return null
    const link = await makeLoginLink(database, username, clock.now())
    return 'token' in link ? loginLinkAddress(publicUrl, link.token) : null
  }
}

function registriesOf({ config, clock }: ProgramOptions, { database }: Infrastructure): RegistryChecks {
  return openRegistries({ database, clock, ...waysToRegistries(config), watchesHosts: config.watchDomains })
}

interface MonitoringNeeds {
  readonly stations: Stations
  /** The checks without stations. */
  readonly core: RegistryChecks
  readonly watching: Watching
  readonly started: Started
}

/** Straight to the machines of the cluster. */
function historyOf({ database, further }: Infrastructure, log: Log): HistoryWriter {
  return new HistoryOnMachines({
    database,
    openMachine: (server, maximumConnections) => further({ server, maximumConnections }),
    log,
    monotonic: systemTimers.monotonic,
  })
}

async function monitor(
  options: ProgramOptions,
  infrastructure: Infrastructure,
  needs: MonitoringNeeds,
): Promise<Monitoring> {
  const { config, log, clock } = options
  const { database, artifacts, partitionMode, url } = infrastructure
  const packing = new AbortController()
  needs.started.role(async () => packing.abort())
  return startMonitoring({
    ...{ database, clock, log, partitionMode, stations: needs.stations, keepArtifact: artifacts.put },
    core: needs.core,
    ...(partitionMode === 'citus' ? { history: historyOf(infrastructure, log) } : {}),
    retentionDays: config.retentionDays,
    auditRetentionDays: config.auditRetentionDays,
    administratorContact: config.administratorContact,
    diskIsFull: diskLetters({ ...config, clock, log }),
    packHistory: (nowAt) => packHistory({ url, nowAt, mode: partitionMode }, packing.signal),
    telemetry: needs.watching.rounds,
    pruneArtifacts: (beforeAt) => sweepArtifacts(artifacts, database, { beforeAt, nowAt: clock.now() }),
  })
}

interface NotifierNeeds {
  readonly watching: Watching
  /** The base address of links in messages. */
  readonly publicUrl: string
}

function notify(
  { config, log, clock }: ProgramOptions,
  infrastructure: Infrastructure,
  needs: NotifierNeeds,
): Promise<Notifier> {
  const { database, artifacts } = infrastructure
  const { mail, gateways, administratorContact, smsLimit, smsDaily, allowPrivateTargets: allow, vendorUrls } = config
  return startNotifier({
    ...{
      database,
      clock,
      log,
      mail,
      gateways,
      diagnose,
      administratorContact,
      smsLimit,
      smsDaily,
      pageHosts: pageHostsOf(config),
      publicUrl: needs.publicUrl,
    },
    integrations: { dialler: createDialler({ allow }), vendorUrls },
    telemetry: needs.watching.deliveries,
    readPicture: pictureReader(database, artifacts, log),
  })
}

function diagnose(errorTypeId: number, language: 'pl' | 'en') {
  const errorType = errorTypeById(errorTypeId)
  return errorType === null ? null : errorTypeText(errorType.symbol, language)
}
