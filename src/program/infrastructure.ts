import type { Config } from '../config/config.ts'
import { openArtifacts } from '../database/artifacts/open.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Database } from '../database/connect.ts'
import { type OpenDatabase, openDatabase } from '../database/open.ts'
import type { PartitionMode } from '../database/partitions.ts'
import type { Clock } from '../domain/clock.ts'
import { type LocalStations, startLocalStations } from '../sensor/local.ts'
import { onceAtRest } from './at-rest.ts'
import { ensureDataDirectory } from './data-directory.ts'
import { ensureLocalSensors, type FirstStart, makeFirstLogins, noteSensorCategories } from './first-start.ts'
import { sweepAll } from './heap.ts'
import type { Log } from './log.ts'
import type { Started } from './started.ts'
import type { Watching } from './watching.ts'

/**
 * The limit of a reading statement of the API. Only malicious requests exceed it, and ten of them would take all
 * connections.
 */
const longestReadMs = 30_000

/** The infrastructure on which the roles run. */
export interface Infrastructure {
  readonly database: Database
  /** A pool of its own, so that monitoring and the API do not wait for each other; null if no API is served. */
  readonly apiDatabase: Database | null
  /** Opens further connections. */
  readonly further: OpenDatabase['further']
  readonly url: string
  readonly partitionMode: PartitionMode
  readonly artifacts: ArtifactStore
  readonly stations: LocalStations | null
  readonly localSensorIds: readonly number[]
}

interface InfrastructureOptions {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** Called once the first logins are stored, before anything else may fail. */
  readonly tellFirstLogins: (made: FirstStart) => void
  /** Cancels the start: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with a sentence for a person if the database is lost for good: an orderly stop is impossible then. */
  readonly onLost: (sentence: string) => void
}

/** Opens everything in order; `started` stops each part. */
export async function openInfrastructure(
  options: InfrastructureOptions,
  watching: Watching,
  started: Started,
): Promise<Infrastructure> {
  const { config, log, clock, signal, onLost } = options
  const { databaseUrl, dataDirectory, isCluster } = config
  await ensureDataDirectory(dataDirectory)
  const opened = await openDatabase({ databaseUrl, dataDirectory, isCluster, log, clock, signal, onLost })
  started.infrastructure(opened.close)
  started.infrastructure(
    onceAtRest(log, async () => {
      await Promise.all([opened.renew(), sweepAll()])
    }),
  )
  const apiPool = config.roles.includes('api') ? opened.further({ readLimit: longestReadMs }) : null
  watching.standOn({ work: opened.database, ...(apiPool === null ? {} : { api: apiPool }) })
  const database = watching.traced(opened.database)
  const localSensorIds = await ensureLocalSensors(database, config.localSensors)
  signal?.throwIfAborted()
  const stations = config.roles.includes('sensor') ? await startStations(options, database, localSensorIds) : null
  if (stations !== null) {
    watching.readiness.lacksWhile('sockets', stations.lacksSockets)
    watching.readiness.lacksWhile('browsers', stations.lacksBrowsers)
    watching.readiness.lacksWhile('patterns', stations.lacksPatternTime)
    started.infrastructure(() => stations.stop())
  }
  signal?.throwIfAborted()
  const made = await makeFirstLogins(database, config, clock.now())
  if (made !== null) options.tellFirstLogins(made)
  const { further, url, partitionMode } = opened
  return {
    ...{ database, further, url, partitionMode, stations, localSensorIds },
    apiDatabase: apiPool === null ? null : watching.traced(apiPool),
    artifacts: openArtifacts(config.artifacts),
  }
}

async function startStations(
  { config, log, signal }: InfrastructureOptions,
  database: Database,
  sensorIds: readonly number[],
): Promise<LocalStations> {
  log.info('Starting the stations.')
  const stations = await startLocalStations({
    ...{ sensorIds, signal },
    allow: config.allowPrivateTargets,
    browser: config.browser,
    isRegistrationOpen: config.isRegistrationOpen,
    log: (level, message, facts) => log[level]({ ...facts }, message),
  })
  await noteSensorCategories(database, sensorIds, stations.categories, stations.unsupportedTypes)
  return stations
}
