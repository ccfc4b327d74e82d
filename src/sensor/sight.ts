import type { Clock } from '../domain/clock.ts'
import type { LoopWatch } from './loop-watch.ts'

/** What a station could not see of a check, in milliseconds. */
export interface Blindness {
  /** The whole check. */
  readonly elapsedMs: number
  /** The longest that the process did not run at a stretch meanwhile. */
  readonly heldMs: number
  /** All that it waited for a CPU meanwhile. */
  readonly starvedMs: number
}

/** What one try of a check could see: this process does not run all the time, and its target must not answer for that. */
export interface Sight {
  /** By how much a check whose limit is over is put off, in milliseconds; 0: it had its time, or there is no more. */
  moreMs(limitMs: number): number
  /** Of all that passed since the try began. */
  whole(): Blindness
  /** Of the limit: what was not given back. */
  owed(): Blindness
}

/** Less than this is not given back. */
const shortestMs = 50
/** Kept free before the deadline: a result that is handed over too late is none. */
const handOverMs = 250

/**
 * Begins to look. Time in which this process did not run is given back to a check that runs out of its limit: as much as the limit once
 * more, and within the job's deadline. A hold is as a rule a wait for a CPU as well, so the longer of the two counts, not their sum.
 */
export function openSight(
  watch: Pick<LoopWatch, 'heldMsSince' | 'starvedMs'>,
  clock: Clock,
  deadlineAt: number,
): Sight {
  const begin = { at: performance.now(), starvedMs: watch.starvedMs() }
  let last = begin
  let grantedMs = 0
  /** Of what was missed before `last` and could not be given back for want of time. */
  let short = { heldMs: 0, starvedMs: 0 }
  const owed = (): Blindness => ({
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
