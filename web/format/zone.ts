const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const two = '2-digit' as const
  const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...parts })
  formats.set(zone, made)
  return made
}

/** `2026-11-23T03:12:05`: what clocks of the zone show at a moment in Unix milliseconds. */
export function localText(at: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/** `2026-11-23`. */
export function localDate(at: number, zone: string): string {
  return localText(at, zone).slice(0, 10)
}

/** Milliseconds that clocks of the zone are ahead of UTC. */
export function offsetAt(at: number, zone: string): number {
  const whole = Math.floor(at / 1000) * 1000
  return Date.parse(`${localText(whole, zone)}Z`) - whole
}

const day = 86_400_000

/**
 * The moment at which UTC clocks show the text. Null for no moment, and before 1970: a year that is being typed begins
 * as 2, 20, 202.
 */
function utcOf(text: string): number | null {
  const at = Date.parse(`${text}Z`)
  return at >= 0 ? at : null
}

/**
 * The moments at which the zone's clocks show the text, in order: two if they were set back, none if they were set
 * forward. Empty if the text is no moment.
 */
export function momentsOf(text: string, zone: string): readonly number[] {
  const asUtc = utcOf(text)
  if (asUtc === null) return []
  const offsets = new Set([offsetAt(asUtc - day, zone), offsetAt(asUtc + day, zone)])
  const moments = [...offsets].map((offset) => asUtc - offset)
  return moments.filter((at) => at + offsetAt(at, zone) === asUtc).toSorted((one, other) => one - other)
}

/**
 * The first moment at which the zone's clocks show the text or, if they skip it, a later time. Null: the text is no
 * moment.
 */
export function momentOf(text: string, zone: string): number | null {
  const [first] = momentsOf(text, zone)
  if (first !== undefined) return first
  const asUtc = utcOf(text)
  return asUtc === null ? null : asUtc - offsetAt(asUtc - day, zone)
}

/** The date so many days later. */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)
}

/** When the day begins in the zone, in Unix milliseconds. */
export function startOfDay(date: string, zone: string): number {
  return momentOf(`${date}T00:00:00`, zone) ?? 0
}

/** The Monday of the week of a date. */
export function mondayOf(date: string): string {
  return dateAfter(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))
}

/** Whether browsers know the zone. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The IANA name of the zone that the browser is set to. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Whether clocks of both zones show the same in the year around a moment. */
export function areAlike(one: string, other: string, at: number): boolean {
  const months = [-6, -4, -2, 0, 2, 4, 6].map((month) => at + month * 30 * day)
  return months.every((moment) => offsetAt(moment, one) === offsetAt(moment, other))
}

/** `2026-11-23T03:12:05Z`. */
export function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** `+01:00`. */
export function offsetText(at: number, zone: string): string {
  const minutes = Math.round(offsetAt(at, zone) / 60_000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}
