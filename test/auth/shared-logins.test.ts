import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { failuresIn } from '../../src/auth/shared-failures.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { basic, forgetFailures, origin, passwords, populate } from './logins.ts'

/** Several processes with the API share the limit of logins: who guesses at all of them gains nothing. */
const startAt = Date.parse('2026-03-02T10:00:00Z')
const clock = { time: startAt, now: () => clock.time }
let world: TestDatabase

beforeAll(async () => {
  world = await testDatabase()
  await populate(world.database, startAt)
})
afterAll(() => world.drop())

beforeEach(async () => {
  clock.time = startAt
  await forgetFailures(world.database)
  await world.database.execute(sql`delete from known_devices`)
})

/** A new process starts with empty counts of its own. */
function process(loginLimit: number) {
  const authenticator = createAuthenticator({ database: world.database, clock, loginLimit })
  const authenticate = (username: string, password: string, ipAddress = origin.ipAddress) =>
    authenticator.authenticate({ ...origin, ipAddress, authorization: basic(username, password) })
  return { authenticate, admit: authenticator.admit }
}

const wrong = { problems: [{ error: 'incorrect_credentials' }] }
const refusedFor = (seconds: number) => ({
  problems: [{ error: 'too_many_requests', facts: { retry_after: seconds } }],
  retryAfterSeconds: seconds,
})

test('wrong passwords count together at all processes, and after a restart', async () => {
  const [first, second] = [process(4), process(4)]
  for (const one of [first, second, first, second]) expect(await one.authenticate('bob', 'a guess')).toEqual(wrong)
  clock.time += 10_000
  for (const one of [first, second, process(4)]) {
    expect(await one.authenticate('bob', passwords.bob)).toEqual(refusedFor(50))
    expect(await one.authenticate('nobody', 'a guess')).toEqual(refusedFor(50))
  }
  expect(await second.authenticate('alice', passwords.alice, '192.0.2.99')).toHaveProperty('caller')
  clock.time += 50_000
  for (const one of [first, second]) expect(await one.authenticate('bob', passwords.bob)).toHaveProperty('caller')
})

test('a username is guarded from many addresses at many processes, whether it exists or not', async () => {
  for (const username of ['bob', 'nobody', 'no name\0 at all']) {
    const processes = Array.from({ length: 10 }, () => process(1))
    for (const [at, one] of processes.entries()) {
      expect(await one.authenticate(username, 'a guess', `192.0.2.${at}`)).toEqual(wrong)
    }
    expect(await process(1).authenticate(username, 'a guess', '192.0.2.50')).toEqual(refusedFor(60))
    await forgetFailures(world.database)
  }
})

test('guesses at two processes at once get one more than the limit at most', async () => {
  const processes = [process(5), process(5)]
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) => processes[at % 2]?.authenticate('bob', 'a guess')),
  )
  const judged = outcomes.filter((outcome) => JSON.stringify(outcome) === JSON.stringify(wrong)).length
  expect(judged).toBeGreaterThanOrEqual(5)
  expect(judged).toBeLessThanOrEqual(6)
})

test('registrations and forgotten passwords are counted together too, and apart from logins', async () => {
  const [first, second] = [process(2), process(2)]
  expect(await first.admit(origin.ipAddress)).toBeNull()
  expect(await second.admit(origin.ipAddress)).toBeNull()
  for (const one of [first, second, process(2)]) expect(await one.admit(origin.ipAddress)).toMatchObject(refusedFor(60))
  expect(await second.authenticate('bob', passwords.bob)).toHaveProperty('caller')
})

test('who waits for a clock that was set back waits a minute at most', async () => {
  const failures = failuresIn(world.database, 60_000)
  await failures.count(['a'], startAt + 3_600_000)
  expect(await failures.fullUntil(['a'], 1, startAt)).toBeNull()
  await failures.count(['a'], startAt)
  expect(await failures.fullUntil(['a'], 1, startAt)).toBe(startAt + 60_000)
  expect(await failures.fullUntil(['a'], 2, startAt)).toBeNull()
})

test('windows that have ended are swept away, and no name is kept as it was typed', async () => {
  const failures = failuresIn(world.database, 60_000)
  for (let at = 0; at < 10; at += 1) await failures.count([`address ${at}`, `username ${at}`], startAt)
  for (let at = 0; at < 10; at += 1) await failures.count(['late'], startAt + 60_000)
  const kept = await world.database.query<{ text: string }>(
    sql`select login_failures::text as text from login_failures`,
  )
  expect(kept).toHaveLength(1)
  expect(kept[0]?.text).not.toContain('late')
})

test('who has logged in from a network gets in from there, however many strangers guess', async () => {
  const home = '2001:db8:0:1::5'
  expect(await process(1).authenticate('bob', passwords.bob, home)).toHaveProperty('caller')
  for (let guess = 0; guess < 10; guess += 1) await process(1).authenticate('bob', 'a guess', `192.0.2.${guess}`)
  expect(await process(1).authenticate('bob', passwords.bob, '192.0.2.50')).toEqual(refusedFor(60))
  expect(await process(1).authenticate('BOB', passwords.bob, '2001:db8:0:1::6')).toHaveProperty('caller')
  clock.time += 31 * 86_400_000
  await forgetFailures(world.database)
  for (let guess = 0; guess < 10; guess += 1) await process(1).authenticate('bob', 'a guess', `192.0.2.${guess}`)
  expect(await process(1).authenticate('bob', passwords.bob, home)).toEqual(refusedFor(60))
})
