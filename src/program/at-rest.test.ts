import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onceAtRest } from './at-rest.ts'

const silentLog = { debug: () => undefined }

describe('what is done once at rest', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function tidied(shares: readonly number[]) {
    const left = [...shares]
    const at: number[] = []
    const stop = onceAtRest(
      silentLog,
      async () => void at.push(Date.now()),
      (since) => ({ idle: 0, active: 0, utilization: since === undefined ? 0 : (left.shift() ?? 1) }),
    )
    return { at, stop, left }
  }

  test('waits for a program that works, begins when it rests, and never again', async () => {
    const startedAt = Date.now()
    const { at, stop } = tidied([0.5, 0.03, 0.001, 0.001])
    await vi.advanceTimersByTimeAsync(600_000)
    expect(at).toEqual([startedAt + 105_000])
    await stop()
  })

  test('never comes to a program that works on', async () => {
    const { at, left } = tidied([...Array(20).fill(0.4), 0.001])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([at, left]).toEqual([[], [0.001]])
  })

  test('is not begun after a stop; one that fails is no fault', async () => {
    const early = tidied([0.001])
    await early.stop()
    const failing = onceAtRest(
      silentLog,
      () => Promise.reject(new Error('no inspector')),
      () => ({ idle: 0, active: 0, utilization: 0 }),
    )
    await vi.advanceTimersByTimeAsync(600_000)
    await failing()
    expect(early.at).toEqual([])
  })
})
