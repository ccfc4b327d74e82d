import { expect, test } from 'vitest'
import { timeZoneId, timeZoneIds, timeZoneName } from './time-zones.ts'

test.each([
  ['europe_warsaw', 'Europe/Warsaw'],
  ['america_new_york', 'America/New_York'],
  ['america_argentina_buenos_aires', 'America/Argentina/Buenos_Aires'],
  ['utc', 'UTC'],
])('the id %s stands for %s', (id, name) => {
  expect(timeZoneName(id)).toBe(name)
  expect(timeZoneId(name)).toBe(id)
})

test('no two zones share an id, and every id leads to a zone that the calendar knows', () => {
  expect(new Set(timeZoneIds).size).toBe(timeZoneIds.length)
  expect(timeZoneIds.length).toBeGreaterThan(400)
  for (const id of timeZoneIds) {
    const timeZone = timeZoneName(id)
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})

test('an unknown id has no zone', () => {
  expect(timeZoneName('Europe/Warsaw')).toBeUndefined()
  expect(timeZoneName('')).toBeUndefined()
})
