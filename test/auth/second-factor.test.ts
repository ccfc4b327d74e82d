import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { oneTimePassword } from '../../src/auth/one-time-password.ts'
import { disableSecondFactor, enableSecondFactor, setUpSecondFactor, useCode } from '../../src/auth/second-factor.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { authenticatorOn, basic, forgetFailures, origin, passwords, populate } from './logins.ts'

const startAt = Date.parse('2026-03-02T10:00:00Z')
const refused = { problems: [{ error: 'incorrect_credentials' }] }

let world: TestDatabase
let people: Awaited<ReturnType<typeof populate>>
let recoveryCodes: readonly string[]

beforeAll(async () => {
  world = await testDatabase()
  people = await populate(world.database, startAt)
})
afterAll(() => world.drop())

beforeEach(async () => {
  await forgetFailures(world.database)
  await disableSecondFactor(world.database, people.bob)
  await setUpSecondFactor(world.database, { id: people.bob, username: 'bob' }, startAt)
  recoveryCodes = await enableSecondFactor(world.database, people.bob)
})

async function codeAt(now: number): Promise<string> {
  const [row] = await world.database.query<{ secret: Buffer }>(
    sql`select secret from second_factors where account_id = ${people.bob}`,
  )
  return oneTimePassword(row?.secret ?? Buffer.alloc(0), now)
}

async function wrongCodeAt(now: number): Promise<string> {
  const near = await Promise.all([-1, 0, 1].map((shift) => codeAt(now + shift * 30_000)))
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? ''
}

function program(loginLimit = 1000) {
  const { authenticator, clock, as } = authenticatorOn(world.database, { startAt, loginLimit })
  const logIn = (more: { code?: string; isUnverifiedAllowed?: boolean } = {}) =>
    authenticator.logIn({ ...origin, username: 'bob', password: passwords.bob, method: 'session', ...more })
  return { authenticator, clock, as, logIn }
}

test('with the code a login succeeds; the same code works no second time', async () => {
  const { logIn, as } = program()
  const code = await codeAt(startAt)
  const outcome = await logIn({ code })
  if (!('session' in outcome)) throw new Error(JSON.stringify(outcome))
  expect(await as(`Bearer ${outcome.session.token}`)).toHaveProperty('caller')
  expect(await logIn({ code })).toEqual(refused)
})

test('of many logins with one code at once, one succeeds', async () => {
  const code = await codeAt(startAt)
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => useCode(world.database, people.bob, code, { now: startAt })),
  )
  expect(outcomes.filter((outcome) => outcome === 'right')).toHaveLength(1)
})

test('a wrong code, and none, get the answer of a wrong password', async () => {
  const { logIn } = program()
  expect(await logIn({ code: await wrongCodeAt(startAt) })).toEqual(refused)
  expect(await logIn()).toEqual(refused)
  expect(await logIn({ code: '' })).toEqual(refused)
})

test('Basic stops working at once, although the password was remembered', async () => {
  const { as } = program()
  await disableSecondFactor(world.database, people.bob)
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
  await setUpSecondFactor(world.database, { id: people.bob, username: 'bob' }, startAt)
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
  await enableSecondFactor(world.database, people.bob)
  expect(await as(basic('bob', passwords.bob))).toEqual(refused)
})

test('each of ten recovery codes works once, however it is typed', async () => {
  expect(new Set(recoveryCodes).size).toBe(10)
  const [first = '', second = ''] = recoveryCodes
  const { logIn } = program()
  expect(await logIn({ code: first })).toHaveProperty('session')
  expect(await logIn({ code: first })).toEqual(refused)
  expect(await logIn({ code: ` ${second.toUpperCase().replaceAll('-', ' ')}` })).toHaveProperty('session')
  const stored = await world.database.query(sql`select * from recovery_codes where account_id = ${people.bob}`)
  expect(stored).toHaveLength(8)
  expect(JSON.stringify(stored)).not.toContain(recoveryCodes[2])
})

test('a session without the code does nothing until it has one, and lives five minutes', async () => {
  const { authenticator, logIn, as, clock } = program()
  const outcome = await logIn({ isUnverifiedAllowed: true })
  if (!('session' in outcome)) throw new Error(JSON.stringify(outcome))
  const authorization = `Bearer ${outcome.session.token}`
  expect(await as(authorization)).toEqual({ problems: [{ error: 'second_factor_required' }] })
  const half = await authenticator.authenticate({ ...origin, authorization, isUnverifiedAllowed: true })
  if (half === null || !('caller' in half)) throw new Error(JSON.stringify(half))
  expect(await authenticator.verifySession(half.caller, await wrongCodeAt(startAt), origin)).toEqual({ isRight: false })
  expect(await as(authorization)).toEqual({ problems: [{ error: 'second_factor_required' }] })
  clock.time += 299_000
  const code = await codeAt(clock.time)
  expect(await authenticator.verifySession(half.caller, code, origin)).toEqual({ isRight: true })
  clock.time += 3_500_000
  expect(await as(authorization)).toHaveProperty('caller')

  const late = await logIn({ isUnverifiedAllowed: true })
  clock.time += 300_000
  expect('session' in late && (await as(`Bearer ${late.session.token}`))).toEqual({
    problems: [{ error: 'session_expired' }],
  })
})

test('a login is logged as a success only when the code was right', async () => {
  await world.database.execute(sql`delete from authentications`)
  const { logIn } = program()
  await logIn({ isUnverifiedAllowed: true })
  await logIn({ code: await wrongCodeAt(startAt) })
  await logIn({ code: await codeAt(startAt) })
  await expect
    .poll(() => world.database.query(sql`select method, success from authentications order by id`))
    .toEqual([
      { method: 'session', success: false },
      { method: 'session', success: true },
    ])
})

test('ten wrong codes in a row close the door for a quarter of an hour, also to the right code and over restarts', async () => {
  const wrong = await wrongCodeAt(startAt)
  for (let round = 0; round < 10; round += 1) expect(await program().logIn({ code: wrong })).toEqual(refused)
  const { logIn, clock } = program()
  expect(await logIn({ code: await codeAt(startAt) })).toEqual({
    problems: [{ error: 'too_many_requests', facts: { retry_after: 900 } }],
    retryAfterSeconds: 900,
  })
  clock.time += 900_000
  expect(await logIn({ code: await codeAt(clock.time) })).toHaveProperty('session')
})

test('wrong codes count against the limit of attempts to log in', async () => {
  const { logIn } = program(3)
  const wrong = await wrongCodeAt(startAt)
  for (let round = 0; round < 3; round += 1) expect(await logIn({ code: wrong })).toEqual(refused)
  expect(await logIn({ code: await codeAt(startAt) })).toMatchObject({ problems: [{ error: 'too_many_requests' }] })
})

test('secrets and codes are nowhere but in the tables of their own', async () => {
  const [row] = await world.database.query<{ secret: Buffer }>(sql`select secret from second_factors`)
  expect(row?.secret).toHaveLength(20)
  const users = await world.database.query(sql`select * from accounts, user_data`)
  expect(JSON.stringify(users)).not.toContain(JSON.stringify(row?.secret))
})
