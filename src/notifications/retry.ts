import { dayLength } from '../domain/calendars/durations.ts'

/** Milliseconds. */
const firstPause = 10_000
const longestPause = 15 * 60_000
/** How long delivery is tried (answers §10). */
export const patience = dayLength

export interface FailedAttempts {
  /** Attempts made so far, at least one. */
  readonly attempts: number
  readonly createdAt: number
  readonly now: number
  /** From 0 to 1: spreads what failed together. */
  readonly chance: number
  /** Milliseconds that the gateway asked for. */
  readonly retryAfter: number
}

/**
 * The moment of the next retry. Pauses double up to a quarter of an hour, and are never shorter than the gateway asked
 * for. Null after 24 hours (answers §10).
 */
export function nextAttempt({ attempts, createdAt, now, chance, retryAfter }: FailedAttempts): number | null {
  if (now - createdAt >= patience) return null
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20))
  return Math.round(now + Math.max(pause * (0.8 + 0.4 * chance), retryAfter * (1 + 0.2 * chance)))
}
