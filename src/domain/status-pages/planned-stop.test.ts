import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { type AnnouncedStop, followStops, joinedStops, type PlannedStop, stopKey } from './planned-stop.ts'

const stop = (id: string, startAt: number, endAt: number, more: Partial<PlannedStop> = {}): PlannedStop => ({
  ...{ id, series: null, startAt, endAt, componentIds: [1] },
  ...more,
})
const told = (status: AnnouncedStop['status'], from: PlannedStop): AnnouncedStop => ({ ...from, status })
const weekly = (startAt: number, endAt: number) => stop(`weekly-${startAt}`, startAt, endAt, { series: 'weekly' })

const decided = (
  shown: readonly PlannedStop[],
  before: readonly AnnouncedStop[],
  { now = 0, isShown = true, most = 100 } = {},
) => followStops(shown, before, { now, most, mayBeShown: () => isShown })
const newsOf = (...given: Parameters<typeof decided>) =>
  decided(...given).news.map(({ kind, stop: { id, componentIds } }) => `${kind} ${id} ${componentIds.join()}`)

const planned = stop('a', 100, 200)

describe('subscribers hear of a planned stop', () => {
  test.each<[string, PlannedStop[], AnnouncedStop[], number, string[]]>([
    ['that it is planned', [planned], [], 0, ['scheduled a 1']],
    ['nothing twice', [planned], [told('scheduled', planned)], 50, []],
    ['that it begins', [planned], [told('scheduled', planned)], 100, ['started a 1']],
    ['that it has begun, if it was not planned before', [planned], [], 100, ['started a 1']],
    ['nothing while it lasts', [planned], [told('in_progress', planned)], 150, []],
    ['that it is over', [], [told('in_progress', planned)], 200, ['completed a 1']],
    ['that it ended early', [], [told('in_progress', planned)], 150, ['completed a 1']],
    ['that it is called off', [], [told('scheduled', planned)], 50, ['cancelled a 1']],
    ['that it is over, if nobody looked meanwhile', [], [told('scheduled', planned)], 300, ['completed a 1']],
    ['its new time', [stop('a', 120, 200)], [told('scheduled', planned)], 50, ['updated a 1']],
    ['its new end', [stop('a', 100, 300)], [told('in_progress', planned)], 150, ['updated a 1']],
    ['that it was put off', [stop('a', 300, 400)], [told('in_progress', planned)], 150, ['updated a 1']],
    [
      'nothing of other components',
      [stop('a', 100, 200, { componentIds: [1, 2] })],
      [told('scheduled', planned)],
      50,
      [],
    ],
    [
      'together with others of the same time',
      [planned, stop('b', 100, 200, { componentIds: [2, 1] }), stop('c', 100, 201, { componentIds: [3] })],
      [],
      0,
      ['scheduled a 1,2', 'scheduled c 3'],
    ],
    ['of a series when it appears', [weekly(100, 200)], [], 0, ['scheduled weekly-100 1']],
    ['that a time begins', [weekly(100, 200)], [told('scheduled', weekly(100, 200))], 100, ['started weekly-100 1']],
    [
      'that a time is over, and not of the next',
      [weekly(800, 900)],
      [told('in_progress', weekly(100, 200))],
      200,
      ['completed weekly-100 1'],
    ],
    ['that the next begins', [weekly(800, 900)], [told('scheduled', weekly(800, 900))], 800, ['started weekly-800 1']],
    [
      'that one time follows the other',
      [weekly(200, 300)],
      [told('in_progress', weekly(100, 200))],
      200,
      ['completed weekly-100 1', 'started weekly-200 1'],
    ],
    ['nothing of a time that nobody saw', [weekly(800, 900)], [told('scheduled', weekly(100, 200))], 500, []],
    ['nothing of another time zone', [weekly(160, 260)], [told('scheduled', weekly(100, 200))], 50, []],
    ['that a series is called off', [], [told('scheduled', weekly(100, 200))], 50, ['cancelled weekly-100 1']],
  ])('%s', (_case, shown, before, now, news) => {
    expect(newsOf(shown, before, { now })).toEqual(news)
  })

  test('nothing, if the page does not show it any more', () => {
    const decision = decided([], [told('in_progress', planned)], { now: 150, isShown: false })
    expect(decision).toEqual({ news: [], kept: [], forgotten: ['a'] })
  })

  test('of the next ones alone, if there are many', () => {
    const shown = [planned, stop('b', 300, 400)]
    expect(newsOf(shown, [], { most: 1 })).toEqual(['scheduled a 1'])
    expect(newsOf(shown, [told('scheduled', stop('b', 300, 400))], { most: 1 })).toEqual(['scheduled a 1'])
  })
})

test('stops of the same time are one, and times of a series are not', () => {
  const stops = [planned, weekly(100, 200), stop('b', 100, 200, { componentIds: [2] }), weekly(300, 400)]
  expect(joinedStops(stops).map(({ id, componentIds }) => `${id} ${componentIds.join()}`)).toEqual([
    'a 1,2',
    'weekly-100 1',
    'weekly-300 1',
  ])
})

/** As the database keeps them between two looks. */
function after(
  before: readonly AnnouncedStop[],
  { kept, forgotten }: ReturnType<typeof followStops>,
): readonly AnnouncedStop[] {
  const rows = new Map(before.map((one) => [stopKey(one), one]))
  for (const key of forgotten) rows.delete(key)
  for (const one of kept) rows.set(stopKey(one), one)
  return [...rows.values()]
}

const looks = casesMet('looks with news of planned stops')

test('whenever it looks, each beginning has one end, and a second look has no news', () => {
  const life = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    startAt: fc.nat(100),
    length: fc.integer({ min: 1, max: 60 }),
  })
  const step = fc.record({
    passes: fc.integer({ min: 0, max: 40 }),
    plans: fc.uniqueArray(life, { selector: ({ id }) => id }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let [now, rows] = [0, [] as readonly AnnouncedStop[]]
      const open = new Map<string, 'scheduled' | 'started'>()
      for (const { passes, plans } of steps) {
        now += passes
        const shown = plans
          .map(({ id, startAt, length }, index) => stop(id, startAt, startAt + length, { componentIds: [index] }))
          .filter(({ endAt }) => endAt > now)
        const decision = decided(shown, rows, { now })
        rows = after(rows, decision)
        expect(decided(shown, rows, { now })).toEqual({ news: [], kept: [], forgotten: [] })
        looks(decision.news.length > 0)
        // Stops of the same time are told together, and only the first has its id there.
        if (new Set(shown.map(({ startAt, endAt }) => `${startAt} ${endAt}`)).size < shown.length) return
        for (const {
          kind,
          stop: { id },
        } of decision.news) {
          if (kind === 'scheduled') expect(open.has(id)).toBe(false)
          if (kind === 'completed' || kind === 'cancelled') expect(open.delete(id)).toBe(true)
          else if (kind === 'updated') expect(open.has(id)).toBe(true)
          else open.set(id, kind === 'started' ? 'started' : 'scheduled')
        }
        expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(open.keys()))
      }
    }),
  )
})
