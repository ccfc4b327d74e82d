import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DegradedFacts,
  type DegradedMemory,
  type DegradedReason,
  degradedAfter,
  degradedReasons,
  reasonsSeen,
  roundsToBegin,
  roundsToEnd,
} from './degraded.ts'

const ok = { result: 'ok' } as const
const slow = { result: 'ok', degraded: ['slow'] } as const
const soon = { result: 'ok', degraded: ['certificate'] } as const
const error = { result: 'error' } as const
const unknown = { result: 'unknown' } as const

const notDegraded: DegradedMemory = { signs: [], sinceAt: null, toldSinceAt: null }

test.each([
  ['nothing', [ok, ok, ok], 51, []],
  ['one of three is slow', [slow, ok, ok], 51, []],
  ['two of three are slow', [slow, slow, ok], 51, ['slow']],
  ['one of two that have a result is slow, and half is enough', [slow, ok, unknown], 50, ['slow']],
  ['a slow answer that failed counts as an error alone', [{ ...error, degraded: ['slow'] }, ok, ok], 51, ['minority']],
  ['one station sees the certificate of one server', [soon, ok, ok], 51, ['certificate']],
  ['a minority', [error, ok, ok], 51, ['minority']],
  ['stations without a result are no minority', [unknown, ok, ok], 51, []],
] as const)('reasons of a round: %s', (_case, checks, tolerance, expected) => {
  expect(reasonsSeen(checks, tolerance)).toEqual(expected)
})

const round = (seen: readonly DegradedReason[], more: Partial<DegradedFacts> = {}): Omit<DegradedFacts, 'now'> => ({
  ...{ verdict: 'ok', seen, isWanted: true, isQuiet: false },
  ...more,
})

function run(rounds: readonly Omit<DegradedFacts, 'now'>[], start: DegradedMemory = notDegraded) {
  let memory = start
  return rounds.map((facts, index) => {
    const decision = degradedAfter(memory, { ...facts, now: (index + 1) * 60_000 })
    memory = decision.memory
    return decision
  })
}

const eventsOf = (rounds: readonly Omit<DegradedFacts, 'now'>[]) =>
  run(rounds).flatMap(({ event }, index) => (event === null ? [] : [`${index} ${event}`]))

test('a reason holds after two rounds and is over after three without it', () => {
  const decided = run([round(['slow']), round(['slow']), round([]), round([]), round([])])
  expect(decided.map(({ reasons }) => reasons.length)).toEqual([0, 1, 1, 1, 0])
  expect(decided.map(({ event }) => event)).toEqual([null, 'degraded', null, null, 'degraded_end'])
  expect(decided[3]?.memory.sinceAt).toBe(120_000)
})

test('the end of a certificate needs one round', () => {
  expect(eventsOf([round(['certificate'])])).toEqual(['0 degraded'])
})

test('a second reason is told by no message, and the end comes with the last', () => {
  const slowOnly = Array.from({ length: 3 }, () => round(['minority']))
  const rounds = [round(['slow']), round(['slow', 'minority']), ...slowOnly, round([]), round([]), round([])]
  expect(eventsOf(rounds)).toEqual(['1 degraded', '7 degraded_end'])
})

test('a failure covers the degraded state; its end is told after the failure', () => {
  const failing = round([], { verdict: 'failure' })
  expect(eventsOf([round(['slow']), round(['slow']), failing, round([])])).toEqual(['1 degraded', '3 degraded_end'])
  expect(eventsOf([round(['slow']), round(['slow']), failing, round(['slow']), round(['slow'])])).toEqual([
    '1 degraded',
  ])
})

test('quiet hours put both events off', () => {
  const quiet = { isQuiet: true }
  expect(eventsOf([round(['slow'], quiet), round(['slow'], quiet), round(['slow'])])).toEqual(['2 degraded'])
  const lull = Array.from({ length: 3 }, () => round([], quiet))
  expect(eventsOf([round(['slow']), round(['slow']), ...lull, round([])])).toEqual(['1 degraded', '5 degraded_end'])
})

test('a service without the event has the state alone', () => {
  const decided = run([round(['slow'], { isWanted: false }), round(['slow'], { isWanted: false })])
  expect(decided[1]).toMatchObject({ reasons: ['slow'], event: null, memory: { toldSinceAt: null } })
})

const anyRound = fc.record({
  verdict: fc.constantFrom('ok' as const, 'ok' as const, 'ok' as const, 'failure' as const),
  seen: fc.subarray([...degradedReasons]),
  isWanted: fc.constant(true),
  isQuiet: fc.boolean(),
})
const anyStory = fc.array(anyRound, { maxLength: 60 })

test('events alternate, and begin with a beginning', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const told = run(story).flatMap(({ event }) => (event === null ? [] : [event]))
      expect(told).toEqual(told.map((_, index) => (index % 2 === 0 ? 'degraded' : 'degraded_end')))
    }),
  )
})

test('a reason holds exactly from its rounds in a row until its rounds without it, or a failure', () => {
  fc.assert(
    fc.property(anyStory, fc.constantFrom(...degradedReasons), (story, reason) => {
      // An oracle that looks back over the whole story at every round.
      const since = story.map((_, at) => story.slice(0, at + 1).findLastIndex(({ verdict }) => verdict === 'failure'))
      let holds = false
      run(story).forEach(({ reasons }, at) => {
        const past = story.slice((since[at] ?? -1) + 1, at + 1).map(({ seen }) => seen.includes(reason))
        const last = (count: number, value: boolean) =>
          past.length >= count && past.slice(-count).every((one) => one === value)
        if (past.length === 0) holds = false
        else if (!holds && last(roundsToBegin[reason], true)) holds = true
        else if (holds && last(roundsToEnd, false)) holds = false
        expect(reasons.includes(reason)).toBe(holds)
      })
    }),
  )
})

test('a value that alternates round by round never begins anything', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('slow' as const, 'minority' as const),
      (count, reason) => {
        const story = Array.from({ length: count }, (_, at) => round(at % 2 === 0 ? [reason] : []))
        expect(run(story).every(({ reasons, event }) => reasons.length === 0 && event === null)).toBe(true)
      },
    ),
  )
})

test('outside quiet hours the message and the state agree once nothing is pending', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const loud = story.map((facts) => ({ ...facts, isQuiet: false }))
      for (const { memory } of run(loud)) {
        if (memory.sinceAt !== null) expect(memory.toldSinceAt).not.toBeNull()
      }
      const after = run([...loud, ...Array.from({ length: roundsToEnd }, () => round([]))]).at(-1)
      expect(after?.memory).toEqual(notDegraded)
    }),
  )
})
