import { nearestName } from './nearest-name.ts'

/** One entry of an error body, before it gets its code and its text (specification: Errors). */
export interface Problem {
  /** Symbol in the catalogue, for example `incorrect_value`. */
  readonly error: string
  /** Pointer to the faulty part: `query.limit`, `data.sensor_ids[2]`; absent for the whole request. */
  readonly field?: string
  /** Values for the placeholders of the user's text, for example `{ limit: 'maximum_services', value: 10 }`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>
  /** The expected value in words, if no text of the catalogue says it. */
  readonly expected?: Readonly<Record<'en' | 'pl', string>>
}

/** The most problems in one answer. Without it, a request of a megabyte could get an answer of a hundred. */
export const maximumProblems = 1000

type Facts = NonNullable<Problem['facts']>

/** A name in a request may be as long as the body. */
const longestShownName = 60

const mostAfterGuess = 10

/** The known names, for a sentence. Beside the one that was probably meant, a few tell of the kind. */
function namesBeside(nearest: string | null, known: readonly string[]): string {
  if (nearest === null) return known.join(', ')
  const others = known.filter((name) => name !== nearest)
  return others.length <= mostAfterGuess ? known.join(', ') : `${others.slice(0, mostAfterGuess).join(', ')} …`
}

/** The facts of an unknown field. */
export function unknownField(name: string, known: readonly string[]): Facts {
  const nearest = nearestName(name, known)
  return { name: name.slice(0, longestShownName), known: namesBeside(nearest, known), nearest }
}

/** The facts of an unknown query parameter. */
export function unknownParameter(name: string, known: readonly string[]): Facts {
  const nearest = nearestName(name, known)
  return { parameter: name.slice(0, longestShownName), parameters: namesBeside(nearest, known), nearest }
}
