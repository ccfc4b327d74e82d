import { expect, test } from 'vitest'
import type { KnownDevices } from '../../src/auth/known-devices.ts'
import { LoginLimit } from '../../src/auth/login-limit.ts'
import type { SharedFailures } from '../../src/auth/shared-failures.ts'

/** The counts of one process alone; shared-logins.test.ts tests the shared ones. */
const nobodyElse: SharedFailures = { fullUntil: async () => null, count: async () => {} }

function limitOf(attemptsPerMinute: number, shared = nobodyElse, devices?: Pick<KnownDevices, 'isKnown'>) {
  const clock = { time: 1_000_000, now: () => clock.time }
  const limit = new LoginLimit({ attemptsPerMinute, clock, counted: 'logins', shared, ...(devices && { devices }) })
  return {
    clock,
    fail: (ipAddress: string, username: string) => limit.attempt(ipAddress, username, async () => false),
    succeed: (ipAddress: string, username: string) => limit.attempt(ipAddress, username, async () => true),
    attempt: limit.attempt.bind(limit),
  }
}

test('an address has its failures a minute, whatever usernames it tries', async () => {
  const { clock, fail, succeed } = limitOf(3)
  for (const username of ['alice', 'bob', 'carol']) {
    expect(await fail('192.0.2.1', username)).toEqual({ isRight: false })
  }
  clock.time += 20_500
  expect(await succeed('192.0.2.1', 'dora')).toEqual({ waitSeconds: 40 })
  expect(await succeed('192.0.2.2', 'dora')).toEqual({ isRight: true })
  clock.time += 39_500
  expect(await succeed('192.0.2.1', 'dora')).toEqual({ isRight: true })
})

test('one address locks nobody else out of a name', async () => {
  const { fail, succeed } = limitOf(10)
  for (let guess = 0; guess < 10; guess += 1) await fail('192.0.2.1', 'alice')
  expect(await fail('192.0.2.1', 'alice')).toEqual({ waitSeconds: 60 })
  expect(await succeed('192.0.2.2', 'alice')).toEqual({ isRight: true })
})

test('a username has ten times as many failures a minute from all unknown addresses together', async () => {
  const { fail } = limitOf(2)
  for (let guess = 0; guess < 20; guess += 1) await fail(`192.0.2.${guess}`, guess % 2 === 0 ? 'alice' : 'ALICE')
  expect(await fail('192.0.2.50', 'Alice')).toEqual({ waitSeconds: 60 })
})

test('a known device passes a locked name, and has its own failures', async () => {
  const devices = {
    isKnown: async (username: string, address: string) => `${username} ${address}` === 'alice 192.0.2.99',
  }
  const { fail, succeed } = limitOf(2, nobodyElse, devices)
  for (let guess = 0; guess < 21; guess += 1) await fail(`192.0.2.${guess}`, 'alice')
  expect(await succeed('192.0.2.98', 'alice')).toEqual({ waitSeconds: 60 })
  expect(await succeed('192.0.2.99', 'alice')).toEqual({ isRight: true })
  for (let guess = 0; guess < 2; guess += 1) await fail('192.0.2.99', 'alice')
  expect(await succeed('192.0.2.99', 'alice')).toEqual({ waitSeconds: 60 })
})

test('right passwords neither count nor wipe out the failures before them', async () => {
  const { fail, succeed } = limitOf(2)
  await fail('192.0.2.1', 'alice')
  for (let times = 0; times < 10; times += 1) {
    expect(await succeed('192.0.2.1', 'alice')).toEqual({ isRight: true })
  }
  await fail('192.0.2.1', 'alice')
  expect(await succeed('192.0.2.1', 'alice')).toEqual({ waitSeconds: 60 })
})

test('guessing in parallel gains nothing', async () => {
  const { attempt } = limitOf(3)
  let verified = 0
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      attempt('192.0.2.1', index % 2 === 0 ? 'alice' : 'bob', async () => {
        verified += 1
        await new Promise((resolve) => setImmediate(resolve))
        return false
      }),
    ),
  )
  expect(verified).toBe(3)
  expect(outcomes.filter((outcome) => 'waitSeconds' in outcome)).toHaveLength(47)
})

test('right passwords in parallel are all let in', async () => {
  const { succeed } = limitOf(1)
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => succeed('192.0.2.1', `user-${index % 3}`)),
  )
  expect(outcomes.every((outcome) => 'isRight' in outcome && outcome.isRight)).toBe(true)
})

test('an attempt that could not be judged is nobody’s failure and blocks nobody', async () => {
  const { attempt, succeed } = limitOf(1)
  const away = attempt('192.0.2.1', 'alice', async () => {
    throw new Error('the database is away')
  })
  await expect(away).rejects.toThrow('the database is away')
  expect(await succeed('192.0.2.1', 'alice')).toEqual({ isRight: true })
})

test('a wrong password is no fault, and counts, while the database takes nothing more', async () => {
  const { fail } = limitOf(1, { ...nobodyElse, count: () => Promise.reject(new Error('the disk is full')) })
  expect(await fail('192.0.2.1', 'alice')).toEqual({ isRight: false })
  expect(await fail('192.0.2.1', 'alice')).toEqual({ waitSeconds: 60 })
})

test('who is refused already costs the database nothing', async () => {
  let asked = 0
  const { fail } = limitOf(1, {
    ...nobodyElse,
    fullUntil: async () => {
      asked += 1
      return null
    },
  })
  await fail('192.0.2.1', 'alice')
  const before = asked
  for (let times = 0; times < 5; times += 1) await fail('192.0.2.1', 'alice')
  expect([before > 0, asked]).toEqual([true, before])
})

test('a refused attempt does not lengthen the wait', async () => {
  const { clock, fail } = limitOf(1)
  await fail('192.0.2.1', 'alice')
  clock.time += 59_000
  expect(await fail('192.0.2.1', 'alice')).toEqual({ waitSeconds: 1 })
  clock.time += 1000
  expect(await fail('192.0.2.1', 'alice')).toEqual({ isRight: false })
})

test.each([
  ['2001:db8::1', '2001:db8::ffff:1', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::1', '::2', true],
])('%s and %s count as one address: %s', async (first, second, same) => {
  const { fail } = limitOf(1)
  await fail(first, 'alice')
  expect('waitSeconds' in (await fail(second, 'bob'))).toBe(same)
})

test('very many addresses are forgotten oldest first', async () => {
  const { fail, succeed } = limitOf(1)
  await fail('192.0.2.1', 'alice')
  for (let index = 0; index < 20_000; index += 1) await fail(`host-${index}`, `user-${index}`)
  expect(await succeed('192.0.2.1', 'alice')).toEqual({ isRight: true })
  expect(await succeed('host-19999', 'someone')).toEqual({ waitSeconds: 60 })
})

test('a failure that the database does not take is told, and counts here', async () => {
  const told: unknown[] = []
  const away = new Error('the database is away')
  const limit = new LoginLimit({
    attemptsPerMinute: 1,
    clock: { now: () => 1_000_000 },
    counted: 'logins',
    shared: { ...nobodyElse, count: () => Promise.reject(away) },
    onUnrecorded: (error) => told.push(error),
  })
  expect(await limit.attempt('192.0.2.1', 'alice', async () => false)).toEqual({ isRight: false })
  expect(told).toEqual([away])
  expect(await limit.attempt('192.0.2.1', 'alice', async () => true)).toEqual({ waitSeconds: 60 })
})
