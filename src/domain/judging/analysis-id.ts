import { dayLength } from '../calendars/durations.ts'

/**
 * An analysis id is the Unix milliseconds of the decision × 100 plus a two-digit sequence: 15 digits until the year
 * 2286.
 */
export const idsPerMillisecond = 100
const digits = 15

/**
 * The first id of that millisecond. A range of ids is a range of time: `analysis_key >= analysisIdAt(from) and
 * analysis_key < analysisIdAt(to)`.
 */
export function analysisIdAt(ms: number): number {
  return Math.ceil(ms) * idsPerMillisecond
}

/** The moment of the decision, Unix milliseconds. */
export function analysisTimeOf(id: number): number {
  return Math.floor(id / idsPerMillisecond)
}

/** The UTC day of the decision, since 1970. */
export function analysisDayOf(id: number): number {
  return Math.floor(analysisTimeOf(id) / dayLength)
}

/** The id as the API shows it: a text of fixed length, so that texts sort like numbers. */
export function analysisIdText(id: number): string {
  return String(id).padStart(digits, '0')
}
