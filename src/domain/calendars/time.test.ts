import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoment, lastMomentAt, parseMoment } from './time.ts'

const nowAt = Date.parse('2026-11-21T11:13:00.250Z')
const moments = fc.integer({ min: 0, max: lastMomentAt / 1000 }).map((seconds) => seconds * 1000)

describe('a moment', () => {
  it.each([
    ['2026-11-21T11:13:00Z', '2026-11-21T11:13:00Z'],
    ['2026-11-21 11:13:00z', '2026-11-21T11:13:00Z'],
    ['2026-11-21T12:13:00+01:00', '2026-11-21T11:13:00Z'],
    ['2026-11-21T11:13:00.999Z', '2026-11-21T11:13:00Z'],
    [0, '1970-01-01T00:00:00Z'],
    [-7200, '2026-11-21T09:13:00Z'],
    ['-7200', '2026-11-21T09:13:00Z'],
    ['253402300799', '9999-12-31T23:59:59Z'],
  ])('is read from %j', (input, output) => {
    const at = parseMoment(input, nowAt)
    expect(typeof at === 'number' ? formatMoment(at) : at).toBe(output)
  })

  it.each([
    ['2026-11-21T11:13:00', 'incorrect_value'],
    ['2026-02-30T11:13:00Z', 'incorrect_value'],
    ['1969-12-31T23:59:59Z', 'incorrect_value'],
    ['tomorrow', 'incorrect_value'],
    [253402300800, 'incorrect_value'],
    [-99999999999, 'incorrect_value'],
    [1.5, 'incorrect_type'],
    [true, 'incorrect_type'],
    [null, 'incorrect_type'],
  ])('is refused from %j', (input, problem) => {
    expect(parseMoment(input, nowAt)).toBe(problem)
  })

  it('is shown as the calendar has it', () => {
    fc.assert(fc.property(moments, (at) => formatMoment(at) === new Date(at).toISOString().replace('.000Z', 'Z')))
  })

  it('is stable under format after parse', () => {
    fc.assert(fc.property(moments, (at) => parseMoment(formatMoment(at), nowAt) === at))
  })

  it('is the same in every spelling', () => {
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(moments, offsets, (at, offsetMinutes) => {
        const local = at + offsetMinutes * 60_000
        fc.pre(local >= 0 && local <= lastMomentAt)
        const sign = offsetMinutes < 0 ? '-' : '+'
        const minutes = Math.abs(offsetMinutes)
        const offset = `${sign}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
        return parseMoment(formatMoment(local).replace('Z', offset).replace('T', ' '), nowAt) === at
      }),
    )
  })
})
