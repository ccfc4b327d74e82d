import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Timers that no change of the wall clock disturbs; tests pass their own. */
export interface Timers {
  /** The identity of the clock: equal in all processes that read the same one. */
  readonly machine: string
  /** Milliseconds since some fixed moment, never stepping back. */
  monotonic(): number
  /** Runs once after the delay in milliseconds; the returned function cancels it. */
  after(delay: number, run: () => void): () => void
}

/** Identifies one start of one machine, also from within containers. Without a machine id every process has its own. */
function machineName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}

/** Node.js runs longer timers after one millisecond. */
const longestTimerMs = 2 ** 31 - 1

export const systemTimers: Timers = {
  machine: machineName(),
  monotonic: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  after(delay, run) {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number): void => {
      const nowMs = Math.min(leftMs, longestTimerMs)
      timer = setTimeout(() => (leftMs > nowMs ? wait(leftMs - nowMs) : run()), nowMs)
    }
    wait(Math.max(0, Math.ceil(delay)))
    return () => clearTimeout(timer)
  },
}
