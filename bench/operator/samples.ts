/** Samples the program and its processes regularly. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { Farm } from './farm.ts'
import { type Metrics, scrape, totalOf } from './metrics-page.ts'
import { cpuMsOf, type Part, type Usage, usageOf } from './processes.ts'
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

export async function takeSample(program: ServedProgram, farm: Farm): Promise<Sample> {
  const usage = usageOf(program.processId)
  const { bytes: databaseBytes, ...server } = await lookAtServer(program.database)
  const metrics = await scrape(program.metricsUrl)
  return { at: Date.now(), usage, farmCpuMs: cpuMsOf(farm.processIds), databaseBytes, ...server, metrics }
}

/** The CPU of one core, in percent. */
export function share(milliseconds: number, from: Sample, to: Sample): number {
  return (milliseconds / (to.at - from.at)) * 100
}

export function cpuShare(part: Part, from: Sample, to: Sample): number {
  return share(to.usage[part].cpuMs - from.usage[part].cpuMs, from, to)
}

/**
 * The share of time in which the main threads of a part were ready and got no CPU; an ended process takes its own
 * along.
 */
export function waitShare(part: Part, from: Sample, to: Sample): number {
  return Math.max(0, share(to.usage[part].waitedMs - from.usage[part].waitedMs, from, to))
}

/** The rate of what happened between two samples, for each second. */
export function perSecond(pick: (sample: Sample) => number, from: Sample, to: Sample): number {
  return ((pick(to) - pick(from)) / (to.at - from.at)) * 1000
}

export const checksOf = ({ metrics }: Sample): number => totalOf(metrics, 'latarnik_checks_total')
export const missedOf = ({ metrics }: Sample): number => totalOf(metrics, 'latarnik_rounds_missed_total')
/** Milliseconds; of the time since the sample before. */
export const loopDelayOf = ({ metrics }: Sample): number => totalOf(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000
/** Megabytes of JavaScript's own in the program; it falls with each sweep of the garbage. */
export const heapOf = ({ metrics }: Sample): number => totalOf(metrics, 'nodejs_heap_size_used_bytes') / 2 ** 20
