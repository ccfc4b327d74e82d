import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

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

export interface SensorRegistration {
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
    address,
    now,
  }: SensorRegistration & { readonly now: number },
): Promise<number> {
  const [row] = await executor.query<{ connection_no: number }>(sql`
    update sensors set version = ${version}, category_ids = ${[...categories]}::text[],
      unsupported_type_ids = ${[...unsupportedTypes]}::text[], ip_address = ${address},
      city = case when city = '' then ${city} else city end, country = case when country = '' then ${country} else country end,
      last_seen_at = ${new Date(now)}, connection_no = connection_no + 1
    where id = ${sensorId} returning connection_no`)
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
