import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { setPassword } from '../../src/auth/create-account.ts'
import { hashPassword } from '../../src/auth/password.ts'
import type { Database } from '../../src/database/connect.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { authenticatorOn, basic, forgetFailures, origin, passwords, populate } from './logins.ts'

const startAt = Date.parse('2026-03-02T10:00:00Z')
const refused = { problems: [{ error: 'incorrect_credentials' }] }

let world: TestDatabase
let people: Awaited<ReturnType<typeof populate>>

beforeAll(async () => {
  world = await testDatabase()
  people = await populate(world.database, startAt)
})
afterAll(() => world.drop())

beforeEach(() => forgetFailures(world.database))

function authenticator(loginLimit?: number) {
  return authenticatorOn(world.database, { startAt, ...(loginLimit === undefined ? {} : { loginLimit }) })
}

async function authentications(accountId: number) {
  return world.database.query<{ method: string; success: boolean; ip_address: string; time: number }>(sql`
    select method, success, ip_address, time from authentications where account_id = ${accountId} order by id`)
}

test('a request without credentials is nobody’s', async () => {
  const { as } = authenticator()
  expect(await as(undefined)).toBeNull()
  expect(await as('')).toBeNull()
  expect(await as('Negotiate abc')).toBeNull()
})

test('a customer is found by name and password, whatever the case of the name', async () => {
  const { as } = authenticator()
  const outcome = await as(basic('aLICE', passwords.alice))
  expect(outcome).toMatchObject({
    caller: {
      scope: 'customer',
      username: 'Alice',
      account_id: people.alice,
      primary_account_id: people.alice,
      account_ids: [people.alice],
      is_sub_account: false,
      must_set_up_second_factor: false,
      is_read_only: false,
      can_share_groups: true,
      can_create_subaccounts: true,
      distribution_id: null,
      manager_id: null,
      package_id: people.unlimited,
      language_id: 'pl',
      time_zone_id: 'Europe/Warsaw',
      session_id: null,
      shares: [],
    },
  })
})

test('a sub-account acts for its parent: its groups, its zone; it has a default group of its own and creates no sub-accounts', async () => {
  const { as } = authenticator()
  const alice = await as(basic('alice', passwords.alice))
  const adam = await as(basic('adam', passwords.adam))
  const groupOf = (outcome: typeof alice) =>
    outcome !== null && 'caller' in outcome ? outcome.caller.default_group_id : undefined
  expect(groupOf(alice)).toBeGreaterThan(0)
  expect(groupOf(adam)).toBeGreaterThan(0)
  expect(groupOf(adam)).not.toBe(groupOf(alice))
  expect(adam).toMatchObject({
    caller: {
      account_id: people.adam,
      primary_account_id: people.alice,
      account_ids: [people.adam, people.alice],
      is_sub_account: true,
      must_set_up_second_factor: false,
      can_create_subaccounts: false,
      time_zone_id: 'Europe/Warsaw',
      language_id: 'en',
    },
  })
})

test('an administrator is found by the same methods', async () => {
  const { as } = authenticator()
  expect(await as(basic('dora', passwords.dora))).toMatchObject({
    caller: { scope: 'administrator', account_id: people.dora, distribution_id: people.distribution, package_id: null },
  })
})

test('groups shared with the account or with its parent are in the caller, their flags united', async () => {
  const { database } = world
  const [group] = await database.query<{ id: number }>(sql`select id from groups where owner_id = ${people.bob}`)
  await database.execute(sql`
    insert into shares (group_id, account_id, can_modify_group, can_force_analyses)
    values (${group?.id}, ${people.alice}, true, false), (${group?.id}, ${people.adam}, false, true)`)
  const { as } = authenticator()
  const flags = { can_modify_services: false, can_create_services: false, can_delete_services: false }
  expect(await as(basic('adam', passwords.adam))).toMatchObject({
    caller: { shares: [{ group_id: group?.id, can_modify_group: true, can_force_analyses: true, ...flags }] },
  })
  expect(await as(basic('alice', passwords.alice))).toMatchObject({
    caller: { shares: [{ group_id: group?.id, can_modify_group: true, can_force_analyses: false, ...flags }] },
  })
})

test.each([
  ['a wrong password', basic('alice', 'wrong password')],
  ['an unknown user', basic('nobody', passwords.alice)],
  ['a name that no user can have', basic('al\u0000ice', passwords.alice)],
  ['an empty password', basic('alice', '')],
  ['no colon', `Basic ${Buffer.from('alice').toString('base64')}`],
  ['no base64', 'Basic §§§'],
  ['bytes that are not UTF-8', `Basic ${Buffer.from([0x61, 0xff, 0x3a, 0x62]).toString('base64')}`],
  ['nothing behind the scheme', 'Basic'],
])('%s gets one and the same answer', async (_, header) => {
  expect(await authenticator().as(header)).toEqual(refused)
})

test('with two factors on, Basic with the right password gets the answer of a wrong one', async () => {
  await world.database.execute(sql`update user_data set has_2fa_enabled = true where id = ${people.bob}`)
  expect(await authenticator().as(basic('bob', passwords.bob))).toEqual(refused)
  await world.database.execute(sql`update user_data set has_2fa_enabled = false where id = ${people.bob}`)
  expect(await authenticator().as(basic('bob', passwords.bob))).toHaveProperty('caller')
})

test('a password with Polish letters and colons is read as UTF-8', async () => {
  const password = 'zażółć: gęślą'
  await setPassword(world.database, { scope: 'customer', account_id: people.bob }, await hashPassword(password))
  expect(await authenticator().as(basic('bob', password))).toHaveProperty('caller')
  await setPassword(world.database, { scope: 'customer', account_id: people.bob }, await hashPassword(passwords.bob))
})

test('blocked, not activated and filtered accounts hear of it only with the right password', async () => {
  const { database } = world
  await database.execute(sql`update accounts set is_blocked = true, is_activated = false where id = ${people.bob}`)
  await database.execute(sql`
    update user_data set ip_whitelist_enabled = true, ip_whitelist = '{198.51.100.0/24}' where id = ${people.bob}`)
  const { as } = authenticator()
  expect(await as(basic('bob', 'wrong password'))).toEqual(refused)
  expect(await as(basic('bob', passwords.bob))).toEqual({
    problems: [
      { error: 'account_not_activated' },
      { error: 'account_blocked' },
      { error: 'ip_address_not_allowed', facts: { address: origin.ipAddress } },
    ],
  })
  await database.execute(sql`update accounts set is_blocked = false, is_activated = true where id = ${people.bob}`)
  expect(await as(basic('bob', passwords.bob))).toEqual({
    problems: [{ error: 'ip_address_not_allowed', facts: { address: origin.ipAddress } }],
  })
  expect(await as(basic('bob', passwords.bob), { ipAddress: '198.51.100.7' })).toHaveProperty('caller')
  await database.execute(sql`update user_data set ip_whitelist_enabled = false where id = ${people.bob}`)
})

test('a sub-account of a blocked account is blocked', async () => {
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${people.alice}`)
  expect(await authenticator().as(basic('adam', passwords.adam))).toEqual({ problems: [{ error: 'account_blocked' }] })
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${people.alice}`)
})

test('right credentials are remembered for a minute: verified and logged once, blocked at once', async () => {
  const { as, clock } = authenticator()
  await world.database.execute(sql`delete from authentications`)
  const header = basic('alice', passwords.alice)
  for (let calls = 0; calls < 20; calls += 1) expect(await as(header)).toHaveProperty('caller')
  expect(await authentications(people.alice)).toEqual([
    { method: 'basic', success: true, ip_address: '192.0.2.10', time: startAt },
  ])
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${people.alice}`)
  expect(await as(header)).toEqual({ problems: [{ error: 'account_blocked' }] })
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${people.alice}`)
  clock.time += 60_000
  expect(await as(header)).toHaveProperty('caller')
  expect(await authentications(people.alice)).toHaveLength(2)
})

test('remembered credentials cost no slow hash', async () => {
  const { as } = authenticator()
  const header = basic('alice', passwords.alice)
  await as(header)
  const startedAt = process.cpuUsage()
  for (let calls = 0; calls < 100; calls += 1) await as(header)
  const used = process.cpuUsage(startedAt)
  expect((used.user + used.system) / 1000 / 100).toBeLessThan(10)
})

test('a changed password ends what was remembered at once', async () => {
  const { as } = authenticator()
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
  const elsewhere = world.database
  await setPassword(elsewhere, { scope: 'customer', account_id: people.bob }, await hashPassword('another one'))
  expect(await as(basic('bob', passwords.bob))).toEqual(refused)
  expect(await as(basic('bob', 'another one'))).toHaveProperty('caller')
  await setPassword(elsewhere, { scope: 'customer', account_id: people.bob }, await hashPassword(passwords.bob))
})

test('failures of known users are logged, unknown users have no log', async () => {
  await world.database.execute(sql`delete from authentications`)
  const { as } = authenticator()
  await as(basic('bob', 'wrong password'))
  await as(basic('nobody', 'wrong password'))
  await expect.poll(() => authentications(people.bob)).toMatchObject([{ method: 'basic', success: false }])
  const all = await world.database.query(sql`select 1 from authentications`)
  expect(all).toHaveLength(1)
})

test('too many failures have to wait, remembered credentials go on', async () => {
  const { as, clock } = authenticator(3)
  expect(await as(basic('alice', passwords.alice))).toHaveProperty('caller')
  for (let tries = 0; tries < 3; tries += 1) expect(await as(basic('bob', 'wrong password'))).toEqual(refused)
  clock.time += 10_000
  expect(await as(basic('bob', passwords.bob))).toEqual({
    problems: [{ error: 'too_many_requests', facts: { retry_after: 50 } }],
    retryAfterSeconds: 50,
  })
  expect(await as(basic('alice', passwords.alice))).toHaveProperty('caller')
  clock.time += 50_000
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
})

test('one client’s parallel first calls are verified once and all let in', async () => {
  await world.database.execute(sql`delete from authentications`)
  const { as } = authenticator(1)
  const outcomes = await Promise.all(Array.from({ length: 25 }, () => as(basic('alice', passwords.alice))))
  expect(outcomes.every((outcome) => outcome !== null && 'caller' in outcome)).toBe(true)
  expect(await authentications(people.alice)).toHaveLength(1)
})

test('while the disk of the database is full, the right password reads on and a wrong one does not', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const execute: Database['execute'] = (statement, name) =>
    /insert into (authentications|known_devices)/.test(statement.text)
      ? Promise.reject(full)
      : world.database.execute(statement, name)
  const unrecorded: unknown[] = []
  const { authenticate, logIn } = createAuthenticator({
    ...{ database: { ...world.database, execute }, clock: { now: () => startAt }, loginLimit: 10 },
    onUnrecorded: (error) => void unrecorded.push(error),
  })
  const as = (password: string) => authenticate({ ...origin, authorization: basic('bob', password) })
  expect(await as('a guess')).toEqual(refused)
  expect(unrecorded.splice(0)).toEqual([full])
  expect(await as(passwords.bob)).toHaveProperty('caller')
  expect(unrecorded).toEqual([full])
  // A session is a write, which is refused like every other.
  await expect(logIn({ ...origin, username: 'bob', password: passwords.bob, method: 'session' })).rejects.toBe(full)
})
