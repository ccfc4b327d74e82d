import type { Config } from '../config/config.ts'
import { version } from '../config/config.ts'
import type { Database, Pool } from '../database/connect.ts'
import { hasCurrentSchema } from '../database/migrate.ts'
import type { Clock } from '../domain/clock.ts'
import type { Health } from '../rest/health.ts'
import { gaugeDatabase } from '../telemetry/database-gauges.ts'
import { type MetricsListener, startListener } from '../telemetry/listener.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { Readiness } from '../telemetry/readiness.ts'
import { type Telemetry, telemetryOf } from '../telemetry/telemetry.ts'
import { tracedDatabase } from '../telemetry/traced-database.ts'
import type { Traces } from '../telemetry/traces.ts'
import { watchDescriptors } from './descriptors.ts'
import { explainListening, urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { tellTraces } from './log-traces.ts'

/** The telemetry of this process. */
export interface Watching extends Telemetry {
  readonly readiness: Readiness
  /** Null if this process serves no metrics. */
  readonly metrics: Metrics | null
  readonly metricsUrl: string | null
  /** For the API's own port. */
  readonly health: Health
  /** From now on the process is ready only while it reaches the first of these pools. */
  standOn(pools: Readonly<Record<string, Pool>>): void
  /** The same database, with its statements in the traces if there are any. */
  traced(database: Database): Database
  stop(): Promise<void>
}

interface WatchingOptions {
  readonly config: Pick<Config, 'metrics' | 'tracesEndpoint' | 'roles'> & Partial<Pick<Config, 'smsDaily'>>
  readonly log: Log
  readonly clock: Clock
}

/** Call it before anything slow, so that observers see a starting process. */
export async function startWatching({ config, log, clock }: WatchingOptions): Promise<Watching> {
  const readiness = new Readiness()
  const descriptors = watchDescriptors(log)
  readiness.lacksWhile('descriptors', descriptors.areOut)
  const metrics = config.metrics === undefined ? null : await newMetrics()
  const listener = metrics === null ? null : await listen(config.metrics, metrics, readiness)
  const traces = await tracesOf(config.tracesEndpoint, clock)
  if (traces !== null) tellTraces(traces.idsOf)
  const roles = config.roles.join(',')
  metrics?.onCollect(() => metrics.set('latarnik_build_info', { version, node_version: process.version, roles }, 1))
  return {
    ...telemetryOf({ metrics, traces, log }),
    ...{ readiness, metrics },
    metricsUrl: listener === null ? null : listener.url,
    health: () => readiness.answer(),
    standOn(pools) {
      const [database] = Object.values(pools)
      if (database === undefined) return
      readiness.standOn(async () => ((await hasCurrentSchema(database)) ? [] : ['schema']), 'database')
      const isFull = () => Object.values(pools).some((pool) => pool.isFull())
      readiness.lacksWhile('disk', isFull)
      const use = () => Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, pool.use()]))
      const { smsDaily } = config
      if (metrics !== null) gaugeDatabase(metrics, { database, clock, pools: use, isFull, smsDaily })
    },
    traced: (database) => (traces === null ? database : tracedDatabase(database, traces)),
    async stop() {
      tellTraces(null)
      descriptors.stop()
      await Promise.all([listener?.stop(), traces?.stop()])
    },
  }
}

async function listen(
  place: Config['metrics'],
  metrics: Metrics,
  readiness: Readiness,
): Promise<(MetricsListener & { readonly url: string }) | null> {
  if (place === undefined) return null
  const listener = await startListener({ ...place, readiness, metrics: (accepted) => metrics.expose(accepted) }).catch(
    (error: unknown) => {
      throw explainListening(error, place, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
    },
  )
  return { ...listener, url: `${urlOf({ ...place, port: listener.port })}/metrics` }
}

/** The libraries of metrics and traces are loaded only if they are wanted. */
async function newMetrics(): Promise<Metrics> {
  const { Metrics } = await import('../telemetry/metrics.ts')
  return new Metrics()
}

async function tracesOf(endpoint: string | undefined, clock: Clock): Promise<Traces | null> {
  if (endpoint === undefined) return null
  const { startTraces } = await import('../telemetry/traces.ts')
  return startTraces({ endpoint, version, clock })
}
