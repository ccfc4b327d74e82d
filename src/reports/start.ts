import { isDatabaseAway } from '../database/failures.ts'
import { areReportsDue } from '../database/reports/due-reports.ts'
import { askForPeriodicReports, beginPeriodicReports } from '../database/reports/periodic-reports.ts'
import { askForDueReports } from '../database/reports/report-schedules.ts'
import { claimReport } from '../database/reports/reports.ts'
import { faultPause, patrolPause } from '../presence/pauses.ts'
import { Presence } from '../presence/presence.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { workOnPeriodic } from './periodic.ts'
import { type ReporterOptions, type WorkParts, workOn } from './work.ts'

/** Reports that one process works on at once. */
const reportsAtOnce = 2

export interface Reporter {
  /** Takes no more work and releases the current work. */
  stop(): Promise<void>
  /** Resolves when no report is left to work on now. */
  drain(): Promise<void>
}

/** Starts to work on reports. Any number of processes may do so. */
export async function startReporter(options: ReporterOptions): Promise<Reporter> {
  const { database, clock } = options
  await beginPeriodicReports(database, clock.now())
  const presence = new Presence({
    ...{ ...options, channel: 'reports', kinds: ['reports'] },
    look: async (now) => ({ isDue: await areReportsDue(database, now), nextAt: Number.POSITIVE_INFINITY }),
    wake: () => desk.wake(),
  })
  const desk = new Desk({ ...options, session: () => presence.session })
  await presence.start()
  desk.start()
  return {
    async stop() {
      await desk.stop()
      await presence.stop()
    },
    drain: () => desk.drain(),
  }
}

/** Supplies the turns of this process with work. */
class Desk {
  readonly #options: WorkParts
  readonly #stopping = new AbortController()
  readonly #turns: readonly Turns[]
  readonly #underWay = new Set<Promise<boolean>>()
  /** Steps since the start. */
  #begun = 0
  #isDatabaseMissed = false

  constructor(options: WorkParts) {
    this.#options = options
    const newTurns = () => new Turns({ timers: systemTimers, take: () => this.#look() })
    this.#turns = Array.from({ length: reportsAtOnce }, newTurns)
  }

  start(): void {
    for (const turns of this.#turns) turns.start()
  }

  wake(): void {
    for (const turns of this.#turns) turns.wake()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#turns.map((turns) => turns.stop()))
  }

  async drain(): Promise<void> {
    for (let isIdle = false; !isIdle; await Promise.allSettled(this.#underWay)) {
      const [before, wasAlone] = [this.#begun, this.#underWay.size === 0]
      // It may have found nothing because another step held work that it released since; then another look is needed.
      isIdle = !(await this.#step()) && wasAlone && this.#begun === before + 1
    }
  }

  async #look(): Promise<number> {
    let isBusy = false
    try {
      isBusy = await this.#step()
      this.#isDatabaseMissed = false
    } catch (error) {
      if (!this.#isDatabaseMissed) this.#options.log.warn({ err: error }, 'reports cannot be claimed now')
      this.#isDatabaseMissed = true
      return faultPause
    }
    return isBusy ? 0 : patrolPause
  }

  #step(): Promise<boolean> {
    this.#begun += 1
    const taken = this.#takeStep().finally(() => this.#underWay.delete(taken))
    this.#underWay.add(taken)
    return taken
  }

  /**
   * Orders planned reports, makes a periodic one, and takes one report through one phase. Returns whether there was
   * anything to do.
   */
  async #takeStep(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const { database, clock, session } = this.#options
    if (await this.#keepingOn(() => this.#askForPlanned())) return true
    if (await this.#keepingOn(() => askForPeriodicReports(database, clock.now()))) return true
    // One of each in turn, so that neither a long report nor thousands of periodic ones block the other kind.
    const isPeriodic = await workOnPeriodic(this.#options)
    const claimed = await claimReport(database, { now: clock.now(), heldBy: session() })
    if (claimed === null) return isPeriodic
    await workOn(this.#options, claimed, this.#stopping.signal)
    return true
  }

  async #askForPlanned(): Promise<boolean> {
    const { database, clock, log } = this.#options
    const skipped = await askForDueReports(database, clock.now())
    for (const facts of skipped ?? [])
      log.warn(facts, 'a planned report is skipped: the monthly limit or the limit of kept reports is reached')
    return skipped !== null
  }

  /** A plan that fails blocks neither ordered reports nor plans of the other kind. */
  async #keepingOn(ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#options.log.error({ err: error }, 'a planned report could not be ordered')
      return false
    }
  }
}
