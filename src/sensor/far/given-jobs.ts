import type { Clock } from '../../domain/clock.ts'
import { createBatch } from '../messages.ts'
import { Pending } from '../pending.ts'
import { unanswered } from '../probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from '../protocol.ts'
import { answerTo } from './answer.ts'
import { readResult, resultIdOf } from './wire-results.ts'

export interface GivenJobsOptions {
  readonly clock: Clock
  /** Tells the station that it need not keep these results any more. */
  readonly acknowledge: (ids: readonly string[]) => void
  readonly log: (level: 'info' | 'warn', message: string) => void
}

/** Nobody waits for an acknowledgement. */
const acknowledgementsMs = 25
/** A job that nobody waits for any more is forgotten this much later. */
const graceMs = 1000

/** What one connection's station was given and has to answer. Of whatever it says nothing counts but how its own jobs went. */
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

  /** How many are not answered. */
  get size(): number {
    return this.#checks.size + this.#diagnostics.size
  }

  check(id: string, job: CheckJob): Promise<CheckResult> {
    return this.#checks.wait(id, job)
  }

  diagnose(id: string, job: DiagnosticJob): Promise<DiagnosticResult> {
    return this.#diagnostics.wait(id, job)
  }

  /** Throws for what names no job at all. */
  take(given: unknown): void {
    const result = readResult(given)
    const id = result?.id ?? resultIdOf(given)
    if (id === null) throw new Error('a result of no job')
    // Whatever becomes of it: a station keeps sending what is not acknowledged.
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

  /** Gives up what was due a while ago. */
  sweep(): void {
    const before = this.#options.clock.now() - graceMs
    this.#checks.sweep(before)
    this.#diagnostics.sweep(before)
  }

  /** Answers what is open with the loss of the connection; tells what there is to say of the connection. */
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

  /** Late, a repeat, or none of its jobs: the round was judged without it, and history is not rewritten. */
  #drop(): void {
    this.#unasked += 1
    if (this.#unasked > 1) return
    this.#options.log('info', 'A sensor sent a result that nobody waits for; further ones are counted.')
  }
}
