/** A request in the form for people: `***` replaces each secret. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body; null: there is none, or none that people can read. */
  readonly body: string | null
}

export interface ShownAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body. */
  readonly body: string
}

/** The stored record of one delivery attempt. */
export interface Exchanged {
  readonly request: ShownRequest
  /** Null: no answer was received. */
  readonly response: ShownAnswer | null
  /** From dialling to the end of the answer. */
  readonly durationMs: number
}
