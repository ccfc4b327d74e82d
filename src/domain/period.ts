import type { Problem } from './problem.ts'

/**
 * Does the period [startAt, endAt) last? A side that was refused before is undefined and no matter here.
 * Problems: incorrect_value at `pointer`, the end's.
 */
export function periodProblems(
  startAt: number | undefined,
  endAt: number | undefined,
  pointer: string,
): readonly Problem[] {
  if (startAt === undefined || endAt === undefined || startAt < endAt) return []
  return [{ error: 'incorrect_value', field: pointer, facts: { detail: 'end_after_start' } }]
}
