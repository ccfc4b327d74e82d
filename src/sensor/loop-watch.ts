import { performance } from 'node:perf_hooks'
import { keepRunDelay, type RunDelay } from '../child-process/run-delay.ts'

/** Reports when this process did not run, so that no target is blamed for our own pause (truth guard). */
export interface LoopWatch {
  /**
   * The longest stall since this moment of `performance.now()`, in milliseconds. If a stall began earlier, only its
   * later part counts.
   */
  heldMsSince(moment: number): number
  /**
   * Milliseconds that the process has waited for a CPU since it began. Many short waits, none of which is a stall, may
   * add up to half of a second. Constant if the system does not report it.
   */
  starvedMs(): number
  /** Watches until the returned function is called; stalls that ended before the first check began are not known. */
  begin(): () => void
  stop(): void
}

interface Hold {
  readonly endedAt: number
  readonly ms: number
}

const tickMs = 50
const rememberedMs = 120_000

/**
 * A timer that records its own lateness. The histogram of `monitorEventLoopDelay` knows how long the loop was stalled
 * but not when. A check needs to know whether that happened while it waited. The timer runs only during checks, so an
 * idle station sleeps.
 */
export function watchLoop(runDelay: RunDelay = keepRunDelay()): LoopWatch {
  let holds: Hold[] = []
  let watchers = 0
  let timer: NodeJS.Timeout | undefined
  let tickedAt = performance.now()
  const tick = () => {
    const now = performance.now()
    const lateMs = now - tickedAt - tickMs
    tickedAt = now
    if (lateMs > tickMs)
      holds = [...holds.filter(({ endedAt }) => endedAt > now - rememberedMs), { endedAt: now, ms: lateMs }]
  }
  const pause = () => {
    tick()
    clearInterval(timer)
    timer = undefined
  }
  return {
    heldMsSince(moment) {
      const now = performance.now()
      // Timers run in due order, so a check's timer may run before the tick has recorded the stall.
      const underWay = { endedAt: now, ms: timer === undefined ? 0 : now - tickedAt - tickMs }
      return [...holds, underWay].reduce((most, { endedAt, ms }) => Math.max(most, Math.min(ms, endedAt - moment)), 0)
    },
    starvedMs: runDelay.read,
    begin() {
      watchers += 1
      if (timer === undefined) {
        tickedAt = performance.now()
        timer = setInterval(tick, tickMs).unref()
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        watchers -= 1
        if (watchers === 0) pause()
      }
    },
    stop: () => {
      clearInterval(timer)
      runDelay.close()
    },
  }
}
