import sql from 'sql-template-tag'
import type { AdministratorContact, SensorLetterFacts, SensorLetterKind } from '../../domain/notification/letter.ts'
import type { Database, Executor } from '../connect.ts'
import { enqueue } from '../enqueue.ts'
import { tell } from './stream-events.ts'

export interface SensorRow {
  readonly id: number
  readonly name: string
  readonly city: string
  readonly country: string
  readonly category_ids: readonly string[]
  /** Null: it has never reported in. */
  readonly last_seen_at: number | null
  /** The start of its silence; null unless it is known to be lost. */
  readonly lost_at: number | null
}

export async function readSensors(executor: Executor): Promise<SensorRow[]> {
  return executor.query<SensorRow>(
    sql`select id, name, city, country, category_ids, last_seen_at, lost_at from sensors`,
  )
}

/** A sensor that has not reported in for this many seconds is unavailable. */
export const sensorSilenceSeconds = 30

export interface KnownSensorRow {
  readonly id: number
  readonly category_ids: readonly string[]
  readonly is_available: boolean
}

/** All sensors in order of ids, with their availability. */
export async function readKnownSensors(executor: Executor, now: number): Promise<KnownSensorRow[]> {
  return executor.query<KnownSensorRow>(sql`
    select id, category_ids, coalesce(last_seen_at > ${new Date(now - sensorSilenceSeconds * 1000)}, false) as is_available
    from sensors order by id`)
}

export async function markSensorsSeen(executor: Executor, sensorIds: readonly number[], now: number): Promise<void> {
  if (sensorIds.length === 0) return
  await executor.execute(sql`update sensors set last_seen_at = ${new Date(now)} where id = any(${sensorIds}::int[])`)
}

/**
 * Records sensors that fell silent, and writes to the administrator. A sensor that another process reported lost, or
 * heard, meanwhile is left out, so each loss is reported once. Returns the newly lost ones.
 */
export function recordLosses(
  database: Database,
  silent: readonly SensorRow[],
  contact: AdministratorContact,
  now: number,
): Promise<SensorRow[]> {
  return database.transaction(async (transaction) => {
    const lost = await transaction.query<SensorRow>(sql`
      update sensors set lost_at = last_seen_at
      from unnest(${silent.map(({ id }) => id)}::int[], ${silent.map((row) => row.last_seen_at)}::float8[]) as silent (id, seen_at)
      where sensors.id = silent.id and lost_at is null and last_seen_at = to_timestamp(silent.seen_at / 1000)
      returning sensors.*`)
    await tellSensors(transaction, lost)
    const facts = lost.map((row) => factsOf(row, null, contact))
    await writeLetters(transaction, 'sensor_lost', facts, { ...contact, now })
    return lost
  })
}

/**
 * Records the end of losses, once however many processes hear the sensors. Returns those that were known to be lost.
 */
export function recordReturns(
  database: Database,
  heard: readonly SensorRow[],
  contact: AdministratorContact,
  now: number,
): Promise<SensorRow[]> {
  return database.transaction(async (transaction) => {
    const back = await transaction.query<SensorRow>(sql`
      with known as (
        select * from sensors where id = any(${heard.map(({ id }) => id)}::int[]) and lost_at is not null for update)
      update sensors set lost_at = null from known where sensors.id = known.id
      returning known.*`)
    await tellSensors(transaction, back)
    const facts = back.map((row) => factsOf(row, now, contact))
    await writeLetters(transaction, 'sensor_returned', facts, { ...contact, now })
    return back
  })
}

function tellSensors(transaction: Executor, sensors: readonly SensorRow[]): Promise<void> {
  return tell(
    transaction,
    sensors.map(({ id }) => ({ kind: 'sensor', subjectId: id })),
  )
}

function factsOf(row: SensorRow, returnedAt: number | null, { language }: AdministratorContact): SensorLetterFacts {
  const { id, name, city, country, lost_at: sinceAt } = row
  return { sensor: { id, name, city, country }, sinceAt: sinceAt ?? 0, returnedAt, language }
}

async function writeLetters(
  transaction: Executor,
  kind: SensorLetterKind,
  facts: readonly SensorLetterFacts[],
  { addresses, now }: { readonly addresses: readonly string[]; readonly now: number },
): Promise<void> {
  const messages = facts.flatMap((one) =>
    addresses.map((address) => ({ kind, address, sensor_id: one.sensor.id, facts: one })),
  )
  await enqueue(transaction, messages, now)
}
