import sql from 'sql-template-tag'
import { digestOf, newToken } from '../auth/tokens.ts'
import { appendAudit, noOwner } from '../database/accounts/audit-log.ts'
import type { Database, Executor } from '../database/connect.ts'
import { addSensorToken, revokeSensorTokens } from '../database/services/sensor-tokens.ts'
import { sensorSilenceSeconds } from '../database/services/sensors.ts'
import type { Coordinates } from '../domain/services/coordinates.ts'
import { isOneLine, keepsReadingOrder } from '../domain/text/one-line.ts'
import { CannotStart } from '../program/cannot-start.ts'

export interface AddOptions extends Partial<Coordinates> {
  readonly city: string
  readonly country: string
  readonly now: number
}

export interface AddedSensor {
  readonly id: number
  readonly isNew: boolean
  readonly token: string
}

interface SensorChange {
  readonly id: number
  readonly action: 'create' | 'issue_token' | 'revoke_token'
  readonly after: object
  readonly now: number
}

/** Stations belong to the installation, and so do the records of their changes. */
function record(transaction: Executor, { id, action, after, now }: SensorChange): Promise<void> {
  return appendAudit(transaction, {
    ...{ ownerId: noOwner, at: now, accountId: null, apiKeyId: null, ipAddress: '', source: 'cli' },
    ...{ operation: `admin_sensors.${action}`, resource: 'admin/sensors', objectId: String(id) },
    ...{ before: action === 'create' ? null : {}, after },
  })
}

/** Makes a sensor, or finds the one with this name, and issues a token for its station. */
export async function addSensor(database: Database, name: string, options: AddOptions): Promise<AddedSensor> {
  const { city, country, latitude = null, longitude = null, now } = options
  if (!isOneLine(`${name}${city}${country}`)) {
    throw new CannotStart('Name, city and country must be one line without control characters.')
  }
  if (![name, city, country].every(keepsReadingOrder)) {
    throw new CannotStart('Name, city and country must not turn the order of reading around (U+202A to U+202E).')
  }
  if ((latitude === null) !== (longitude === null)) throw new CannotStart('A latitude goes together with a longitude.')
  return database.transaction(async (transaction) => {
    const [made] = await transaction.query<{ id: number }>(sql`
      insert into sensors (name, city, country, latitude, longitude, category_ids)
      values (${name}, ${city}, ${country}, ${latitude}, ${longitude}, '{default}')
      on conflict (name) do nothing returning id`)
    const [found] = await transaction.query<{ id: number }>(sql`select id from sensors where name = ${name}`)
    const id = made?.id ?? found?.id ?? 0
    const token = newToken()
    await addSensorToken(transaction, { sensorId: id, digest: digestOf(token), now })
    const values = { id, name, city, country, latitude, longitude }
    if (made !== undefined) await record(transaction, { id, action: 'create', after: values, now })
    await record(transaction, { id, action: 'issue_token', after: {}, now })
    return { id, isNew: made !== undefined, token }
  })
}

/** Ends the tokens of a sensor; its connection ends within seconds. */
export async function revokeSensor(database: Database, name: string, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const [sensor] = await transaction.query<{ id: number }>(sql`select id from sensors where name = ${name}`)
    if (sensor === undefined) throw new CannotStart(`There is no station ${name}.`)
    const { id } = sensor
    if ((await revokeSensorTokens(transaction, id)) === 0) throw new CannotStart(`${name} has no token.`)
    await record(transaction, { id, action: 'revoke_token', after: {}, now })
  })
}

export interface ListedSensor {
  readonly id: number
  readonly name: string
  readonly place: string
  readonly categories: readonly string[]
  readonly version: string
  readonly state: string
}

/** All sensors, including those of this machine. */
export function listSensors(database: Database, now: number): Promise<ListedSensor[]> {
  return database.query<ListedSensor>(sql`
    select id, name, concat_ws(', ', nullif(city, ''), nullif(country, '')) as place, category_ids as categories, version,
      case when connection_no > 0 and not exists (select from sensor_tokens t where t.sensor_id = sensors.id) then 'revoked'
        when last_seen_at > ${new Date(now - sensorSilenceSeconds * 1000)} then 'reports in'
        when last_seen_at is null then 'never seen' else 'silent' end as state
    from sensors order by id`)
}
