import type { Clock } from '../../domain/clock.ts'
import { createBatch } from '../messages.ts'
import { Pending } from '../pending.ts'
import { unanswered } from '../probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from '../protocol.ts'
import { answerTo } from './answer.ts'
import { readResult, resultIdOf } from './wire-results.ts'

export interface GivenJobsOptions {
  readonly clock: Clock
  /** Tells the station that it may delete these results. */
  readonly acknowledge: (ids: readonly string[]) => void
  readonly log: (level: 'info' | 'warn', message: string) => void
}

/** Acknowledgements are batched for this long, because nobody waits for them. */
const acknowledgementsMs = 25
/** An expired job is forgotten this much later. */
const graceMs = 1000

/** The open jobs of one connection's station. Only answers to these jobs are accepted from it. */
export class GivenJobs {
  readonly #options: GivenJobsOptions
  readonly #checks = new Pending<CheckJob, CheckResult, string>(unanswered)
  readonly #diagnostics = new Pending<DiagnosticJob, DiagnosticResult, string>((_job, _symbol, message) => ({
    isOk: false,
    lines: [message],
  }))
  readonly #acknowledge: (id: string) => void
  #malformed = 0
  #unasked = 0

  constructor(options: GivenJobsOptions) {
    this.#options = options
    this.#acknowledge = createBatch(acknowledgementsMs, options.acknowledge)
  }

  /** The number of unanswered jobs. */
  get size(): number {
    return this.#checks.size + this.#diagnostics.size
  }

  check(id: string, job: CheckJob): Promise<CheckResult> {
    return this.#checks.wait(id, job)
  }

  diagnose(id: string, job: DiagnosticJob): Promise<DiagnosticResult> {
    return this.#diagnostics.wait(id, job)
  }

  /** Throws if the result names no job at all. */
  take(given: unknown): void {
    const result = readResult(given)
    const id = result?.id ?? resultIdOf(given)
    if (id === null) throw new Error('a result of no job')
    // Acknowledges it in any case, because a station repeats results until they are acknowledged.
    this.#acknowledge(id)
    const job = this.#checks.jobOf(id)
    if (job === undefined) this.#drop()
    else
      this.#checks.settle(
        id,
        result === null ? this.#unreadable(job) : answerTo(job, result, this.#options.clock.now()),
      )
  }

  takeDiagnosis(id: string, result: DiagnosticResult): void {
    this.#diagnostics.settle(id, result)
  }

  /** Drops jobs that expired a while ago. */
  sweep(): void {
    const before = this.#options.clock.now() - graceMs
    this.#checks.sweep(before)
    this.#diagnostics.sweep(before)
  }

  /** Answers the open jobs with the loss of the connection; returns the connection's summary. */
  loseAll() {
    const lost = this.#checks.loseAll('the connection to the sensor was lost during the check')
    this.#diagnostics.loseAll('the connection to the sensor was lost meanwhile')
    return { lost_checks: lost, unasked_results: this.#unasked, malformed_results: this.#malformed }
  }

  #unreadable(job: CheckJob): CheckResult {
    this.#malformed += 1
    if (this.#malformed === 1) this.#options.log('warn', 'A sensor sent a result that cannot be read.')
    return unanswered(job, 'sensor_fault', 'the answer of the sensor cannot be read')
  }

  /**
   * The result is late, a repeat, or not of its jobs. The round was judged without it, and history is not rewritten.
   */
  #drop(): void {
    this.#unasked += 1
    if (this.#unasked > 1) return
    this.#options.log('info', 'A sensor sent a result that nobody waits for; further ones are counted.')
  }
}
