import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { heapAlarm, sweepAll, sweepAtRest } from './heap.ts'

const mebibyte = 1_048_576
const silentLog = { debug: () => undefined }

test('a heap that a sweep leaves almost full is told once, until there is room again', () => {
  const lines: unknown[] = []
  const note = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message.split(':')[0]])
  const look = heapAlarm({ warn: note('warn'), info: note('info') } as Parameters<typeof heapAlarm>[0])
  for (const used of [50, 84, 86, 99, 75, 90, 69, 60, 86]) look(used * mebibyte, 100 * mebibyte)
  expect(lines).toEqual([
    ['warn', { used_mib: 86, limit_mib: 100 }, 'The heap is almost full'],
    ['info', { used_mib: 69, limit_mib: 100 }, 'The heap has room again'],
    ['warn', { used_mib: 86, limit_mib: 100 }, 'The heap is almost full'],
  ])
})

describe('the sweep after the start', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function swept(shares: readonly number[]) {
    const left = [...shares]
    const at: number[] = []
    const stop = sweepAtRest(silentLog, {
      utilization: (since) => ({ idle: 0, active: 0, utilization: since === undefined ? 0 : (left.shift() ?? 1) }),
      sweep: async () => void at.push(Date.now()),
    })
    return { at, stop, left }
  }

  test('waits for a program that works, sweeps once when it rests, and never again', async () => {
    const startedAt = Date.now()
    const { at, stop } = swept([0.5, 0.03, 0.001, 0.001])
    await vi.advanceTimersByTimeAsync(600_000)
    expect(at).toEqual([startedAt + 105_000])
    await stop()
  })

  test('never comes to a program that works on', async () => {
    const { at, left } = swept([...Array(20).fill(0.4), 0.001])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([at, left]).toEqual([[], [0.001]])
  })

  test('is not begun after a stop; one that fails is no fault', async () => {
    const early = swept([0.001])
    await early.stop()
    const failing = sweepAtRest(silentLog, {
      utilization: () => ({ idle: 0, active: 0, utilization: 0 }),
      sweep: () => Promise.reject(new Error('no inspector')),
    })
    await vi.advanceTimersByTimeAsync(600_000)
    await failing()
    expect(early.at).toEqual([])
  })
})

test('the sweep empties the heap of what nobody uses', async () => {
  const remains: object[] = []
  const gone = new FinalizationRegistry(() => remains.push({}))
  gone.register({ text: 'unused'.repeat(1000) }, null)
  await sweepAll()
  await vi.waitFor(() => expect(remains).toHaveLength(1))
})
