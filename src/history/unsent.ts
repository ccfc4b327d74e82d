import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { analysisIdAt } from '../domain/judging/analysis-id.ts'
import { lockExisting } from '../service-state/services.ts'
import { type AnalysisRow, insertUnmarked } from './analyses.ts'
import { addToRollUps } from './roll-ups.ts'

/**
 * Analyses of a cluster that are judged, and not known to lie on the machine of their shard. They are written in the
 * transaction that judges them, so that neither is there without the other, whatever ends before they are sent. An
 * analysis and its sums are written once, however often they are sent.
 */

/** Analyses of one transaction. */
const sentAtOnce = 2000
/** Enough transactions of few analyses to make as many. */
const keptAtOnce = 500

/** @returns the number under which they are kept, for `forgetSent` */
export async function keepUnsent(
  transaction: Executor,
  machine: string,
  rows: readonly AnalysisRow[],
): Promise<number> {
  const oldestId = rows.reduce((least, { analysisId }) => Math.min(least, analysisId), Number.POSITIVE_INFINITY)
  const [kept] = await transaction.query<{ id: number }>(
    sql`insert into unsent_analyses (machine, analyses_count, oldest_id, analyses)
      values (${machine}, ${rows.length}, ${oldestId}, ${JSON.stringify(rows)}) returning id`,
    'keep-unsent',
  )
  return kept?.id ?? 0
}

/** Analyses that another process sends again just now are left to it. */
export async function forgetSent(executor: Executor, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await executor.execute(
    sql`delete from unsent_analyses where id in (
      select id from unsent_analyses where id = any(${ids}::bigint[]) for update skip locked)`,
    'forget-sent',
  )
}

/** True if analyses of the day at `start`, or of an earlier one, may still have to be sent. */
export async function hasUnsent(executor: Executor, start: number): Promise<boolean> {
  const [found] = await executor.query<{ is: boolean }>(sql`
    select exists (select from unsent_analyses where oldest_id < ${analysisIdAt(start + dayLength)}) as is`)
  return found?.is === true
}

export interface JudgedAnalysis {
  readonly serviceId: number
  readonly analysisId: number
  /** Null: any. */
  readonly verdict: AnalysisRow['verdict'] | null
}

/**
 * The analysis itself if it is in the history, else the one of that verdict before it: statuses tell of analyses that
 * are still on the way to their machine.
 */
export async function newestArrived(executor: Executor, judged: JudgedAnalysis): Promise<number> {
  const { serviceId, analysisId, verdict } = judged
  const [found] = await executor.query<{ id: number }>(sql`
    select analysis_id as id from analyses_hot
    where service_id = ${serviceId} and analysis_id <= ${analysisId}::bigint
      and (${verdict}::text is null or verdict = ${verdict})
    order by analysis_id desc limit 1`)
  return found?.id ?? analysisId
}

/** The machines of those that were kept for at least `age` seconds. */
export async function unsentMachines(executor: Executor, age: number): Promise<readonly string[]> {
  const rows = await executor.query<{ machine: string }>(sql`
    select distinct machine from unsent_analyses where written_at <= now() - make_interval(secs => ${age})`)
  return rows.map(({ machine }) => machine)
}

interface Kept {
  readonly id: number
  readonly analyses: string
}

export interface UnsentChoice {
  /** Seconds since they were kept; who kept them may be sending them still. */
  readonly age: number
  /** All machines but these. */
  readonly exceptMachines?: readonly string[]
  /** Analyses at most, though one transaction's at least. */
  readonly limit?: number
}

/** Analyses that another process sends just now are left out. */
function lockUnsent(
  transaction: Executor,
  { age, exceptMachines = [], limit = sentAtOnce }: UnsentChoice,
): Promise<Kept[]> {
  return transaction.query<Kept>(sql`
    select id, analyses from unsent_analyses where id in (
      select id from (
        select id, analyses_count, sum(analyses_count) over (order by id) as up_to
        from (select id, analyses_count from unsent_analyses
          where written_at <= now() - make_interval(secs => ${age}) and machine <> all(${exceptMachines}::text[])
          order by id limit ${keptAtOnce}) first
      ) counted where up_to - analyses_count < ${limit})
    order by id for update skip locked`)
}

/** The rows whose service exists; it cannot be removed until the transaction ends. */
async function ofServices(transaction: Executor, rows: readonly AnalysisRow[]): Promise<readonly AnalysisRow[]> {
  const existing = await lockExisting(
    transaction,
    rows.map(({ serviceId }) => serviceId),
  )
  return rows.filter(({ serviceId }) => existing.has(serviceId))
}

async function insertWithSums(transaction: Executor, rows: readonly AnalysisRow[]): Promise<void> {
  await addToRollUps(transaction, await insertUnmarked(transaction, await ofServices(transaction, rows)))
}

/** Sends what was left, through this connection. Returns how many were. */
export async function sendUnsent(transaction: Executor, choice: UnsentChoice): Promise<number> {
  const kept = await lockUnsent(transaction, choice)
  if (kept.length === 0) return 0
  const rows = kept.flatMap(({ analyses }) => JSON.parse(analyses) as AnalysisRow[])
  await insertWithSums(transaction, rows)
  await transaction.execute(sql`delete from unsent_analyses where id = any(${kept.map(({ id }) => id)}::bigint[])`)
  return rows.length
}

/** All of them, in as many transactions as that takes. */
export async function sendAllUnsent(database: Database, choice: UnsentChoice): Promise<void> {
  while ((await database.transaction((transaction) => sendUnsent(transaction, choice))) > 0);
}

/** An analysis that cannot be stored, with the reason. */
export interface LostAnalysis {
  readonly row: AnalysisRow
  readonly fault: unknown
}

/** The oldest transaction's analyses one by one, because one of them cannot be stored. Returns those that are lost. */
export async function sendOneByOne(database: Database, choice: UnsentChoice): Promise<readonly LostAnalysis[]> {
  const kept = await database.transaction((transaction) => lockUnsent(transaction, { ...choice, limit: 1 }))
  const lost: LostAnalysis[] = []
  for (const row of kept.flatMap(({ analyses }) => JSON.parse(analyses) as AnalysisRow[])) {
    try {
      await database.transaction((transaction) => insertWithSums(transaction, [row]))
    } catch (fault) {
      if (!isUnstorable(fault)) throw fault
      lost.push({ row, fault })
    }
  }
  await forgetSent(
    database,
    kept.map(({ id }) => id),
  )
  return lost
}

/** True if the data are wrong, so that no later try succeeds. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code))
}

/** Deletes the oldest beyond the limit. Returns how many analyses are lost. */
export async function boundUnsent(executor: Executor, limit: number): Promise<number> {
  const dropped = await executor.query<{ analyses_count: number }>(sql`
    delete from unsent_analyses where id in (
      select id from (select id, sum(analyses_count) over (order by id desc) as newer from unsent_analyses) counted
      where newer > ${limit})
    returning analyses_count`)
  return dropped.reduce((sum, row) => sum + row.analyses_count, 0)
}
