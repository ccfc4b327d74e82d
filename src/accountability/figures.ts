import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { analysisIdAt, idsPerMillisecond } from '../domain/judging/analysis-id.ts'
import { countMissedRounds } from '../service-state/missed-rounds.ts'
import { latenessOf, type StartedRound } from './lateness.ts'

/**
 * Lateness and agreement are computed from the newest rounds, so that they cost the same in installations of any size.
 */
export const newestRounds = 10_000
const newestMs = 3_600_000

/** Milliseconds. */
export const windows = { '24h': dayLength, '7d': 7 * dayLength } as const
export type Window = keyof typeof windows

export interface Lateness {
  readonly rounds: number
  /** Rounds without a verdict. */
  readonly unjudged_rounds: number
  /** Milliseconds from a round's place on its grid to the beginning of its last check; null: there was no round. */
  readonly p50: number | null
  readonly p95: number | null
  readonly maximum: number | null
}

export interface StationFigures {
  readonly sensor_id: number
  readonly name: string
  readonly rounds: number
  /** From 0 to 1; null: no round had a verdict. */
  readonly agreement: number | null
  readonly checks: number
  readonly unknown_checks: number
}

export interface ChannelFigures {
  readonly notification_channel_id: string
  readonly sent: number
  readonly failed: number
  readonly pending: number
  readonly other: number
  /** Milliseconds from the verdict to the end of sending. */
  readonly latency_p50: number | null
  readonly latency_p95: number | null
}

export interface Figures {
  readonly lateness: Lateness
  /** Rounds that were skipped, since the hour in which the window begins. */
  readonly missed_rounds: number
  readonly stations: readonly StationFigures[]
  readonly failures: number
  readonly false_alarms_corrected: number
  readonly deliveries: readonly ChannelFigures[]
}

/** The newest rounds, whichever process judged them. */
function newest(nowAt: number) {
  return sql`
    select service_id, analysis_id, verdict, sensor_ids, results::text[] as results, time_offsets from analyses_hot
    where analysis_id >= ${analysisIdAt(nowAt - newestMs)} and analysis_id < ${analysisIdAt(nowAt + 1)}
    order by analysis_id desc limit ${newestRounds}`
}

async function readLateness(database: Executor, nowAt: number): Promise<Lateness> {
  const rows = await database.query<StartedRound & { readonly verdict: string }>(sql`
    select newest.verdict, newest.service_id as "serviceId", services.interval as "intervalSeconds",
      newest.analysis_id / ${idsPerMillisecond} + (select max(at) from unnest(newest.time_offsets) as at) as "startedAt"
    from (${newest(nowAt)}) newest left join services on services.id = newest.service_id`)
  const late = rows.flatMap((row) => latenessOf(row) ?? []).sort((a, b) => a - b)
  const at = (share: number) => late[Math.ceil(late.length * share) - 1] ?? null
  const unjudged_rounds = rows.filter(({ verdict }) => verdict === 'none').length
  return { rounds: rows.length, unjudged_rounds, p50: at(0.5), p95: at(0.95), maximum: late.at(-1) ?? null }
}

async function readStations(database: Executor, nowAt: number, fromAt: number): Promise<readonly StationFigures[]> {
  const [sensors, said, days] = await Promise.all([
    database.query<{ id: number; name: string }>(sql`select id, name from sensors order by id`),
    database.query<{ sensor_id: number; rounds: number; agreed: number }>(sql`
      select told.sensor_id, count(*)::int as rounds,
        (count(*) filter (where (told.result = 'o') = (verdict = 'ok')))::int as agreed
      from (${newest(nowAt)}) newest cross join lateral unnest(sensor_ids, results) as told (sensor_id, result)
      where told.result in ('o', 'e') and verdict <> 'none' group by 1`),
    database.query<{ sensor_id: number; checks: number; unknown_checks: number }>(sql`
      select sensor_id, sum(ok_checks + error_checks + unknown_checks)::bigint as checks,
        sum(unknown_checks)::bigint as unknown_checks
      from daily_performance where day >= ${Math.floor(fromAt / dayLength)} group by 1`),
  ])
  return sensors.map(({ id, name }) => {
    const { rounds, agreed } = said.find(({ sensor_id }) => sensor_id === id) ?? { rounds: 0, agreed: 0 }
    const { checks, unknown_checks } = days.find(({ sensor_id }) => sensor_id === id) ?? {
      checks: 0,
      unknown_checks: 0,
    }
    const agreement = rounds === 0 ? null : agreed / rounds
    return { sensor_id: id, name, rounds, agreement, checks, unknown_checks }
  })
}

async function readDeliveries(database: Executor, fromAt: number): Promise<readonly ChannelFigures[]> {
  return database.query<ChannelFigures>(sql`
    select notification_channel_id, (count(*) filter (where status = 'sent'))::int as sent,
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'pending'))::int as pending,
      (count(*) filter (where status not in ('sent', 'failed', 'pending')))::int as other,
      round(percentile_cont(0.5) within group (order by took) filter (where status = 'sent'))::int as latency_p50,
      round(percentile_cont(0.95) within group (order by took) filter (where status = 'sent'))::int as latency_p95
    from (
      select notification_channel_id, status,
        greatest(0, extract(epoch from finished_at - created_at) * 1000)::double precision as took
      from notification_intents where created_at >= ${new Date(fromAt)}) notices
    group by 1 order by 1`)
}

type Counts = Pick<Figures, 'failures' | 'false_alarms_corrected'>

async function countSince(database: Executor, fromAt: number): Promise<Counts> {
  const from = new Date(fromAt)
  const [row] = await database.query<Counts>(sql`
    select (select count(*)::int from status_changes where status = 'failure' and start_time >= ${from}) as failures,
      (select count(*)::int from corrections where status = 'ok' and created_at >= ${from}) as false_alarms_corrected`)
  return row ?? { failures: 0, false_alarms_corrected: 0 }
}

/** How well the installation works, from the rows that all of its processes left. */
export async function readFigures(database: Executor, window: Window, nowAt: number): Promise<Figures> {
  const fromAt = nowAt - windows[window]
  const [lateness, missed_rounds, stations, counts, deliveries] = await Promise.all([
    readLateness(database, nowAt),
    countMissedRounds(database, fromAt),
    readStations(database, nowAt, fromAt),
    countSince(database, fromAt),
    readDeliveries(database, fromAt),
  ])
  return { lateness, missed_rounds, stations, ...counts, deliveries }
}
