import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { type DutyPeriod, dutyPeriods, onDuty, type Rotation, turnsBetween } from './rotation.ts'

const warsaw = 'Europe/Warsaw'

function at(local: string, zone = warsaw): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds
}

/** Mondays at 09:00 from 2 November 2026, a Monday. */
const weekly: Rotation = {
  zone: warsaw,
  contactIds: [1, 2, 3],
  shift: { every: 'week', at: '09:00', day_of_week: 1 },
  startsOn: '2026-11-02',
  overrides: [],
}

const nightly: Rotation = {
  ...weekly,
  contactIds: [1, 2],
  shift: { every: 'day', at: '02:30' },
  startsOn: '2026-03-27',
}

describe('shifts', () => {
  test.each([
    ['2026-11-02T08:59:59', null, '2026-11-02T09:00'],
    ['2026-11-02T09:00', 1, '2026-11-09T09:00'],
    ['2026-11-09T08:59', 1, '2026-11-09T09:00'],
    ['2026-11-09T09:00', 2, '2026-11-16T09:00'],
    ['2026-11-17T00:00', 3, '2026-11-23T09:00'],
    ['2026-11-24T00:00', 1, '2026-11-30T09:00'],
    ['2020-01-01T00:00', null, '2026-11-02T09:00'],
  ])('at %s contact %s is on duty until %s', (moment, contactId, until) => {
    expect(onDuty(weekly, at(moment))).toEqual({ contactId, untilAt: at(until) })
  })

  test('a weekly rotation begins on the first such day on or after its start', () => {
    const fridays = { ...weekly, shift: { every: 'week', at: '17:00', day_of_week: 5 } } as const
    expect(onDuty(fridays, at('2026-11-02T00:00'))).toEqual({ contactId: null, untilAt: at('2026-11-06T17:00') })
  })

  test('nobody takes turns where nobody is named', () => {
    expect(onDuty({ ...weekly, contactIds: [] }, at('2026-12-01T00:00'))).toEqual({
      contactId: null,
      untilAt: Number.POSITIVE_INFINITY,
    })
  })
})

describe('changes of clocks', () => {
  test('02:30 of 29 March 2026 does not exist: the hand-over is at 03:30, an hour after 01:30', () => {
    const handOverAt = Date.UTC(2026, 2, 29, 1, 30)
    expect(onDuty(nightly, handOverAt - 1)).toEqual({ contactId: 2, untilAt: handOverAt })
    expect(onDuty(nightly, handOverAt)).toEqual({ contactId: 1, untilAt: at('2026-03-30T02:30') })
  })

  test('02:30 of 25 October 2026 comes twice: the first one hands over, and the shift has 25 hours', () => {
    const handOverAt = Date.UTC(2026, 9, 25, 0, 30)
    const before = onDuty(nightly, handOverAt - 1)
    const after = onDuty(nightly, handOverAt)
    expect(before.untilAt).toBe(handOverAt)
    expect(after.contactId).not.toBe(before.contactId)
    expect(after.untilAt - handOverAt).toBe(25 * 3_600_000)
  })

  test('a weekly hand-over stays at 09:00 local on both sides', () => {
    const periods = dutyPeriods({ ...weekly, startsOn: '2026-10-19' }, at('2026-10-19T09:00'), at('2026-11-02T09:00'))
    expect(periods.map(({ startAt }) => startAt)).toEqual([at('2026-10-19T09:00'), at('2026-10-26T09:00')])
    expect(periods.map(({ startAt, endAt }) => (endAt - startAt) / 3_600_000)).toEqual([169, 168])
  })

  test('a day that a zone leaves out takes its turn with it', () => {
    const samoa: Rotation = {
      ...nightly,
      zone: 'Pacific/Apia',
      shift: { every: 'day', at: '09:00' },
      startsOn: '2011-12-29',
    }
    // 30 December 2011 did not exist there.
    expect(onDuty(samoa, at('2011-12-29T10:00', samoa.zone)).contactId).toBe(1)
    expect(onDuty(samoa, at('2011-12-31T10:00', samoa.zone)).contactId).toBe(1)
    expect(onDuty(samoa, at('2012-01-01T10:00', samoa.zone)).contactId).toBe(2)
  })
})

describe('overrides', () => {
  const overrides = [
    { contact_id: 7, start_time: at('2026-11-03T12:00'), end_time: at('2026-11-10T12:00') },
    { contact_id: 8, start_time: at('2026-11-04T00:00'), end_time: at('2026-11-05T00:00') },
  ]
  const covered = { ...weekly, overrides }

  test.each([
    ['2026-11-03T11:59', 1, '2026-11-03T12:00'],
    ['2026-11-03T12:00', 7, '2026-11-04T00:00'],
    ['2026-11-04T00:00', 8, '2026-11-05T00:00'],
    // Across a hand-over of the rotation.
    ['2026-11-05T00:00', 7, '2026-11-10T12:00'],
    ['2026-11-10T12:00', 2, '2026-11-16T09:00'],
  ])('at %s contact %s until %s: the later one wins', (moment, contactId, until) => {
    expect(onDuty(covered, at(moment))).toEqual({ contactId, untilAt: at(until) })
  })

  test('also before the rotation begins', () => {
    const early = { contact_id: 9, start_time: at('2026-10-01T00:00'), end_time: at('2026-10-02T00:00') }
    expect(onDuty({ ...weekly, overrides: [early] }, at('2026-10-01T12:00')).contactId).toBe(9)
  })
})

describe('turns', () => {
  test('begin with nobody, name an override, and the last one is whole', () => {
    const override = { contact_id: 7, start_time: at('2026-11-10T00:00'), end_time: at('2026-11-11T00:00') }
    const turn = (contactId: number | null, from: string, to: string) => ({
      contactId,
      startAt: at(from),
      endAt: at(to),
      isOverride: contactId === 7,
    })
    const turns = turnsBetween({ ...weekly, overrides: [override] }, at('2026-11-01T00:00'), at('2026-11-12T00:00'))
    expect(turns).toEqual([
      turn(null, '2026-11-01T00:00', '2026-11-02T09:00'),
      turn(1, '2026-11-02T09:00', '2026-11-09T09:00'),
      turn(2, '2026-11-09T09:00', '2026-11-10T00:00'),
      turn(7, '2026-11-10T00:00', '2026-11-11T00:00'),
      turn(2, '2026-11-11T00:00', '2026-11-16T09:00'),
    ])
  })

  test('one that never ends is the last', () => {
    const startAt = at('2026-11-01T00:00')
    expect(turnsBetween({ ...weekly, contactIds: [] }, startAt, startAt + 1)).toEqual([
      { contactId: null, startAt, endAt: Number.POSITIVE_INFINITY, isOverride: false },
    ])
  })
})

/** The same, minute by minute, by the wall clock alone. */
function oracle({ zone, contactIds, shift, startsOn, overrides }: Rotation, moment: number): number | null {
  const override = overrides.findLast(({ start_time, end_time }) => start_time <= moment && moment < end_time)
  if (override !== undefined) return override.contact_id
  let turns = 0
  for (
    let date = Temporal.PlainDate.from(startsOn);
    date.toZonedDateTime(zone).epochMilliseconds <= moment;
    date = date.add({ days: 1 })
  ) {
    if (shift.every === 'week' && date.dayOfWeek !== shift.day_of_week) continue
    if (date.toZonedDateTime({ timeZone: zone, plainTime: shift.at }).epochMilliseconds <= moment) turns += 1
  }
  return turns === 0 ? null : (contactIds[(turns - 1) % contactIds.length] ?? null)
}

const around = fc.integer({ min: Date.UTC(2026, 2, 20) / 60_000, max: Date.UTC(2026, 4, 20) / 60_000 })
const moments = around.map((minute) => minute * 60_000)

const rotations: fc.Arbitrary<Rotation> = fc.record({
  zone: fc.constantFrom(warsaw, 'America/New_York', 'Australia/Lord_Howe', 'UTC', 'Asia/Kathmandu'),
  contactIds: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  shift: fc.record({
    every: fc.constantFrom('day', 'week'),
    at: fc.constantFrom('00:00', '01:59', '02:00', '02:30', '03:00', '09:00', '23:59'),
    day_of_week: fc.integer({ min: 1, max: 7 }),
  }),
  startsOn: fc.constantFrom('2026-03-22', '2026-03-29', '2026-04-05'),
  overrides: fc.array(
    fc
      .tuple(fc.integer({ min: 10, max: 19 }), moments, fc.integer({ min: 1, max: 20_000 }))
      .map(([contact_id, start_time, minutes]) => ({
        ...{ contact_id, start_time, end_time: start_time + minutes * 60_000 },
      })),
    { maxLength: 4 },
  ),
})

describe('properties', () => {
  test('whoever is on duty is the one whom the wall clock names', () => {
    fc.assert(
      fc.property(rotations, moments, (rotation, moment) => {
        expect(onDuty(rotation, moment).contactId).toBe(oracle(rotation, moment))
      }),
    )
  })

  test('nobody else takes over before `untilAt`, and time goes on', () => {
    fc.assert(
      fc.property(rotations, moments, fc.double({ min: 0, max: 1, noNaN: true }), (rotation, moment, share) => {
        const { contactId, untilAt } = onDuty(rotation, moment)
        expect(untilAt).toBeGreaterThan(moment)
        const between = Math.floor(moment + (Math.min(untilAt, moment + 1e10) - 1 - moment) * share)
        expect(oracle(rotation, between)).toBe(contactId)
      }),
    )
  })

  test('periods cover exactly the times when somebody is on duty', () => {
    fc.assert(
      fc.property(rotations, moments, moments, (rotation, one, other) => {
        const [fromAt, toAt] = [Math.min(one, other), Math.max(one, other)]
        const periods = dutyPeriods(rotation, fromAt, toAt)
        const holder = (moment: number) =>
          periods.find(({ startAt, endAt }: DutyPeriod) => startAt <= moment && moment < endAt)?.contactId ?? null
        for (let moment = fromAt; moment < toAt; moment += 7_200_000) {
          expect(holder(moment)).toBe(onDuty(rotation, moment).contactId)
        }
      }),
      { numRuns: 20 },
    )
  })
})
