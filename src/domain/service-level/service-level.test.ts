import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoment } from '../calendars/time.ts'
import type { State } from '../judging/status-change.ts'
import { type LevelChange, type ServiceLevelFacts, serviceLevel, statesOver } from './service-level.ts'

const state = fc.constantFrom<State>('ok', 'failure', 'paused')
/** Milliseconds, nearly all within one second. */
const moment = fc.integer({ min: 0, max: 40_000 })

const history: fc.Arbitrary<LevelChange[]> = fc
  .record({ starts: fc.uniqueArray(moment, { maxLength: 8 }), states: fc.array(state, { minLength: 8, maxLength: 8 }) })
  .map(({ starts, states }) => {
    const sorted = starts.toSorted((one, other) => one - other)
    return sorted.map((startedAt, index) => ({
      status: states[index] ?? 'ok',
      startedAt,
      endedAt: sorted[index + 1] ?? null,
    }))
  })

const correction = fc.record({ id: fc.integer({ min: 1, max: 50 }), status: state, startAt: moment, endAt: moment })

const facts: fc.Arbitrary<ServiceLevelFacts> = fc.record({
  changes: history,
  corrections: fc.uniqueArray(correction, { maxLength: 4, selector: ({ id }) => id }),
  createdAt: moment,
  fromAt: moment,
  toAt: moment,
  now: moment,
})

/** The displayed second of a moment, taken from the text that people see. */
function shown(at: number): number {
  return Date.parse(formatMoment(at)) / 1000
}

/** Counts one second at a time. Every period covers the seconds from its displayed start to its displayed end. */
function oracle({ changes, corrections, createdAt, fromAt, toAt, now }: ServiceLevelFacts) {
  const level = { ok: 0, failure: 0, paused: 0 }
  for (let second = 0; second <= 40; second++) {
    const holds = (start: number, end: number | null) => shown(start) <= second && (end === null || second < shown(end))
    if (!holds(fromAt, toAt) || !holds(createdAt, now)) continue
    const agreed = corrections.filter(({ startAt, endAt }) => holds(startAt, endAt)).toSorted((a, b) => b.id - a.id)[0]
    const lived = changes.find(({ startedAt, endedAt }) => holds(startedAt, endedAt))
    level[agreed?.status ?? lived?.status ?? 'paused']++
  }
  return level
}

test('equals what a second-by-second count says', () => {
  const equalsOracle = fc.property(facts, (given) => {
    expect(serviceLevel(given)).toEqual(oracle(given))
  })
  fc.assert(equalsOracle, { numRuns: 2000 })
})

/** A change as the API shows it. */
function shownChange({ startedAt, endedAt }: LevelChange, now: number) {
  const [start, end] = [shown(startedAt), shown(endedAt ?? now)]
  return { fromAt: start * 1000, toAt: end * 1000, duration: end - start }
}

const lived = fc.record({ changes: history, now: fc.integer({ min: 40_000, max: 50_000 }) })

test('the level between the shown bounds of a status change is its duration, in its state alone', () => {
  fc.assert(
    fc.property(lived, ({ changes, now }) => {
      for (const change of changes) {
        const { fromAt, toAt, duration } = shownChange(change, now)
        const createdAt = changes[0]?.startedAt ?? 0
        const level = serviceLevel({ changes, corrections: [], createdAt, fromAt, toAt, now })
        expect(level).toEqual({ ok: 0, failure: 0, paused: 0, [change.status]: duration })
      }
    }),
    { numRuns: 2000 },
  )
})

test('a correction of the shown bounds of each failure leaves no failing second', () => {
  fc.assert(
    fc.property(lived, ({ changes, now }) => {
      const failures = changes.filter(({ status }) => status === 'failure')
      const corrections = failures.map((change, index) => {
        const { fromAt: startAt, toAt: endAt } = shownChange(change, now)
        return { id: index + 1, status: 'ok' as const, startAt, endAt }
      })
      const level = serviceLevel({ changes, corrections, createdAt: 0, fromAt: 0, toAt: now, now })
      expect(level.failure).toBe(0)
    }),
    { numRuns: 2000 },
  )
})

test('splitting a range at a whole second splits the sum', () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 40 }), (given, second) => {
      const at = Math.min(Math.max(second * 1000, given.fromAt), Math.max(given.toAt, given.fromAt))
      fc.pre(at === second * 1000)
      const [left, right] = [serviceLevel({ ...given, toAt: at }), serviceLevel({ ...given, fromAt: at })]
      const whole = serviceLevel({ ...given, toAt: Math.max(given.toAt, given.fromAt) })
      expect({
        ok: left.ok + right.ok,
        failure: left.failure + right.failure,
        paused: left.paused + right.paused,
      }).toEqual(whole)
    }),
  )
})

const day = 86_400_000

test.each<[string, Partial<ServiceLevelFacts>, object]>([
  ['a new service has only paused time', {}, { ok: 0, failure: 0, paused: 86_400 }],
  [
    'time before the first verdict is paused',
    { changes: [{ status: 'ok', startedAt: 3_600_000, endedAt: null }] },
    { ok: 82_800, failure: 0, paused: 3600 },
  ],
  [
    'the future does not count',
    { changes: [{ status: 'ok', startedAt: 0, endedAt: null }], now: 60_000 },
    { ok: 60, failure: 0, paused: 0 },
  ],
  [
    'time before the creation does not count, corrected or not',
    { createdAt: day - 1000, corrections: [{ id: 1, status: 'ok', startAt: 0, endAt: day }] },
    { ok: 1, failure: 0, paused: 0 },
  ],
  [
    'the later correction wins',
    {
      corrections: [
        { id: 2, status: 'failure', startAt: 0, endAt: 60_000 },
        { id: 1, status: 'ok', startAt: 0, endAt: day },
      ],
    },
    { ok: 86_340, failure: 60, paused: 0 },
  ],
])('%s', (_title, given, expected) => {
  const blank = { changes: [], corrections: [], createdAt: 0, fromAt: 0, toAt: day, now: 2 * day }
  expect(serviceLevel({ ...blank, ...given })).toEqual(expected)
})

test('the states one after the other touch, differ from their neighbours, and add up to the service level', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const spans = statesOver(given)
      const level = { ok: 0, failure: 0, paused: 0 }
      for (const [index, { from, to, status }] of spans.entries()) {
        level[status] += to - from
        expect(to).toBeGreaterThan(from)
        const next = spans[index + 1]
        if (next !== undefined) expect([next.from, next.status === status]).toEqual([to, false])
      }
      expect(level).toEqual(serviceLevel(given))
    }),
    { numRuns: 2000 },
  )
})
