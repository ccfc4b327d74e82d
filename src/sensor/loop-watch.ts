import { performance } from 'node:perf_hooks'
import { readRunDelay } from '../child-process/run-delay.ts'

/** Tells when this process did not run, so that nothing is blamed on a target while nobody was looking (truth guard). */
export interface LoopWatch {
  /** The longest hold in milliseconds that reaches past this moment of `performance.now()`. */
  heldMsSince(moment: number): number
  /**
   * Milliseconds since this moment in which the process waited for a CPU, taken together: many short waits, none of which is a hold,
   * may fill half of a second. 0 where the system does not tell.
   */
  starvedMsSince(moment: number): number
  stop(): void
}

interface Hold {
  readonly endedAt: number
  readonly ms: number
}

/** What the process had waited for a CPU since it began, at a moment. */
interface Sample {
  readonly at: number
  readonly delayMs: number
}

const tickMs = 50
const rememberedMs = 120_000
const mostSamples = rememberedMs / tickMs

/**
 * A timer that notes its own lateness. The histogram of `monitorEventLoopDelay` knows how long the loop was held but not when,
 * and a check needs to know whether it was held while that check waited. What the system knows of the process's waits for a CPU is
 * noted with each tick.
 */
export function watchLoop(readDelay: () => number | null = () => readRunDelay('self')): LoopWatch {
  let holds: Hold[] = []
  let samples: Sample[] = []
  let tickedAt = performance.now()
  const tick = () => {
    const now = performance.now()
    const lateMs = now - tickedAt - tickMs
    tickedAt = now
    if (lateMs > tickMs)
      holds = [...holds.filter(({ endedAt }) => endedAt > now - rememberedMs), { endedAt: now, ms: lateMs }]
    const delayMs = readDelay()
    if (delayMs === null) return
    samples.push({ at: now, delayMs })
    if (samples.length > 2 * mostSamples) samples = samples.slice(-mostSamples)
  }
  tick()
  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    heldMsSince(moment) {
      // Timers run in the order they were due: a check's own timer may run before the tick has noted the hold.
      const underWay = performance.now() - tickedAt - tickMs
      return holds.reduce((longest, { endedAt, ms }) => (endedAt > moment ? Math.max(longest, ms) : longest), underWay)
    },
    starvedMsSince(moment) {
      const before = samples.findLast(({ at }) => at <= moment) ?? samples[0]
      const delayMs = readDelay() ?? samples.at(-1)?.delayMs
      return before === undefined || delayMs === undefined ? 0 : delayMs - before.delayMs
    },
    stop: () => clearInterval(timer),
  }
}
