import { expect, test } from 'vitest'
import type { ShownTurn } from '../../parts/on-call/on-call-queries.ts'
import { weeksOf } from './turn-weeks.ts'

const warsaw = 'Europe/Warsaw'
const turn = (contact_id: number | null, start_time: string, end_time: string | null): ShownTurn => ({
  ...{ contact_id, start_time, end_time },
  is_override: false,
})
const places = (turns: readonly ShownTurn[], count: number) =>
  weeksOf(turns, warsaw, count).map(({ pieces }) =>
    pieces.map(({ turn: { contact_id: id }, left, width }) =>
      [id, left * 7, width * 7].map((one) => one && +one.toFixed(6)),
    ),
  )

test('a week begins today, and a turn over its end goes on in the next one', () => {
  const turns = [
    turn(1, '2026-11-25T11:00:00Z', '2026-11-30T08:00:00Z'),
    turn(2, '2026-11-30T08:00:00Z', '2026-12-07T08:00:00Z'),
    turn(null, '2026-12-07T08:00:00Z', null),
  ]
  expect(weeksOf(turns, warsaw, 2).map(({ days }) => days[0])).toEqual(['2026-11-25', '2026-12-02'])
  expect(places(turns, 2)).toEqual([
    [
      [1, 0.5, 4.875],
      [2, 5.375, 1.625],
    ],
    [
      [2, 0, 5.375],
      [null, 5.375, 1.625],
    ],
  ])
})

test('a day of 25 hours is as wide as the others', () => {
  // Midnight to midnight in Warsaw, where the clocks go back on 25 October.
  const turns = [
    turn(1, '2026-10-24T22:00:00Z', '2026-10-25T10:30:00Z'),
    turn(2, '2026-10-25T10:30:00Z', '2026-10-25T23:00:00Z'),
  ]
  expect(places(turns, 1)).toEqual([
    [
      [1, 0, 0.5],
      [2, 0.5, 0.5],
    ],
  ])
})

test('without turns there is no week', () => {
  expect(weeksOf([], warsaw, 4)).toEqual([])
})
