import { inReadingOrder } from '../text/one-line.ts'
import { formatMoment } from './time.ts'

/** An event of an iCalendar file (RFC 5545). */

export interface CalendarEvent {
  readonly uid: string
  readonly summary: string
  /** Unix milliseconds, half-open. */
  readonly startAt: number
  readonly endAt: number
}

export interface CalendarFile {
  readonly name: string
  /** When the file was made, in Unix milliseconds. */
  readonly stampAt: number
  readonly events: readonly CalendarEvent[]
}

/** Section 3.3.11. */
function escaped(text: string): string {
  return inReadingOrder(text)
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\r\n]/g, '\\n')
}

/** Whole seconds in UTC: section 3.3.5, form 2. */
function moment(at: number): string {
  return formatMoment(at).replaceAll(/[-:]/g, '')
}

const longestLine = 75

/** Bytes of a code point in UTF-8. */
function bytesOf(point: number): number {
  if (point < 0x80) return 1
  if (point < 0x8_00) return 2
  return point < 0x1_00_00 ? 3 : 4
}

/** Lines of at most 75 bytes of UTF-8, never cut within a character (section 3.1). */
function folded(line: string): string {
  const parts: string[] = []
  let [part, size] = ['', 0]
  for (const character of line) {
    const bytes = bytesOf(character.codePointAt(0) ?? 0)
    if (size + bytes > longestLine) {
      parts.push(part)
      // The leading space counts towards the line's length.
      part = ' '
      size = 1
    }
    part += character
    size += bytes
  }
  return [...parts, part].join('\r\n')
}

/** A calendar has at least one part (section 3.4). One without events names the zone of its times. */
const zone = [
  ...['BEGIN:VTIMEZONE', 'TZID:Etc/UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000'],
  ...['TZOFFSETTO:+0000', 'TZNAME:UTC', 'END:STANDARD', 'END:VTIMEZONE'],
]

/**
 * Times are in UTC; calendar programs show them in their reader's time zone. It has no method, because nobody is
 * invited: a method asks for an organizer (RFC 5546, section 3.2.1).
 */
export function calendarText({ name, stampAt, events }: CalendarFile): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Latarnik//Latarnik//EN', 'CALSCALE:GREGORIAN'],
    `X-WR-CALNAME:${escaped(name)}`,
    ...(events.length === 0 ? zone : []),
    ...events.flatMap(({ uid, summary, startAt, endAt }) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:${moment(stampAt)}`],
      ...[`DTSTART:${moment(startAt)}`, `DTEND:${moment(endAt)}`, `SUMMARY:${escaped(summary)}`, 'END:VEVENT'],
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}
