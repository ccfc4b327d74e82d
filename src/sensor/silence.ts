import type { ThreadReading } from '../child-process/main-thread.ts'

/** Between two looks at most so much counts, as whoever was held (suspended, without CPU) knows nothing of the time between. */
const longestStepMs = 200
/** A process that is quiet for less has nothing to explain. */
const quietMs = 500

/**
 * The silence of a process that should speak all the time. What counts against it is the CPU that it burns without speaking, and the
 * time that it sleeps; not the time in which it waits for a CPU or a disk or is stopped, for which it is not to blame: ending a starved
 * process would only starve the next one. Where the system does not tell, all time counts.
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

  /** The process has spoken. Moments are of a clock that nobody sets, in milliseconds. */
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
  /** All of it, but for what its watcher was held. */
  readonly lastedMs: number
  /** Null while nobody asked, and where the system does not tell. */
  readonly state: ThreadReading['state'] | null
}

function countedMs(before: ThreadReading | null, thread: ThreadReading | null, stepMs: number): number {
  if (thread === null || thread.state === 'asleep') return stepMs
  return Math.min(thread.cpuMs - (before?.cpuMs ?? thread.cpuMs), longestStepMs)
}
