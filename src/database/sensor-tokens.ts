import sql from 'sql-template-tag'
import type { Coordinates } from '../domain/coordinates.ts'
import type { Executor } from './connect.ts'
import { tell } from './stream-events.ts'

export interface AdmittedSensor {
  readonly id: number
  readonly name: string
}

/**
 * Puts a new token beside the one in use. Both hold until the new one is used, which ends the other: a token is changed without a gap.
 * One that was never used gives way at once.
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

/** Whose token it is; undefined for a token that does not hold. Using it ends the sensor's older one. */
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

/** Which of the digests, in hexadecimal, belong to tokens that hold. */
export async function validSensorTokens(executor: Executor, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ digest: string }>(sql`
    select encode(digest, 'hex') as digest from sensor_tokens
    where digest = any (select decode(wanted, 'hex') from unnest(${[...digests]}::text[]) as wanted)`)
  return new Set(rows.map((row) => row.digest))
}

export interface SensorRegistration extends Partial<Coordinates> {
  readonly version: string
  readonly categories: readonly string[]
  /** Types of services of those categories that it cannot check all the same. */
  readonly unsupportedTypes?: readonly string[]
  readonly city: string
  readonly country: string
  readonly address: string
}

/**
 * What a station says of itself as it connects. A place that an administrator has given stays. Returns the number of the connection:
 * each has a greater one than those of the sensor before, at whatever process.
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
  // A return from silence is told with its letter.
  if (row?.is_news === true) await tell(executor, [{ kind: 'sensor', subjectId: sensorId }])
  return row?.connection_no ?? 0
}

/** Milliseconds: a core that was away for longer is awaited by no station in particular. */
const recently = 60_000

/** Sensors far away that some process has heard shortly before. */
export async function lastConnectedSensors(executor: Executor, now: number): Promise<number[]> {
  const rows = await executor.query<{ id: number }>(sql`
    select id from sensors where lost_at is null and last_seen_at > ${new Date(now - recently)}
      and exists (select from sensor_tokens where sensor_id = sensors.id)`)
  return rows.map(({ id }) => id)
}
