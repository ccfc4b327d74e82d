import type { ErrorTypeSymbol } from '../domain/error-types.ts'

interface Waiting<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
}

/** Jobs that were handed out and wait for their results, by number. */
export class Pending<Job extends { readonly deadlineAt: number }, Result> {
  readonly #waiting = new Map<number, Waiting<Job, Result>>()
  readonly #unanswered: (job: Job, symbol: ErrorTypeSymbol, message: string) => Result

  /** `unanswered` is what a job gets that nobody answers. */
  constructor(unanswered: (job: Job, symbol: ErrorTypeSymbol, message: string) => Result) {
    this.#unanswered = unanswered
  }

  wait(number: number, job: Job): Promise<Result> {
    return new Promise((resolve) => this.#waiting.set(number, { job, resolve }))
  }

  /** A result that nobody waits for any more is dropped. */
  settle(number: number, result: Result): void {
    this.#waiting.get(number)?.resolve(result)
    this.#waiting.delete(number)
  }

  /** Returns how many were lost. */
  loseAll(message: string): number {
    const lost = [...this.#waiting]
    for (const [number, { job }] of lost) this.settle(number, this.#unanswered(job, 'sensor_lost', message))
    return lost.length
  }

  /** Gives up what was due before the moment. */
  sweep(beforeAt: number): void {
    for (const [number, { job }] of this.#waiting) {
      if (job.deadlineAt > beforeAt) continue
      this.settle(number, this.#unanswered(job, 'sensor_late', 'no answer before the deadline'))
    }
  }
}
