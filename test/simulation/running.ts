import sql from 'sql-template-tag'
import { diagnosticPause } from '../../src/monitoring/diagnostician.ts'
import { type Monitoring, startMonitoring } from '../../src/monitoring/start.ts'
import type { Timers } from '../../src/turns/timers.ts'
import type { VirtualClock } from '../support/clock.ts'
import type { FakeStations } from '../support/fake-stations.ts'
import { silentLog } from '../support/monitoring.ts'
import type { BusyDatabase } from './busy-database.ts'

/** Milliseconds before the next work at which a sleeping program is woken: it claims a second ahead. */
const wakeAhead = 200
const mostSteps = 100_000

/**
 * The program's tasks with periods of ten seconds or more, and diagnostics, affect no service here, so they run less
 * often.
 */
const housework = { fromMilliseconds: 10_000, times: 600 }
const isHousework = (delay: number) => delay >= housework.fromMilliseconds || delay === diagnosticPause

export interface RunningParts {
  readonly database: BusyDatabase
  readonly stations: FakeStations
  readonly clock: VirtualClock
}

/** The monitoring program as it runs by itself, on a clock that moves by hand from one thing to the next. */
export class RunningProgram {
  readonly #parts: RunningParts
  #monitoring: Monitoring | null = null

  constructor(parts: RunningParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    const { clock, database } = this.#parts
    this.#monitoring = await startMonitoring({
      ...{ ...this.#parts, timers: timersOn(clock), log: silentLog },
      keepArtifact: async () => null,
      retentionDays: 400,
      pruneArtifacts: async () => 0,
    })
    await database.idle()
  }

  async stop(): Promise<void> {
    await this.#parts.database.idle()
    await this.#monitoring?.stop()
    this.#monitoring = null
  }

  /** Lets the program notice recent requests. */
  async notice(): Promise<void> {
    this.#parts.database.hear()
    await this.#parts.database.idle()
  }

  /** Time passes until then; everything happens at its own moment. */
  async until(at: number): Promise<void> {
    const { clock, database } = this.#parts
    // While rounds are under way, only a transaction can end that.
    let busySince: number | null = null
    for (let step = 0; step < mostSteps; step++) {
      await database.idle()
      if (clock.now() >= at) return
      const transactions = database.transactions()
      let wakesAt = clock.now()
      if (this.#monitoring === null) wakesAt = at
      else if (busySince !== transactions) {
        const work = await nextWork(database)
        busySince = work.isUnderWay ? transactions : null
        if (!work.isUnderWay) wakesAt = work.at - wakeAhead
      }
      clock.advanceTo(Math.min(at, Math.max(clock.nextAt(), wakesAt)))
    }
    throw new Error('Time does not pass.')
  }
}

function timersOn(clock: VirtualClock): Timers {
  return {
    ...clock,
    after: (delay, run) => clock.after(isHousework(delay) ? delay * housework.times : delay, run),
  }
}

/** When something is to do next, and whether rounds were claimed. */
async function nextWork(database: BusyDatabase): Promise<{ at: number; isUnderWay: boolean }> {
  const [plan] = await database.query<{ next: number | null; claimed: boolean | null }>(
    sql`select min(least(due_at, boundary_at)) as next, bool_or(leased_until is not null) as claimed from schedule`,
    'next-work',
  )
  return { at: plan?.next ?? Number.POSITIVE_INFINITY, isUnderWay: plan?.claimed === true }
}
