import { createHash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { pictureDayOf } from '../domain/judging/good-screenshot.ts'

/** A screenshot of a good service, once per UTC day. */
export interface GoodScreenshotRow {
  readonly serviceId: number
  readonly typeId: string
  readonly analysisId: number
  readonly sensorId: number
  readonly takenAt: number
  readonly picture: Uint8Array
}

export async function hasGoodScreenshot(
  executor: Executor,
  { serviceId, typeId, day }: { readonly serviceId: number; readonly typeId: string; readonly day: string },
): Promise<boolean> {
  const [found] = await executor.query<{ is: boolean }>(sql`
    select true as is from good_screenshots
    where service_id = ${serviceId} and type_id = ${typeId} and day = ${day}::date`)
  return found !== undefined
}

/** Keeps the first picture of its day, even if several arrive at once. Returns whether this one was kept. */
export async function keepGoodScreenshot(executor: Executor, row: GoodScreenshotRow): Promise<boolean> {
  const { serviceId, typeId, analysisId, sensorId, takenAt } = row
  const picture = Buffer.from(row.picture)
  const digest = createHash('sha256').update(picture).digest('hex')
  const kept = await executor.execute(sql`
    insert into good_screenshots (service_id, type_id, day, analysis_id, sensor_id, taken_at, digest, picture)
    select id, ${typeId}, ${pictureDayOf(takenAt)}::date, ${analysisId}, ${sensorId}, ${new Date(takenAt)}, ${digest}, ${picture}
    from services where id = ${serviceId}
    on conflict (service_id, type_id, day) do nothing`)
  return kept > 0
}

/** The newest picture before a failure of the given status change; null for other changes. `members` may use `p`. */
export function lastGoodScreenshot(change: Sql, members: Sql): Sql {
  return sql`(
    select ${members} from good_screenshots p
    where ${change}.status = 'failure' and p.service_id = ${change}.service_id and p.taken_at < ${change}.start_time
      and p.type_id = (select shown.type_id from services shown where shown.id = ${change}.service_id)
    order by p.taken_at desc limit 1)`
}

interface Outdated {
  /** Pictures taken earlier are deleted unless a failure needs them. */
  readonly takenBefore: number
  /** Failures that ended earlier have no evidence any more. */
  readonly endedBefore: number
}

/** Returns how many pictures were deleted. */
export function pruneGoodScreenshots(executor: Executor, { takenBefore, endedBefore }: Outdated): Promise<number> {
  return executor.execute(sql`
    delete from good_screenshots p where p.taken_at < ${new Date(takenBefore)} and not exists (
      select 1 from status_changes c
      where c.service_id = p.service_id and c.status = 'failure' and c.start_time > p.taken_at
        and coalesce(c.end_time, 'infinity') >= ${new Date(endedBefore)}
        and not exists (
          select 1 from good_screenshots later
          where later.service_id = p.service_id and later.type_id = p.type_id
            and later.taken_at > p.taken_at and later.taken_at < c.start_time))`)
}
