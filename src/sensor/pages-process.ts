import type { EntryFile } from '../child-process/entry.ts'
import { errorText } from '../domain/error-text.ts'
import { within } from './browser/within.ts'
import { ProbingProcess, type ProbingProcessOptions, unanswered } from './probing-process.ts'
import type { CheckJob, CheckResult } from './protocol.ts'

/** The probing process for pages. It starts with the first page, so that stations without pages do not pay for it. */
export class PagesProcess {
  readonly #make: () => ProbingProcess
  readonly #log: ProbingProcessOptions['log']
  readonly #stopping = new AbortController()
  /** Null before the first page. */
  process: ProbingProcess | null = null
  #starting: Promise<ProbingProcess> | null = null

  constructor(options: ProbingProcessOptions, entry: EntryFile) {
    this.#make = () => new ProbingProcess(options, entry)
    this.#log = options.log
  }

  async check(job: CheckJob): Promise<CheckResult> {
    if (this.#stopping.signal.aborted) return unanswered(job, 'sensor_lost', 'the station stops')
    this.#starting ??= this.#start()
    try {
      const started = await within(job.deadlineAt - Date.now(), this.#starting)
      return (await started?.check(job)) ?? unanswered(job, 'sensor_lost', 'the process for pages is still starting')
    } catch (error) {
      return unanswered(job, 'sensor_lost', errorText(error))
    }
  }

  /** The next page tries again if this fails. */
  async #start(): Promise<ProbingProcess> {
    const process = this.#make()
    try {
      await process.start(this.#stopping.signal)
      this.process = process
      return process
    } catch (error) {
      this.#starting = null
      if (!this.#stopping.signal.aborted)
        this.#log('error', 'The process for pages did not start.', { error: errorText(error) })
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the station stops'))
    // A start that is cancelled ends its process by itself.
    await this.#starting?.catch(() => undefined)
    await this.process?.stop()
  }
}
