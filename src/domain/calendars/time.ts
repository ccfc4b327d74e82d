import { Temporal } from 'temporal-polyfill'

/** 9999-12-31T23:59:59Z, the last moment that the API accepts (specification: Limits). */
export const lastMomentAt = 253402300799000

const spelling = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

function bounded(at: number): number | 'incorrect_value' {
  return at >= 0 && at <= lastMomentAt ? at : 'incorrect_value'
}

/**
 * Reads a moment in the API's formats: RFC 3339 with an explicit offset (one space may stand for `T`), a non-negative
 * integer (Unix seconds) or a negative one (seconds before now).
 * @param nowAt Unix milliseconds
 * @returns Unix milliseconds at a whole second, or the symbol of the problem (specification: Endpoints, Time values)
 */
export function parseMoment(input: unknown, nowAt: number): number | 'incorrect_type' | 'incorrect_value' {
  if (typeof input === 'number') {
    if (!Number.isSafeInteger(input)) return 'incorrect_type'
    const at = input >= 0 ? input * 1000 : Math.floor(nowAt / 1000) * 1000 + input * 1000
    return bounded(at)
  }
  if (typeof input !== 'string') return 'incorrect_type'
  if (/^-?\d{1,15}$/.test(input)) return parseMoment(Number(input), nowAt)
  if (!spelling.test(input)) return 'incorrect_value'
  try {
    return bounded(Math.floor(Temporal.Instant.from(input).epochMilliseconds / 1000) * 1000)
  } catch {
    return 'incorrect_value'
  }
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** Gregorian date of a count of days since 1970-01-01 (the era arithmetic of proleptic calendars). */
function dateOfDay(day: number): string {
  const shifted = day + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}`
}

const dates = new Map<number, string>()

function cachedDate(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    if (dates.size > 1000) dates.clear()
    date = dateOfDay(day)
    dates.set(day, date)
  }
  return date
}

/**
 * The displayed second of a moment, since 1970. Every duration covers the whole seconds from its displayed start to its
 * displayed end. Durations, service levels, charts, corrections and reports all count this way.
 */
export function shownSecond(at: number): number {
  return Math.floor(at / 1000)
}

/** The seconds between the displayed start and end, as a reader would subtract them; never below zero. */
export function shownDuration(startedAt: number, endedAt: number): number {
  return Math.max(0, shownSecond(endedAt) - shownSecond(startedAt))
}

/** A moment in the API's format: `2026-11-21T11:13:00Z`. Whole seconds; milliseconds are cut off. */
export function formatMoment(at: number): string {
  const seconds = shownSecond(at)
  const day = Math.floor(seconds / 86400)
  const second = seconds - day * 86400
  return `${cachedDate(day)}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}Z`
}
