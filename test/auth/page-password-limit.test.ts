import { beforeEach, expect, test } from 'vitest'
import { PagePasswordLimit } from '../../src/auth/page-password-limit.ts'
import type { SharedFailures } from '../../src/auth/shared-failures.ts'
import { virtualClock } from '../support/clock.ts'

/** Guesses at the passwords of status pages, and visitors who know them. */

const most = 5
const alone: SharedFailures = { fullUntil: async () => null, count: async () => undefined }

let clock: ReturnType<typeof virtualClock>
let limit: PagePasswordLimit

beforeEach(() => {
  clock = virtualClock(Date.UTC(2026, 10, 21, 12))
  limit = new PagePasswordLimit({ attemptsPerMinute: most, clock, counted: 'pages', shared: alone })
})

/** `right`, `wrong`, or the seconds to wait. */
async function enter(address: string, isRight = false, page = 1) {
  const outcome = await limit.attempt(address, page, async () => isRight)
  if ('waitSeconds' in outcome) return outcome.waitSeconds
  return outcome.isRight ? 'right' : 'wrong'
}

/** Wrong passwords from addresses that no provider gave to one customer. */
async function besiege(networks: number, page = 1) {
  const outcomes = []
  for (let one = 0; one < networks; one += 1) outcomes.push(await enter(`10.${one >> 8}.${one & 255}.1`, false, page))
  return outcomes
}

test('a network waits after its wrong passwords, and others do not', async () => {
  for (let tries = 0; tries < most; tries += 1) expect(await enter('192.0.2.1')).toBe('wrong')
  expect(await enter('192.0.2.1', true)).toBe(60)
  expect(await enter('192.0.2.2', true)).toBe('right')
  clock.advance(60_000)
  expect(await enter('192.0.2.1', true)).toBe('right')
})

test('parallel guesses gain nothing', async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => enter('192.0.2.1')))
  expect(outcomes.filter((one) => one === 'wrong')).toHaveLength(most)
})

test('thousands of guessing networks lock out no visitor', async () => {
  expect(new Set(await besiege(2000))).toEqual(new Set(['wrong']))
  expect(await enter('192.0.2.1', true)).toBe('right')
  // A visitor mistypes the password, and comes back.
  expect(await enter('198.51.100.1')).toBe('wrong')
  expect(await enter('198.51.100.1', true)).toBe(60)
  clock.advance(60_000)
  expect(await enter('198.51.100.1', true)).toBe('right')
})

test('while many networks guess, each has one wrong password a minute, at this page alone', async () => {
  expect(await besiege(50)).toHaveLength(50)
  expect(await enter('192.0.2.1')).toBe('wrong')
  expect(await enter('192.0.2.1')).toBe(60)
  expect(await enter('192.0.2.1', false, 2)).toBe('wrong')
  clock.advance(60_000)
  for (let tries = 0; tries < most; tries += 1) expect(await enter('203.0.113.1')).toBe('wrong')
})

test.each([
  ['IPv4', (one: number) => `192.0.2.${one}`, '192.0.3.1'],
  ['IPv6', (one: number) => `2001:db8:1:${one.toString(16)}::1`, '2001:db8:2::1'],
])('the networks of one customer (%s) count together', async (_family, addressOf, elsewhere) => {
  const outcomes = []
  for (let one = 1; one <= 100; one += 1) outcomes.push(await enter(addressOf(one)))
  expect(outcomes.filter((one) => one === 'wrong')).toHaveLength(3 * most)
  expect(await enter(elsewhere, true)).toBe('right')
})

test('all processes count together, and a database that takes no writes makes no fault', async () => {
  const windows = new Map<string, number>()
  const shared: SharedFailures = {
    fullUntil: async ([key = ''], failures, now) => ((windows.get(key) ?? 0) >= failures ? now + 30_000 : null),
    count: async (keys) => {
      for (const key of keys) windows.set(key, (windows.get(key) ?? 0) + 1)
    },
  }
  const processes = Array.from(
    { length: 3 },
    () => new PagePasswordLimit({ attemptsPerMinute: most, clock, counted: 'pages', shared }),
  )
  let wrong = 0
  for (let tries = 0; tries < 12; tries += 1) {
    const outcome = await processes[tries % 3]?.attempt('192.0.2.1', 1, async () => false)
    if (outcome !== undefined && 'isRight' in outcome) wrong += 1
  }
  expect(wrong).toBe(most)
  const readOnly = { ...alone, count: () => Promise.reject(new Error('read only')) }
  const faults: unknown[] = []
  limit = new PagePasswordLimit({
    ...{ attemptsPerMinute: most, clock, counted: 'pages', shared: readOnly },
    onUnrecorded: (error) => faults.push(error),
  })
  for (let tries = 0; tries < most; tries += 1) expect(await enter('192.0.2.1')).toBe('wrong')
  expect(await enter('192.0.2.1', true)).toBe(60)
  expect(faults).toHaveLength(most)
})
