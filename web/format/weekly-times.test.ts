import { describe, expect, test } from 'vitest'
import type { WeekMinute } from '../parts/week-minute-field.tsx'
import { weeklyTimesIn } from './weekly-times.ts'

const at = (text: string): WeekMinute => {
  const [day = 0, hour = 0, minute = 0] = text.split(/[ :]/).map(Number)
  return { day_of_week: day, hour, minute }
}
const week = (monday: string) => ({ from: Date.parse(monday), to: Date.parse(monday) + 7 * 86_400_000 })
const iso = (moment: number) => new Date(moment).toISOString().slice(0, 16)

/** The rule of the program is that of `src/domain/calendars/weekly-occurrences.ts`; these are its examples. */
describe('the times of a weekly suspension', () => {
  const spring = '2027-03-21T23:00:00Z'
  const autumn = '2026-10-18T22:00:00Z'
  test.each([
    ['usual', '3 02:30', '3 04:00', spring, ['2027-03-24T01:30/2027-03-24T03:00']],
    ['begins in the hour that clocks skip', '7 02:30', '7 03:30', spring, ['2027-03-28T01:00/2027-03-28T01:30']],
    ['ends in it', '7 01:00', '7 02:30', spring, ['2027-03-28T00:00/2027-03-28T01:00']],
    ['lies within it', '7 02:00', '7 03:00', spring, []],
    ['goes on around it', '7 01:30', '7 03:30', spring, ['2027-03-28T00:30/2027-03-28T01:30']],
    [
      'is shown twice',
      '7 02:10',
      '7 02:40',
      autumn,
      ['2026-10-25T00:10/2026-10-25T00:40', '2026-10-25T01:10/2026-10-25T01:40'],
    ],
    [
      'ends after the hour that clocks show twice',
      '7 02:30',
      '7 03:30',
      autumn,
      ['2026-10-25T00:30/2026-10-25T01:00', '2026-10-25T01:30/2026-10-25T02:30'],
    ],
    ['holds both times', '7 01:00', '7 04:00', autumn, ['2026-10-24T23:00/2026-10-25T03:00']],
    [
      'goes over the end of the week',
      '7 23:00',
      '1 01:00',
      '2026-11-29T23:00:00Z',
      ['2026-11-29T22:00/2026-11-30T00:00', '2026-12-06T22:00/2026-12-07T00:00'],
    ],
  ] as const)('one that %s', (_what, start, end, monday, wanted) => {
    const found = weeklyTimesIn(week(monday))(at(start), at(end), 'Europe/Warsaw')
    expect(found.map(({ from, to }) => `${iso(from)}/${iso(to)}`)).toEqual(wanted)
  })
})
