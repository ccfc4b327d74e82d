import type { EntryFile } from '../child-process/entry.ts'
import { errorText } from '../domain/text/error-text.ts'
import { within } from './browser/within.ts'
import { ProbingProcess, type ProbingProcessOptions, unanswered } from './probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from './protocol.ts'

const stops = 'the station stops'

/**
 * A probing process that does not run before its first job, so that a station without jobs does not pay for it. From
 * then on it stays: a process that begins with a check makes it late.
 */
export class ProcessOnDemand {
  /** Null while it does not run. */
  process: ProbingProcess | null = null
  readonly #name: string
  readonly #make: () => ProbingProcess
  readonly #log: ProbingProcessOptions['log']
  readonly #stopping = new AbortController()
  #starting: Promise<ProbingProcess> | null = null
  #resting: Promise<void> = Promise.resolve()
  #rest: NodeJS.Timeout | null = null
  #hasFailed = false

  /** @param name in messages: `the process for pages` */
  constructor(name: string, options: ProbingProcessOptions, entry: EntryFile) {
    this.#name = name
    this.#make = () => new ProbingProcess(options, entry)
    this.#log = options.log
  }

  /** False while it is replaced, after a start that failed, and when it stops; one that rests takes jobs. */
  get isReady(): boolean {
    return this.process?.isReady ?? !(this.#hasFailed || this.#stopping.signal.aborted)
  }

  /**
   * Starts it before its first job, to see what it can do. Without a job it ends after `restMs` milliseconds. Rejects
   * if it does not start; with the signal's reason, if that is why.
   */
  async begin(restMs: number, signal?: AbortSignal): Promise<ProbingProcess> {
    const process = this.#make()
    await process.start(signal)
    this.process = process
    this.#rest = setTimeout(() => {
      this.process = null
      this.#resting = process.stop()
    }, restMs).unref()
    return process
  }

  check(job: CheckJob): Promise<CheckResult> {
    const process = this.#forJob()
    if (process !== null) return process.check(job)
    return this.#whenStarted(
      job,
      (started) => started.check(job),
      (reason) => unanswered(job, 'sensor_lost', reason),
    )
  }

  diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    const process = this.#forJob()
    if (process !== null) return process.diagnose(job)
    return this.#whenStarted(
      job,
      (started) => started.diagnose(job),
      (reason) => ({ isOk: false, lines: [reason] }),
    )
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error(stops))
    this.#stayAwake()
    // A start that is cancelled ends its process by itself.
    await this.#starting?.catch(() => undefined)
    await Promise.all([this.#resting, this.process?.stop()])
  }

  #stayAwake(): void {
    if (this.#rest === null) return
    clearTimeout(this.#rest)
    this.#rest = null
  }

  #forJob(): ProbingProcess | null {
    this.#stayAwake()
    return this.process
  }

  async #whenStarted<Result>(
    { deadlineAt }: { readonly deadlineAt: number },
    run: (process: ProbingProcess) => Promise<Result>,
    refuse: (reason: string) => Result,
  ): Promise<Result> {
    if (this.#stopping.signal.aborted) return refuse(stops)
    this.#starting ??= this.#start()
    try {
      const started = await within(deadlineAt - Date.now(), this.#starting)
      return started === null ? refuse(`${this.#name} is still starting`) : await run(started)
    } catch (error) {
      return refuse(errorText(error))
    }
  }

  /** The next job tries again if this fails. */
  async #start(): Promise<ProbingProcess> {
    const process = this.#make()
    try {
      await process.start(this.#stopping.signal)
      this.process = process
      this.#hasFailed = false
      return process
    } catch (error) {
      this.#starting = null
      this.#hasFailed = true
      if (!this.#stopping.signal.aborted)
        this.#log('error', 'A probing process did not start.', { process: this.#name, error: errorText(error) })
      throw error
    }
  }
}
