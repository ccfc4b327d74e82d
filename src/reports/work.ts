import type { Database, Executor } from '../database/connect.ts'
import { isDatabaseAway } from '../database/failures.ts'
import {
  type ClaimedReport,
  endClaim,
  readReportFile,
  releaseReport,
  saveProgress,
  storeReportFile,
  writeReportMails,
} from '../database/reports/reports.ts'
import type { Clock } from '../domain/clock.ts'
import type { ReportFileKind } from '../domain/reports/report-file.ts'
import {
  phaseAdvanced,
  phaseEnded,
  phaseOf,
  type ReportProgress,
  reportFailed,
} from '../domain/reports/report-progress.ts'
import { nobodyWatchesReports, type ReportOutcome, type ReportTelemetry } from '../telemetry/port.ts'
import { fill } from '../wording/fill.ts'
import { languageOf } from '../wording/language.ts'
import { catalogues } from '../wording/texts.ts'
import { generate, mostPoints, ReportTooLarge, readOwner } from './generate.ts'

export interface ReporterLog {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/** Makes the document from the data alone. Rejects if the signal says that nobody waits for it. */
export type Render = (json: Buffer, signal: AbortSignal) => Promise<Uint8Array>

export interface ReporterOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: ReporterLog
  readonly render: Render
  /** The telemetry of reports; none by default. */
  readonly telemetry?: ReportTelemetry
}

export interface WorkParts extends ReporterOptions {
  /** The session that holds the claims; null: only leases do. */
  readonly session: () => string | null
}

/**
 * A report is given up after this many claims without the end of a phase, for example because the process died each
 * time.
 */
const mostAttempts = 5
/** Milliseconds; several times within a lease. */
const heartbeat = 15_000

/** The report was claimed by another process, or deleted: this work no longer counts. */
class ClaimLost extends Error {}

/** One phase of one report, while this process holds it. */
class Work {
  readonly #options: WorkParts
  readonly #claimed: ClaimedReport
  readonly #lost = new AbortController()
  readonly #signal: AbortSignal
  #progress: ReportProgress

  constructor(options: WorkParts, claimed: ClaimedReport, stopping: AbortSignal) {
    this.#options = options
    this.#claimed = claimed
    this.#progress = claimed
    this.#signal = AbortSignal.any([stopping, this.#lost.signal])
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted
  }

  async tell(done: number, total: number): Promise<void> {
    this.#signal.throwIfAborted()
    this.#progress = phaseAdvanced(this.#progress, done, total)
    await this.hold()
  }

  async hold(): Promise<void> {
    const { database, clock, session } = this.#options
    const hold = { now: clock.now(), heldBy: session() }
    const isHeld = await saveProgress(database, this.#claimed, this.#progress, hold)
    if (isHeld) return
    const lost = new ClaimLost()
    this.#lost.abort(lost)
    throw lost
  }

  /** Stores the phase's file and ends the claim in one transaction: both happen or neither. */
  async finish(kind: ReportFileKind, content: Uint8Array): Promise<void> {
    await this.#options.database.transaction(async (transaction: Executor) => {
      const isHeld = await endClaim(transaction, this.#claimed, phaseEnded(this.#progress))
      if (!isHeld) throw new ClaimLost()
      await storeReportFile(transaction, this.#claimed.id, kind, content)
      if (kind === 'pdf') await writeReportMails(transaction, this.#claimed, this.#options.clock.now())
    })
  }

  async fail(reason: 'failed' | 'interrupted' | 'tooLarge'): Promise<void> {
    const { database } = this.#options
    const owner = await readOwner(database, this.#claimed.owner_id)
    const text = catalogues[languageOf(owner?.language_id)].reports.failures[reason]
    const message = fill([text], { most: String(mostPoints) })
    await endClaim(database, this.#claimed, reportFailed(this.#progress), message)
  }

  async run(): Promise<void> {
    const { database, render } = this.#options
    await this.tell(0, 1)
    if (this.#claimed.attempts > mostAttempts) return this.fail('interrupted')
    if (phaseOf(this.#claimed) === 'generating') {
      const document = await generate(database, this.#claimed, (done, total) => this.tell(done, total))
      if (document === null) throw new ClaimLost()
      return this.finish('json', Buffer.from(JSON.stringify(document)))
    }
    const json = await readReportFile(database, this.#claimed.id, 'json')
    if (json === null) throw new ClaimLost()
    return this.finish('pdf', await render(json, this.#signal))
  }
}

/** Takes the report through its next phase; the phase after it is claimed anew. Never rejects. */
export async function workOn(options: WorkParts, claimed: ClaimedReport, stopping: AbortSignal): Promise<void> {
  const { telemetry = nobodyWatchesReports } = options
  await telemetry.phase(phaseOf(claimed) ?? 'none', () => takeThrough(options, claimed, stopping))
}

async function takeThrough(options: WorkParts, claimed: ClaimedReport, stopping: AbortSignal): Promise<ReportOutcome> {
  const { log } = options
  const work = new Work(options, claimed, stopping)
  const facts = { report_id: claimed.id, phase: phaseOf(claimed), attempts: claimed.attempts }
  const tellUnheld = (err: unknown) => {
    if (!work.isLost) log.warn({ ...facts, err }, 'the claim of a report was not prolonged')
  }
  const beat = setInterval(() => void work.hold().catch(tellUnheld), heartbeat)
  try {
    await work.run()
    log.info(facts, 'a phase of a report ended')
    return 'done'
  } catch (error) {
    if (error instanceof ClaimLost || work.isLost)
      log.warn(facts, 'a report was claimed by another process, or deleted')
    else if (stopping.aborted) await giveBack(options, claimed)
    // The lease runs out, and the work continues when the database is back.
    else if (isDatabaseAway(error)) log.warn({ ...facts, err: error }, 'a report waits for the database')
    else {
      const isTooLarge = error instanceof ReportTooLarge
      if (isTooLarge) log.warn(facts, 'a report covers too much for one document')
      else log.error({ ...facts, err: error }, 'a report failed')
      await work
        .fail(isTooLarge ? 'tooLarge' : 'failed')
        .catch((err: unknown) => log.error({ ...facts, err }, 'the failure of a report was not recorded'))
      return 'failed'
    }
    return 'given_back'
  } finally {
    clearInterval(beat)
  }
}

/** If releasing fails, the lease runs out instead. */
async function giveBack({ database, log }: WorkParts, claimed: ClaimedReport): Promise<void> {
  await releaseReport(database, claimed).catch((err: unknown) =>
    log.warn({ report_id: claimed.id, err }, 'a report was not released: its lease must run out'),
  )
}
