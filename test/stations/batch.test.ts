import { expect, test, vi } from 'vitest'
import { createBatch } from '../../src/sensor/messages.ts'

test('what comes alone goes soon; of a stream more goes together', () => {
  vi.useFakeTimers()
  const passed: { readonly at: number; readonly count: number }[] = []
  const startedAt = Date.now()
  const add = createBatch<number>({ aloneMs: 2, streamMs: 20 }, (items) =>
    passed.push({ at: Date.now() - startedAt, count: items.length }),
  )
  add(1)
  vi.advanceTimersByTime(30)
  expect(passed).toEqual([{ at: 2, count: 1 }])
  passed.length = 0
  for (let at = 0; at < 100; at++) {
    for (let item = 0; item < 5; item++) add(item)
    vi.advanceTimersByTime(1)
  }
  // The first of a stream do not know that they are.
  expect(passed.slice(1).every(({ count }) => count >= 100)).toBe(true)
  expect(passed.length).toBeLessThan(8)
  // And when it is over, the next one that comes alone waits the longer time once, then no more.
  vi.advanceTimersByTime(100)
  passed.length = 0
  for (let turn = 0; turn < 3; turn++) {
    add(turn)
    vi.advanceTimersByTime(30)
  }
  expect(passed.map(({ count }) => count)).toEqual([1, 1, 1])
  vi.useRealTimers()
})

test('the most urgent item takes the others along', () => {
  vi.useFakeTimers()
  const passed: { readonly at: number; readonly items: readonly number[] }[] = []
  const startedAt = Date.now()
  const add = createBatch<number>(
    (item) => item,
    (items) => passed.push({ at: Date.now() - startedAt, items }),
  )
  add(100)
  vi.advanceTimersByTime(50)
  add(80)
  add(4)
  add(100)
  vi.advanceTimersByTime(200)
  expect(passed).toEqual([{ at: 54, items: [100, 80, 4, 100] }])
  add(30)
  vi.advanceTimersByTime(30)
  expect(passed[1]).toEqual({ at: 280, items: [30] })
  vi.useRealTimers()
})
