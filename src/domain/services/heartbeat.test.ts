import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCronLine, nextOfCron } from '../calendars/cron.ts'
import {
  awaited,
  expectedAfter,
  type HeartbeatFacts,
  type HeartbeatRules,
  type HeartbeatState,
  judgeHeartbeat,
  nextDeadline,
  type Ping,
} from './heartbeat.ts'

const newHeartbeat: HeartbeatState = { baseAt: null, runs: [], failure: null }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const rules: HeartbeatRules = { periodMs: day, graceMs: hour, maxRunMs: null, cron: null }
const at = (text: string) => Date.parse(text)

test.each([
  ['30 2 * * *', '2026-03-28T23:00:00Z', '2026-03-29T01:00:00Z', 'a skipped hour runs right after the gap'],
  ['30 2 * * *', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z', 'and not a second time'],
  ['30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z', 'a doubled hour runs the first time'],
  ['30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z', 'and once'],
  ['*/30 * * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z', 'a pattern follows real time'],
  ['*/30 * * * *', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z', 'through both changes'],
  ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2028-02-28T23:00:00Z', 'a leap day'],
  ['0 12 * * MON-FRI', '2026-11-20T12:00:00Z', '2026-11-23T11:00:00Z', 'names of days'],
])('%s in Warsaw after %s: %s, %s', (expression, after, expected) => {
  expect(nextOfCron(expression, 'Europe/Warsaw', at(after))).toBe(at(expected))
})

test.each([
  '* * * *',
  '0 0 * * * *',
  '@daily',
  '61 * * * *',
  '0 0 30 2 *',
  '0 0 L * *',
  'a b c d e',
  '* * * * *\n',
  '',
])('%j is no line of cron', (text) => expect(isCronLine(text)).toBe(false))

test.each(['* * * * *', '*/5 0-6 1,15 * 1-5', '0 4 * JAN SUN'])('%j is a line of cron', (text) => {
  expect(isCronLine(text)).toBe(true)
})

const zones = ['Europe/Warsaw', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'UTC'] as const

test('the next moment is later, and asking from a moment before it gives the same one', () => {
  const lines = ['30 2 * * *', '*/15 * * * *', '0 0 * * *', '15 1,3 * * 0', '5 0 1 * *']
  fc.assert(
    fc.property(
      fc.constantFrom(...lines),
      fc.constantFrom(...zones),
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (line, zone, from, part) => {
        const next = nextOfCron(line, zone, from)
        expect(next).toBeGreaterThan(from)
        const between = Math.floor(from + (next - 1 - from) * part)
        expect(nextOfCron(line, zone, between)).toBe(next)
      },
    ),
  )
})

function facts(over: Partial<HeartbeatFacts>): HeartbeatFacts {
  const now = over.now ?? 0
  return {
    state: newHeartbeat,
    rules,
    pings: [],
    outages: [],
    heardUntil: now,
    isWatched: true,
    isConfirming: false,
    now,
    ...over,
  }
}

let lastId = 0
function ping(kind: Ping['kind'], pingAt: number, rid: string | null = null, exitStatus: number | null = null): Ping {
  lastId += 1
  return { id: lastId, at: pingAt, kind, exitStatus, rid }
}

const well = (baseAt: number): HeartbeatState => ({ ...newHeartbeat, baseAt })

test('a new heartbeat waits for its first ping however long it takes', () => {
  expect(judgeHeartbeat(facts({ now: 1000 * day }))).toMatchObject({ event: null, nextAt: Number.POSITIVE_INFINITY })
})

test('silence fails at the very end of the grace, and a ping at that moment is in time', () => {
  const deadline = day + hour
  expect(judgeHeartbeat(facts({ state: well(0), now: deadline - 1 }))).toMatchObject({ event: null, nextAt: deadline })
  const late = judgeHeartbeat(facts({ state: well(0), now: deadline + 5000 }))
  expect(late.event).toMatchObject({ at: deadline, verdict: 'failure', failure: { kind: 'late', sinceAt: day } })
  const pings = [ping('success', deadline)]
  expect(judgeHeartbeat(facts({ state: well(0), now: deadline + 5000, pings })).event).toMatchObject({ verdict: 'ok' })
})

test('what is not known to be heard is not late', () => {
  const asked = facts({ state: well(0), now: day + 2 * hour, heardUntil: day + hour - 1 })
  expect(judgeHeartbeat(asked)).toMatchObject({ event: null, nextAt: asked.now + 500 })
  const pings = [ping('success', day + 2 * hour)]
  expect(judgeHeartbeat({ ...asked, pings })).toMatchObject({ event: null, taken: [] })
})

test('a late ping comes after the failure that it ends', () => {
  const pings = [ping('success', day + 2 * hour)]
  const first = judgeHeartbeat(facts({ state: well(0), now: day + 3 * hour, pings }))
  expect(first).toMatchObject({ event: { at: day + hour, verdict: 'failure' }, taken: [], nextAt: day + 3 * hour })
  const second = judgeHeartbeat(facts({ state: first.state, now: day + 3 * hour, pings }))
  expect(second).toMatchObject({ event: { at: day + 2 * hour, verdict: 'ok' }, taken: pings.map(({ id }) => ({ id })) })
})

test('the time of a run is that from the start with the same rid', () => {
  const pings = [ping('start', 0, 'a'), ping('start', 100, 'b'), ping('success', 1000, 'a')]
  expect(judgeHeartbeat(facts({ now: 1000, pings })).event).toEqual({ at: 1000, verdict: 'ok', runMs: 1000 })
})

test('a reported failure lasts until a success and says its exit status', () => {
  const failed = judgeHeartbeat(facts({ now: 10, pings: [ping('fail', 10, null, 3)] }))
  expect(failed.event).toMatchObject({ at: 10, failure: { kind: 'reported', exitStatus: 3 } })
  const again = judgeHeartbeat(facts({ state: failed.state, now: 5 * minute }))
  expect(again.event).toMatchObject({ at: 5 * minute, verdict: 'failure' })
  const logged = judgeHeartbeat(facts({ state: failed.state, now: 5 * minute, pings: [ping('log', minute)] }))
  expect(logged.event).toBeNull()
})

test('a run that takes too long fails at its limit; one within its limit may end after the grace', () => {
  const limited = { ...rules, maxRunMs: 4 * hour }
  const state = { ...well(0), runs: [{ rid: null, startedAt: day }] }
  expect(nextDeadline(state, limited, [])).toMatchObject({ at: day + 4 * hour, failure: { kind: 'overrun' } })
  const overrun = judgeHeartbeat(facts({ state, rules: limited, now: day + 5 * hour }))
  expect(overrun.event).toMatchObject({ at: day + 4 * hour, failure: { kind: 'overrun', sinceAt: day } })
})

test('silence while monitoring is stopped is no failure, and pings count', () => {
  const asked = facts({ state: well(0), now: 10 * day, isWatched: false })
  expect(judgeHeartbeat(asked).event).toBeNull()
  expect(judgeHeartbeat({ ...asked, pings: [ping('success', 5 * day)] }).event).toMatchObject({ verdict: 'ok' })
})

test('an outage at the expected moment leaves the round unknown; one at another time changes nothing', () => {
  const beforeWindow = { startedAt: 2 * hour, endedAt: 3 * hour }
  const within = { startedAt: day - 10 * minute, endedAt: day + 5 * minute }
  expect(awaited(rules, 0, [beforeWindow])).toBe(day)
  expect(awaited(rules, 0, [within])).toBe(2 * day)
  expect(awaited(rules, 0, [within, { startedAt: 2 * day, endedAt: 5 * day + hour / 2 }])).toBe(6 * day)
})

const anyRules = fc.record({
  periodMs: fc.integer({ min: 10_000, max: 40 * day }),
  graceMs: fc.integer({ min: 0, max: 3 * day }),
  maxRunMs: fc.option(fc.integer({ min: 1000, max: day })),
  cron: fc.option(
    fc.record({ expression: fc.constantFrom('30 2 * * *', '*/10 * * * *'), zone: fc.constantFrom(...zones) }),
  ),
})
const anyOutages = fc.array(
  fc
    .record({ startedAt: fc.integer({ min: 0, max: 90 * day }), length: fc.integer({ min: 1, max: 2 * day }) })
    .map(({ startedAt, length }) => ({ startedAt, endedAt: startedAt + length })),
  { maxLength: 6 },
)

test('no window of an awaited moment touches an outage, and without outages it is the next expected one', () => {
  fc.assert(
    fc.property(anyRules, fc.integer({ min: 0, max: 60 * day }), anyOutages, (some, baseAt, outages) => {
      const expectedAt = awaited(some, baseAt, outages)
      expect(expectedAt).toBeGreaterThanOrEqual(expectedAfter(some, baseAt))
      for (const { startedAt, endedAt } of outages) {
        expect(startedAt <= expectedAt + some.graceMs && endedAt >= expectedAt).toBe(false)
      }
      expect(awaited(some, baseAt, [])).toBe(expectedAfter(some, baseAt))
    }),
  )
})

const anyPings = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: 2 * day }),
    kind: fc.constantFrom<Ping['kind']>('success', 'start', 'fail', 'log'),
    rid: fc.constantFrom(null, 'a'),
  }),
  { maxLength: 12 },
)

/** Judges round after round until nothing more happens. */
function tell(some: HeartbeatRules, pings: readonly Ping[], now: number) {
  const told: { at: number; verdict: string }[] = []
  let [state, left] = [newHeartbeat, pings]
  for (let round = 0; round < 100; round += 1) {
    const isRepeat = state.failure !== null && left.length === 0
    const judged = judgeHeartbeat(facts({ rules: some, state, pings: left, now }))
    if (judged.event === null || isRepeat) return { told, state: judged.state }
    told.push(judged.event)
    const done = new Set(judged.taken.map(({ id }) => id))
    left = left.filter(({ id }) => !done.has(id))
    state = judged.state
  }
  throw new Error('it never ends')
}

test('the story is the same whether it is judged at once or ping by ping, and told in the order of time', () => {
  fc.assert(
    fc.property(anyRules, anyPings, (some, steps) => {
      let time = 0
      const pings = steps.map(({ gap, kind, rid }) => {
        time += gap
        return ping(kind, time, rid)
      })
      const now = time + day
      const { told } = tell(some, pings, now)
      const moments = told.map((event) => event.at)
      expect(moments).toEqual(moments.toSorted((a, b) => a - b))
      const stepwise: { at: number; verdict: string }[] = []
      let state = newHeartbeat
      for (const [index, one] of pings.entries()) {
        const until = pings[index + 1]?.at ?? now
        for (const [moment, mine] of [
          [one.at, [one]],
          [until - 1, []],
        ] as const) {
          let left: readonly Ping[] = mine
          for (let round = 0; round < 5; round += 1) {
            if (state.failure !== null && left.length === 0) break
            const judged = judgeHeartbeat(facts({ rules: some, state, pings: left, now: Math.max(one.at, moment) }))
            state = judged.state
            left = left.filter(({ id }) => !judged.taken.some((taken) => taken.id === id))
            if (judged.event === null) break
            stepwise.push(judged.event)
          }
        }
      }
      const settled = (list: readonly { at: number }[]) => list.filter((event) => event.at < now - 1)
      expect(settled(stepwise)).toEqual(settled(told))
      // Every success and every reported failure is a round of its own.
      expect(told.filter(({ verdict }) => verdict === 'ok')).toHaveLength(
        steps.filter(({ kind }) => kind === 'success').length,
      )
    }),
  )
})
