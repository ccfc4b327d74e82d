/** An installation of so many services that has run for a week. */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { nextOnGrid } from '../../src/domain/judging/schedule.ts'
import { fill } from '../api/fill.ts'

/** SIZES_INTERVAL: seconds between two rounds of a service. */
export const intervalSeconds = Number(process.env['SIZES_INTERVAL'] ?? 60)
const day = 86_400_000
const hour = 3_600_000
const daysOfSums = 7
const hoursOfSums = 24
const periods = 6

/** Four fifths belong to one account, with a group for each hundred. */
export async function populate(database: Database, services: number): Promise<void> {
  const own = services * 0.8
  const [neighbourServices, groups] = [services * 0.01, Math.max(2, own / 100)]
  await fill(database, Date.now(), { services: own, groups, neighbourServices })
  const created = new Date(Date.now() - 40 * day)
  await database.execute(sql`update services set interval = ${intervalSeconds}, created_at = ${created}`)
  await ensurePartitions(database, Date.now(), 1)
  await addHistory(database, Date.now())
  // Else the first minute makes a new version of each row and the garbage of the filling is still there.
  for (const table of ['services', 'service_statuses', 'schedule', 'status_changes']) await tidy(database, table)
}

async function tidy(database: Database, table: string): Promise<void> {
  await database.execute(raw(`vacuum full ${table}`))
  // The full one does not note which pages all may see, so an index alone would not do for counting.
  await database.execute(raw(`vacuum analyze ${table}`))
}

/** Sums as the recorder leaves them, with the rows of the present hour and day, and closed periods. */
async function addHistory(database: Database, now: number): Promise<void> {
  const [thisHour, today] = [Math.floor(now / hour), Math.floor(now / day)]
  const measured = sql`180, 12000, 3, 1, 180, 40, 900`
  const columns = sql`ok_checks, response_time_sum, error_checks, unknown_checks, timed_checks, response_time_minimum, response_time_maximum`
  await database.execute(sql`
    insert into hourly_performance (hour, service_id, ${columns})
    select hour, id, ${measured} from generate_series(${thisHour - hoursOfSums + 1}::int, ${thisHour + 1}::int) hour, services
    order by 1, 2`)
  await database.execute(sql`
    insert into daily_performance (day, service_id, sensor_id, ${columns})
    select day, id, sensor, ${measured} from generate_series(${today - daysOfSums + 1}::int, ${today}::int) day, services,
      generate_series(1, 3) sensor order by 1, 2`)
  const piece = sql`interval '1 day'`
  const start = sql`${new Date(now - (periods - 0.5) * day)}::timestamptz`
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select id, extract(epoch from ${start} + number * ${piece})::bigint * 100000,
      case number % 2 when 0 then 'failure' else 'ok' end,
      ${start} + number * ${piece}, case when number < ${periods - 1}::int then ${start} + (number + 1) * ${piece} end
    from services, generate_series(0, ${periods - 1}::int) number`)
  await database.execute(sql`
    update service_statuses s set state_change_id = c.change_id, state_since = c.start_time
    from status_changes c where c.service_id = s.service_id and c.end_time is null`)
  await database.execute(sql`analyze hourly_performance, daily_performance, status_changes`)
}

/**
 * Puts every active service that is ok on its grid from the moment. One in fifty fails and one in fifty is paused; they
 * are not checked.
 */
export async function planRounds(database: Database, fromAt: number): Promise<number> {
  await database.execute(sql`update schedule set due_at = 'infinity', leased_until = null, held_by = null`)
  const rows = await database.query<{ service_id: number }>(
    sql`select service_id from service_statuses where monitoring_status = 'on' and state = 'ok'`,
  )
  const ids = rows.map(({ service_id: id }) => id)
  const due = ids.map((id) => nextOnGrid(id, intervalSeconds, fromAt))
  await database.execute(sql`
    update schedule set due_at = to_timestamp(due / 1000) from unnest(${ids}::int[], ${due}::float8[]) as plan (id, due)
    where service_id = id`)
  await tidy(database, 'schedule')
  return ids.length
}
