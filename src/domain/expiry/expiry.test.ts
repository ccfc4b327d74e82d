import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { dayLength } from '../calendars/durations.ts'
import { readJson } from '../input/json.ts'
import {
  daysLeft,
  type Expiry,
  isNews,
  type NotifiedExpiry,
  nearestAfter,
  nearestOf,
  usualWarningDays,
  warningDaysOf,
  warningDaysSchema,
  warningDue,
} from './expiry.ts'

const warnings = casesMet('rounds that warn')

const now = Date.parse('2026-11-25T12:00:00Z')
const usual = [21, 7, 1]
const endIn = (days: number, id = 'AA'): Expiry => ({
  ...{ kind: 'certificate', id, name: 'shop.example', endsAt: now + days * dayLength },
})

test.each([
  [22, null],
  [21.01, null],
  [21, 21],
  [8, 21],
  [7, 7],
  [1.5, 7],
  [1, 1],
  [0, 1],
  [-3, 1],
])('with %d days left the warning of %s days is due', (left, due) => {
  expect(warningDue(endIn(left), usual, now)).toBe(due)
})

test('no days, no warning', () => {
  expect(warningDue(endIn(-1), [], now)).toBeNull()
})

test.each([
  [12.9, 12],
  [0.5, 0],
  [-0.5, -1],
])('%d days are %d whole ones', (left, whole) => {
  expect(daysLeft(endIn(left), now)).toBe(whole)
})

test('the nearest of several ends counts', () => {
  expect(nearestOf([endIn(30), undefined, endIn(3, 'BB'), endIn(9)])?.id).toBe('BB')
  expect(nearestOf([undefined])).toBeNull()
})

test('a failure keeps the end, a good round without one forgets it', () => {
  expect(nearestAfter(endIn(3), null, 'failure')?.id).toBe('AA')
  expect(nearestAfter(endIn(3), null, 'ok')).toBeNull()
  expect(nearestAfter(endIn(3), endIn(90, 'BB'), 'failure')?.id).toBe('BB')
})

test('each warning is news once for each certificate, at whatever moments the rounds come', () => {
  const step = fc.double({ min: 0.001, max: 5, noNaN: true })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.uniqueArray(fc.integer({ min: 1, max: 60 })), (steps, days) => {
      let [at, told] = [now, null as NotifiedExpiry | null]
      const end = endIn(50)
      const warned: number[] = []
      for (const pause of steps) {
        at += pause * dayLength
        const next = warningDue(end, days, at)
        const due = next !== null && isNews(told, end, next) ? next : null
        if (!warnings(due)) continue
        told = { id: end.id, endsAt: end.endsAt, days: due }
        warned.push(due)
      }
      expect(warned).toEqual([...new Set(warned)].toSorted((one, other) => other - one))
      // The most urgent of those that came is among them.
      const due = warningDue(end, days, at)
      if (steps.length > 0 && due !== null) expect(warned.at(-1)).toBe(due)
    }),
  )
})

test('a renewed certificate is warned of anew', () => {
  const told = { id: 'AA', endsAt: endIn(1).endsAt, days: 1 }
  expect(isNews(told, endIn(1), 1)).toBe(false)
  expect(isNews(told, endIn(20, 'BB'), 21)).toBe(true)
})

function read(value: unknown) {
  return { value: undefined, ...readJson(warningDaysSchema, value, 'days') }
}

test.each([
  [
    [7, 21, 7],
    [21, 7],
  ],
  [[], []],
  ['', []],
  ['7, 21', [21, 7]],
  [14, [14]],
])('%j is %j', (given, expected) => {
  expect(read(given)).toEqual({ value: expected, problems: [] })
})

test.each([
  [true, 'incorrect_type', 'days'],
  [{}, 'incorrect_type', 'days'],
  [['7'], 'incorrect_type', 'days[0]'],
  ['7, soon', 'incorrect_type', 'days[1]'],
  [[7, 1.5], 'incorrect_type', 'days[1]'],
  [[0], 'incorrect_value', 'days[0]'],
  [[5000], 'incorrect_value', 'days[0]'],
  [Array.from({ length: 11 }, (_, at) => at + 1), 'value_too_long', 'days'],
])('%j is %s', (given, error, field) => {
  expect(read(given)).toMatchObject({ value: undefined, problems: [{ error, field }] })
})

test('the usual days are read as they are stored', () => {
  expect(warningDaysOf(usualWarningDays)).toEqual(usual)
  expect(warningDaysOf(undefined)).toEqual([])
})
