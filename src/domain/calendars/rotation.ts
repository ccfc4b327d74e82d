import { Temporal } from 'temporal-polyfill'

/** The on-call shifts of a rotation: contacts take turns, and each turn ends by the wall clock of one time zone. */

export interface Shift {
  readonly every: 'day' | 'week'
  /** Local time of the hand-over, `HH:MM`. */
  readonly at: string
  /** For a weekly hand-over; 1 is Monday. */
  readonly day_of_week?: number | null
}

/** A temporary replacement on duty. Unix milliseconds, half-open. */
export interface Override {
  readonly contact_id: number
  readonly start_time: number
  readonly end_time: number
}

export interface Rotation {
  /** IANA name. */
  readonly zone: string
  /** In order of their turns. */
  readonly contactIds: readonly number[]
  readonly shift: Shift
  /** Local date, `YYYY-MM-DD`. The first hand-over is on this day, or on the first matching weekday after it. */
  readonly startsOn: string
  /** A later one overrides an earlier one. */
  readonly overrides: readonly Override[]
}

/** The contact on duty. Moments are Unix milliseconds. */
export interface Duty {
  /** Null: nobody is on duty. */
  readonly contactId: number | null
  /** When the shift or the override ends; Infinity for never. */
  readonly untilAt: number
}

const daysOf = { day: 1, week: 7 } as const

function firstDate({ shift, startsOn }: Rotation): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(startsOn)
  if (shift.every === 'day') return date
  return date.add({ days: ((shift.day_of_week ?? 1) - date.dayOfWeek + 7) % 7 })
}

/**
 * The moment of a hand-over, by its number from 0. A local time that the clocks skip moves forward by the skipped time;
 * one that occurs twice counts the first time.
 */
function handOver(rotation: Rotation, first: Temporal.PlainDate, number: number): number {
  const date = first.add({ days: number * daysOf[rotation.shift.every] })
  const local = date.toPlainDateTime(Temporal.PlainTime.from(rotation.shift.at))
  return local.toZonedDateTime(rotation.zone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** The number of the last hand-over at or before the moment; -1 before the first one. */
function shiftAt(rotation: Rotation, first: Temporal.PlainDate, at: number): number {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(rotation.zone).toPlainDate()
  const days = first.until(date, { largestUnit: 'days' }).days
  // A skipped local time can move to the next day.
  let number = Math.max(-1, Math.floor(days / daysOf[rotation.shift.every]) + 1)
  while (number >= 0 && handOver(rotation, first, number) > at) number -= 1
  return number
}

/** The index of the override in effect: the last listed one that applies; -1 for none. */
function overrideAt(overrides: readonly Override[], at: number): number {
  return overrides.findLastIndex(({ start_time: start, end_time: end }) => start <= at && at < end)
}

/**
 * The contact on duty at the moment, and until when. Before the first hand-over only an override puts somebody on duty.
 */
export function onDuty(rotation: Rotation, at: number): Duty {
  const { contactIds, overrides } = rotation
  const first = firstDate(rotation)
  const number = shiftAt(rotation, first, at)
  const override = overrideAt(overrides, at)
  const edges = overrides.flatMap(({ start_time: start, end_time: end }) => [start, end])
  const later = edges.filter((edge) => edge > at).toSorted((one, other) => one - other)
  const nextOverrideAt = later.find((edge) => overrideAt(overrides, edge) !== override) ?? Number.POSITIVE_INFINITY
  if (override >= 0) return { contactId: overrides[override]?.contact_id ?? null, untilAt: nextOverrideAt }
  const hasShifts = contactIds.length > 0
  const untilAt = hasShifts ? Math.min(nextOverrideAt, handOver(rotation, first, number + 1)) : nextOverrideAt
  return { contactId: number < 0 || !hasShifts ? null : (contactIds[number % contactIds.length] ?? null), untilAt }
}

/** A range of time with one contact on duty, or nobody. Unix milliseconds, half-open. */
export interface Turn {
  /** Null: nobody is on duty. */
  readonly contactId: number | null
  readonly startAt: number
  /** Infinity for never. */
  readonly endAt: number
  /** True if an override put the contact on duty. */
  readonly isOverride: boolean
}

/** The turns that a range of time touches. The first one begins with the range; the last one is not cut. */
export function turnsBetween(rotation: Rotation, fromAt: number, toAt: number): readonly Turn[] {
  const turns: Turn[] = []
  for (let at = fromAt; at < toAt; ) {
    const { contactId, untilAt } = onDuty(rotation, at)
    turns.push({ contactId, startAt: at, endAt: untilAt, isOverride: overrideAt(rotation.overrides, at) >= 0 })
    at = untilAt
  }
  return turns
}

/** A range of time with one contact on duty. Unix milliseconds, half-open. */
export interface DutyPeriod {
  readonly contactId: number
  readonly startAt: number
  readonly endAt: number
}

/** The periods of duty between two moments, cut at both. Consecutive periods of one contact are merged. */
export function dutyPeriods(rotation: Rotation, fromAt: number, toAt: number): readonly DutyPeriod[] {
  const periods: DutyPeriod[] = []
  for (const { contactId, startAt, endAt } of turnsBetween(rotation, fromAt, toAt)) {
    if (contactId === null) continue
    const last = periods.at(-1)
    const isSame = last?.contactId === contactId && last.endAt === startAt
    if (isSame) periods.pop()
    periods.push({ contactId, startAt: isSame ? last.startAt : startAt, endAt: Math.min(endAt, toAt) })
  }
  return periods
}

/** True if the date exists. @param text `YYYY-MM-DD` */
export function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
