import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachmentHeader, reportFileNames } from './report-file.ts'

const november = {
  ...{ id: 12, name: 'Dostępność sklepu „Żółw”' },
  ...{ fromAt: Date.parse('2026-10-31T23:00:00Z'), toAt: Date.parse('2026-11-30T23:00:00Z') },
}

describe('a report is called', () => {
  test('by its name and the days of its owner, in plain letters and as people write', () => {
    expect(reportFileNames(november, 'Europe/Warsaw', 'pdf')).toEqual({
      plain: 'report-12-dostepnosc-sklepu-zolw-2026-11-01.pdf',
      full: 'Dostępność sklepu „Żółw” 2026-11-01–2026-11-30.pdf',
    })
  })

  test('by one day when it is about one', () => {
    const day = { ...november, toAt: Date.parse('2026-11-01T23:00:00Z') }
    expect(reportFileNames(day, 'Europe/Warsaw', 'json').full).toBe('Dostępność sklepu „Żółw” 2026-11-01.json')
  })

  test.each(['...', ' / ', '\u202e'])('by its number when the name %j is none for a file', (name) => {
    const { plain, full } = reportFileNames({ ...november, name }, 'Europe/Warsaw', 'pdf')
    expect([plain, full]).toEqual(['report-12-2026-11-01.pdf', 'report-12-2026-11-01.pdf'])
  })

  test('so that every file system takes it, whatever the name', () => {
    const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))
    fc.assert(
      fc.property(names, (name) => {
        const { plain, full } = reportFileNames({ ...november, name }, 'Europe/Warsaw', 'pdf')
        expect(plain).toMatch(/^report-12-[a-z0-9-]+\.pdf$/)
        expect(full).not.toMatch(/[\\/:*?"<>|\p{Cc}]|^[ .]/u)
        expect(new TextEncoder().encode(full).length).toBeLessThanOrEqual(255)
        const header = attachmentHeader({ plain, full })
        expect(header).toMatch(/^[\x20-\x7e]+$/)
        const [, encoded = ''] = /filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(header) ?? []
        expect(decodeURIComponent(encoded)).toBe(full)
      }),
    )
  })
})
