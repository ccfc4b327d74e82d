import { performance } from 'node:perf_hooks'
import { keepRunDelay, type RunDelay } from '../child-process/run-delay.ts'

/** Tells when this process did not run, so that nothing is blamed on a target while nobody was looking (truth guard). */
export interface LoopWatch {
  /** The longest hold since this moment of `performance.now()`, in milliseconds: of one that began before it what came after. */
  heldMsSince(moment: number): number
  /**
   * Milliseconds that the process waited for a CPU since it began: many short waits, none of which is a hold, may fill half of a
   * second. Stands still where the system does not tell.
   */
  starvedMs(): number
  stop(): void
}

interface Hold {
  readonly endedAt: number
  readonly ms: number
}

const tickMs = 50
const rememberedMs = 120_000

/**
 * A timer that notes its own lateness. The histogram of `monitorEventLoopDelay` knows how long the loop was held but not when,
 * and a check needs to know whether it was held while that check waited.
 */
export function watchLoop(runDelay: RunDelay = keepRunDelay()): LoopWatch {
  let holds: Hold[] = []
  let tickedAt = performance.now()
  const tick = () => {
    const now = performance.now()
    const lateMs = now - tickedAt - tickMs
    tickedAt = now
    if (lateMs > tickMs)
      holds = [...holds.filter(({ endedAt }) => endedAt > now - rememberedMs), { endedAt: now, ms: lateMs }]
  }
  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    heldMsSince(moment) {
      const now = performance.now()
      // Timers run in the order they were due: a check's own timer may run before the tick has noted the hold.
      const underWay = { endedAt: now, ms: now - tickedAt - tickMs }
      return [...holds, underWay].reduce((most, { endedAt, ms }) => Math.max(most, Math.min(ms, endedAt - moment)), 0)
    },
    starvedMs: runDelay.read,
    stop: () => {
      clearInterval(timer)
      runDelay.close()
    },
  }
}
