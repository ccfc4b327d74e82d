import { dayLength as day } from '../../domain/calendars/durations.ts'
import { parseMoment, shownSecond } from '../../domain/calendars/time.ts'
import { type Problem, unknownParameter } from '../../domain/input/problem.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import type { Call, ParameterDescription } from '../../rest/call.ts'

export interface TimeRangeOptions {
  /** How far back `from` is by default. */
  readonly days: number
  /** Further parameters that the operation understands. */
  readonly others?: readonly string[]
}

/** The second that is passing is not over: it does not count yet, so the last minute has sixty. */
export function lastWholeSecond(nowAt: number): number {
  return shownSecond(nowAt) * 1000
}

/** Reads `from` and `to`, half-open; by default the last days until now. All faults of the query go to `problems`. */
export function readTimeRange(call: Call, problems: Problem[], { days, others = [] }: TimeRangeOptions): ChartRange {
  const before = problems.length
  const moment = (name: string, fallback: number) => {
    const written = call.query.get(name)
    const at = written === null ? fallback : parseMoment(written, call.nowAt)
    if (typeof at === 'number') return at
    problems.push({ error: at, field: `query.${name}`, facts: { expected: 'date-time', detail: 'moment' } })
    return fallback
  }
  const toAt = moment('to', lastWholeSecond(call.nowAt))
  const fromAt = moment('from', toAt - days * day)
  if (problems.length === before && fromAt > toAt) problems.push(startsAfterEnd)
  for (const name of call.query.keys()) {
    if (name !== 'from' && name !== 'to' && !others.includes(name))
      problems.push({
        error: 'incorrect_value',
        field: `query.${name}`,
        facts: unknownParameter(name, ['from', 'to', ...others]),
      })
  }
  return { fromAt, toAt }
}

const startsAfterEnd: Problem = {
  error: 'incorrect_value',
  field: 'query.from',
  facts: { detail: 'start_before_end' },
}

export const timeRangeParameters: readonly ParameterDescription[] = [
  { name: 'from', in: 'query', about: 'Start, inclusive.', schema: { type: 'string' }, example: '-86400' },
  { name: 'to', in: 'query', about: 'End, exclusive.', schema: { type: 'string' } },
]

/** The range clipped to the service's life, in whole seconds as the service level counts them. */
export function livedRange({ fromAt, toAt }: ChartRange, createdAt: number, nowAt: number): ChartRange {
  const whole = (at: number) => shownSecond(at) * 1000
  return { fromAt: whole(Math.max(fromAt, createdAt)), toAt: whole(Math.min(toAt, lastWholeSecond(nowAt))) }
}
