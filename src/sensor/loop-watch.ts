import { performance } from 'node:perf_hooks'

/** Tells when this process did not run, so that nothing is blamed on a target while nobody was looking (truth guard). */
export interface LoopWatch {
  /** The longest hold in milliseconds that reaches past this moment of `performance.now()`. */
  heldMsSince(moment: number): number
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
export function watchLoop(): LoopWatch {
  let holds: Hold[] = []
  let tickedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const lateMs = now - tickedAt - tickMs
    tickedAt = now
    if (lateMs > tickMs)
      holds = [...holds.filter(({ endedAt }) => endedAt > now - rememberedMs), { endedAt: now, ms: lateMs }]
  }, tickMs)
  timer.unref()
  return {
    heldMsSince(moment) {
      // Timers run in the order they were due: a check's own timer may run before the tick has noted the hold.
      const underWay = performance.now() - tickedAt - tickMs
      return holds.reduce((longest, { endedAt, ms }) => (endedAt > moment ? Math.max(longest, ms) : longest), underWay)
    },
    stop: () => clearInterval(timer),
  }
}
