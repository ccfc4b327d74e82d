import { dayLength } from '../domain/calendars/durations.ts'

/** Dates of WHOIS servers that can be read in one way only. */

/** Ends before or after are mistakes. */
const years = { first: 1985, last: 2299 }
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Year, month and day, in that order, with the place of the rest of the text. */
const forms: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: /^(\d{4})-(\d{2})-(\d{2})(?!\d)/, order: [1, 2, 3] },
  { pattern: /^(\d{4})[./] ?(\d{2})[./] ?(\d{2})(?!\d)/, order: [1, 2, 3] },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?!\d)/, order: [1, 2, 3] },
  { pattern: /^(\d{4})-([a-z]{3})-(\d{1,2})(?!\d)/i, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})[- ]([a-z]{3})[- ](\d{4})(?!\d)/i, order: [3, 2, 1] },
  // With dots the day comes first wherever this is written; with slashes and hyphens nobody can tell.
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, order: [3, 2, 1] },
]
const zoned = /^[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?![\w:])/i

/** The moment that the text names; the end of the day without a time or a zone. Null for any other text. */
export function endOfWhois(text: string): number | null {
  for (const { pattern, order } of forms) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [year = 0, month = 0, day = 0] = order.map((place) => numberOf(found[place] ?? ''))
    const at = Date.UTC(year, month - 1, day)
    const read = new Date(at)
    const isDay = read.getUTCMonth() === month - 1 && read.getUTCDate() === day
    if (!isDay || year < years.first || year > years.last) return null
    const time = zoned.exec(text.slice(found[0].length))
    return time === null ? at + dayLength : at + timeOf(time)
  }
  return null
}

function numberOf(part: string): number {
  const month = months.indexOf(part.toLowerCase())
  return month < 0 ? Number(part) : month + 1
}

function timeOf([, hours, minutes, seconds = '0', zone = 'Z']: RegExpExecArray): number {
  const [, sign = '+', zoneHours = '0', zoneMinutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  return ((Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1000
}
