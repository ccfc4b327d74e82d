/** How charts divide their ranges into points (specification: History and charts; answers §12). */
import { Temporal } from 'temporal-polyfill'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The most points of a chart (specification: charts/performance). */
export const maximumPoints = 500

/** Charts reach back so many days at least, however short the single analyses are kept. */
export const chartDays = 400

/** Beyond so many rounds in the range the roll-ups are read instead of the analyses. */
const maximumRounds = 6000

/** Where numbers are read: in single analyses, or in the sums of whole UTC hours or days. */
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
 * The range in touching sections: whole units of the first grain in the middle, what is left at both ends in the next grain,
 * and the last rest in analyses.
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

/** Points begin and end at whole steps since 1970 in UTC, the first and the last where the range does. */
export interface PerformanceDivision extends ChartRange {
  /** Milliseconds. */
  readonly step: number
  /** Where the numbers of the points are read; a unit never belongs to two points. */
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

/** Where the analyses of an end are gone, what is left to tell are the sums of its whole hour. */
function inKeptHours({ fromAt, toAt }: ChartRange, keptFromAt: number): ChartRange {
  return {
    fromAt: fromAt < keptFromAt ? Math.floor(fromAt / hour) * hour : fromAt,
    toAt: toAt < keptFromAt ? Math.ceil(toAt / hour) * hour : toAt,
  }
}

/**
 * The finest division into at most 500 points, none shorter than the service's interval: by analyses over short ranges, by
 * the hourly sums over longer ones and by the daily ones over the longest. A range that begins before `keptFromAt`, the Unix
 * milliseconds since which analyses are kept, is divided by the sums alone, and its ends there lie at whole hours.
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

/** Where local days begin, every so many days from the given one, until the moment. */
function dayEdges(first: Temporal.PlainDate, everyDays: number, { toAt }: ChartRange, timeZone: string): number[] {
  const edges: number[] = []
  for (let days = 0; (edges.at(-1) ?? 0) < toAt || days === 0; days += everyDays) {
    edges.push(first.add({ days }).toZonedDateTime(timeZone).epochMilliseconds)
  }
  return edges
}

/** Hours are counted from the beginning of each local day, so a change of the clock makes a day of 23 or 25. */
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
 * The range in at most `limit` touching parts: hours, days, or weeks that begin on Monday, or as many weeks together as it
 * takes, all as a calendar of the time zone (IANA name) has them.
 */
export function divideByCalendar(range: ChartRange, timeZone: string, limit: number): readonly ChartRange[] {
  if (range.fromAt >= range.toAt) return []
  const [length, first] = [range.toAt - range.fromAt, dateAt(range.fromAt, timeZone)]
  // A changed clock makes a day an hour longer; more days than this never fit.
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
