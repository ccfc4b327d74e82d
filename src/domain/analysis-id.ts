import { dayLength } from './durations.ts'

/** An analysis id is the Unix milliseconds of the decision × 100 + a sequence of two digits: 15 digits until the year 2286. */
export const idsPerMillisecond = 100
const digits = 15

/** The first id of that millisecond: `analysis_key >= analysisIdAt(from) and analysis_key < analysisIdAt(to)` is a time range. */
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

/** The id as the interface shows it: texts of one length, so that they sort as the numbers do. */
export function analysisIdText(id: number): string {
  return String(id).padStart(digits, '0')
}
