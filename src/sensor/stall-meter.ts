import type { Clock } from '../domain/clock.ts'
import type { LoopWatch } from './loop-watch.ts'

/** The time of a check during which the station did not run, in milliseconds. */
export interface StallTimes {
  /** The whole check. */
  readonly elapsedMs: number
  /** The longest single stall of the process. */
  readonly heldMs: number
  /** The total time that it waited for a CPU. */
  readonly starvedMs: number
}

/** Measures one try of a check. This process does not run all the time, and the target must not be blamed for that. */
export interface StallMeter {
  /**
   * By how much a check whose limit has expired is extended, in milliseconds. 0: it had its time, or no more is left.
   */
  moreMs(limitMs: number): number
  /** Over the whole time since the try began. */
  whole(): StallTimes
  /** Within the limit: the part that no extension made up for. */
  owed(): StallTimes
}

/** Shorter times are not made up for. */
const shortestMs = 50
/** Kept free before the deadline, because a late result is lost. */
const handOverMs = 250

/**
 * Begins to measure. When a check exceeds its limit, the time in which this process did not run is added. The addition
 * is at most the limit once more, and stays within the job's deadline. A stall usually is a wait for a CPU as well, so
 * the longer of the two counts, not their sum.
 */
export function startStallMeter(
  watch: Pick<LoopWatch, 'heldMsSince' | 'starvedMs'>,
  clock: Clock,
  deadlineAt: number,
): StallMeter {
  const begin = { at: performance.now(), starvedMs: watch.starvedMs() }
  let last = begin
  let grantedMs = 0
  /** The part of the time before `last` that could not be made up for. */
  let short = { heldMs: 0, starvedMs: 0 }
  const owed = (): StallTimes => ({
    elapsedMs: performance.now() - begin.at - grantedMs,
    heldMs: Math.max(watch.heldMsSince(last.at), short.heldMs),
    starvedMs: watch.starvedMs() - last.starvedMs + short.starvedMs,
  })
  return {
    moreMs(limitMs) {
      const { heldMs, starvedMs } = owed()
      const missedMs = Math.max(heldMs, starvedMs)
      const moreMs = Math.min(missedMs, limitMs - grantedMs, deadlineAt - handOverMs - clock.now())
      if (missedMs < shortestMs || moreMs <= 0) return 0
      short = { heldMs: Math.max(0, heldMs - moreMs), starvedMs: Math.max(0, starvedMs - moreMs) }
      last = { at: performance.now(), starvedMs: watch.starvedMs() }
      grantedMs += moreMs
      return moreMs
    },
    whole: () => ({
      elapsedMs: performance.now() - begin.at,
      heldMs: watch.heldMsSince(begin.at),
      starvedMs: watch.starvedMs() - begin.starvedMs,
    }),
    owed,
  }
}
