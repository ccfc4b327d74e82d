import { shownSecond } from '../calendars/time.ts'
import type { ChartRange } from '../service-level/chart.ts'
import type { ServiceLevel, StateSpan } from '../service-level/service-level.ts'

/** The service level in a report: sums, failures and their course over time (answers §11). */

/** A failure from its start to its end, both cut at the report's. Unix seconds; `seconds` are those that count. */
export interface CountedFailure {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

/** The level over the whole range of a report, and in each part. Seconds. */
export interface ReportLevel extends ServiceLevel {
  readonly failuresCount: number
  /** Seconds. */
  readonly longestFailure: number
  /** For one service; in order of time. */
  readonly failures: readonly CountedFailure[]
  /** For one service: its state after the last second that counts; null if none counts. */
  readonly lastStatus: StateSpan['status'] | null
  /** Seconds in each state in each part of the report. */
  readonly parts: readonly ServiceLevel[]
}

interface Slice extends StateSpan {
  readonly span: StateSpan
}

/** The parts of the spans that lie in the ranges. Both are in order. */
function sliced(spans: readonly StateSpan[], ranges: readonly ChartRange[]): Slice[] {
  const slices: Slice[] = []
  let index = 0
  for (const { fromAt, toAt } of ranges) {
    const [start, end] = [shownSecond(fromAt), shownSecond(toAt)]
    while (index > 0 && (spans[index]?.from ?? Number.POSITIVE_INFINITY) > start) index--
    for (; index < spans.length; index++) {
      const span = spans[index]
      if (span === undefined || span.from >= end) break
      const [from, to] = [Math.max(span.from, start), Math.min(span.to, end)]
      if (from < to) slices.push({ from, to, status: span.status, span })
    }
  }
  return slices
}

function levelOf(slices: readonly Slice[]): ServiceLevel {
  const level = { ok: 0, failure: 0, paused: 0 }
  for (const { status, from, to } of slices) level[status] += to - from
  return level
}

function failuresIn(slices: readonly Slice[]): CountedFailure[] {
  const failures = new Map<StateSpan, CountedFailure>()
  for (const { status, from, to, span } of slices) {
    if (status !== 'failure') continue
    const seconds = (failures.get(span)?.seconds ?? 0) + to - from
    failures.set(span, { from: span.from, to: span.to, seconds })
  }
  return [...failures.values()]
}

/**
 * @param spans of one service (`statesOver`)
 * @param ranges that count, in order (`countedRanges`)
 * @param parts of the report, in order, touching
 */
export function reportLevel(
  spans: readonly StateSpan[],
  ranges: readonly ChartRange[],
  parts: readonly ChartRange[],
): ReportLevel {
  const slices = sliced(spans, ranges)
  const failures = failuresIn(slices)
  const counted = slices.map(({ from, to }) => ({ fromAt: from * 1000, toAt: to * 1000 }))
  return {
    ...levelOf(slices),
    failures,
    lastStatus: slices.at(-1)?.status ?? null,
    failuresCount: failures.length,
    longestFailure: Math.max(0, ...failures.map(({ seconds }) => seconds)),
    parts: parts.map((part) => levelOf(sliced(spans, clipped(counted, part)))),
  }
}

function clipped(ranges: readonly ChartRange[], { fromAt, toAt }: ChartRange): ChartRange[] {
  return ranges.flatMap((range) => {
    const common = { fromAt: Math.max(range.fromAt, fromAt), toAt: Math.min(range.toAt, toAt) }
    return common.fromAt < common.toAt ? [common] : []
  })
}

const nothing: ServiceLevel = { ok: 0, failure: 0, paused: 0 }

function sum(one: ServiceLevel, other: ServiceLevel): ServiceLevel {
  return { ok: one.ok + other.ok, failure: one.failure + other.failure, paused: one.paused + other.paused }
}

/** Several services together: times and counts add up, and the longest failure is the longest of any. */
export function levelsTogether(levels: readonly ReportLevel[]): ReportLevel {
  const [first] = levels
  return {
    ...levels.reduce(sum, nothing),
    failuresCount: levels.reduce((total, { failuresCount }) => total + failuresCount, 0),
    longestFailure: levels.reduce((longest, one) => Math.max(longest, one.longestFailure), 0),
    failures: [],
    lastStatus: null,
    parts: (first?.parts ?? []).map((_, index) =>
      levels.reduce((total, { parts }) => sum(total, parts[index] ?? nothing), nothing),
    ),
  }
}

/**
 * The share of time spent ok, in percent of ok and failure together; null if both are zero. Three decimals, rounded
 * down, so only a service that never failed has 100.
 */
export function availabilityPercent({ ok, failure }: ServiceLevel): number | null {
  if (ok + failure === 0) return null
  return Math.floor((100_000 * ok) / (ok + failure)) / 1000
}
