import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findLogin } from '../../src/auth/callers.ts'
import { verifyPassword } from '../../src/auth/password.ts'
import { channelIds } from '../../src/channels/index.ts'
import { serviceTypes } from '../../src/checks/index.ts'
import { connect } from '../../src/database/connect.ts'
import { ensureLocalSensors, makeFirstLogins, noteSensorCategories } from '../../src/program/first-start.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const now = Date.parse('2026-03-02T10:00:00Z')
const config = {
  firstAdministrator: { username: 'dora', password: undefined },
  firstAccount: { username: 'alice', password: 'alice owns this' },
  minimumIntervalSeconds: 15,
  accountDefaults: { languageId: 'en', timeZoneId: 'america_new_york' },
} as const

let world: TestDatabase
beforeEach(async () => {
  world = await testDatabase()
})
afterEach(() => world.drop())

async function isRight(username: string, password: string): Promise<boolean> {
  const login = await findLogin(world.database, username)
  return verifyPassword(login?.password_hash ?? null, password)
}

test('an empty database gets an administrator and an account; only generated passwords are told', async () => {
  const made = await makeFirstLogins(world.database, config, now)
  expect(made?.account).toMatchObject({ username: 'alice', generatedPassword: null })
  expect(await isRight('alice', 'alice owns this')).toBe(true)
  const generated = made?.administrator.generatedPassword ?? ''
  expect(generated.length).toBeGreaterThanOrEqual(16)
  expect(await isRight('dora', generated)).toBe(true)
  expect(JSON.stringify(made)).not.toContain('argon2')
})

test('the first account has the unlimited package, may share and make sub-accounts, and has its user data and default group', async () => {
  const sensorIds = await ensureLocalSensors(world.database, 4)
  await noteSensorCategories(world.database, sensorIds.slice(1, 3), ['default', 'ipv6'])
  await makeFirstLogins(world.database, config, now)
  const [account] = await world.database.query(sql`
    select p.name as package, a.can_share_groups, a.can_create_subaccounts, a.is_activated, a.language_id,
      a.time_zone_id, a.created_at, u.email_address, g.name as group_name, g.assigned_sensor_ids
    from accounts a join packages p on p.id = a.package_id join user_data u on u.id = a.id
    join groups g on g.owner_id = a.id and g.is_default`)
  expect(account).toEqual({
    package: 'unlimited',
    can_share_groups: true,
    can_create_subaccounts: true,
    is_activated: true,
    language_id: 'en',
    time_zone_id: 'america_new_york',
    created_at: now,
    email_address: '',
    group_name: 'Default group',
    assigned_sensor_ids: {
      default: sensorIds.slice(0, 3),
      ipv6: sensorIds.slice(1, 3),
      mobile: [],
      webappcheck: [],
    },
  })
})

test('there are three packages: unlimited, free and for sub-accounts', async () => {
  await makeFirstLogins(world.database, config, now)
  const packages = await world.database.query(sql`
    select name, maximum_services, maximum_sensors, minimum_interval, is_available_for_new_accounts as for_new,
      is_for_sub_accounts as for_sub, create_accounts, cardinality(available_notification_channel_ids) as channels,
      jsonb_array_length(available_service_types) as types
    from packages order by id`)
  const rest = { maximum_sensors: null, channels: channelIds.length, types: serviceTypes.length }
  expect(packages).toEqual([
    {
      ...rest,
      name: 'unlimited',
      maximum_services: null,
      minimum_interval: 15,
      for_new: false,
      for_sub: false,
      create_accounts: true,
    },
    {
      ...rest,
      name: 'free',
      channels: channelIds.length - 1,
      maximum_services: 10,
      minimum_interval: 60,
      for_new: true,
      for_sub: false,
      create_accounts: true,
    },
    {
      ...rest,
      name: 'sub-account',
      maximum_services: 0,
      minimum_interval: 15,
      for_new: false,
      for_sub: true,
      create_accounts: false,
    },
  ])
})

test('a second start makes nothing, even with other names', async () => {
  await makeFirstLogins(world.database, config, now)
  const again = { ...config, firstAccount: { username: 'mallory', password: 'let me in please' } }
  expect(await makeFirstLogins(world.database, again, now)).toBeNull()
  expect(await findLogin(world.database, 'mallory')).toBeUndefined()
})

test('of several processes starting at once, one makes the logins', async () => {
  const others = Array.from({ length: 5 }, () => connect({ url: world.url, maximumConnections: 2 }))
  const outcomes = await Promise.all(
    others.map(async (database) => {
      await ensureLocalSensors(database, 3)
      return makeFirstLogins(database, config, now)
    }),
  )
  await Promise.all(others.map((database) => database.close()))
  const made = outcomes.filter((outcome) => outcome !== null)
  expect(made).toHaveLength(1)
  expect(await isRight('dora', made[0]?.administrator.generatedPassword ?? '')).toBe(true)
  expect(await world.database.query(sql`select 1 from accounts`)).toHaveLength(1)
  expect(await world.database.query(sql`select 1 from distributions`)).toHaveLength(1)
  expect(await world.database.query(sql`select 1 from sensors`)).toHaveLength(3)
})

test('a start that fails half-way leaves nothing behind', async () => {
  await world.database.execute(sql`alter table groups add constraint broken check (name is null)`)
  await expect(makeFirstLogins(world.database, config, now)).rejects.toThrow('broken')
  expect(await world.database.query(sql`select 1 from distributions`)).toHaveLength(0)
  expect(await world.database.query(sql`select 1 from administrators`)).toHaveLength(0)
})

test('local sensors follow the number wanted, keep their ids and are never removed', async () => {
  const three = await ensureLocalSensors(world.database, 3)
  expect(await ensureLocalSensors(world.database, 5)).toEqual([...three, expect.any(Number), expect.any(Number)])
  expect(await ensureLocalSensors(world.database, 2)).toEqual(three.slice(0, 2))
  const names = await world.database.query<{ name: string }>(sql`select name from sensors order by id`)
  expect(names.map((row) => row.name)).toEqual(['Local 1', 'Local 2', 'Local 3', 'Local 4', 'Local 5'])
  expect(await ensureLocalSensors(world.database, 0)).toEqual([])
})

test('eleven sensors are listed by number, not by text', async () => {
  const ids = await ensureLocalSensors(world.database, 11)
  const rows = await world.database.query<{ id: number; name: string }>(sql`select id, name from sensors`)
  expect(ids.map((id) => rows.find((row) => row.id === id)?.name)).toEqual(
    Array.from({ length: 11 }, (_, index) => `Local ${index + 1}`),
  )
})
