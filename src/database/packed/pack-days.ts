/**
 * Closed days of the history become packed rows, one for each service, and their partition is dropped. In three steps, so that neither a
 * crash nor a reader nor a late result loses anything: all is packed, service after service, each proven by reading it back; an hour
 * passes, in which every read that knew nothing of it ends; then the partition goes, if by then it holds nothing that is not packed.
 */
import { isDeepStrictEqual } from 'node:util'
import sql, { raw, type Sql } from 'sql-template-tag'
import { analysisIdAt } from '../analysis-id.ts'
import type { Database, Executor } from '../connect.ts'
import { lockKeys } from '../locks.ts'
import { daysOf, dropDay, ensureDays, type PartitionMode, packedDays, partitionOf, recentDays } from '../partitions.ts'
import { type PackedAnalysis, packDay, unpackDay } from './packed-day.ts'

const dayLength = 86_400_000
/** Milliseconds after the end of a day. */
export const packingDelay = dayLength
/** Milliseconds that a packed day stays in both places. */
export const handover = 3_600_000
/** Of one transaction. */
const batchServices = 25

export interface Packing {
  readonly nowAt: number
  readonly mode?: PartitionMode
  /** No further batch is begun once it is aborted. */
  readonly signal?: AbortSignal
}

export interface PackedCount {
  readonly packedAnalyses: number
  readonly droppedDays: number
}

/** A row of `analyses_hot` as JSON would write its lists. */
interface HotRow extends Pick<PackedAnalysis, 'failures'> {
  readonly service_id: number
  readonly analysis_id: number
  readonly verdict: string
  readonly error_tolerance: number
  readonly sensor_ids: string
  readonly results: readonly string[]
  readonly time_offsets: string
  readonly response_times: string
  readonly data_sizes: string
  readonly phases: string
  readonly step_set_id: number | null
  readonly step_times: string | null
}

function numbers(list: string): number[] {
  return JSON.parse(`[${list.slice(1, -1)}]`) as number[]
}

function analysisOf(row: HotRow): PackedAnalysis {
  return {
    analysisId: row.analysis_id,
    verdict: row.verdict,
    errorTolerance: row.error_tolerance,
    sensorIds: numbers(row.sensor_ids),
    results: row.results,
    timeOffsets: numbers(row.time_offsets),
    responseTimes: numbers(row.response_times),
    dataSizes: numbers(row.data_sizes),
    phases: numbers(row.phases),
    failures: row.failures,
    stepSetId: row.step_set_id,
    stepTimes: row.step_times === null ? null : numbers(row.step_times),
  }
}

/** Bounds of the day; nothing stands between them where another process has dropped it. */
function within(start: number): Sql {
  return sql`analysis_id >= ${analysisIdAt(start)} and analysis_id < ${analysisIdAt(start + dayLength)}`
}

function hotRows(executor: Executor, start: number, serviceIds: readonly number[]): Promise<HotRow[]> {
  return executor.query<HotRow>(sql`
    select service_id, analysis_id, verdict, error_tolerance, sensor_ids::text, results, time_offsets::text, response_times::text,
      data_sizes::text, phases::text, failures::text, step_set_id, step_times::text
    from analyses_hot where service_id = any(${serviceIds}::int[]) and ${within(start)} order by service_id, analysis_id`)
}

async function packedOf(
  executor: Executor,
  start: number,
  serviceIds: readonly number[],
): Promise<Map<number, PackedAnalysis[]>> {
  const rows = await executor.query<{ service_id: number; data: Buffer }>(sql`
    select service_id, data from packed_days
    where service_id = any(${serviceIds}::int[]) and day = ${start / dayLength}::int`)
  return new Map(rows.map(({ service_id, data }) => [service_id, unpackDay(data)]))
}

interface PackedService {
  readonly serviceId: number
  readonly analyses: readonly PackedAnalysis[]
  readonly data: Buffer
}

/** Too large for a number. */
function squaresOf(analyses: readonly PackedAnalysis[]): string {
  return String(analyses.reduce((sum, { analysisId }) => sum + BigInt(analysisId) ** 2n, 0n))
}

/** Proven by reading back what the database has taken. */
async function keep(transaction: Executor, start: number, services: readonly PackedService[]): Promise<void> {
  const checks = services.map(({ analyses }) => analyses.reduce((sum, { sensorIds }) => sum + sensorIds.length, 0))
  const failed = services.map(({ analyses }) => analyses.filter(({ failures }) => failures !== null).length)
  const kept = await transaction.query<{ service_id: number; data: Buffer }>(sql`
    insert into packed_days (service_id, day, analyses, checks, failed_analyses, id_squares, data)
    select service_id, ${start / dayLength}::int, analyses, checks, failed_analyses, id_squares, data
    from unnest(${services.map(({ serviceId }) => serviceId)}::int[], ${services.map(({ analyses }) => analyses.length)}::int[],
      ${checks}::int[], ${failed}::int[], ${services.map(({ analyses }) => squaresOf(analyses))}::numeric[],
      ${services.map(({ data }) => data)}::bytea[])
      as new (service_id, analyses, checks, failed_analyses, id_squares, data)
    on conflict (service_id, day) do update set analyses = excluded.analyses, checks = excluded.checks,
      failed_analyses = excluded.failed_analyses, id_squares = excluded.id_squares, data = excluded.data
    returning service_id, data`)
  const read = new Map(kept.map(({ service_id, data }) => [service_id, unpackDay(data)]))
  for (const { serviceId, analyses } of services) {
    if (!isDeepStrictEqual(read.get(serviceId), analyses))
      throw new Error(`The packed day ${start / dayLength} of service ${serviceId} differs from its analyses.`)
  }
}

type Given = ReadonlyMap<number, readonly PackedAnalysis[]>

const nothingGiven: Given = new Map()

/** Packs what is in the table, and what is given beside it. Returns how many analyses were not packed yet. */
async function packBatch(
  transaction: Executor,
  start: number,
  serviceIds: readonly number[],
  given = nothingGiven,
): Promise<number> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.packing})`)
  const rows = await hotRows(transaction, start, serviceIds)
  const packed = await packedOf(transaction, start, serviceIds)
  const own = byService(rows)
  let count = 0
  const packing = serviceIds.map(async (serviceId): Promise<PackedService[]> => {
    const before = packed.get(serviceId) ?? []
    const known = new Set(before.map(({ analysisId }) => analysisId))
    const hot = (own.get(serviceId) ?? []).filter((row) => !known.has(row.analysis_id)).map(analysisOf)
    const fresh = [...hot, ...(given.get(serviceId) ?? [])]
    if (fresh.length === 0) return []
    count += fresh.length
    const analyses = [...before, ...fresh].sort((a, b) => a.analysisId - b.analysisId)
    return [{ serviceId, analyses, data: await packDay(analyses) }]
  })
  const services = (await Promise.all(packing)).flat()
  if (services.length > 0) await keep(transaction, start, services)
  return count
}

function byService(rows: readonly HotRow[]): Map<number, HotRow[]> {
  const found = new Map<number, HotRow[]>()
  for (const row of rows) {
    const known = found.get(row.service_id)
    if (known === undefined) found.set(row.service_id, [row])
    else known.push(row)
  }
  return found
}

/** Services of the day with other analyses there than are packed; what is there may be packed all the same, beside more. */
async function unequalServices(executor: Executor, start: number): Promise<number[]> {
  const rows = await executor.query<{ service_id: number }>(sql`
    select hot.service_id from (
      select service_id, count(*) as analyses, sum(analysis_id::numeric * analysis_id) as id_squares
      from analyses_hot where ${within(start)} group by service_id) hot
    left join packed_days p on p.service_id = hot.service_id and p.day = ${start / dayLength}::int
    where (p.analyses, p.id_squares) is distinct from (hot.analyses, hot.id_squares) order by hot.service_id`)
  return rows.map(({ service_id }) => service_id)
}

async function packAll(database: Database, start: number, signal: AbortSignal | undefined): Promise<number> {
  const serviceIds = await unequalServices(database, start)
  let count = 0
  for (let from = 0; from < serviceIds.length; from += batchServices) {
    signal?.throwIfAborted()
    const batch = serviceIds.slice(from, from + batchServices)
    count += await database.transaction((transaction) => packBatch(transaction, start, batch))
  }
  return count
}

/**
 * Packs a whole day of which analyses are given beside those in the table, and drops its partition at once: for a history that is made
 * while nobody reads it. What is given is nowhere else yet.
 */
export async function packGiven(database: Database, start: number, given: Given): Promise<void> {
  await ensureDays(database, packedDays, [start])
  const hot = await unequalServices(database, start)
  const serviceIds = [...new Set([...hot, ...given.keys()])].sort((a, b) => a - b)
  for (let from = 0; from < serviceIds.length; from += batchServices) {
    const batch = serviceIds.slice(from, from + batchServices)
    await database.transaction((transaction) => packBatch(transaction, start, batch, given))
  }
  await dropDay(database, recentDays, start)
}

export function isClosed(start: number, nowAt: number): boolean {
  return start + dayLength + packingDelay <= nowAt
}

/** Whether there is anything for `packClosedDays` to look at. */
export async function hasClosedDay(executor: Executor, nowAt: number): Promise<boolean> {
  return (await daysOf(executor, recentDays)).some((start) => isClosed(start, nowAt))
}

async function notedAt(executor: Executor, start: number): Promise<number | undefined> {
  const [note] = await executor.query<{ packed_at: number }>(sql`
    select packed_at from packed_day_notes where day = ${start / dayLength}::int`)
  return note?.packed_at
}

function note(executor: Executor, start: number, nowAt: number): Promise<number> {
  return executor.execute(sql`
    insert into packed_day_notes (day, packed_at) values (${start / dayLength}::int, ${new Date(nowAt)})
    on conflict (day) do update set packed_at = excluded.packed_at`)
}

/** False when something came that is not packed: nothing can come while it is looked at. Also false where another process was first. */
async function dropWhole(transaction: Executor, start: number): Promise<boolean> {
  const name = partitionOf(recentDays, start)
  await transaction.execute(sql`set local lock_timeout = '2s'`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.packing})`)
  const [found] = await transaction.query<{ is_there: boolean }>(
    sql`select to_regclass(${name}) is not null as is_there`,
  )
  if (found?.is_there !== true) return false
  await transaction.execute(sql`lock table ${raw(name)} in share mode`)
  for (const serviceId of await unequalServices(transaction, start)) {
    const packed = await packedOf(transaction, start, [serviceId])
    const known = new Set((packed.get(serviceId) ?? []).map(({ analysisId }) => analysisId))
    const rows = await transaction.query<{ analysis_id: number }>(sql`
      select analysis_id from analyses_hot where service_id = ${serviceId} and ${within(start)}`)
    if (rows.some(({ analysis_id }) => !known.has(analysis_id))) return false
  }
  await transaction.execute(sql`drop table ${raw(name)}`)
  return true
}

/** Packs the days that ended a day ago, and drops those that were packed an hour ago. Any number of processes may do it at once. */
export async function packClosedDays(database: Database, { nowAt, mode, signal }: Packing): Promise<PackedCount> {
  let [packedAnalyses, droppedDays] = [0, 0]
  for (const start of await daysOf(database, recentDays)) {
    if (!isClosed(start, nowAt)) continue
    const packedAt = await notedAt(database, start)
    // A clock that was set back must not keep the day for longer than it was set back.
    if (packedAt !== undefined && Math.abs(nowAt - packedAt) < handover) continue
    await ensureDays(database, packedDays, [start], mode)
    const fresh = await packAll(database, start, signal)
    packedAnalyses += fresh
    if (packedAt === undefined || fresh > 0) await note(database, start, nowAt)
    else if (await database.transaction((transaction) => dropWhole(transaction, start))) droppedDays++
  }
  return { packedAnalyses, droppedDays }
}
