import { expect, test } from 'vitest'
import type { ThreadReading } from '../child-process/main-thread.ts'
import { Silence, type SilenceFacts } from './silence.ts'

const everyMs = 50

/** The facts about a silence of `milliseconds` whose watcher looks regularly. */
function silentFor(milliseconds: number, read: (at: number) => ThreadReading | null): SilenceFacts {
  let now = 0
  const silence = new Silence(() => read(now), now)
  for (; now < milliseconds; now += everyMs) silence.look(now)
  return silence.look(now)
}

test('a process that gets no CPU, waits for a disk or is stopped has nothing but its first moment against it', () => {
  for (const state of ['runnable', 'waiting for a disk', 'stopped'] as const) {
    const { countedMs, lastedMs } = silentFor(60_000, () => ({ state, cpuMs: 1234 }))
    expect([countedMs < 600, lastedMs]).toEqual([true, 60_000])
  }
})

test('one that runs without speaking has against it what CPU it was given', () => {
  const { countedMs } = silentFor(20_000, (at) => ({ state: 'runnable', cpuMs: at / 4 }))
  expect(countedMs).toBeGreaterThan(4800)
  expect(countedMs).toBeLessThan(5600)
})

test('one that sleeps, and one that the system tells nothing of, has all of it', () => {
  expect(silentFor(6000, () => ({ state: 'asleep', cpuMs: 0 })).countedMs).toBe(6000)
  expect(silentFor(6000, () => null)).toEqual({ countedMs: 6000, lastedMs: 6000, state: null })
})

test('a watcher that was suspended itself counts next to nothing of that time', () => {
  const silence = new Silence(() => ({ state: 'asleep', cpuMs: 0 }), 0)
  silence.look(50)
  expect(silence.look(120_000)).toMatchObject({ countedMs: 250, lastedMs: 250 })
})

test('CPU that was burnt while the watcher was held is not taken for silence', () => {
  let cpuMs = 0
  const silence = new Silence(() => ({ state: 'runnable', cpuMs }), 0)
  for (let now = 0; now <= 1000; now += everyMs) silence.look(now)
  const before = silence.look(1000).countedMs
  cpuMs = 90_000
  expect(silence.look(120_000).countedMs - before).toBeLessThanOrEqual(200)
})

test('a word ends the silence', () => {
  const silence = new Silence(() => null, 0)
  silence.look(100)
  silence.end(120)
  expect(silence.look(150)).toMatchObject({ countedMs: 30, lastedMs: 30 })
})
