import type { ThreadReading } from '../child-process/main-thread.ts'

/**
 * At most this much counts between two looks, because a watcher that was suspended or had no CPU knows nothing about
 * that time.
 */
const longestStepMs = 200
/** A shorter silence needs no explanation. */
const quietMs = 500

/**
 * The silence of a process that should report all the time. The CPU time that it burns, and the time that it sleeps,
 * count against it. Waiting for a CPU or a disk, or being stopped, does not count: ending a starved process would only
 * starve the next one. If the system does not report states, all time counts.
 */
export class Silence {
  readonly #read: () => ThreadReading | null
  #lookedAt: number
  #startedAt: number
  #before: ThreadReading | null = null
  #countedMs = 0
  #lastedMs = 0

  constructor(read: () => ThreadReading | null, now: number) {
    this.#read = read
    this.#lookedAt = now
    this.#startedAt = now
  }

  /** The process has reported. Moments are on a monotonic clock, in milliseconds. */
  end(now: number): void {
    this.#startedAt = now
    this.#before = null
    this.#countedMs = 0
    this.#lastedMs = 0
  }

  look(now: number): SilenceFacts {
    const stepMs = Math.min(now - Math.max(this.#lookedAt, this.#startedAt), longestStepMs)
    this.#lookedAt = now
    this.#lastedMs += stepMs
    const thread = this.#lastedMs < quietMs ? null : this.#read()
    this.#countedMs += countedMs(this.#before, thread, stepMs)
    this.#before = thread
    return { countedMs: this.#countedMs, lastedMs: this.#lastedMs, state: thread?.state ?? null }
  }
}

export interface SilenceFacts {
  readonly countedMs: number
  /** The whole silence without the stalls of its watcher. */
  readonly lastedMs: number
  /** Null before the first reading, and if the system does not report it. */
  readonly state: ThreadReading['state'] | null
}

function countedMs(before: ThreadReading | null, thread: ThreadReading | null, stepMs: number): number {
  if (thread === null || thread.state === 'asleep') return stepMs
  return Math.min(thread.cpuMs - (before?.cpuMs ?? thread.cpuMs), longestStepMs)
}
