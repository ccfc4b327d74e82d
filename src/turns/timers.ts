import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Waiting that no step of the wall clock disturbs; tests hand in their own. */
export interface Timers {
  /** Whose clock it is: the same in all processes that read the same one. */
  readonly machine: string
  /** Milliseconds since some fixed moment, never stepping back. */
  monotonic(): number
  /** Runs once after the delay in milliseconds; the returned function takes it back. */
  after(delay: number, run: () => void): () => void
}

/** One start of one machine, also seen from containers. Where it has no name every process stands for itself. */
function machineName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}

/** Node.js runs what is set for longer after one millisecond. */
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
