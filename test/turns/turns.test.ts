import { setImmediate as handOver } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from '../../src/turns/turns.ts'
import { virtualClock } from '../support/clock.ts'

const pause = 1000

/** Turns that end when the test says so. */
function scene() {
  const clock = virtualClock()
  const ends: (() => void)[] = []
  let taken = 0
  const turns = new Turns({
    timers: clock,
    take: () => {
      taken++
      return new Promise((resolve) => ends.push(() => resolve(pause)))
    },
  })
  return {
    clock,
    turns,
    taken: () => taken,
    underWay: () => ends.length,
    async end() {
      ends.shift()?.()
      await handOver()
    },
  }
}

test('the first turn comes at once, each later one a pause after the last has ended', async () => {
  const { clock, turns, taken, end } = scene()
  turns.start()
  clock.advance(5 * pause)
  expect(taken()).toBe(1)
  await end()
  clock.advance(pause - 1)
  expect(taken()).toBe(1)
  clock.advance(1)
  expect(taken()).toBe(2)
})

test('who wakes it waits for no pause, and the pause begins anew', async () => {
  const { clock, turns, taken, end } = scene()
  turns.start()
  await end()
  turns.wake()
  expect(taken()).toBe(2)
  await end()
  clock.advance(pause - 1)
  expect(taken()).toBe(2)
  clock.advance(1)
  expect(taken()).toBe(3)
})

test('who wakes it during a turn gets another one right after it, once and never beside it', async () => {
  const { clock, turns, taken, underWay, end } = scene()
  turns.start()
  turns.wake()
  turns.wake()
  expect(underWay()).toBe(1)
  await end()
  clock.advance(0)
  expect([taken(), underWay()]).toEqual([2, 1])
  await end()
  clock.advance(0)
  expect(taken()).toBe(2)
})

test('before its start and after its stop nobody wakes it; a stop waits for the turn under way', async () => {
  const { clock, turns, taken, end } = scene()
  turns.wake()
  expect(taken()).toBe(0)
  turns.start()
  turns.wake()
  let isStopped = false
  const stopping = turns.stop().then(() => {
    isStopped = true
  })
  await handOver()
  expect(isStopped).toBe(false)
  await end()
  await stopping
  turns.wake()
  clock.advance(10 * pause)
  expect([taken(), clock.waiting()]).toEqual([1, 0])
})

test('who rests waits for the turn under way and for no other', async () => {
  const { turns, taken, end } = scene()
  await turns.rest()
  turns.start()
  const resting = turns.rest()
  await end()
  await resting
  expect(taken()).toBe(1)
})
