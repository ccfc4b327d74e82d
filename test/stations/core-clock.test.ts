import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CoreClock } from '../../src/sensor/far/core-clock.ts'
import { heartbeatMs } from '../../src/sensor/far/wire.ts'

/** A station and its core on one true time, with a line between them. */
function line({ wallAheadMs = 0, coreAheadMs = 0, rate = 1 }) {
  const begin = 1_800_000_000_000
  const world = { now: begin, wallAheadMs, coreAheadMs }
  const passed = () => (world.now - begin) * rate
  const clock = new CoreClock({
    monotonic: () => 1_000_000 + passed(),
    wall: () => begin + passed() + world.wallAheadMs,
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

test('a clock that goes too fast or too slowly is followed as long as the connection lasts', () => {
  const drift = fc.integer({ min: -20_000, max: 20_000 })
  const trip = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }))
  fc.assert(
    fc.property(drift, fc.array(trip, { minLength: 20, maxLength: 200 }), (partsPerMillion, trips) => {
      const rate = 1 + partsPerMillion / 1e6
      const { world, clock, ask } = line({ wallAheadMs: 90_000, rate })
      for (const [there, back] of trips) {
        ask(there, back)
        world.now += heartbeatMs
        const wallNow = 1_800_000_000_000 + (world.now - 1_800_000_000_000) * rate + 90_000
        // The largest difference of answers, and a clock's drift until the next one.
        const bound = 1.5 * 400 + 20 + (heartbeatMs + 400) * Math.abs(rate - 1) + 1
        expect(Math.abs(clock.toCore(wallNow) - world.now)).toBeLessThanOrEqual(bound)
      }
    }),
  )
})

test('over a short line a clock that loses two seconds an hour stays right to some hundredths', () => {
  const { world, clock, ask } = line({ wallAheadMs: -5000, rate: 1 - 2 / 3600 })
  for (let beats = 0; beats < 3600; beats++) {
    ask(5, 5)
    world.now += heartbeatMs
    const wallNow = 1_800_000_000_000 + (world.now - 1_800_000_000_000) * (1 - 2 / 3600) - 5000
    expect(Math.abs(clock.toCore(wallNow) - world.now)).toBeLessThan(50)
  }
})
