import { describe, expect, test } from 'vitest'
import { readTimeZone, timeZoneId, timeZoneIds, timeZoneName } from './time-zones.ts'

describe('time zones', () => {
  test.each([
    ['europe_warsaw', 'Europe/Warsaw'],
    ['america_new_york', 'America/New_York'],
    ['utc', 'UTC'],
    ['america_port-au-prince', 'America/Port-au-Prince'],
    ['america_argentina_buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['europe_kyiv', 'Europe/Kyiv'],
    ['asia_kolkata', 'Asia/Kolkata'],
  ])('%s is %s', (id, name) => {
    expect(timeZoneName(id)).toBe(name)
    expect(timeZoneId(name)).toBe(id)
    expect(timeZoneIds).toContain(id)
  })

  test('every id leads to a zone that the runtime can use, and back', () => {
    expect(timeZoneIds.length).toBeGreaterThan(400)
    for (const id of timeZoneIds) {
      const name = timeZoneName(id)
      expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow()
      expect(timeZoneId(name ?? '')).toBe(id)
    }
  })

  test('what is no zone has no name', () => {
    expect(timeZoneName('europe/warsaw')).toBeUndefined()
    expect(timeZoneName('Europe_Warsaw')).toBeUndefined()
    expect(timeZoneId('Europe/Nowhere')).toBeUndefined()
  })

  test.each([
    ['Europe/Warsaw', 'europe_warsaw'],
    ['europe/warsaw', 'europe_warsaw'],
    ['europe_warsaw', 'europe_warsaw'],
    ['Europe_Warsaw', 'europe_warsaw'],
    ['Etc/UTC', 'utc'],
    ['Poland', 'europe_warsaw'],
    ['Europe/Nowhere', undefined],
    ['', undefined],
  ])('%j is read as %j', (written, id) => {
    expect(readTimeZone(written)).toBe(id)
  })
})
