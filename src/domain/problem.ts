/** One entry of an error body, before it gets its code and its text (specification: Errors). */
export interface Problem {
  /** Symbol of the catalogue, for example `incorrect_value`. */
  readonly error: string
  /** Pointer to the faulty part: `query.limit`, `data.sensor_ids[2]`; absent for the whole request. */
  readonly field?: string
  /** Values for the placeholders of the user's text, for example `{ limit: 'maximum_services', value: 10 }`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>
}
