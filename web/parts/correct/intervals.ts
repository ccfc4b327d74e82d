import type { Correction, StatusChange } from '../../api/answers.ts'
import type { HistoryFacts } from './history-facts.ts'

/** Seconds in each state. */
export interface ServiceLevel {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

/** A stretch that counts as one state for one reason. Unix milliseconds, whole seconds. */
export interface Interval {
  readonly from: number
  readonly to: number
  readonly status: keyof ServiceLevel
  /** Null: nothing was checked yet. */
  readonly change: StatusChange | null
  /** Why it counts otherwise than it was judged. */
  readonly correction: Correction | null
}

/** The parts of a correction that count. */
export type Counted = Pick<Correction, 'id' | 'start_time' | 'end_time'>

function winner<Row extends Counted>(corrections: readonly Row[], from: number): Row | null {
  let best: Row | null = null
  for (const row of corrections)
    if (Date.parse(row.start_time) <= from && Date.parse(row.end_time) > from && row.id > (best?.id ?? 0)) best = row
  return best
}

/** The range without gaps, in order. Where corrections overlap, the one with the highest id counts, as in the API. */
export function intervalsOf({ changes, corrections }: HistoryFacts, from: number, to: number): readonly Interval[] {
  const cuts = new Set([from])
  for (const { start_time, end_time } of [...changes, ...corrections])
    for (const at of [Date.parse(start_time), end_time === null ? to : Date.parse(end_time)])
      if (at > from && at < to) cuts.add(at)
  const starts = [...cuts].toSorted((one, other) => one - other)
  const intervals: Interval[] = []
  let next = 0
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    if (end <= start) continue
    while (next < changes.length && endOf(changes[next], to) <= start) next += 1
    const found = changes[next]
    const change = found !== undefined && Date.parse(found.start_time) <= start ? found : null
    const correction = winner(corrections, start)
    const last = intervals.at(-1)
    if (last?.change === change && last.correction === correction)
      intervals[intervals.length - 1] = { ...last, to: end }
    else
      intervals.push({
        from: start,
        to: end,
        status: correction?.status ?? change?.status ?? 'paused',
        change,
        correction,
      })
  }
  return intervals
}

function endOf(change: StatusChange | undefined, open: number): number {
  return change?.end_time == null ? open : Date.parse(change.end_time)
}

export function levelOf(intervals: readonly Interval[]): ServiceLevel {
  const level = { ok: 0, failure: 0, paused: 0 }
  for (const { status, from, to } of intervals) level[status] += (to - from) / 1000
  return level
}

/** The share of known seconds that were good; null: nothing is known. */
export function shareOf({ ok, failure }: ServiceLevel): number | null {
  return ok + failure === 0 ? null : ok / (ok + failure)
}
