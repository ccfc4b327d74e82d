import { offsetSpan } from '../domain/calendars/zone-offset.ts'

/** `2026-11-21 12:13:00 +01:00` in the zone; the offset distinguishes the two equal hours of an autumn night. */
export function formatMoment(at: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
  const [hour, minute, second] = [parts.get('hour'), parts.get('minute'), parts.get('second')]
  const offset = (parts.get('timeZoneName') ?? '').replace('GMT', '') || '+00:00'
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${offset}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  formats.set(zone, format)
  return format
}

const lengths = { day: 10, minute: 16, second: 19 } as const

/**
 * `2026-11-21 12:13:00` in the zone (IANA name), for texts that name the zone. A moment that local clocks show twice
 * has its UTC offset.
 */
export function formatLocal(at: number, zone: string, until: keyof typeof lengths = 'second'): string {
  const { offset, startAt, endAt } = offsetSpan(zone, at)
  const shown = new Date(at + offset).toISOString().slice(0, lengths[until]).replace('T', ' ')
  const before = Number.isFinite(startAt) ? offsetSpan(zone, startAt - 1).offset : offset
  const after = Number.isFinite(endAt) ? offsetSpan(zone, endAt).offset : offset
  const isTwice = at - startAt < before - offset || endAt - at <= offset - after
  return isTwice && until !== 'day' ? `${shown} ${formatMoment(at, zone).slice(20)}` : shown
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** `1 h 5 min 3 s`, at most three units; the symbols are the same in every language. */
export function formatDuration(seconds: number): string {
  const shown: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 && shown.length < 3) shown.push(`${count} ${unit}`)
  }
  return shown.length === 0 ? '0 s' : shown.join(' ')
}

/** The longest of `count` durations; a dash if there are none. */
export function formatLongest(seconds: number, count: number): string {
  return count === 0 ? '–' : formatDuration(seconds)
}
