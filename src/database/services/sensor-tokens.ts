import sql from 'sql-template-tag'
import type { Coordinates } from '../../domain/services/coordinates.ts'
import type { Executor } from '../connect.ts'
import { tell } from './stream-events.ts'

export interface AdmittedSensor {
  readonly id: number
  readonly name: string
}

/**
 * Adds a new token beside the current one. Both are valid until the new one is used, which ends the other: so a token
 * changes without a gap. A token that was never used is replaced at once.
 */
export async function addSensorToken(
  transaction: Executor,
  token: { readonly sensorId: number; readonly digest: Buffer; readonly now: number },
): Promise<void> {
  const { sensorId, digest, now } = token
  await transaction.execute(sql`delete from sensor_tokens where sensor_id = ${sensorId} and used_at is null`)
  await transaction.execute(sql`
    insert into sensor_tokens (digest, sensor_id, created_at) values (${digest}, ${sensorId}, ${new Date(now)})`)
}

/** The sensor of a token; undefined for an invalid one. Using a token ends the sensor's older one. */
export async function admitSensor(
  executor: Executor,
  digest: Buffer,
  now: number,
): Promise<AdmittedSensor | undefined> {
  const [sensor] = await executor.query<AdmittedSensor>(sql`
    with used as (
      update sensor_tokens set used_at = ${new Date(now)} where digest = ${digest} returning sensor_id, created_at),
    ended as (
      delete from sensor_tokens old using used
      where old.sensor_id = used.sensor_id and old.digest <> ${digest} and old.created_at <= used.created_at)
    select id, name from sensors join used on used.sensor_id = sensors.id`)
  return sensor
}

/** Ends all tokens of a sensor; returns how many there were. */
export function revokeSensorTokens(executor: Executor, sensorId: number): Promise<number> {
  return executor.execute(sql`delete from sensor_tokens where sensor_id = ${sensorId}`)
}

/** The digests, in hexadecimal, that belong to valid tokens. */
export async function validSensorTokens(executor: Executor, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ digest: string }>(sql`
    select encode(digest, 'hex') as digest from sensor_tokens
    where digest = any (select decode(wanted, 'hex') from unnest(${[...digests]}::text[]) as wanted)`)
  return new Set(rows.map((row) => row.digest))
}

export interface SensorRegistration extends Partial<Coordinates> {
  readonly version: string
  readonly categories: readonly string[]
  /** Service types of those categories that it cannot check. */
  readonly unsupportedTypes?: readonly string[]
  readonly city: string
  readonly country: string
  readonly address: string
}

/**
 * Stores the description that a station sends when it connects. A position entered by an administrator is kept. Returns
 * the number of the connection, which is greater than all earlier ones of the sensor, at whatever process.
 */
export async function registerSensor(
  executor: Executor,
  sensorId: number,
  {
    version,
    categories,
    unsupportedTypes = [],
    city,
    country,
    latitude = null,
    longitude = null,
    address,
    now,
  }: SensorRegistration & { readonly now: number },
): Promise<number> {
  const [row] = await executor.query<{ connection_no: number; is_news: boolean }>(sql`
    with before as (select * from sensors where id = ${sensorId} for update)
    update sensors set version = ${version}, category_ids = ${[...categories]}::text[],
      unsupported_type_ids = ${[...unsupportedTypes]}::text[], ip_address = ${address},
      city = case when sensors.city = '' then ${city} else sensors.city end, country = case when sensors.country = '' then ${country} else sensors.country end,
      latitude = case when sensors.latitude is null then ${latitude} else sensors.latitude end,
      longitude = case when sensors.longitude is null then ${longitude} else sensors.longitude end,
      last_seen_at = ${new Date(now)}, connection_no = sensors.connection_no + 1
    from before where sensors.id = before.id
    returning sensors.connection_no, before.last_seen_at is null
      or (before.version, before.ip_address, before.city, before.country, before.category_ids) is distinct from
        (sensors.version, sensors.ip_address, sensors.city, sensors.country, sensors.category_ids)
      or before.latitude is distinct from sensors.latitude or before.longitude is distinct from sensors.longitude as is_news`)
  // A return from silence is announced together with its mail.
  if (row?.is_news === true) await tell(executor, [{ kind: 'sensor', subjectId: sensorId }])
  return row?.connection_no ?? 0
}

/** Milliseconds: after a longer absence the core waits for no particular station. */
const recently = 60_000

/** Remote sensors that some process heard recently. */
export async function lastConnectedSensors(executor: Executor, now: number): Promise<number[]> {
  const rows = await executor.query<{ id: number }>(sql`
    select id from sensors where lost_at is null and last_seen_at > ${new Date(now - recently)}
      and exists (select from sensor_tokens where sensor_id = sensors.id)`)
  return rows.map(({ id }) => id)
}
