import { faultOfNamed } from '../../auth/caller-named.ts'
import type { Api } from '../../configuration/api.ts'
import type { DirectoryReport, DirectoryResult, DirectoryTask } from '../../configuration/directory/directory-task.ts'
import { lookAt } from '../../configuration/directory/read-directory.ts'
import { faultText } from '../../configuration/fault.ts'
import { claimDirectory, directoryLeaseMs, leaveDirectory, noteDirectoryEnd } from '../../database/config-directory.ts'
import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../domain/clock.ts'
import { directoryTurn, type LastRun } from '../../domain/configuration/directory-turn.ts'
import { ChannelListener } from '../../presence/channel-listener.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Timers } from '../../turns/timers.ts'
import { Turns } from '../../turns/turns.ts'
import type { Log } from '../log.ts'

export interface KeeperParts {
  readonly task: DirectoryTask
  readonly account: string
  readonly repairMs: number
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics: Pick<Metrics, 'count' | 'set' | 'forget'> | null
  readonly api: Api
  readonly apply: (task: DirectoryTask, api: Api, signal: AbortSignal) => Promise<DirectoryReport>
}

/** Milliseconds between two looks at the files. */
const lookPauseMs = 2000
const renewPauseMs = directoryLeaseMs / 4

const sentences: Readonly<Record<DirectoryResult, string>> = {
  applied: 'the configuration of the directory is applied',
  incomplete: 'some objects are not as the files of the directory want them',
  refused: 'the files of the directory have faults, so nothing was changed',
  unreadable: 'the directory has no readable files, so nothing was changed',
  failed: 'the directory could not be applied',
}

/** Keeps an account as the files of a directory want it. One of the processes of a core does so. */
export class DirectoryKeeper {
  readonly #parts: KeeperParts
  readonly #listener: ChannelListener
  readonly #turns: Turns
  readonly #ending = new AbortController()
  #failures = 0
  #stampBefore: string | null = null
  #lastRun: LastRun | null = null
  /** The last told failure; the same one is told once. */
  #told = ''

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#listener = new ChannelListener(parts.database, 'config_directory', () => undefined)
    this.#turns = new Turns({ timers: parts.timers, take: () => this.#take() })
  }

  start(): void {
    this.#turns.start()
  }

  /** Ends a run at once: what it has not changed is changed by the next one. */
  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#turns.stop()
    const { database, log } = this.#parts
    const { session } = this.#listener
    if (session !== null)
      await leaveDirectory(database, session).catch((err: unknown) =>
        log.warn({ err }, 'the watched directory stays held'),
      )
    await this.#listener.close()
  }

  async #take(): Promise<number> {
    const { database, clock, log } = this.#parts
    try {
      await this.#listener.listen(this.#failures)
      const { session } = this.#listener
      if (session === null) return lookPauseMs
      if (await claimDirectory(database, { session, now: clock.now() })) await this.#look(session)
      else this.#leaveToOthers()
    } catch (error) {
      this.#failures += 1
      if (!this.#ending.signal.aborted) log.warn({ err: error }, 'the watched directory waits for the database')
    }
    return lookPauseMs
  }

  /** Another process may change the account meanwhile, so the next look here is the first one. */
  #leaveToOthers(): void {
    this.#stampBefore = null
    this.#lastRun = null
    this.#parts.metrics?.forget('latarnik_config_directory_up')
  }

  async #look(session: string): Promise<void> {
    const { task, clock, repairMs } = this.#parts
    const found = await stampOf(task.directory)
    const stamp = 'stamp' in found ? found.stamp : null
    const facts = { stamp, stampBefore: this.#stampBefore, lastRun: this.#lastRun, repairMs }
    const turn = directoryTurn(facts, clock.now())
    this.#stampBefore = stamp
    if ('reason' in found) await this.#end(session, unreadable(found.reason))
    else if (turn === 'apply') await this.#run(session, found.stamp)
  }

  async #run(session: string, stamp: string): Promise<void> {
    const { task, api, apply, clock, database, account } = this.#parts
    const lost = new AbortController()
    const stopRenewing = this.#keepLease(session, () => lost.abort())
    const signal = AbortSignal.any([this.#ending.signal, lost.signal])
    try {
      const fault = await faultOfNamed(database, account)
      const report =
        fault === null ? await apply(task, api, signal).catch((error: unknown) => failed(error)) : failed(fault)
      if (signal.aborted) return
      this.#lastRun = { stamp, endedAt: clock.now(), isComplete: report.result === 'applied' }
      await this.#end(session, report)
    } finally {
      stopRenewing()
    }
  }

  #keepLease(session: string, lose: () => void): () => void {
    const { database, clock, timers } = this.#parts
    let cancel = () => {}
    const renew = async (): Promise<void> => {
      const isOurs = await claimDirectory(database, { session, now: clock.now() }).catch(() => true)
      if (isOurs) again()
      else lose()
    }
    const again = () => {
      cancel = timers.after(renewPauseMs, () => void renew())
    }
    again()
    return () => cancel()
  }

  async #end(session: string, report: DirectoryReport): Promise<void> {
    const { database, clock, metrics, task, account } = this.#parts
    const { result, faults } = report
    const endedAt = clock.now()
    const told = JSON.stringify([result, faults, report.untold])
    // An absent directory is looked at every other second: one row of the same words is enough.
    if (result === 'unreadable' && told === this.#told) return
    this.#tell(report, told)
    metrics?.count('latarnik_config_directory_runs_total', { result })
    metrics?.set('latarnik_config_directory_up', {}, result === 'applied' ? 1 : 0)
    const moment = result === 'applied' ? 'success' : 'failure'
    metrics?.set('latarnik_config_directory_last_timestamp_seconds', { outcome: moment }, endedAt / 1000)
    const { changes: _changes, untold: _untold, ...numbers } = report
    await noteDirectoryEnd(database, session, { ...numbers, directory: task.directory, account, endedAt })
  }

  #tell(report: DirectoryReport, told: string): void {
    const { log, task } = this.#parts
    const { result, changes, faults, mark, changed, unchanged, failed: missed, left, files } = report
    const facts = { directory: task.directory, mark, files, changed, unchanged, failed: missed, left }
    const isNews = told !== this.#told
    this.#told = told
    if (isNews && report.untold !== null) log.warn({ directory: task.directory }, report.untold)
    for (const change of changes) log.info({ directory: task.directory, change }, 'an object was changed by its file')
    if (result === 'applied') {
      if (isNews || changed > 0) log.info(facts, sentences.applied)
      return
    }
    if (!isNews) return
    log.error(facts, sentences[result])
    for (const fault of faults) log.error({ pointer: fault.pointer, ...fault.place }, faultText(fault))
  }
}

async function stampOf(directory: string): Promise<{ readonly stamp: string } | { readonly reason: string }> {
  try {
    return { stamp: (await lookAt(directory)).stamp }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

const nothing = { mark: null, files: 0, changed: 0, unchanged: 0, failed: 0, left: 0, changes: [], untold: null }

function unreadable(reason: string): DirectoryReport {
  return { ...nothing, result: 'unreadable', faults: [{ place: null, pointer: '', message: reason }] }
}

function failed(error: unknown): DirectoryReport {
  const message = error instanceof Error ? error.message : String(error)
  return { ...nothing, result: 'failed', faults: [{ place: null, pointer: '', message }] }
}
