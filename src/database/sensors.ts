import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

export interface SensorRow {
  readonly id: number
  readonly name: string
  readonly city: string
  readonly country: string
  readonly category_ids: readonly string[]
}

export async function readSensors(executor: Executor): Promise<SensorRow[]> {
  return executor.query<SensorRow>(sql`select id, name, city, country, category_ids from sensors`)
}

/** A sensor that has not reported in for this long is not available. */
export const sensorSilenceSeconds = 30

export interface KnownSensorRow {
  readonly id: number
  readonly category_ids: readonly string[]
  readonly is_available: boolean
}

/** All sensors in the order of ids, with whether they report in now. */
export async function readKnownSensors(executor: Executor, now: number): Promise<KnownSensorRow[]> {
  return executor.query<KnownSensorRow>(sql`
    select id, category_ids, coalesce(last_seen_at > ${new Date(now - sensorSilenceSeconds * 1000)}, false) as is_available
    from sensors order by id`)
}

export async function markSensorsSeen(executor: Executor, sensorIds: readonly number[], now: number): Promise<void> {
  if (sensorIds.length === 0) return
  await executor.execute(sql`update sensors set last_seen_at = ${new Date(now)} where id = any(${sensorIds}::int[])`)
}
