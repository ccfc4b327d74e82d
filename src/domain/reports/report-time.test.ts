import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minuteOfWeek } from '../calendars/suspension.ts'
import { localMinuteOfWeek } from '../calendars/week.ts'
import { countedRanges, type LeftOut, localPieces } from './report-time.ts'

const [hour, minute] = [3_600_000, 60_000]
const warsaw = 'Europe/Warsaw'
const at = (text: string) => Date.parse(text)
const weekend: LeftOut = {
  start_minute: { day_of_week: 6, hour: 0, minute: 0 },
  end_minute: { day_of_week: 1, hour: 0, minute: 0 },
}

describe('what is left out of every week', () => {
  test('is taken out by the clocks of the owner', () => {
    const week = { fromAt: at('2026-11-15T23:00:00Z'), toAt: at('2026-11-22T23:00:00Z') }
    expect(countedRanges(week, [weekend], warsaw)).toEqual([{ fromAt: week.fromAt, toAt: at('2026-11-20T23:00:00Z') }])
  })

  test('follows a change of the clocks: the weekend of 25 October has 49 hours', () => {
    const week = { fromAt: at('2026-10-18T22:00:00Z'), toAt: at('2026-10-25T23:00:00Z') }
    const [counted] = countedRanges(week, [weekend], warsaw)
    expect(((counted?.toAt ?? 0) - week.fromAt) / hour).toBe(120)
    expect((week.toAt - (counted?.toAt ?? 0)) / hour).toBe(49)
  })

  test('nothing left out leaves the range as it is; an empty range has nothing', () => {
    expect(countedRanges({ fromAt: 5, toAt: 9 }, [], warsaw)).toEqual([{ fromAt: 5, toAt: 9 }])
    expect(countedRanges({ fromAt: 9, toAt: 9 }, [], warsaw)).toEqual([])
  })
})

const weekMinute = fc.record({
  day_of_week: fc.integer({ min: 1, max: 7 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.constantFrom(0, 1, 30, 59),
})
const leftOut = fc.array(
  fc
    .record({ start_minute: weekMinute, end_minute: weekMinute })
    .filter(({ start_minute, end_minute }) => minuteOfWeek(start_minute) !== minuteOfWeek(end_minute)),
  { maxLength: 3 },
)
const zone = fc.constantFrom(warsaw, 'UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe')
/** Around clock changes in Europe and America. */
const range = fc
  .tuple(fc.integer({ min: 0, max: 24 * 60 * 14 }), fc.integer({ min: 0, max: 24 * 60 * 10 }))
  .map(([start, length]) => {
    const fromAt = at('2026-10-20T00:00:00Z') + start * minute
    return { fromAt, toAt: fromAt + length * minute }
  })

test('a minute counts when it lies in the range and its local minute of the week is not left out', () => {
  fc.assert(
    fc.property(range, leftOut, zone, fc.nat(24 * 60 * 10), (whole, out, name, offset) => {
      const moment = whole.fromAt + offset * minute
      const local = localMinuteOfWeek(name, moment)
      const isOut = out.some(({ start_minute, end_minute }) => {
        const [start, end] = [minuteOfWeek(start_minute), minuteOfWeek(end_minute)]
        return start < end ? start <= local && local < end : start <= local || local < end
      })
      const isCounted = countedRanges(whole, out, name).some(({ fromAt, toAt }) => fromAt <= moment && moment < toAt)
      expect(isCounted).toBe(moment < whole.toAt && !isOut)
    }),
    { numRuns: 300 },
  )
})

test('pieces laid together are the ranges, none over the end of an hour, each at its local hour and day', () => {
  fc.assert(
    fc.property(range, leftOut, zone, (whole, out, name) => {
      const ranges = countedRanges(whole, out, name)
      const pieces = localPieces(ranges, name)
      const joined: { fromAt: number; toAt: number }[] = []
      for (const { fromAt, toAt, isWholeHour, hour: local, dayOfWeek } of pieces) {
        expect(toAt - fromAt <= hour && Math.floor(fromAt / hour) === Math.floor((toAt - 1) / hour)).toBe(true)
        if (isWholeHour) expect([fromAt % hour, toAt - fromAt]).toEqual([0, hour])
        const minutes = localMinuteOfWeek(name, fromAt)
        expect(minutes - ((dayOfWeek - 1) * 1440 + local * 60)).toBeLessThan(60)
        const last = joined.at(-1)
        if (last?.toAt === fromAt) last.toAt = toAt
        else joined.push({ fromAt, toAt })
      }
      expect(joined).toEqual(ranges)
    }),
    { numRuns: 200 },
  )
})
