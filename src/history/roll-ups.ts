/**
 * Sums of the history, so that charts and counts over long times read no single analyses. There are hourly sums of each
 * service, and daily ones of each service and sensor. An analysis belongs to the hour and day of its decision. Every
 * check is counted by its result; a response time counts if the check was ok and measured one.
 */

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { isDuplicateKey, isLostRace } from '../database/failures.ts'
import { oldestDay } from '../database/partitions.ts'
import { dayLength as day, hourLength as hour } from '../domain/calendars/durations.ts'
import { analysisIdAt, analysisTimeOf } from '../domain/judging/analysis-id.ts'
import { lockPlans } from '../service-state/statuses.ts'
import type { AnalysisRow } from './analyses.ts'
import { analysesWithin } from './packed/analysis-range.ts'
import { addStepsToRollUps, rebuildStepRollUps } from './step-roll-ups.ts'

interface Sums {
  readonly serviceId: number
  /** Hours or days since 1970. */
  readonly period: number
  /** 0 in hourly sums, which cover all sensors. */
  readonly sensorId: number
  ok: number
  error: number
  unknown: number
  timed: number
  responseTimeSum: number
  minimum: number | null
  maximum: number | null
}

type Kept = Map<string, Sums>

function sumsFor(kept: Kept, serviceId: number, period: number, sensorId: number): Sums {
  const key = `${serviceId} ${period} ${sensorId}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const counts = { ok: 0, error: 0, unknown: 0, timed: 0, responseTimeSum: 0, minimum: null, maximum: null }
  const made: Sums = { serviceId, period, sensorId, ...counts }
  kept.set(key, made)
  return made
}

function count(sums: Sums, result: 'o' | 'e' | 'u', responseTime: number): void {
  if (result === 'e') sums.error++
  else if (result === 'u') sums.unknown++
  else sums.ok++
  if (result !== 'o' || responseTime < 0) return
  sums.timed++
  sums.responseTimeSum += responseTime
  sums.minimum = Math.min(sums.minimum ?? responseTime, responseTime)
  sums.maximum = Math.max(sums.maximum ?? responseTime, responseTime)
}

const tables = {
  hourly: { name: 'hourly_performance', key: ['service_id', 'hour'] },
  daily: { name: 'daily_performance', key: ['service_id', 'day', 'sensor_id'] },
} as const

type Table = (typeof tables)[keyof typeof tables]

/** The columns of both tables after their keys. */
export const measures = [
  'ok_checks',
  'error_checks',
  'unknown_checks',
  'timed_checks',
  'response_time_sum',
  'response_time_minimum',
  'response_time_maximum',
]

const added = raw(
  measures
    .map((name) => {
      if (name === 'response_time_minimum') return `${name} = least(kept.${name}, excluded.${name})`
      if (name === 'response_time_maximum') return `${name} = greatest(kept.${name}, excluded.${name})`
      return `${name} = kept.${name} + excluded.${name}`
    })
    .join(', '),
)

/** Rows of one shard are adjacent, and parallel writers take their locks in the same order. */
async function add(transaction: Executor, table: Table, kept: Kept): Promise<void> {
  const rows = [...kept.values()].sort(
    (a, b) => a.serviceId - b.serviceId || a.period - b.period || a.sensorId - b.sensorId,
  )
  // Serialised by hand: pg looks for quotes in every item, and numbers have none.
  const column = (key: keyof Sums) => `{${rows.map((row) => row[key] ?? 'NULL').join(',')}}`
  const [key, values] = [raw(table.key.join(', ')), raw(measures.join(', '))]
  const named = raw(table.key.length === 3 ? 'service_id, day, sensor_id' : 'service_id, hour, sensor_id')
  await transaction.execute(
    sql`insert into ${raw(table.name)} as kept (${key}, ${values})
      select ${key}, ${values} from unnest(
        ${column('serviceId')}::integer[], ${column('period')}::integer[], ${column('sensorId')}::integer[],
        ${column('ok')}::integer[], ${column('error')}::integer[], ${column('unknown')}::integer[],
        ${column('timed')}::integer[], ${column('responseTimeSum')}::bigint[], ${column('minimum')}::integer[],
        ${column('maximum')}::integer[]) as new (${named}, ${values})
      on conflict (${key}) do update set ${added}`,
    `add-to-${table.name}`,
  )
}

/**
 * Adds analyses to the sums. Pass only those that the same transaction has newly inserted (the result of
 * `insertAnalyses`), so that a repeated write counts nothing twice.
 */
export async function addToRollUps(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<void> {
  const [hourly, daily]: [Kept, Kept] = [new Map(), new Map()]
  for (const { serviceId, analysisId, sensorIds, results, responseTimes } of analyses) {
    const at = analysisTimeOf(analysisId)
    for (const [place, sensorId] of sensorIds.entries()) {
      const [result, responseTime] = [results[place] ?? 'u', responseTimes[place] ?? -1]
      count(sumsFor(hourly, serviceId, Math.floor(at / hour), 0), result, responseTime)
      count(sumsFor(daily, serviceId, Math.floor(at / day), sensorId), result, responseTime)
    }
  }
  if (daily.size === 0) return
  await add(transaction, tables.hourly, hourly)
  await add(transaction, tables.daily, daily)
  await addStepsToRollUps(transaction, analyses)
}

/** Sums over rows with `result` and `response_time`, in the order of `measures`. */
export const counted = sql`
  count(*) filter (where result = 'o')::int as ok_checks, count(*) filter (where result = 'e')::int as error_checks,
  count(*) filter (where result = 'u')::int as unknown_checks,
  count(*) filter (where result = 'o' and response_time >= 0)::int as timed_checks,
  coalesce(sum(response_time) filter (where result = 'o' and response_time >= 0), 0)::bigint as response_time_sum,
  min(response_time) filter (where result = 'o' and response_time >= 0) as response_time_minimum,
  max(response_time) filter (where result = 'o' and response_time >= 0) as response_time_maximum`

/** Single checks of the analyses with ids in [fromId, toId). */
export async function checksOf(executor: Executor, serviceId: number, fromId: number, toId: number): Promise<Sql> {
  const analyses = await analysesWithin(executor, { serviceIds: [serviceId], fromId, toId, detail: 'measures' })
  return sql`
    select a.service_id, a.analysis_id / 100 as at, c.sensor_id, c.result, c.response_time
    from ${analyses} a, unnest(a.sensor_ids, a.results, a.response_times) as c (sensor_id, result, response_time)
    where a.service_id = ${serviceId} and a.analysis_id >= ${fromId} and a.analysis_id < ${toId}`
}

async function rebuild(transaction: Executor, serviceId: number, table: Table, days: DayRange): Promise<void> {
  const period = raw(table.key[1])
  const length = table === tables.hourly ? hour : day
  const [from, to] = [(days.firstDay * day) / length, ((days.lastDay + 1) * day) / length]
  const [fromId, toId] = [analysisIdAt(days.firstDay * day), analysisIdAt((days.lastDay + 1) * day)]
  const checks = await checksOf(transaction, serviceId, fromId, toId)
  await transaction.execute(sql`
    delete from ${raw(table.name)} where service_id = ${serviceId} and ${period} >= ${from} and ${period} < ${to}`)
  await transaction.execute(sql`
    insert into ${raw(table.name)} (${raw([...table.key, ...measures].join(', '))})
    select ${raw(table.key.join(', '))}, ${counted}
    from (select checks.*, (at / ${length})::int as ${period} from (${checks}) checks) as dated
    group by ${raw(table.key.join(', '))}`)
}

/** UTC days since 1970, both inclusive. */
export interface DayRange {
  readonly firstDay: number
  readonly lastDay: number
}

/**
 * Rebuilds the sums of whole UTC days from the existing analyses, after a repair or an import. Rounds of the service
 * that end meanwhile wait. Never use it for days without analyses: their sums would be deleted too.
 */
export async function rebuildRollUps(transaction: Executor, serviceId: number, days: DayRange): Promise<void> {
  await lockPlans(transaction, [serviceId])
  await rebuild(transaction, serviceId, tables.hourly, days)
  await rebuild(transaction, serviceId, tables.daily, days)
  const range = { fromAt: days.firstDay * day, toAt: (days.lastDay + 1) * day }
  await rebuildStepRollUps(transaction, serviceId, range)
}

/** More than the first analyses that may come for new hours, stations and steps while one service is summed. */
const maximumTries = 6

/**
 * Repeats what lost against an analysis: on a cluster it goes to its machine after its round, without waiting for the
 * plan. If it is the first of its hour, its sums may come right after the old ones were deleted.
 */
async function rebuildInTurn(database: Database, serviceId: number, days: DayRange): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction((transaction) => rebuildRollUps(transaction, serviceId, days))
    } catch (error) {
      if (!(isDuplicateKey(error) || isLostRace(error)) || tries === maximumTries) throw error
    }
  }
}

/**
 * The same for every service, one after the other, over the days from `keptFromAt` whose analyses exist. Earlier days
 * are incomplete. The program may run meanwhile. Returns the number of services.
 */
export async function rebuildAllRollUps(
  database: Database,
  range: { readonly keptFromAt: number; readonly now: number },
): Promise<number> {
  const oldest = await oldestDay(database)
  if (oldest === null) return 0
  // A station's clock may be ahead.
  const days = {
    firstDay: Math.max(oldest, Math.floor(range.keptFromAt / day)),
    lastDay: Math.floor(range.now / day) + 1,
  }
  const services = await database.query<{ id: number }>(sql`select id from services order by id`)
  for (const { id } of services) await rebuildInTurn(database, id, days)
  return services.length
}
