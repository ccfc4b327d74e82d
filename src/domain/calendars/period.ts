import type { Problem } from '../input/problem.ts'

/**
 * Checks that the period [startAt, endAt) is not empty. An undefined side was refused before and is ignored here.
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
