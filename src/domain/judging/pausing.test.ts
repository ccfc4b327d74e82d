import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInEffect, serviceCalendar, suspensionAt } from '../calendars/suspension.ts'
import { type PauseState, pausingBetween } from './pausing.ts'

const noon = Date.UTC(2026, 10, 23, 12)
const minute = 60_000

function planned(stops: readonly [number, number][], quiet: readonly [number, number][] = []) {
  const period = ([from, to]: readonly [number, number], onlyNotifications: boolean) => ({
    startAt: noon + from * minute,
    endAt: noon + to * minute,
    onlyNotifications,
  })
  return serviceCalendar({
    zone: 'Europe/Warsaw',
    suspensions: [...stops.map((one) => period(one, false)), ...quiet.map((one) => period(one, true))],
    weekly: [],
    suspensionHours: '0'.repeat(168),
    silentHours: '0'.repeat(24),
  })
}

const running: PauseState = { monitoring: 'on', isSilent: false }

test('what was missed while nobody looked happens at its own moments', () => {
  const calendar = planned(
    [
      [10, 20],
      [30, 40],
    ],
    [[15, 25]],
  )
  expect(pausingBetween(calendar, running, noon, noon + 35 * minute)).toEqual({
    monitoring: 'suspended',
    isSilent: false,
    stopped: { at: noon + 10 * minute, reason: 'suspension' },
    isResumed: false,
    quietEndedAt: noon + 25 * minute,
    boundaryAt: noon + 40 * minute,
  })
  expect(pausingBetween(calendar, running, noon, noon + 60 * minute)).toMatchObject({
    monitoring: 'on',
    stopped: { at: noon + 10 * minute },
    isResumed: true,
    boundaryAt: Number.POSITIVE_INFINITY,
  })
})

test('a stop by hand wins over the calendar, quiet hours go on beside it', () => {
  const calendar = planned([[10, 20]], [[10, 20]])
  const off: PauseState = { monitoring: 'off', isSilent: false }
  expect(pausingBetween(calendar, off, noon, noon + 15 * minute)).toMatchObject({
    monitoring: 'off',
    isSilent: true,
    stopped: null,
  })
  expect(pausingBetween(calendar, off, noon, noon + 25 * minute)).toMatchObject({
    monitoring: 'off',
    stopped: null,
    isResumed: false,
    quietEndedAt: noon + 20 * minute,
  })
})

const span = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }))
const spans = fc.array(
  span.map(([from, length]): [number, number] => [from, from + length]),
  { maxLength: 4 },
)

test('looking often or seldom comes to the same', () => {
  const looks = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 5 })
  const state = fc.record({ monitoring: fc.constantFrom('on', 'off', 'suspended'), isSilent: fc.boolean() })
  fc.assert(
    fc.property(spans, spans, looks, state, (stops, quiet, between, given) => {
      const calendar = planned(stops, quiet)
      const end = noon + 100 * minute
      const atOnce = pausingBetween(calendar, given, noon, end)
      let [now, stopped, quietEndedAt] = [
        pausingBetween(calendar, given, noon, noon),
        null as number | null,
        null as number | null,
      ]
      for (const at of [0, ...between.toSorted((one, other) => one - other), 100].map(
        (after) => noon + after * minute,
      )) {
        stopped ??= now.stopped?.at ?? null
        quietEndedAt ??= now.quietEndedAt
        now = pausingBetween(calendar, now, Math.min(now.boundaryAt, at), at)
      }
      stopped ??= now.stopped?.at ?? null
      quietEndedAt ??= now.quietEndedAt
      const { monitoring, isSilent, boundaryAt } = atOnce
      expect(now).toMatchObject({ monitoring, isSilent, boundaryAt })
      expect([stopped, quietEndedAt]).toEqual([atOnce.stopped?.at ?? null, atOnce.quietEndedAt])
      expect(isSilent).toBe(isInEffect(calendar.quiet, end))
      if (given.monitoring !== 'off') expect(monitoring).toBe(suspensionAt(calendar, end) === null ? 'on' : 'suspended')
    }),
  )
})
