import { Temporal } from 'temporal-polyfill'

/** On-call rotations: contacts take turns, and each turn ends by the wall clock of one time zone. */

export interface Shift {
  readonly every: 'day' | 'week'
  /** Local time of the hand-over, `HH:MM`. */
  readonly at: string
  /** Of a weekly hand-over; 1 is Monday. */
  readonly day_of_week?: number | null
}

/** Somebody takes over for a while. Unix milliseconds, half-open. */
export interface Override {
  readonly contact_id: number
  readonly start_time: number
  readonly end_time: number
}

export interface Rotation {
  /** IANA name. */
  readonly zone: string
  /** In the order of their turns. */
  readonly contactIds: readonly number[]
  readonly shift: Shift
  /** Local date, `YYYY-MM-DD`: the first hand-over is on this day, or on the first matching day of the week after it. */
  readonly startsOn: string
  /** A later one wins over an earlier one. */
  readonly overrides: readonly Override[]
}

/** Moments are Unix milliseconds. */
export interface Duty {
  /** Null: nobody. */
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
 * The moment of the hand-over with the number, from 0. A local time that the clocks skip comes as much later as they skip; one that
 * comes twice counts the first time.
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
  // A skipped local time can come a day late.
  let number = Math.max(-1, Math.floor(days / daysOf[rotation.shift.every]) + 1)
  while (number >= 0 && handOver(rotation, first, number) > at) number -= 1
  return number
}

/** The place of the override in effect, the last one that is listed; -1 for none. */
function overrideAt(overrides: readonly Override[], at: number): number {
  return overrides.findLastIndex(({ start_time: start, end_time: end }) => start <= at && at < end)
}

/** Who is on duty at the moment, and until when. Before the first hand-over nobody is, but for overrides. */
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

/** A stretch of time in which one contact is on duty. Unix milliseconds, half-open. */
export interface DutyPeriod {
  readonly contactId: number
  readonly startAt: number
  readonly endAt: number
}

/** Everybody's periods from one moment to another, cut at both; periods that follow each other of one contact are one. */
export function dutyPeriods(rotation: Rotation, fromAt: number, toAt: number): readonly DutyPeriod[] {
  const periods: DutyPeriod[] = []
  for (let at = fromAt; at < toAt; ) {
    const { contactId, untilAt } = onDuty(rotation, at)
    const endAt = Math.min(untilAt, toAt)
    const last = periods.at(-1)
    if (contactId !== null) {
      const isSame = last?.contactId === contactId && last.endAt === at
      if (isSame) periods.pop()
      periods.push({ contactId, startAt: isSame ? last.startAt : at, endAt })
    }
    at = endAt
  }
  return periods
}

/** Whether there is such a day. @param text `YYYY-MM-DD` */
export function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
