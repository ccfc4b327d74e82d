import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestTime, firstDigestDelay, stormPeriod } from './storm.ts'

const now = 1_800_000_000_000
const calm = { threshold: 3, services: 3, lastDigestAt: null, now }

test('as many as the threshold tell of themselves one by one; one more begins a digest', () => {
  expect(digestTime(calm)).toBeNull()
  expect(digestTime({ ...calm, services: 4 })).toBe(now + firstDigestDelay)
})

test('an account without a threshold knows no storm', () => {
  expect(digestTime({ ...calm, threshold: null, services: 10_000 })).toBeNull()
})

test('what comes while a digest waits goes with it; after it the next goes a minute later, while the storm lasts', () => {
  const storm = { ...calm, services: 9 }
  expect(digestTime({ ...storm, lastDigestAt: now + 1 })).toBe(now + 1)
  expect(digestTime({ ...storm, lastDigestAt: now })).toBe(now + stormPeriod)
  expect(digestTime({ ...storm, lastDigestAt: now - stormPeriod + 1 })).toBe(now + stormPeriod)
  expect(digestTime({ ...storm, lastDigestAt: now - stormPeriod })).toBe(now + firstDigestDelay)
})

test('nobody waits longer than a minute, and no account has more than two digests in any minute', () => {
  const times = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(times, (pauses) => {
      const digests = new Set<number>()
      let [at, last]: [number, number | null] = [now, null]
      for (const pause of pauses) {
        at += pause
        const digestAt = digestTime({ threshold: 0, services: 1, lastDigestAt: last, now: at })
        if (digestAt === null) throw new Error('a storm was overlooked')
        expect(digestAt - at).toBeGreaterThan(0)
        expect(digestAt - at).toBeLessThanOrEqual(stormPeriod)
        digests.add(digestAt)
        last = digestAt
      }
      const sorted = [...digests]
      for (const [place, digestAt] of sorted.entries()) {
        const within = sorted.filter((other) => other >= digestAt && other < digestAt + stormPeriod)
        expect(within.length, `from digest ${place}`).toBeLessThanOrEqual(2)
      }
    }),
  )
})
