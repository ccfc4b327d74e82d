import { Temporal } from 'temporal-polyfill'

/** A half-open range of time in which a zone keeps one offset from UTC. All in milliseconds. */
export interface OffsetSpan {
  readonly startAt: number
  readonly endAt: number
  readonly offset: number
}

/** A cache, because every service of a zone asks the same question. It holds no facts of its own. */
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
  // `getTimeZoneTransition` looks only before its moment, and the moment itself may be the first one of the span.
  const previous = here.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const next = here.getTimeZoneTransition('next')
  return {
    startAt: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endAt: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1_000_000,
  }
}
