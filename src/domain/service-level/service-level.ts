/** How long a service worked, failed and was paused (specification: Service Level result; answers §9). */

import { shownSecond } from '../calendars/time.ts'
import type { State } from '../judging/status-change.ts'

/** A period of the history; the open one has no end. Moments in Unix milliseconds. */
export interface LevelChange {
  readonly status: State
  readonly startedAt: number
  readonly endedAt: number | null
}

/** An agreed truth over [startAt, endAt). Where several overlap, the one with the highest id wins. */
export interface LevelCorrection {
  readonly id: number
  readonly status: State
  readonly startAt: number
  readonly endAt: number
}

/** Whole seconds. */
export interface ServiceLevel {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

/** The facts of a service level. Moments in Unix milliseconds. */
export interface ServiceLevelFacts {
  /** Ordered by start; neighbours touch. */
  readonly changes: readonly LevelChange[]
  readonly corrections: readonly LevelCorrection[]
  readonly createdAt: number
  /** The range [fromAt, toAt), clipped to the service's creation and to now. */
  readonly fromAt: number
  readonly toAt: number
  readonly now: number
}

/** A range of whole Unix seconds [from, to) in one state. */
export interface StateSpan {
  readonly from: number
  readonly to: number
  readonly status: State
}

/**
 * Seconds in each state over the range. Every period and correction covers the whole seconds from its displayed start
 * to its displayed end. So a period's level between those two equals its duration, and splitting a range at whole
 * seconds splits the sum. Time before the first verdict, and time without a period, counts as paused.
 */
export function serviceLevel(facts: ServiceLevelFacts): ServiceLevel {
  const range = {
    from: shownSecond(Math.max(facts.fromAt, facts.createdAt)),
    to: shownSecond(Math.min(facts.toAt, facts.now)),
  }
  const level = { ok: 0, failure: 0, paused: 0 }
  if (range.to <= range.from) return level
  const { covered, gaps } = layCorrections(facts.corrections, range.from, range.to)
  for (const span of covered) level[span.status] += span.to - span.from
  for (const gap of gaps) addHistory(level, facts.changes, gap)
  return level
}

/** The effective corrections, and the gaps that they leave for the history, in order. */
function layCorrections(corrections: readonly LevelCorrection[], from: number, to: number) {
  const covered: StateSpan[] = []
  let gaps: readonly Omit<StateSpan, 'status'>[] = [{ from, to }]
  for (const correction of corrections.toSorted((one, other) => other.id - one.id)) {
    const [start, end] = [shownSecond(correction.startAt), shownSecond(correction.endAt)]
    if (end <= start) continue
    gaps = gaps.flatMap((gap) => {
      const [left, right] = [Math.max(start, gap.from), Math.min(end, gap.to)]
      if (right <= left) return [gap]
      covered.push({ from: left, to: right, status: correction.status })
      return [
        { from: gap.from, to: left },
        { from: right, to: gap.to },
      ].filter((rest) => rest.to > rest.from)
    })
  }
  return { covered, gaps }
}

/**
 * The states in order, with corrections applied. The spans touch, differ from their neighbours and fill the clipped
 * range. Their lengths add up to the service level.
 */
export function statesOver(facts: ServiceLevelFacts): readonly StateSpan[] {
  const from = shownSecond(Math.max(facts.fromAt, facts.createdAt))
  const to = shownSecond(Math.min(facts.toAt, facts.now))
  if (to <= from) return []
  const { covered, gaps } = layCorrections(facts.corrections, from, to)
  const spans = [...covered, ...gaps.flatMap((gap) => historyIn(facts.changes, gap))]
  const joined: StateSpan[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last?.status === span.status) joined[joined.length - 1] = { ...last, to: span.to }
    else joined.push(span)
  }
  return joined
}

/** The history within the gap, with pauses where there is none. */
function historyIn(changes: readonly LevelChange[], gap: Omit<StateSpan, 'status'>): StateSpan[] {
  const spans: StateSpan[] = []
  let known = gap.from
  const reach = (to: number) => {
    if (to > known) spans.push({ from: known, to, status: 'paused' })
    known = Math.max(known, to)
  }
  for (let index = firstReaching(changes, gap.from); index < changes.length; index++) {
    const change = changes[index]
    if (change === undefined || shownSecond(change.startedAt) >= gap.to) break
    reach(shownSecond(change.startedAt))
    const to = change.endedAt === null ? gap.to : Math.min(shownSecond(change.endedAt), gap.to)
    if (to <= known) continue
    spans.push({ from: known, to, status: change.status })
    known = to
  }
  reach(gap.to)
  return spans
}

function addHistory(
  level: Record<State, number>,
  changes: readonly LevelChange[],
  gap: Omit<StateSpan, 'status'>,
): void {
  let known = 0
  for (let index = firstReaching(changes, gap.from); index < changes.length; index++) {
    const change = changes[index]
    if (change === undefined || shownSecond(change.startedAt) >= gap.to) break
    const end = change.endedAt === null ? gap.to : Math.min(shownSecond(change.endedAt), gap.to)
    const seconds = Math.max(0, end - Math.max(shownSecond(change.startedAt), gap.from))
    level[change.status] += seconds
    known += seconds
  }
  level.paused += gap.to - gap.from - known
}

/** The index of the first period that ends after the second. */
function firstReaching(changes: readonly LevelChange[], second: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const endedAt = changes[middle]?.endedAt ?? null
    if (endedAt !== null && shownSecond(endedAt) <= second) low = middle + 1
    else high = middle
  }
  return low
}
