import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'

interface Waiting<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
}

/** Jobs that were handed out and wait for their results, by number or name. */
export class Pending<Job extends { readonly deadlineAt: number }, Result, Key extends number | string = number> {
  readonly #waiting = new Map<Key, Waiting<Job, Result>>()
  readonly #unanswered: (job: Job, symbol: ErrorTypeSymbol, message: string) => Result

  /** `unanswered` makes the result of a job that nobody answers. */
  constructor(unanswered: (job: Job, symbol: ErrorTypeSymbol, message: string) => Result) {
    this.#unanswered = unanswered
  }

  wait(key: Key, job: Job): Promise<Result> {
    return new Promise((resolve) => this.#waiting.set(key, { job, resolve }))
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Undefined if nobody waits for its result. */
  jobOf(key: Key): Job | undefined {
    return this.#waiting.get(key)?.job
  }

  /** Drops a result that nobody waits for any more. */
  settle(key: Key, result: Result): void {
    this.#waiting.get(key)?.resolve(result)
    this.#waiting.delete(key)
  }

  /** Returns how many were lost. */
  loseAll(message: string): number {
    return this.lose(() => true, message)
  }

  /** Marks some jobs as lost; returns how many. */
  lose(isLost: (job: Job) => boolean, message: string): number {
    const lost = [...this.#waiting].filter(([, { job }]) => isLost(job))
    for (const [key, { job }] of lost) this.settle(key, this.#unanswered(job, 'sensor_lost', message))
    return lost.length
  }

  /** Gives the result `sensor_late` to jobs whose deadline was at the moment or before. */
  sweep(beforeAt: number): void {
    for (const [key, { job }] of this.#waiting) {
      if (job.deadlineAt > beforeAt) continue
      this.settle(key, this.#unanswered(job, 'sensor_late', 'no answer before the deadline'))
    }
  }
}
