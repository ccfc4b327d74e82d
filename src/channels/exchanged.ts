/** A request as people may see it: `***` stands for each secret. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Its beginning; null: it has none, or none that people can read. */
  readonly body: string | null
}

export interface ShownAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Its beginning. */
  readonly body: string
}

/** One attempt of a message, as it is kept. */
export interface Exchanged {
  readonly request: ShownRequest
  /** Null: none was seen. */
  readonly response: ShownAnswer | null
  /** From dialling to the end of the answer. */
  readonly durationMs: number
}
