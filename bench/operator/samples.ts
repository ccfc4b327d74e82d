/** Samples the program and its processes regularly. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { isDatabaseAway } from '../../src/database/failures.ts'
import type { FarStation } from './far-station.ts'
import type { Farm } from './farm.ts'
import { type Metrics, scrape, totalOf } from './metrics-page.ts'
import { cpuMsOf, type Part, parts, type Usage, usageOf } from './processes.ts'
import type { ServedProgram } from './served-program.ts'

export interface Sample {
  /** Unix milliseconds. */
  readonly at: number
  readonly usage: Readonly<Record<Part, Usage>>
  readonly farmCpuMs: number
  /** Bytes written ahead since the database was made. */
  readonly wal: number
  readonly databaseBytes: number
  /** Operations on the disk since the database was made. */
  readonly reads: number
  readonly writes: number
  readonly syncs: number
  readonly metrics: Metrics
}

interface Server {
  readonly wal: number
  readonly bytes: number
  readonly reads: number
  readonly writes: number
  readonly syncs: number
}

async function lookAtServer(database: Database): Promise<Server> {
  const [row] = await database.query<Server>(sql`
    select (pg_current_wal_insert_lsn() - '0/0')::bigint as wal, pg_database_size(current_database()) as bytes,
      sum(reads)::bigint as reads, sum(writes + extends)::bigint as writes, sum(fsyncs)::bigint as syncs from pg_stat_io`)
  return row ?? { wal: 0, bytes: 0, reads: 0, writes: 0, syncs: 0 }
}

export interface Sampled {
  readonly program: ServedProgram
  readonly farm: Farm
  readonly farStation: FarStation | null
}

/** Null while the database is away. */
export async function takeSample({ program, farm, farStation }: Sampled): Promise<Sample | null> {
  const usage = usageOf(program.processId, farStation?.processId() ?? null)
  const server = await lookAtServer(program.database).catch((error: unknown) => {
    if (isDatabaseAway(error)) return null
    throw error
  })
  if (server === null) return null
  const { bytes: databaseBytes, ...rest } = server
  const metrics = await scrape(program.metricsUrl)
  return { at: Date.now(), usage, farmCpuMs: cpuMsOf(farm.processIds), databaseBytes, ...rest, metrics }
}

/**
 * The pairs of neighbouring samples between which nothing was counted from zero again: an ended server and a killed
 * station take along the CPU time and the counts that nobody has read.
 */
function steps(samples: readonly Sample[]): (readonly [from: Sample, to: Sample])[] {
  return samples.slice(1).flatMap((to, place) => {
    const from = samples[place]
    if (from === undefined) return []
    const hasFallen = parts.some((part) => to.usage[part].cpuMs < from.usage[part].cpuMs) || to.writes < from.writes
    return hasFallen ? [] : [[from, to] as const]
  })
}

/** The rate of what happened between the samples, for each second; without the steps in which a part began anew. */
export function perSecond(pick: (sample: Sample) => number, samples: readonly Sample[]): number {
  const whole = steps(samples)
  const milliseconds = whole.reduce((sum, [from, to]) => sum + to.at - from.at, 0)
  return (whole.reduce((sum, [from, to]) => sum + pick(to) - pick(from), 0) / milliseconds) * 1000
}

/** Of one core, in percent. */
function share(pickMs: (sample: Sample) => number, samples: readonly Sample[]): number {
  return perSecond(pickMs, samples) / 10
}

export function cpuShare(part: Part, samples: readonly Sample[]): number {
  return share(({ usage }) => usage[part].cpuMs, samples)
}

export function farmShare(samples: readonly Sample[]): number {
  return share(({ farmCpuMs }) => farmCpuMs, samples)
}

/**
 * The share of time in which the main threads of a part were ready and got no CPU; an ended process takes its own
 * along.
 */
export function waitShare(part: Part, samples: readonly Sample[]): number {
  return Math.max(
    0,
    share(({ usage }) => usage[part].waitedMs, samples),
  )
}

export const checksOf = ({ metrics }: Sample): number => totalOf(metrics, 'latarnik_checks_total')
export const missedOf = ({ metrics }: Sample): number => totalOf(metrics, 'latarnik_rounds_missed_total')
/** Milliseconds; of the time since the sample before. */
export const loopDelayOf = ({ metrics }: Sample): number => totalOf(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000
/** Megabytes of JavaScript's own in the program; it falls with each sweep of the garbage. */
export const heapOf = ({ metrics }: Sample): number => totalOf(metrics, 'nodejs_heap_size_used_bytes') / 2 ** 20
