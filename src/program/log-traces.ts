/** The trace of a log line, in its members `trace_id` and `span_id`. */
export type TraceIdsOf = (facts: object) => Readonly<Record<string, string>>

let idsOf: TraceIdsOf | null = null

/** One per process, like the tracing itself; null: lines have no traces. */
export function tellTraces(ids: TraceIdsOf | null): void {
  idsOf = ids
}

/** A new object each time, because the log adds to it. */
export function traceMembers(facts: object): Record<string, string> {
  return idsOf === null ? {} : { ...idsOf(facts) }
}
