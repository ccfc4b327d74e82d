import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogInRequest } from '../../src/auth/authenticate.ts'
import { setPassword } from '../../src/auth/create-account.ts'
import { hashPassword } from '../../src/auth/password.ts'
import { endSession, endSessionsOf, type NewSession } from '../../src/auth/sessions.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { authenticatorOn, origin, passwords, populate } from './logins.ts'

const startAt = Date.parse('2026-03-02T10:00:00.400Z')

let world: TestDatabase
let people: Awaited<ReturnType<typeof populate>>

beforeAll(async () => {
  world = await testDatabase()
  people = await populate(world.database, startAt)
})
afterAll(() => world.drop())

function program(loginLimit = 1000) {
  const { authenticator, clock, as } = authenticatorOn(world.database, { startAt, loginLimit })
  const tryToLogIn = (request: Partial<LogInRequest> = {}) =>
    authenticator.logIn({ ...origin, username: 'alice', password: passwords.alice, method: 'session', ...request })
  async function logIn(request: Partial<LogInRequest> = {}): Promise<NewSession> {
    const outcome = await tryToLogIn(request)
    if (!('session' in outcome)) throw new Error(JSON.stringify(outcome))
    return outcome.session
  }
  const bearing = (token: string, from: Partial<typeof origin> = {}) => as(`Bearer ${token}`, from)
  return { clock, tryToLogIn, logIn, bearing }
}

async function stored(id: string) {
  const [row] = await world.database.query<Record<string, unknown>>(sql`select * from sessions where id = ${id}`)
  return row
}

test('a session lives an hour from its last call, its token is kept only as a digest', async () => {
  const { logIn } = program()
  const session = await logIn({ userAgent: `curl ${'x'.repeat(2000)}` })
  expect(session.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const row = await stored(session.id)
  expect(row).toMatchObject({
    account_id: people.alice,
    scope: 'customer',
    distribution_id: null,
    manager_id: null,
    expiration_duration: 3600,
    created_at: startAt,
    expiration_time: Date.parse('2026-03-02T11:00:00Z'),
  })
  expect(String(row?.['user_agent'])).toHaveLength(512)
  expect(JSON.stringify(row)).not.toContain(session.token)
})

test('the bearer of the token is the one who logged in', async () => {
  const { logIn, bearing } = program()
  const session = await logIn({ username: 'adam', password: passwords.adam })
  expect(await bearing(session.token)).toMatchObject({
    caller: { account_id: people.adam, primary_account_id: people.alice, session_id: session.id },
  })
})

test('an administrator’s session has the scope and the distribution', async () => {
  const { logIn, bearing } = program()
  const session = await logIn({ username: 'dora', password: passwords.dora })
  expect(await stored(session.id)).toMatchObject({ scope: 'administrator', distribution_id: people.distribution })
  expect(await bearing(session.token)).toMatchObject({ caller: { scope: 'administrator', account_id: people.dora } })
})

test('every call extends the session, to the second', async () => {
  const { logIn, bearing, clock } = program()
  const session = await logIn({ expirationDurationSeconds: 60 })
  for (const seconds of [59, 59, 59]) {
    clock.time += seconds * 1000
    expect(await bearing(session.token)).toHaveProperty('caller')
    const expected = (Math.floor(clock.time / 1000) + 60) * 1000
    expect((await stored(session.id))?.['expiration_time']).toBe(expected)
  }
  clock.time += 60_000
  expect(await bearing(session.token)).toEqual({ problems: [{ error: 'session_expired' }] })
  clock.time -= 30_000
  expect(await bearing(session.token)).toHaveProperty('caller')
})

test('calls within one second write once', async () => {
  const { logIn, bearing, clock } = program()
  const session = await logIn()
  clock.time += 5000
  await bearing(session.token)
  const version = async () =>
    (await world.database.query<{ xmin: string }>(sql`select xmin::text from sessions where id = ${session.id}`))[0]
      ?.xmin
  const before = await version()
  await Promise.all(Array.from({ length: 20 }, () => bearing(session.token)))
  clock.time += 500
  await bearing(session.token)
  expect(await version()).toBe(before)
  clock.time += 600
  await bearing(session.token)
  expect(await version()).not.toBe(before)
})

test('an expired session is told apart from a made-up token', async () => {
  const { bearing } = program()
  expect(await bearing('A'.repeat(43))).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
  expect(await bearing('with space')).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
  expect(await bearing('')).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
})

test('sessions that expired more than a day ago are swept away by the next login', async () => {
  const { logIn, clock } = program()
  const old = await logIn({ expirationDurationSeconds: 60 })
  clock.time += 60_000 + 86_000_000
  await logIn()
  expect(await stored(old.id)).toBeDefined()
  clock.time += 600_000
  await logIn()
  expect(await stored(old.id)).toBeUndefined()
})

test('a changed password ends every session but the one that changed it', async () => {
  const { logIn, bearing } = program()
  const [first, second] = [
    await logIn({ username: 'bob', password: passwords.bob }),
    await logIn({ username: 'bob', password: passwords.bob }),
  ]
  const others = await logIn()
  await world.database.transaction(async (transaction) =>
    setPassword(
      transaction,
      { scope: 'customer', account_id: people.bob },
      await hashPassword(passwords.bob),
      first.id,
    ),
  )
  expect(await bearing(first.token)).toHaveProperty('caller')
  expect(await bearing(second.token)).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
  expect(await bearing(others.token)).toHaveProperty('caller')
})

test('ending sessions says how many there were', async () => {
  const { logIn } = program()
  await endSessionsOf(world.database, people.bob)
  const session = await logIn({ username: 'bob', password: passwords.bob })
  await logIn({ username: 'bob', password: passwords.bob })
  expect(await endSession(world.database, session.id)).toBe(true)
  expect(await endSession(world.database, session.id)).toBe(false)
  expect(await endSessionsOf(world.database, people.bob)).toBe(1)
})

test('a blocked account’s sessions are refused at once, as is an address outside its filter', async () => {
  const { logIn, bearing } = program()
  const session = await logIn()
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${people.alice}`)
  expect(await bearing(session.token)).toEqual({ problems: [{ error: 'account_blocked' }] })
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${people.alice}`)
  await world.database.execute(sql`
    update user_data set ip_whitelist_enabled = true, ip_whitelist = '{2001:db8::/32}' where id = ${people.alice}`)
  expect(await bearing(session.token)).toEqual({
    problems: [{ error: 'ip_address_not_allowed', facts: { address: origin.ipAddress } }],
  })
  expect(await bearing(session.token, { ipAddress: '2001:db8::9' })).toHaveProperty('caller')
  await world.database.execute(sql`update user_data set ip_whitelist_enabled = false where id = ${people.alice}`)
})

test('a login that is not let in makes no session', async () => {
  const { tryToLogIn } = program(2)
  const before = await world.database.query(sql`select 1 from sessions`)
  expect(await tryToLogIn({ password: 'wrong password' })).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
  expect(await tryToLogIn({ username: 'nobody' })).toEqual({ problems: [{ error: 'incorrect_credentials' }] })
  expect(await tryToLogIn()).toEqual({
    problems: [{ error: 'too_many_requests', facts: { retry_after: 60 } }],
    retryAfterSeconds: 60,
  })
  expect(await world.database.query(sql`select 1 from sessions`)).toHaveLength(before.length)
})

test('logins are logged with their method and outcome', async () => {
  const { tryToLogIn } = program()
  await world.database.execute(sql`delete from authentications`)
  await tryToLogIn({ method: 'auth_token' })
  await tryToLogIn()
  await tryToLogIn({ method: 'oauth', password: 'wrong password' })
  const logged = () => world.database.query(sql`select account_id, method, success from authentications order by id`)
  await expect.poll(logged).toEqual([
    { account_id: people.alice, method: 'auth_token', success: true },
    { account_id: people.alice, method: 'session', success: true },
    { account_id: people.alice, method: 'oauth', success: false },
  ])
})

test('an account has a thousand sessions at most: a further one ends the one that would end first', async () => {
  const { logIn, bearing } = program()
  await world.database.execute(sql`
    insert into sessions (id, token_hash, account_id, scope, expiration_duration, expiration_time)
    select 'many-' || number, int4send(number), ${people.bob}, 'customer', 3600, ${new Date(startAt)}::timestamptz + number * interval '1 s'
    from generate_series(1, 1000) as number`)
  const session = await logIn({ username: 'bob', password: passwords.bob, expirationDurationSeconds: 7200 })
  const [left] = await world.database.query<{ count: number; first: number }>(sql`
    select count(*)::int as count, min(replace(id, 'many-', '')::int) filter (where id like 'many-%') as first
    from sessions where account_id = ${people.bob}`)
  expect(left).toEqual({ count: 1000, first: 2 })
  expect(await bearing(session.token)).toHaveProperty('caller')
  await endSessionsOf(world.database, people.bob)
})
