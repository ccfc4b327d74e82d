import type { Language } from '../words/words.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', pl: 'pl-PL' }

/** How numbers and moments are written for the reader: in their language and time zone. */
export interface Format {
  /** `23 Nov 2026, 03:12:05`. */
  readonly moment: (iso: string) => string
  /** `23 Nov, 03:12`; with the year when it is not this one. */
  readonly shortMoment: (iso: string) => string
  /** `03:12:05`. */
  readonly clock: (iso: string) => string
  /** `12:05` of each; with seconds where two neighbours would read the same. */
  readonly clocks: (isos: readonly string[]) => readonly string[]
  /** `Mon 23 Nov 2026` of `2026-11-23`. */
  readonly day: (date: string) => string
  /** `Mon 23 Nov 2026, 03:12:05`. */
  readonly dayMoment: (iso: string) => string
  /** `Mon` of `2026-11-23`. */
  readonly weekday: (date: string) => string
  /** `23 Nov` of `2026-11-23`. */
  readonly dayOfMonth: (date: string) => string
  /** `2 h ago`, `in 40 s`, `now`. */
  readonly ago: (iso: string, now: number) => string
  /** `1 h 12 min`, of seconds: the two largest units. */
  readonly duration: (seconds: number) => string
  readonly number: (value: number) => string
  /** `99.978%` of a fraction, in Polish `99,978 %`. It never rounds up to 100%. */
  readonly percent: (fraction: number) => string
  /** `132 ms`, `1.42 s`. */
  readonly milliseconds: (value: number) => string
  /** `608 B`, `1.2 MB`. */
  readonly bytes: (value: number) => string
  readonly zone: string
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number, string])[] = [
  ['day', 86_400, 'd'],
  ['hour', 3600, 'h'],
  ['minute', 60, 'min'],
  ['second', 1, 's'],
]

function durationText(seconds: number): string {
  const whole = Math.round(seconds)
  const first = units.findIndex(([, length]) => whole >= length)
  if (first === -1) return '0 s'
  const parts: string[] = []
  let rest = whole
  for (const [, length, sign] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count} ${sign}`)
  }
  return parts.join(' ')
}

/** The formats that were made. */
const formats = new Map<string, Intl.NumberFormat>()

/** Making a format costs a hundred times what using it does, and lists use many. */
function decimals(locale: string, least: number, most: number): Intl.NumberFormat {
  const key = `${locale} ${least} ${most}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most })
  formats.set(key, made)
  return made
}

/**
 * Three places, which show that it is rounded down, so 100 % and 0 % have none. Reports and status pages write it
 * likewise (src/wording/numbers.ts).
 */
function percentText(locale: string, fraction: number): string {
  const percent = fraction * 100
  const places = percent >= 100 || percent === 0 ? 0 : 3
  // The quotient of a share has a last digit that is not its own.
  const shown = Math.floor(percent * 1000 + 1e-6) / 1000
  return `${decimals(locale, places, places).format(shown)}${locale === locales.pl ? '\u00a0' : ''}%`
}

function bytesText(locale: string, value: number): string {
  const sizes = ['B', 'kB', 'MB', 'GB']
  const at = value < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3))
  return `${decimals(locale, 0, at === 0 ? 0 : 1).format(value / 1000 ** at)} ${sizes[at]}`
}

/** `zone` is an IANA name. */
export function createFormat(language: Language, zone: string): Format {
  const locale = locales[language]
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
  const clockParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const dayParts = { day: 'numeric', month: 'short' } as const
  const moment = dates({ ...dayParts, year: 'numeric', ...clockParts, second: '2-digit' })
  const short = dates({ ...dayParts, ...clockParts })
  const long = dates({ ...dayParts, year: 'numeric', ...clockParts })
  const clock = dates({ ...clockParts, second: '2-digit' })
  const year = dates({ year: 'numeric' })
  const weekday = { weekday: 'short' } as const
  const dayMoment = dates({ ...weekday, ...dayParts, year: 'numeric', ...clockParts, second: '2-digit' })
  const ofDate = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (date: string) => made.format(new Date(`${date}T00:00:00Z`))
  }
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' })
  const present = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  return {
    zone,
    moment: (iso) => moment.format(new Date(iso)),
    shortMoment: (iso) => {
      const at = new Date(iso)
      return (year.format(at) === year.format(Date.now()) ? short : long).format(at)
    },
    clock: (iso) => clock.format(new Date(iso)),
    clocks(isos) {
      const whole = isos.map((iso) => clock.format(new Date(iso)))
      const short = whole.map((text) => text.slice(0, 5))
      return short.some((text, index) => index > 0 && text === short[index - 1]) ? whole : short
    },
    day: ofDate({ ...weekday, ...dayParts, year: 'numeric' }),
    weekday: ofDate(weekday),
    dayOfMonth: ofDate(dayParts),
    dayMoment: (iso) => dayMoment.format(new Date(iso)),
    ago: (iso, now) => {
      const seconds = (Date.parse(iso) - now) / 1000
      const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
      const whole = Math.trunc(seconds / length)
      return whole === 0 ? present.format(0, unit) : relative.format(whole, unit)
    },
    duration: durationText,
    number: (value) => decimals(locale, 0, 3).format(value),
    percent: (fraction) => percentText(locale, fraction),
    milliseconds: (value) => {
      if (value > 0 && value < 1) return '< 1 ms'
      return value < 1000
        ? `${decimals(locale, 0, 0).format(value)} ms`
        : `${decimals(locale, 2, 2).format(value / 1000)} s`
    },
    bytes: (value) => bytesText(locale, value),
  }
}
