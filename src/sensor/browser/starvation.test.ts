import { expect, test, vi } from 'vitest'
import { watchStarvation } from './starvation.ts'
import { withinOwnTime } from './within.ts'

test('the process that waited most for a CPU counts, from the moment the watch began; one that is gone does not', () => {
  const delays = new Map<number, number | null>([
    [1, 100],
    [2, 500],
    [3, null],
  ])
  const starvedMs = watchStarvation([1, 2, 3], (id) => delays.get(Number(id)) ?? null)
  expect(starvedMs()).toBe(0)
  delays.set(1, 400).set(2, 550).set(3, 9000)
  expect(starvedMs()).toBe(300)
  delays.delete(1)
  expect(starvedMs()).toBe(50)
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
