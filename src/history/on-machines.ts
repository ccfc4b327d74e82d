import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { isDatabaseAway } from '../database/failures.ts'
import { type Machine, MachinesOfHistory } from '../database/machines.ts'
import { unlessAborted } from '../database/unless-aborted.ts'
import { type AnalysisRow, insertUnmarked } from './analyses.ts'
import { forgetNotes } from './packed/notes.ts'
import { addToRollUps } from './roll-ups.ts'
import type { HistoryWriter } from './writer.ts'

/** Analyses that wait for a lost machine. Beyond them the oldest are lost, which the log says. */
const mostLate = 50_000
/** Waiting analyses of a machine that is back, for one transaction beside the new ones. */
const lateAtOnce = 2000
/** Milliseconds between two questions to a lost machine. */
const pauseWhileAway = 5000
/**
 * Milliseconds for which rounds wait for a machine: to write, and whether a lost one is back. One that is frozen, or
 * behind a broken line, says nothing for much longer.
 */
const usualPatience = { write: 2000, ask: 250 }
/** Enough for the recordings of one process, which come one after the other. */
const connectionsEach = 2

export interface ClusterParts {
  readonly openMachine: (machine: Machine, maximumConnections: number) => Database
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Milliseconds of a clock that never steps. */
  readonly monotonic: () => number
  readonly mostLate?: number
  readonly patience?: { readonly write: number; readonly ask: number }
}

interface Reached {
  readonly database: Database
  late: AnalysisRow[]
  isAway: boolean
  askAgainAt: number
}

/**
 * A Citus cluster: each analysis goes straight to the machine that holds its shard, in one transaction a machine and
 * without a common commit. That is safe: an analysis and its sums are written once, however often they are sent, and
 * the transaction of the rounds only ends after them. Analyses of a lost machine wait in memory, while statuses and
 * notices go on.
 */
export class HistoryOnMachines implements HistoryWriter {
  readonly #parts: ClusterParts
  readonly #machines: MachinesOfHistory
  readonly #reached = new Map<string, Reached>()

  constructor(parts: ClusterParts) {
    this.#parts = parts
    this.#machines = new MachinesOfHistory(parts.monotonic)
  }

  /** How many analyses wait for lost machines. */
  get waiting(): number {
    return [...this.#reached.values()].reduce((sum, { late }) => sum + late.length, 0)
  }

  /** All analyses count as new: a round that is recorded already has no claim any more, and never comes here again. */
  async write(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<readonly AnalysisRow[]> {
    if (analyses.length === 0) return analyses
    await this.#sendLate(transaction)
    await this.#send(transaction, analyses)
    return analyses
  }

  async #send(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<void> {
    // Before they are written: who packs these days waits for the end of this transaction.
    await forgetNotes(
      transaction,
      analyses.map((row) => row.analysisId),
    )
    const groups = await this.#machines.groups(transaction, analyses)
    const written = await Promise.allSettled(
      Array.from(groups, ([name, { machine, rows }]) => this.#writeTo(this.#reach(name, machine), rows, name)),
    )
    const fault = written.find((one) => one.status === 'rejected')
    if (fault?.status === 'rejected') throw fault.reason
  }

  /** Some of those that wait, to the machines that hold them now. */
  async #sendLate(transaction: Executor): Promise<void> {
    const now = this.#parts.monotonic()
    const due = [...this.#reached.values()].filter(({ askAgainAt }) => askAgainAt <= now)
    const late = due.flatMap((one) => one.late.splice(0, lateAtOnce))
    if (late.length === 0) return
    try {
      await this.#send(transaction, late)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#parts.log.error(
        { err: error, lost: late.length },
        'Analyses that waited for a machine could not be written',
      )
    }
  }

  #reach(name: string, machine: Machine): Reached {
    const known = this.#reached.get(name)
    if (known !== undefined) return known
    const database = this.#parts.openMachine(machine, connectionsEach)
    const made = { database, late: [], isAway: false, askAgainAt: Number.NEGATIVE_INFINITY }
    this.#reached.set(name, made)
    return made
  }

  async #writeTo(one: Reached, rows: readonly AnalysisRow[], name: string): Promise<void> {
    if (one.isAway && !(await this.#answers(one))) return this.#keepLate(one, rows, name)
    const { log, patience = usualPatience } = this.#parts
    const late = AbortSignal.timeout(patience.write)
    const writing = one.database.transaction(async (transaction) => {
      await addToRollUps(transaction, await insertUnmarked(transaction, rows))
    })
    try {
      // One that is written after all is not written or counted again.
      await unlessAborted(writing, late)
    } catch (error) {
      if (error !== late.reason && !isDatabaseAway(error)) throw error
      const err = error === late.reason ? new Error(`no answer in ${patience.write} ms`) : error
      if (!one.isAway) log.error({ err, machine: name }, 'A machine of the history is lost; its analyses wait')
      one.isAway = true
      one.askAgainAt = this.#parts.monotonic() + pauseWhileAway
      this.#machines.forget()
      return this.#keepLate(one, rows, name)
    }
    if (one.isAway) log.info({ machine: name, waiting: one.late.length }, 'The machine of the history is back')
    one.isAway = false
    one.askAgainAt = Number.NEGATIVE_INFINITY
  }

  /** Asks a lost machine, from time to time, whether it is back. */
  async #answers(one: Reached): Promise<boolean> {
    const { monotonic, patience = usualPatience } = this.#parts
    if (one.askAgainAt > monotonic()) return false
    one.askAgainAt = monotonic() + pauseWhileAway
    const asking = one.database.query(sql`select 1`)
    return unlessAborted(asking, AbortSignal.timeout(patience.ask)).then(
      () => true,
      () => false,
    )
  }

  #keepLate(one: Reached, rows: readonly AnalysisRow[], name: string): void {
    const { log, mostLate: limit = mostLate } = this.#parts
    one.late.push(...rows)
    const lost = one.late.length - limit
    if (lost <= 0) return
    one.late.splice(0, lost)
    log.error({ machine: name, lost }, 'Too many analyses wait for a lost machine; the oldest are lost')
  }
}
