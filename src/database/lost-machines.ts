import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { connect, type Executor } from './connect.ts'
import { machineAwayError } from './failures.ts'
import { readsHistory, servicesRead } from './history-reads.ts'
import type { Log } from './log.ts'
import { type Machine, MachinesOfHistory, machinesOfHistory, nameOf } from './machines.ts'
import type { ReadWatch } from './watched-reads.ts'

/** Milliseconds between two looks. A statement that takes two of them is late. */
const usualTurn = 500
/** Milliseconds in which the coordinator reaches a machine. */
const reachedWithin = 2000
/** Milliseconds after which the coordinator says nothing about it either. */
const saidWithin = 5000

interface Parts {
  readonly coordinator: Executor
  readonly log: Log
  /** Rejects if the coordinator does not say. */
  readonly reaches: (machine: Machine) => Promise<boolean>
  readonly turn?: number
}

interface Attended {
  readonly statement: { readonly text: string; readonly values: readonly unknown[] }
  readonly since: number
  readonly giveUp: (fault: Error) => void
}

/**
 * Machines of a cluster that are frozen, or behind a broken line. The coordinator waits for them without an end. So a
 * reading statement that takes a second causes a test of the machines that it needs: what waits for a silent one fails,
 * and until it answers nothing more is asked of it. Writing has ways of its own (`history/on-machines.ts`).
 */
export class LostMachines implements ReadWatch {
  #parts: Parts | null = null
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  readonly #machines = new MachinesOfHistory(() => performance.now())
  readonly #attended = new Set<Attended>()
  readonly #lost = new Set<string>()

  /** Before, and without a cluster, no statement is watched. */
  begin(parts: Parts): void {
    this.#parts = parts
    this.#timer = setInterval(() => void this.#look(parts), parts.turn ?? usualTurn)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  concerns(text: string): boolean {
    return this.#parts !== null && readsHistory(text)
  }

  async admit(statement: Attended['statement']): Promise<void> {
    const lost = await this.#lostFor(statement)
    if (lost !== undefined) throw machineAwayError(lost)
  }

  attend(statement: Attended['statement'], giveUp: Attended['giveUp']): () => void {
    const one = { statement, since: performance.now(), giveUp }
    this.#attended.add(one)
    return () => this.#attended.delete(one)
  }

  async #look(parts: Parts): Promise<void> {
    const lateSince = performance.now() - 2 * (parts.turn ?? usualTurn)
    const late = [...this.#attended].filter(({ since }) => since <= lateSince)
    if (this.#isLooking || (late.length === 0 && this.#lost.size === 0)) return
    this.#isLooking = true
    try {
      await this.#test(parts, late)
      for (const { statement, giveUp } of this.#attended) {
        const lost = await this.#lostFor(statement)
        if (lost !== undefined) giveUp(machineAwayError(lost))
      }
    } catch {
      // The coordinator itself does not answer, which its own connections find out.
    } finally {
      this.#isLooking = false
    }
  }

  async #test(parts: Parts, late: readonly Attended[]): Promise<void> {
    const all = await machinesOfHistory(parts.coordinator)
    const names = new Set(this.#lost)
    for (const { statement } of late) for (const name of await this.#needs(statement)) names.add(name)
    await Promise.all(all.filter((machine) => names.has(nameOf(machine))).map((machine) => this.#learn(parts, machine)))
    // A machine that left the cluster has given its shards to others.
    const known = new Set(all.map(nameOf))
    for (const name of this.#lost) if (!known.has(name)) this.#lost.delete(name)
  }

  async #learn({ reaches, log }: Parts, machine: Machine): Promise<void> {
    const name = nameOf(machine)
    // Where the coordinator does not say, nothing is known that was not before.
    const isReached = await reaches(machine).catch(() => !this.#lost.has(name))
    if (isReached === !this.#lost.has(name)) return
    if (isReached) {
      this.#lost.delete(name)
      log.info(`The coordinator reaches ${name} again: the history there can be read.`)
    } else {
      this.#lost.add(name)
      this.#machines.forget()
      log.warn(`The coordinator does not reach ${name}: the history there cannot be read until it does.`)
    }
  }

  /** The machines that hold what the statement reads. */
  async #needs(statement: Attended['statement']): Promise<readonly string[]> {
    const coordinator = this.#parts?.coordinator
    if (coordinator === undefined) return []
    const services = servicesRead(statement).map((serviceId) => ({ serviceId }))
    if (services.length === 0) return (await machinesOfHistory(coordinator)).map(nameOf)
    return (await this.#machines.groups(coordinator, services)).map(({ machine }) => nameOf(machine))
  }

  async #lostFor(statement: Attended['statement']): Promise<string | undefined> {
    return this.#lost.size === 0 ? undefined : (await this.#needs(statement)).find((name) => this.#lost.has(name))
  }
}

/** Connects from the coordinator anew: a line that is kept may be dead already. */
export function reachesFrom(url: string): (machine: Machine) => Promise<boolean> {
  const settings = `-c citus.max_cached_conns_per_worker=0 -c citus.node_connection_timeout=${reachedWithin}`
  return async ({ host, port }) => {
    const own = connect({ url, maximumConnections: 1, readLimit: saidWithin, settings })
    try {
      const asked = own.query<{ is: boolean }>(sql`
        select citus_check_connection_to_node(${host}::text, ${port}::int) as is`)
      const silent = delay(saidWithin, undefined, { ref: false }).then(() => {
        throw new Error('The coordinator does not say whether it reaches a machine.')
      })
      return (await Promise.race([asked, silent]))[0]?.is === true
    } finally {
      // The answer is known already.
      void own.close().catch(() => undefined)
    }
  }
}
