import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CoreClock } from '../../src/sensor/far/core-clock.ts'

/** A station and its core on one true time, with a line between them. */
function line({ wallAheadMs = 0, coreAheadMs = 0 }) {
  const world = { now: 1_800_000_000_000, wallAheadMs, coreAheadMs }
  const clock = new CoreClock({
    monotonic: () => world.now - 1_799_999_000_000,
    wall: () => world.now + world.wallAheadMs,
  })
  return {
    ...{ world, clock },
    ask(thereMs: number, backMs: number) {
      const number = clock.ask()
      world.now += thereMs
      const at = world.now + world.coreAheadMs
      world.now += backMs
      clock.answer(number, at)
    },
  }
}

test('a wrong wall clock is known by at most half the quickest round trip', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 })), {
        minLength: 1,
        maxLength: 30,
      }),
      (wallAheadMs, trips) => {
        const { clock, ask } = line({ wallAheadMs })
        for (const [there, back] of trips) ask(there, back)
        const quickest = Math.min(...trips.slice(-16).map(([there, back]) => there + back))
        expect(Math.abs(clock.wallOffset - wallAheadMs)).toBeLessThanOrEqual(quickest / 2)
      },
    ),
  )
})

test('a moment of the core and the same moment here are translated into each other', () => {
  const { clock, ask } = line({ wallAheadMs: 90_000 })
  ask(10, 10)
  expect(clock.toWall(5000)).toBe(95_000)
  expect(clock.toCore(95_000)).toBe(5000)
})

test('a wall clock that is set is followed at once', () => {
  const { world, clock, ask } = line({ wallAheadMs: 3000 })
  ask(5, 5)
  world.wallAheadMs = -7000
  expect(clock.wallOffset).toBe(-7000)
})

test('the clock of a core that is set is followed at its next answer', () => {
  const { world, clock, ask } = line({})
  for (let count = 0; count < 10; count++) ask(1, 1)
  world.coreAheadMs = 60_000
  ask(100, 150)
  expect(clock.wallOffset).toBeCloseTo(-60_000, -2)
})

test('an answer to no question, and one that is said twice, measure nothing', () => {
  const { world, clock } = line({ wallAheadMs: 3000 })
  const number = clock.ask()
  clock.answer(number + 1, 0)
  expect(clock.heard).toBe(0)
  clock.answer(number, world.now)
  clock.answer(number, 0)
  expect([clock.heard, clock.wallOffset]).toEqual([1, 3000])
})
