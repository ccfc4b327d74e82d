import { expect, test } from 'vitest'
import { calendarText } from './icalendar.ts'

test('an old name whose signs would turn the order of reading around is shown without them', () => {
  const event = { uid: 'a@b', summary: 'kod\u202egpj.exe', startAt: 0, endAt: 1000 }
  const text = calendarText({ name: 'a\u2067b', stampAt: 0, events: [event] })
  expect(text).toContain('SUMMARY:kodgpj.exe\r\n')
  expect(text).toContain('X-WR-CALNAME:ab\r\n')
})
