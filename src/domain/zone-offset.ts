import { Temporal } from 'temporal-polyfill'

/** A stretch of time, half-open, in which a zone's clocks keep one distance from UTC. All in milliseconds. */
export interface OffsetSpan {
  readonly startAt: number
  readonly endAt: number
  readonly offset: number
}

/** What was computed before: the same question comes for every service of a zone. Only a memory, never a fact. */
const known = new Map<string, OffsetSpan[]>()
const mostSpans = 64

/** The span that holds the moment (Unix milliseconds). @param zone an IANA name */
export function offsetSpan(zone: string, at: number): OffsetSpan {
  const spans = known.get(zone) ?? []
  const found = spans.find(({ startAt, endAt }) => startAt <= at && at < endAt)
  if (found !== undefined) return found
  const span = spanAt(zone, at)
  known.set(zone, [span, ...spans.slice(0, mostSpans - 1)])
  return span
}

function spanAt(zone: string, at: number): OffsetSpan {
  const here = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone)
  // The previous one is sought strictly before, and a span holds its own first moment.
  const previous = here.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const next = here.getTimeZoneTransition('next')
  return {
    startAt: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endAt: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1_000_000,
  }
}
