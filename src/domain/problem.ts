/** One entry of an error body, before it gets its code and its text (specification: Errors). */
export interface Problem {
  /** Symbol of the catalogue, for example `incorrect_value`. */
  readonly error: string
  /** Pointer to the faulty part: `query.limit`, `data.sensor_ids[2]`; absent for the whole request. */
  readonly field?: string
  /** Values for the placeholders of the user's text, for example `{ limit: 'maximum_services', value: 10 }`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>
  /** What is expected instead, for the user, where no text of the catalogue says it. */
  readonly expected?: Readonly<Record<'en' | 'pl', string>>
}

/** Problems that are told at once; what a request of a megabyte can have wrong would be an answer of a hundred. */
export const maximumProblems = 1000

type Facts = NonNullable<Problem['facts']>

/** A name may be as long as a body. */
const longestShownName = 60

/** Facts of a field that is none of those that there are. */
export function unknownField(name: string, known: readonly string[]): Facts {
  return { name: name.slice(0, longestShownName), known: known.join(', ') }
}

/** Facts of a query parameter that is none of those that there are. */
export function unknownParameter(name: string, known: readonly string[]): Facts {
  return { parameter: name.slice(0, longestShownName), parameters: known.join(', ') }
}
