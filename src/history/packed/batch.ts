import sql, { type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../../database/connect.ts'
import { lockKeys } from '../../database/locks.ts'
import { settingsReachMachines } from '../../database/partitions.ts'
import { dayLength } from '../../domain/calendars/durations.ts'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import { sweepAgain } from '../../service-state/services.ts'
import { areSameAnalyses, type PackedAnalysis } from './analysis.ts'
import { hotAnalyses } from './hot-rows.ts'
import { packDay } from './packed-day.ts'
import { type StoredDay, unpackStored } from './stored-day.ts'
import { mostEvidence, withinEvidence } from './thin-evidence.ts'

/** Limits of the day. They contain nothing if another process has dropped it. */
function within(start: number): Sql {
  return sql`analysis_id >= ${analysisIdAt(start)} and analysis_id < ${analysisIdAt(start + dayLength)}`
}

async function packedOf(
  executor: Executor,
  start: number,
  serviceIds: readonly number[],
): Promise<Map<number, PackedAnalysis[]>> {
  const rows = await executor.query<StoredDay>(sql`
    select service_id, day, data from packed_days
    where service_id = any(${serviceIds}::int[]) and day = ${start / dayLength}::int`)
  return new Map(rows.map((stored) => [stored.service_id, unpackStored(stored)]))
}

interface PackedService {
  readonly serviceId: number
  readonly analyses: readonly PackedAnalysis[]
  readonly data: Buffer
}

/** Distinguishes one set of analyses from another of the same size; as text, because it is too large for a number. */
function squaresOf(analyses: readonly PackedAnalysis[]): string {
  return String(analyses.reduce((sum, { analysisId }) => sum + BigInt(analysisId) ** 2n, 0n))
}

/** Verified by reading back what the database has stored. */
async function keep(transaction: Executor, start: number, services: readonly PackedService[]): Promise<void> {
  const checks = services.map(({ analyses }) => analyses.reduce((sum, { sensorIds }) => sum + sensorIds.length, 0))
  const failed = services.map(({ analyses }) => analyses.filter(({ failures }) => failures !== null).length)
  const kept = await transaction.query<StoredDay>(sql`
    insert into packed_days (service_id, day, analyses, checks, failed_analyses, id_squares, data)
    select service_id, ${start / dayLength}::int, analyses, checks, failed_analyses, id_squares, data
    from unnest(${services.map(({ serviceId }) => serviceId)}::int[], ${services.map(({ analyses }) => analyses.length)}::int[],
      ${checks}::int[], ${failed}::int[], ${services.map(({ analyses }) => squaresOf(analyses))}::numeric[],
      ${services.map(({ data }) => data)}::bytea[])
      as new (service_id, analyses, checks, failed_analyses, id_squares, data)
    on conflict (service_id, day) do update set analyses = excluded.analyses, checks = excluded.checks,
      failed_analyses = excluded.failed_analyses, id_squares = excluded.id_squares, data = excluded.data
    returning service_id, day, data`)
  const read = new Map(kept.map((stored) => [stored.service_id, unpackStored(stored)]))
  for (const { serviceId, analyses } of services) {
    if (!areSameAnalyses(read.get(serviceId) ?? [], analyses))
      throw new Error(`The packed day ${start / dayLength} of service ${serviceId} differs from its analyses.`)
  }
}

/** The limit of rows in memory at once, for a service with too much evidence. */
const pieceAnalyses = 100

/**
 * The rows of the table without the evidence that would be left out anyway, because all of it at once might exceed the
 * memory.
 */
async function thinnedHot(executor: Executor, start: number, serviceId: number): Promise<PackedAnalysis[]> {
  const analyses: PackedAnalysis[] = []
  let after = -1
  for (;;) {
    const condition = sql`${within(start)} and analysis_id > ${after}::bigint`
    const found = await hotAnalyses(executor, [serviceId], condition, { limit: pieceAnalyses })
    const piece = found.get(serviceId) ?? []
    analyses.push(...withinEvidence(piece, 0))
    after = piece.at(-1)?.analysisId ?? after
    if (piece.length < pieceAnalyses) return analyses
  }
}

async function hotOf(
  executor: Executor,
  start: number,
  services: readonly UnequalService[],
): Promise<Map<number, PackedAnalysis[]>> {
  const usual = services.filter(({ isTooMuch }) => !isTooMuch).map(({ serviceId }) => serviceId)
  const found = await hotAnalyses(executor, usual, within(start))
  for (const { serviceId, isTooMuch } of services)
    if (isTooMuch) found.set(serviceId, await thinnedHot(executor, start, serviceId))
  return found
}

/** Analyses by service, in the order of their ids. */
export type GivenAnalyses = ReadonlyMap<number, readonly PackedAnalysis[]>

const nothingGiven: GivenAnalyses = new Map()

/**
 * Packs the rows of the table, and the given analyses, which are stored nowhere else. Returns how many were not packed
 * yet.
 */
export async function packBatch(
  transaction: Executor,
  start: number,
  batch: readonly UnequalService[],
  given = nothingGiven,
): Promise<number> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.packing})`)
  const serviceIds = batch.map(({ serviceId }) => serviceId)
  const hot = await hotOf(transaction, start, batch)
  const packed = await packedOf(transaction, start, serviceIds)
  const services: PackedService[] = []
  let count = 0
  for (const serviceId of serviceIds) {
    const before = packed.get(serviceId) ?? []
    const known = new Set(before.map(({ analysisId }) => analysisId))
    const own = [...(hot.get(serviceId) ?? []), ...(given.get(serviceId) ?? [])]
    const fresh = own.filter(({ analysisId }) => !known.has(analysisId))
    if (fresh.length === 0) continue
    const analyses = withinEvidence([...before, ...fresh].sort((a, b) => a.analysisId - b.analysisId))
    services.push({ serviceId, analyses, data: await packDay(analyses) })
    count += fresh.length
  }
  if (services.length > 0) await keep(transaction, start, services)
  await sweepAgain(transaction, serviceIds)
  return count
}

/** The work for one service and day. */
export interface UnequalService {
  readonly serviceId: number
  /** The approximate bytes in memory. */
  readonly weight: number
  /** True if its failures in the table exceed the limit of a day. */
  readonly isTooMuch: boolean
}

/** Bytes of a check's measures in memory. */
const checkWeight = 256
/** The largest likely size of a failed analysis in a packed day; the real size is unknown before unpacking. */
const packedFailureWeight = 65_536

/**
 * Services whose analyses of the day differ from the packed ones; some of them may be packed already. They are in the
 * order of their first analyses. Services whose rounds coincide lie on the same pages all day, and a batch of them
 * reads a tenth of what a random one would.
 */
export async function unequalServices(database: Database, start: number): Promise<UnequalService[]> {
  const rows = await database.transaction((transaction) => readUnequal(transaction, start))
  return rows.map(({ service_id, weight, evidence }) => ({
    serviceId: service_id,
    weight,
    isTooMuch: evidence > mostEvidence,
  }))
}

interface UnequalRow {
  readonly service_id: number
  readonly weight: number
  readonly evidence: number
}

/**
 * Reads the day once from one end to the other. With many services PostgreSQL would take a hash of them for too large,
 * and go through the day by the index of services: a random page for almost every analysis.
 */
async function readUnequal(transaction: Executor, start: number): Promise<UnequalRow[]> {
  // The machines of a cluster, which read the day, take the next two over. No other server knows this setting.
  await transaction.execute(settingsReachMachines)
  await transaction.execute(sql`set local work_mem = '128MB'`)
  await transaction.execute(sql`set local enable_indexscan = off`)
  return transaction.query<UnequalRow>(sql`
    select hot.service_id, evidence, evidence + ${checkWeight}::bigint * (hot.checks + coalesce(p.checks, 0))
      + ${packedFailureWeight}::bigint * coalesce(p.failed_analyses, 0) as weight
    from (
      select service_id, count(*) as analyses, sum(analysis_id::numeric * analysis_id) as id_squares, min(analysis_id) as first_id,
        sum(cardinality(sensor_ids)) as checks, coalesce(sum(length(failures::text)), 0) as evidence
      from analyses_hot where ${within(start)} group by service_id) hot
    left join packed_days p on p.service_id = hot.service_id and p.day = ${start / dayLength}::int
    where (p.analyses, p.id_squares) is distinct from (hot.analyses, hot.id_squares)
    order by hot.first_id, hot.service_id`)
}
