import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { isDatabaseAway, isLostRace } from '../database/failures.ts'
import { type Machine, MachinesOfHistory, machinesOfHistory, nameOf } from '../database/machines.ts'
import { unlessAborted } from '../database/unless-aborted.ts'
import { type AnalysisRow, insertUnmarked } from './analyses.ts'
import { forgetNotes } from './packed/notes.ts'
import { addToRollUps } from './roll-ups.ts'
import {
  boundUnsent,
  forgetSent,
  isUnstorable,
  keepUnsent,
  sendOneByOne,
  sendUnsent,
  unsentMachines,
} from './unsent.ts'
import type { HistoryWriter, WrittenHistory } from './writer.ts'

/** Analyses that wait for lost machines: some 300 MB. Beyond them the oldest are lost, which the log says. */
const mostUnsent = 1_000_000
/** Seconds for which what another process keeps is its own to send. */
const ownFor = 10
/**
 * Milliseconds for which rounds wait for a machine that writes, and for its answer to a question. One that is frozen,
 * or behind a broken line, says nothing for much longer.
 */
const usualPatience = { write: 1000, ask: 1000 }
/** Enough for the recordings of one process, which come one after the other. */
const connectionsEach = 2

export interface ClusterParts {
  /** The coordinator. */
  readonly database: Database
  readonly openMachine: (machine: Machine, maximumConnections: number) => Database
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Milliseconds of a clock that never steps. */
  readonly monotonic: () => number
  readonly mostUnsent?: number
  readonly patience?: { readonly write: number; readonly ask: number }
}

interface Reached {
  readonly name: string
  readonly database: Database
  /** slow: it has not ended a write yet, but answers. Nothing is sent to it until it does. */
  state: 'well' | 'slow' | 'lost'
}

/** True if sending again helps: two may send the same analyses at once, and wait for each other. */
function passes(error: unknown): boolean {
  return isDatabaseAway(error) || isLostRace(error)
}

/** Analyses of one machine, kept on the coordinator. */
interface Batch {
  readonly id: number
  readonly to: Reached
  readonly rows: readonly AnalysisRow[]
}

/**
 * A Citus cluster: analyses are kept on the coordinator in the transaction that judges them (`unsent.ts`), and go
 * straight to the machines that hold their shards once it is committed, in one transaction a machine. If the process
 * ends before, or a machine is lost, any process sends them through the coordinator later.
 */
export class HistoryOnMachines implements HistoryWriter {
  readonly #parts: ClusterParts
  readonly #machines: MachinesOfHistory
  readonly #reached = new Map<string, Reached>()
  /** Batches that arrived. They are forgotten with the next transaction; sending them again would change nothing. */
  #arrived: number[] = []

  constructor(parts: ClusterParts) {
    this.#parts = parts
    this.#machines = new MachinesOfHistory(parts.monotonic)
  }

  /** All analyses count as new: a round that is recorded already has no claim any more, and never comes here again. */
  async write(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<WrittenHistory> {
    if (analyses.length === 0) return { fresh: analyses }
    await this.#forgetArrived(transaction)
    // The packing of these days waits for the end of this transaction, and then for the analyses themselves.
    await forgetNotes(
      transaction,
      analyses.map((row) => row.analysisId),
    )
    const batches: Batch[] = []
    for (const { machine, rows } of await this.#machines.groups(transaction, analyses))
      batches.push({ id: await keepUnsent(transaction, nameOf(machine), rows), to: this.#reach(machine), rows })
    return { fresh: analyses, committed: () => this.#sendAll(batches) }
  }

  async catchUp(): Promise<boolean> {
    const { database, log } = this.#parts
    try {
      const age = (await this.#askAgain()) ? 0 : ownFor
      await this.#forgetArrived(database)
      const exceptMachines = await this.#lostOf(await unsentMachines(database, age))
      if (exceptMachines === null) return false
      return (await this.#sendSome({ age, exceptMachines })) > 0
    } catch (error) {
      if (!passes(error)) log.error({ err: error }, 'Analyses could not be sent to their machine; they wait')
      return false
    }
  }

  /**
   * The lost ones among the named machines: the coordinator would wait for them. Null if nothing is left for any other
   * one. A machine that left the cluster has given its shards to others.
   */
  async #lostOf(names: readonly string[]): Promise<readonly string[] | null> {
    if (names.length === 0) return null
    for (const machine of await machinesOfHistory(this.#parts.database)) {
      const one = names.includes(nameOf(machine)) ? this.#reach(machine) : null
      if (one?.state === 'well' && !(await this.#answers(one))) this.#lose(one, new Error('no answer'))
    }
    const lost = names.filter((name) => this.#reached.get(name)?.state === 'lost')
    if (lost.length > 0) await this.#bound()
    return lost.length === names.length ? null : lost
  }

  async #forgetArrived(executor: Executor): Promise<void> {
    await forgetSent(executor, this.#arrived.splice(0))
  }

  #reach(machine: Machine): Reached {
    const name = nameOf(machine)
    const known = this.#reached.get(name)
    if (known !== undefined) return known
    const made: Reached = { name, database: this.#parts.openMachine(machine, connectionsEach), state: 'well' }
    this.#reached.set(name, made)
    return made
  }

  async #sendAll(batches: readonly Batch[]): Promise<void> {
    await Promise.all(batches.map((batch) => this.#send(batch)))
  }

  async #send({ id, to, rows }: Batch): Promise<void> {
    if (to.state !== 'well') return
    const { log, patience = usualPatience } = this.#parts
    const late = AbortSignal.timeout(patience.write)
    const writing = to.database.transaction(async (transaction) => {
      await addToRollUps(transaction, await insertUnmarked(transaction, rows))
    })
    const arriving = writing.then(() => void this.#arrived.push(id))
    try {
      await unlessAborted(arriving, late)
    } catch (error) {
      this.#machines.forget()
      if (error === late.reason) await this.#doubt(to, arriving)
      else if (isDatabaseAway(error)) this.#lose(to, error)
      else if (!passes(error))
        log.warn({ err: error, machine: to.name }, 'Analyses did not arrive on their machine; they are sent again')
    }
  }

  /** It did not end a write in time: it may be busy, or gone. */
  async #doubt(one: Reached, arriving: Promise<void>): Promise<void> {
    const { log, patience = usualPatience } = this.#parts
    if (one.state !== 'well') return
    one.state = 'slow'
    const ended = () => {
      if (one.state === 'slow') one.state = 'well'
    }
    arriving.then(ended, ended)
    if (await this.#answers(one))
      log.warn({ machine: one.name }, 'A machine of the history is slow; analyses wait on the coordinator')
    else this.#lose(one, new Error(`no answer in ${patience.write + patience.ask} ms`))
  }

  #lose(one: Reached, err: unknown): void {
    if (one.state === 'lost') return
    one.state = 'lost'
    this.#parts.log.error(
      { err, machine: one.name },
      'A machine of the history is lost; analyses wait on the coordinator',
    )
  }

  async #answers(one: Reached): Promise<boolean> {
    const { patience = usualPatience } = this.#parts
    return unlessAborted(one.database.query(sql`select 1`), AbortSignal.timeout(patience.ask)).then(
      () => true,
      () => false,
    )
  }

  /** Returns true if a lost machine is back. */
  async #askAgain(): Promise<boolean> {
    let returned = false
    for (const one of this.#reached.values()) {
      if (one.state !== 'lost' || !(await this.#answers(one))) continue
      this.#parts.log.info({ machine: one.name }, 'The machine of the history is back')
      one.state = 'well'
      returned = true
    }
    return returned
  }

  async #sendSome(choice: { readonly age: number; readonly exceptMachines: readonly string[] }): Promise<number> {
    const { database, log } = this.#parts
    try {
      return await database.transaction((transaction) => sendUnsent(transaction, choice))
    } catch (error) {
      if (!isUnstorable(error)) throw error
      for (const { row, fault: err } of await sendOneByOne(database, choice))
        log.error({ err, service_id: row.serviceId, analysis_id: row.analysisId }, 'An analysis could not be stored')
      return 1
    }
  }

  async #bound(): Promise<void> {
    const { database, log, mostUnsent: limit = mostUnsent } = this.#parts
    const lost = await boundUnsent(database, limit)
    if (lost > 0) log.error({ lost }, 'Too many analyses wait for a lost machine; the oldest are lost')
  }
}
