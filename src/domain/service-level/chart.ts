/** How charts divide their ranges into points (specification: History and charts; answers §12). */
import { Temporal } from 'temporal-polyfill'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The largest number of points in a chart (specification: charts/performance). */
export const maximumPoints = 500

/** Charts reach back at least this many days, even if single analyses are kept for less. */
export const chartDays = 400

/** For ranges with more rounds than this, the roll-ups are read instead of the analyses. */
const maximumRounds = 6000

/** The source of the numbers: single analyses, or the sums of whole UTC hours or days. */
export type Grain = 'analyses' | 'hours' | 'days'

/** A range [fromAt, toAt) in Unix milliseconds. */
export interface ChartRange {
  readonly fromAt: number
  readonly toAt: number
}

/** Begins and ends at whole units of its grain. */
export interface Section extends ChartRange {
  readonly grain: Grain
}

const unitOf = { hours: hour, days: day } as const

/**
 * Divides the range into touching sections. The middle has whole units of the first grain, both ends have the next
 * grain, and analyses fill the rest.
 */
export function sectionsOf(range: ChartRange, grains: readonly (keyof typeof unitOf)[]): readonly Section[] {
  const [grain, ...finer] = grains
  if (range.fromAt >= range.toAt) return []
  if (grain === undefined) return [{ ...range, grain: 'analyses' }]
  const unit = unitOf[grain]
  const [fromAt, toAt] = [Math.ceil(range.fromAt / unit) * unit, Math.floor(range.toAt / unit) * unit]
  if (fromAt >= toAt) return sectionsOf(range, finer)
  return [
    ...sectionsOf({ fromAt: range.fromAt, toAt: fromAt }, finer),
    { grain, fromAt, toAt },
    ...sectionsOf({ fromAt: toAt, toAt: range.toAt }, finer),
  ]
}

const analysisSteps = [10, 15, 30, 60, 120, 180, 300, 600, 900, 1800].map((seconds) => seconds * second)
const hourSteps = [1, 2, 3, 6].map((hours) => hours * hour)
const daySteps = [1, 2, 7, 14, 28].map((days) => days * day)

/** Points begin and end at whole steps since 1970 in UTC; the first and the last are cut at the range. */
export interface PerformanceDivision extends ChartRange {
  /** Milliseconds. */
  readonly step: number
  /** The source of the points' numbers. A unit never belongs to two points. */
  readonly sections: readonly Section[]
}

function pointsIn({ fromAt, toAt }: ChartRange, step: number): number {
  return Math.ceil(toAt / step) - Math.floor(fromAt / step)
}

function stepFor(range: ChartRange, intervalSeconds: number, isByAnalyses: boolean): number {
  const interval = intervalSeconds * second
  const isShort = isByAnalyses && (range.toAt - range.fromAt) / interval <= maximumRounds
  const fine = isShort ? analysisSteps.filter((step) => step >= interval) : []
  let step = [...fine, ...hourSteps, ...daySteps].find((candidate) => pointsIn(range, candidate) <= maximumPoints)
  if (step === undefined) {
    step = 28 * day
    while (pointsIn(range, step) > maximumPoints) step *= 2
  }
  return step
}

/** Where the analyses at an end of the range are gone, only the sums of its whole hour are left to show. */
function inKeptHours({ fromAt, toAt }: ChartRange, keptFromAt: number): ChartRange {
  return {
    fromAt: fromAt < keptFromAt ? Math.floor(fromAt / hour) * hour : fromAt,
    toAt: toAt < keptFromAt ? Math.ceil(toAt / hour) * hour : toAt,
  }
}

/**
 * The finest division into at most 500 points, none shorter than the service's interval. Short ranges use analyses,
 * longer ones hourly sums, the longest daily sums. Analyses are kept since `keptFromAt` (Unix milliseconds). A range
 * that begins earlier uses sums alone, and its ends there lie at whole hours.
 */
export function divideForPerformance(
  range: ChartRange,
  intervalSeconds: number,
  keptFromAt: number = Number.NEGATIVE_INFINITY,
): PerformanceDivision {
  if (range.fromAt >= range.toAt) return { ...range, step: hour, sections: [] }
  const readable = inKeptHours(range, keptFromAt)
  const step = stepFor(readable, intervalSeconds, range.fromAt >= keptFromAt)
  const grains = step % day === 0 ? (['days', 'hours'] as const) : step % hour === 0 ? (['hours'] as const) : []
  return { ...readable, step, sections: sectionsOf(readable, grains) }
}

/** The range of a point, by the number of its step since 1970. */
export function pointRange({ fromAt, toAt, step }: PerformanceDivision, number: number): ChartRange {
  return { fromAt: Math.max(fromAt, number * step), toAt: Math.min(toAt, (number + 1) * step) }
}

function dateAt(at: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
}

/** The starts of local days, every `everyDays` days from the given one to the end of the range. */
function dayEdges(first: Temporal.PlainDate, everyDays: number, { toAt }: ChartRange, timeZone: string): number[] {
  const edges: number[] = []
  for (let days = 0; (edges.at(-1) ?? 0) < toAt || days === 0; days += everyDays) {
    edges.push(first.add({ days }).toZonedDateTime(timeZone).epochMilliseconds)
  }
  return edges
}

/** Hours count from the beginning of each local day, so a clock change makes a day of 23 or 25 hours. */
function hourEdges(days: readonly number[]): number[] {
  return days.flatMap((start, index) => {
    const end = days[index + 1] ?? start
    return Array.from({ length: Math.ceil((end - start) / hour) }, (_, number) => start + number * hour)
  })
}

function between(edges: readonly number[], { fromAt, toAt }: ChartRange): ChartRange[] {
  const inner = edges.filter((edge) => edge > fromAt && edge < toAt)
  const starts = [...new Set([fromAt, ...inner])]
  return starts.map((start, index) => ({ fromAt: start, toAt: starts[index + 1] ?? toAt }))
}

/**
 * Divides the range into at most `limit` touching parts by the calendar of the time zone (IANA name). Parts are hours,
 * days, weeks from Monday, or as many weeks together as it takes.
 */
export function divideByCalendar(range: ChartRange, timeZone: string, limit: number): readonly ChartRange[] {
  if (range.fromAt >= range.toAt) return []
  const [length, first] = [range.toAt - range.fromAt, dateAt(range.fromAt, timeZone)]
  // A clock change makes a day an hour longer; more days than this never fit.
  if (length <= (limit + 1) * day) {
    const days = dayEdges(first, 1, range, timeZone)
    const parts = length <= limit * hour ? between(hourEdges(days), range) : []
    if (parts.length > 0 && parts.length <= limit) return parts
    const byDay = between(days, range)
    if (byDay.length <= limit) return byDay
  }
  const monday = first.subtract({ days: first.dayOfWeek - 1 })
  let weeks = Math.max(1, Math.floor(length / (limit * 7 * day)))
  let parts = between(dayEdges(monday, weeks * 7, range, timeZone), range)
  while (parts.length > limit) {
    weeks++
    parts = between(dayEdges(monday, weeks * 7, range, timeZone), range)
  }
  return parts
}
