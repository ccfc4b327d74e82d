import { gridPhase, latenessTolerance, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'

/** A round as the history has it: without its due moment. */
export interface StartedRound {
  readonly serviceId: number
  /** Null: the service is gone. */
  readonly intervalSeconds: number | null
  /** The beginning of the last check, Unix milliseconds; null: nothing was checked. */
  readonly startedAt: number | null
}

/** A round farther behind its grid was due for another reason: a request, or the end of a delay. Milliseconds. */
const mostLate = 10_000

/** Milliseconds from the grid point before it; null for a round that stands on no grid. */
export function latenessOf({ serviceId, intervalSeconds, startedAt }: StartedRound): number | null {
  if (intervalSeconds === null || startedAt === null) return null
  // During a failure the grid is that of the shorter interval.
  const steps = [intervalSeconds, Math.min(intervalSeconds, spedUpIntervalSeconds)]
  const late = Math.min(...steps.map((seconds) => behindGrid(serviceId, seconds, startedAt)))
  return late > Math.min(mostLate, intervalSeconds * 500) ? null : late
}

/** A check may begin a moment early. */
function behindGrid(serviceId: number, seconds: number, at: number): number {
  const step = seconds * 1000
  const behind = (Math.floor(at) - gridPhase(serviceId, seconds) + step) % step
  return behind > step - Math.min(latenessTolerance, step / 2) ? 0 : behind
}
