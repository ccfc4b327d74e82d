import { isDatabaseAway } from '../database/connect.ts'
import { askForPeriodicReports, beginPeriodicReports } from '../database/periodic-reports.ts'
import { askForDueReports } from '../database/report-schedules.ts'
import { claimReport } from '../database/reports.ts'
import { workOnPeriodic } from './periodic.ts'
import { type ReporterOptions, workOn } from './work.ts'

/** Reports that one process works on at once. */
const workersCount = 2
/** Milliseconds between looks at the table; a NOTIFY only makes the next look earlier. */
const patrolPause = 2000

export interface Reporter {
  /** Takes nothing more and gives back what is under way. */
  stop(): Promise<void>
  /** Resolves when no report is left that could be worked on now. */
  drain(): Promise<void>
}

/** Starts working on reports, in as many processes as one likes. */
export async function startReporter(options: ReporterOptions): Promise<Reporter> {
  const { database, clock, log } = options
  const stopping = new AbortController()
  const waiting = new Set<() => void>()
  const underWay = new Set<Promise<boolean>>()
  let isDatabaseMissed = false

  async function askForPlanned(): Promise<boolean> {
    const skipped = await askForDueReports(database, clock.now())
    for (const facts of skipped ?? []) log.warn(facts, 'a planned report is beyond the limit of the month')
    return skipped !== null
  }

  /** A plan that cannot be kept holds up no report that was asked for, nor plans of the other kind. */
  async function keepingOn(ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error }, 'a planned report could not be asked for')
      return false
    }
  }

  /** Asks for planned reports, or makes a periodic one and takes one phase of one report to its end. Whether there was anything to do. */
  async function takeStep(): Promise<boolean> {
    if (stopping.signal.aborted) return false
    if (await keepingOn(askForPlanned)) return true
    if (await keepingOn(() => askForPeriodicReports(database, clock.now()))) return true
    // One of each in turn: neither a long report nor thousands of periodic ones hold up the other kind.
    const isPeriodic = await workOnPeriodic(options)
    const claimed = await claimReport(database, clock.now())
    if (claimed === null) return isPeriodic
    await workOn(options, claimed, stopping.signal)
    return true
  }

  function step(): Promise<boolean> {
    const taken = takeStep().finally(() => underWay.delete(taken))
    underWay.add(taken)
    return taken
  }

  async function patrol(): Promise<void> {
    while (!stopping.signal.aborted) {
      let isBusy = false
      try {
        isBusy = await step()
        isDatabaseMissed = false
      } catch (error) {
        if (!isDatabaseMissed) log.warn({ err: error }, 'reports cannot be claimed now')
        isDatabaseMissed = true
      }
      if (!isBusy) await rest()
    }
  }

  async function rest(): Promise<void> {
    if (stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(wakeUp, patrolPause)
      function wakeUp(): void {
        clearTimeout(timer)
        waiting.delete(wakeUp)
        resolve()
      }
      waiting.add(wakeUp)
    })
  }

  function wake(): void {
    for (const wakeUp of waiting) wakeUp()
  }

  await beginPeriodicReports(database, clock.now())
  const patrols = Array.from({ length: workersCount }, patrol)
  const stopListening = await database.listen('reports', wake).catch((error: unknown) => {
    log.warn({ err: error }, 'the database cannot wake the reporter')
    return async () => undefined
  })
  return {
    async stop() {
      stopping.abort()
      wake()
      await Promise.all(patrols)
      await stopListening()
    },
    async drain() {
      while ((await step()) || underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
