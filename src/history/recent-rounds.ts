import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { analysisIdAt } from '../domain/judging/analysis-id.ts'

/** The limit of rounds, so that the cost is the same in installations of any size. */
export const recentRoundCount = 1000
const recentMs = 3_600_000

/** A sensor's record in the newest rounds. */
export interface RecentRounds {
  /** Rounds with a verdict in which it had a result. */
  readonly rounds: number
  /** The share of them in which its result agreed with the verdict; null if there are none. */
  readonly agreement: number | null
  /** Milliseconds, the median delay of its check behind the round's first check. Null: it was always alone. */
  readonly lag: number | null
}

interface Row {
  readonly sensor_id: number
  readonly rounds: number
  readonly agreed: number
  readonly lag: number | null
}

/** Reads the newest rounds of the last hour, whichever process judged them. */
export async function readRecentRounds(
  executor: Executor,
  sensorIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, RecentRounds>> {
  const rows = await executor.query<Row>(sql`
    select told.sensor_id,
      (count(*) filter (where told.result in ('o', 'e') and verdict <> 'none'))::int as rounds,
      (count(*) filter (where told.result in ('o', 'e') and verdict <> 'none' and (told.result = 'o') = (verdict = 'ok')))::int as agreed,
      round(percentile_cont(0.5) within group (order by told.started - first_started)
        filter (where cardinality(sensor_ids) > 1))::int as lag
    from (
      select verdict, sensor_ids, results::text[] as results, time_offsets,
        (select min(started) from unnest(time_offsets) as started) as first_started
      from analyses_hot where analysis_id >= ${analysisIdAt(now - recentMs)} and analysis_id < ${analysisIdAt(now + 1)}
      order by analysis_id desc limit ${recentRoundCount}) newest
      cross join lateral unnest(sensor_ids, results, time_offsets) as told (sensor_id, result, started)
    where told.sensor_id = any (${[...sensorIds]}::int[]) group by 1`)
  const none: RecentRounds = { rounds: 0, agreement: null, lag: null }
  const known = new Map(
    rows.map(({ sensor_id: id, rounds, agreed, lag }) => [
      id,
      { rounds, agreement: rounds === 0 ? null : agreed / rounds, lag },
    ]),
  )
  return new Map(sensorIds.map((id) => [id, known.get(id) ?? none]))
}
