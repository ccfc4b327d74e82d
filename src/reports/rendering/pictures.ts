import type { ReachedHours } from '../../domain/reports/report-time.ts'
import type { ReportResult } from '../document.ts'
import type { ChartView, LevelState, Rectangle } from './view.ts'
import type { Worded } from './worded.ts'

type Part = NonNullable<ReportResult['service_level_summary']>['parts'][number]

/** The least height of a failure, so that one minute in a month is visible; the legend explains it (`hasRaised`). */
export const leastHeight = 0.12

/** True if any failure is drawn higher than it lasted. */
export function hasRaised(parts: readonly Part[]): boolean {
  return parts.some(({ ok, failure, paused }) => failure > 0 && failure < leastHeight * (ok + failure + paused))
}

const rounded = (value: number) => Math.round(value * 1e5) / 1e5

/** The shares of a column from its top; none if nothing is known about its time. */
function sharesOf({ ok, failure, paused }: Part): readonly (readonly [LevelState, number])[] {
  const rest = ok + paused
  if (failure + rest === 0) return []
  const failing = failure === 0 ? 0 : Math.max(leastHeight, failure / (failure + rest))
  const shareOf = (seconds: number) => (rest === 0 ? 0 : (seconds / rest) * (1 - failing))
  return [
    ['failure', failing],
    ['paused', shareOf(paused)],
    ['ok', shareOf(ok)],
  ]
}

/** Each part of the time is a column of the shares of its states: failures at the top, ok at the bottom. */
export function courseOf(parts: readonly Part[]) {
  const shapes: Record<LevelState, Rectangle[]> = { ok: [], failure: [], paused: [] }
  const [width, gap] = [1 / parts.length, parts.length > 60 ? 0 : 0.001]
  for (const [index, part] of parts.entries()) {
    let top = 0
    for (const [state, share] of sharesOf(part)) {
      if (share > 0) shapes[state].push([rounded(index * width), rounded(top), rounded(width - gap), rounded(share)])
      top += share
    }
  }
  return shapes
}

interface Bar {
  readonly label: string
  readonly average: number | null
}

/** Response times by hour and by day of the week, only for those that the report's range reaches, in order. */
export function chartsOf(
  { performance_by_hour: hours, performance_by_week_day: days }: ReportResult,
  worded: Worded,
  reached: ReachedHours,
) {
  const { label, weekDay } = worded
  const hoursShown = reached.hours.flatMap((wanted) => hours?.find(({ hour }) => hour === wanted) ?? [])
  const daysShown = reached.weekDays.flatMap((wanted) => days?.find(({ day_of_week: day }) => day === wanted) ?? [])
  const byHour = hours && hoursShown.map(({ hour, average }) => ({ label: String(hour), average }))
  const byDay = days && daysShown.map(({ day_of_week, average }) => ({ label: weekDay(day_of_week), average }))
  return [
    ...(byHour === undefined ? [] : [chartOf(label('byHour'), byHour, worded)]),
    ...(byDay === undefined ? [] : [chartOf(label('byWeekDay'), byDay, worded)]),
  ]
}

/** The widest bar as a part of the width, so that the single bar of one hour is no wall. */
const widestColumn = 1 / 7

/** Leaves room above the highest bar for its number. */
const highestBar = 0.88

function chartOf(title: string, bars: readonly Bar[], { number, label }: Worded): ChartView {
  const highest = Math.max(1, ...bars.map(({ average }) => average ?? 0))
  const [column, gap] = [Math.min(widestColumn, 1 / bars.length), bars.length > 12 ? 0.003 : 0.015]
  const placed = bars.map(({ label: name, average }, index) => ({
    label: name,
    value: average === null ? '' : number(Math.round(average)),
    x: rounded(index * column + gap / 2),
    width: rounded(column - gap),
    top: rounded(1 - ((average ?? 0) / highest) * highestBar),
  }))
  return {
    title,
    alt: `${title}: ${placed.map((bar) => `${bar.label}: ${bar.value === '' ? label('unknown') : bar.value}`).join(', ')}`,
    bars: placed,
    rectangles: placed
      .filter(({ top }) => top < 1)
      .map(({ x, width, top }): Rectangle => [x, top, width, rounded(1 - top)]),
  }
}
