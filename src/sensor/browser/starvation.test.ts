import { expect, test, vi } from 'vitest'
import { type ProcessReadings, watchStarvation, watchWaiting } from './starvation.ts'
import { withinOwnTime } from './within.ts'

test('the process that waited most for a CPU counts, from the moment the watch began; one that is gone does not', () => {
  const delays = new Map<number, number | null>([
    [1, 100],
    [2, 500],
    [3, null],
  ])
  const starvedMs = watchStarvation([1, 2, 3], (id) => delays.get(id) ?? null)
  expect(starvedMs()).toBe(0)
  delays.set(1, 400).set(2, 550).set(3, 9000)
  expect(starvedMs()).toBe(300)
  delays.delete(1)
  expect(starvedMs()).toBe(50)
})

/**
 * The waiting and running times of a browser's processes on two CPUs, in milliseconds; the first is the browser itself.
 */
function browserOf(processes: Map<number, readonly [waitedMs: number, tookMs: number]>): ProcessReadings {
  const family = () => [...processes.keys()]
  return {
    ...{ family, cpus: 2 },
    runDelay: (id) => processes.get(id)?.[0] ?? null,
    cpuMs: (id) => processes.get(id)?.[1] ?? null,
  }
}

test('what others kept from a browser counts, of processes that begin later too, and what it took itself does not', () => {
  const processes = new Map<number, readonly [number, number]>([
    [1, [500, 9000]],
    [2, [7000, 100]],
  ])
  const waited = watchWaiting(1, browserOf(processes))
  const starvedMs = () => waited().byOthersMs
  expect(starvedMs()).toBe(0)
  processes.set(1, [600, 9200]).set(2, [7100, 100]).set(3, [4000, 400])
  expect(starvedMs(), '4000 waited, while it took 600 of the two CPUs itself').toBe(3700)
  processes.delete(3)
  expect(starvedMs()).toBe(0)
})

test('a page whose own threads take all CPUs waits for itself', () => {
  const processes = new Map<number, readonly [number, number]>([[1, [0, 0]]])
  const waited = watchWaiting(1, browserOf(processes))
  // Eight threads for ten seconds: the main one waits for three quarters of them.
  processes.set(2, [7500, 20_000])
  expect(waited()).toEqual({ waitedMs: 7500, byOthersMs: 0 })
})

test('what got no CPU is waited for longer by just so much, what had its time is not', async () => {
  vi.useFakeTimers()
  const never = new Promise<true>(() => {})
  let starved = 0
  let answer: true | null | undefined
  withinOwnTime(5000, never, () => starved).then((value) => {
    answer = value
  })
  starved = 3000
  await vi.advanceTimersByTimeAsync(7900)
  expect(answer).toBeUndefined()
  await vi.advanceTimersByTimeAsync(200)
  expect(answer).toBeNull()
  const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), 6000))
  const waited = withinOwnTime(5000, late, () => 2000)
  await vi.advanceTimersByTimeAsync(6001)
  expect(await waited).toBe(true)
  const asleep = withinOwnTime(5000, never, () => 0)
  await vi.advanceTimersByTimeAsync(5001)
  expect(await asleep).toBeNull()
  vi.useRealTimers()
})
