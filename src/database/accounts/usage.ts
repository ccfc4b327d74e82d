import sql, { type Sql } from 'sql-template-tag'
import { dayLength } from '../../domain/calendars/durations.ts'
import { analysisDayOf } from '../../domain/judging/analysis-id.ts'
import type { Executor } from '../connect.ts'

/** The usage of accounts by calendar months in UTC; it outlives the history. */

export interface CountedAnalysis {
  readonly serviceId: number
  readonly analysisId: number
  readonly sensorIds: readonly number[]
}

/** The first day of the month, in the form of dates. */
export function monthOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 7)}-01`
}

/**
 * Counts newly recorded analyses in their services' present groups. Call it last in a transaction: every recorder
 * changes the same few rows, in the same order.
 */
export async function countAnalyses(transaction: Executor, analyses: readonly CountedAnalysis[]): Promise<void> {
  if (analyses.length === 0) return
  const counts = [...countsOf(analyses).values()]
  await transaction.execute(
    sql`insert into usage_counters as known (month, account_id, group_id, service_type_id, analyses, checks)
      select counted.month, services.owner_id, services.group_id, services.type_id, sum(counted.analyses), sum(counted.checks)
      from unnest(${counts.map(({ serviceId }) => serviceId)}::int[], ${counts.map(({ day }) => monthOf(day * dayLength))}::date[],
        ${counts.map((count) => count.analyses)}::int[], ${counts.map(({ checks }) => checks)}::int[])
        as counted (service_id, month, analyses, checks)
      join services on services.id = counted.service_id
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (month, account_id, group_id, service_type_id)
      do update set analyses = known.analyses + excluded.analyses, checks = known.checks + excluded.checks`,
    'count-analyses',
  )
}

interface Count {
  readonly serviceId: number
  /** Days since 1970. */
  readonly day: number
  analyses: number
  checks: number
}

function countsOf(analyses: readonly CountedAnalysis[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>()
  for (const { serviceId, analysisId, sensorIds } of analyses) {
    const day = analysisDayOf(analysisId)
    const key = `${serviceId} ${day}`
    const count = counts.get(key) ?? { serviceId, day, analyses: 0, checks: 0 }
    counts.set(key, count)
    count.analyses++
    count.checks += sensorIds.length
  }
  return counts
}

/**
 * A statement for a WITH: counts the messages among `ended`, the rows of notification_intents that have just ended; a
 * digest counts as one. Test messages have no type of service and are counted under an empty one. All rows are in one
 * order, because many processes count at once.
 */
export function countSent(ended: Sql, now: number): Sql {
  return sql`
    insert into usage_notifications as known (month, account_id, group_id, service_type_id, notification_channel_id, sent)
    select ${monthOf(now)}::date, account_id, group_id, coalesce(facts->'service'->>'type_id', ''), notification_channel_id, count(*)
    from ${ended} where status = 'sent' and digest_of is null group by 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (month, account_id, group_id, service_type_id, notification_channel_id)
    do update set sent = known.sent + excluded.sent`
}
