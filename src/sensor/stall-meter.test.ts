import { array, asyncProperty, constantFrom, double, integer, oneof, assert as verify } from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Attempt, type CheckOutcome, observe } from './attempt.ts'
import { startStallMeter } from './stall-meter.ts'
import { guarded } from './truth-guard.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limitMs = 2000
/** The core's wait for stations (answerGrace). */
const deadlineMs = 2 * limitMs
const sliceMs = 100

/** A station that waits for a CPU for given parts of successive tenths of a second, and afterwards not at all. */
interface World {
  starvedMs(): number
  heldMsSince(moment: number): number
  /** The real time that passes until the station has run for `ranMs`. */
  passedMs(ranMs: number): number
}

function worldOf(shares: readonly number[], heldMsSince: World['heldMsSince'] = () => 0): World {
  const begunAt = performance.now()
  const starvedMs = () => {
    const passedMs = performance.now() - begunAt
    return shares.reduce((sum, share, i) => sum + share * Math.max(0, Math.min(sliceMs, passedMs - i * sliceMs)), 0)
  }
  const passedMs = (ranMs: number) => {
    let [leftMs, atMs] = [ranMs, 0]
    for (const share of shares) {
      const runsMs = (1 - share) * sliceMs
      if (runsMs >= leftMs) return atMs + leftMs / (1 - share)
      leftMs -= runsMs
      atMs += sliceMs
    }
    return atMs + leftMs
  }
  return { starvedMs, heldMsSince, passedMs }
}

/** A check whose target answers once the station has run for `neededMs`; null: it never answers. */
async function checkIn(world: World, neededMs: number | null): Promise<{ outcome: CheckOutcome; tookMs: number }> {
  const begunAt = performance.now()
  const stallMeter = startStallMeter(world, { now: () => Date.now() }, Date.now() + deadlineMs)
  const attempt = new Attempt('target', limitMs, stallMeter.moreMs)
  const running = observe(attempt, async () => {
    attempt.enter('first_byte', 'http_first_byte_timeout')
    await attempt.wait<void>((resolve) => {
      if (neededMs !== null) setTimeout(resolve, world.passedMs(neededMs))
      return () => {}
    })
  }).then((outcome) => ({ outcome: guarded(outcome, stallMeter, null), tookMs: performance.now() - begunAt }))
  await vi.advanceTimersByTimeAsync(deadlineMs)
  vi.clearAllTimers()
  return await running
}

const waits = array(oneof(constantFrom(0, 0.5, 0.99), double({ min: 0, max: 0.99, noNaN: true })), { maxLength: 40 })
const missedOf = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0) * sliceMs

test('a target that answers within half of its limit is never called down, however the station waited', async () => {
  await verify(
    asyncProperty(waits, integer({ min: 1, max: limitMs / 2 }), async (shares, neededMs) => {
      const { outcome } = await checkIn(worldOf(shares), neededMs)
      expect(outcome.result).not.toBe('error')
    }),
  )
})

test('one that answers within its limit is up, where what the station missed can be given back', async () => {
  await verify(
    asyncProperty(waits, integer({ min: 1, max: limitMs - 100 }), async (shares, neededMs) => {
      const { outcome } = await checkIn(worldOf(shares), neededMs)
      if (missedOf(shares) <= 1500) expect(outcome.result).toBe('ok')
    }),
  )
})

test('a target that keeps silent is down where that could be given back, and no check outlives its deadline', async () => {
  await verify(
    asyncProperty(waits, async (shares) => {
      const { outcome, tookMs } = await checkIn(worldOf(shares), null)
      if (missedOf(shares) <= 1500) expect(outcome.result).toBe('error')
      expect(tookMs).toBeLessThan(deadlineMs - 200)
      expect(tookMs).toBeGreaterThanOrEqual(limitMs)
    }),
  )
})

test('a station that sees decides at the limit; one that was held waits for what came meanwhile, once', async () => {
  expect(await checkIn(worldOf([]), null)).toMatchObject({ outcome: { result: 'error' }, tookMs: limitMs })
  const endedAt = performance.now() + limitMs
  const held = worldOf([], (moment) => (moment < endedAt ? 300 : 0))
  const { outcome, tookMs } = await checkIn(held, null)
  expect([outcome.result, tookMs]).toEqual(['error', limitMs + 300])
  expect(outcome.errorMessage).toBe('not finished within 2000 ms and 300 ms more for what this station missed')
})

test('one that never gets to see gives back the limit once more at most, and does not judge', async () => {
  const { outcome, tookMs } = await checkIn(
    worldOf([], () => 5000),
    null,
  )
  expect([outcome.result, tookMs]).toEqual(['unknown', deadlineMs - 250])
  expect(outcome.errorMessage).toMatch(/; this station was held for 5000 ms meanwhile$/)
})

test('what was waited before the check is not the check’s', async () => {
  const world = worldOf(Array<number>(10).fill(0.9))
  await vi.advanceTimersByTimeAsync(1000)
  const stallMeter = startStallMeter(world, { now: () => Date.now() }, Date.now() + deadlineMs)
  expect(stallMeter.whole().starvedMs).toBe(0)
  expect(stallMeter.moreMs(limitMs)).toBe(0)
})
