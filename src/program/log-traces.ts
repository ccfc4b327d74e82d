/** The trace that a line of the log belongs to, as its members `trace_id` and `span_id`. */
export type TraceIdsOf = (facts: object) => Readonly<Record<string, string>>

let idsOf: TraceIdsOf | null = null

/** One for the process, like the tracing itself; null: lines tell of no traces. */
export function tellTraces(ids: TraceIdsOf | null): void {
  idsOf = ids
}

/** A new object each time: the log fills it. */
export function traceMembers(facts: object): Record<string, string> {
  return idsOf === null ? {} : { ...idsOf(facts) }
}
