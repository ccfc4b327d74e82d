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

export async function markSensorsSeen(executor: Executor, sensorIds: readonly number[], now: number): Promise<void> {
  if (sensorIds.length === 0) return
  await executor.execute(sql`update sensors set last_seen_at = ${new Date(now)} where id = any(${sensorIds}::int[])`)
}
