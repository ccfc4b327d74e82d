import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gentleReader } from './read-again.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server whose answers take so long, and the moments at which it was asked. */
function server(tookMs: number) {
  const asked: number[] = []
  const began = performance.now()
  const readAgain = gentleReader(async () => {
    asked.push(Math.round(performance.now() - began))
    await new Promise((resolve) => setTimeout(resolve, tookMs))
  })
  return { asked, readAgain }
}

async function changesEvery(pauseMs: number, seconds: number, change: () => void): Promise<void> {
  for (let at = 0; at < seconds * 1000; at += pauseMs) {
    change()
    await vi.advanceTimersByTimeAsync(pauseMs)
  }
}

test('changes that never pause are read all the same', async () => {
  const { asked, readAgain } = server(1)
  await changesEvery(100, 3, () => readAgain(['services', 'count']))
  expect(asked.slice(0, 3)).toEqual([300, 601, 1000])
})

test('a list that takes long to count is counted less often, and no reading begins before the last one ended', async () => {
  const { asked, readAgain } = server(200)
  await changesEvery(100, 60, () => readAgain(['services', 'count']))
  expect(asked).toEqual([300, 20_500, 40_700])
})

test('the last change is shown after the pause, and nothing is read without one', async () => {
  const { asked, readAgain } = server(200)
  readAgain(['a'])
  await vi.advanceTimersByTimeAsync(400)
  readAgain(['a'])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toEqual([300, 20_500])
})

test('each object has its own pause, and a failed reading is like any other', async () => {
  const asked: unknown[] = []
  const readAgain = gentleReader(async (key) => {
    asked.push(key)
    throw new Error('away')
  })
  readAgain(['a'], ['b'])
  await vi.advanceTimersByTimeAsync(300)
  readAgain(['b'])
  await vi.advanceTimersByTimeAsync(300)
  expect(asked).toEqual([['a'], ['b'], ['b']])
})
