import { anchorHeads } from '../database/accounts/audit-heads.ts'
import { maskSubscribers, pruneAudit } from '../database/accounts/audit-log.ts'
import type { Database } from '../database/connect.ts'
import { isServerAway } from '../database/failures.ts'
import { dropPartitionsBefore } from '../database/partitions.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import { countLimits } from '../domain/input/count-limits.ts'
import { goodScreenshotsFrom } from '../domain/judging/good-screenshot.ts'
import { codePeriod } from '../domain/notification/confirmation-code.ts'
import { chartDays } from '../domain/service-level/chart.ts'
import { unconfirmedLife } from '../domain/status-pages/subscriber.ts'
import { pruneGoodScreenshots } from '../history/good-screenshots.ts'
import { hasClosedDay } from '../history/packed/pack-days.ts'
import {
  pruneAddressCodes,
  pruneAuthentications,
  pruneChallenges,
  pruneDeliveries,
  pruneDiagnostics,
  pruneEscalations,
  pruneIntents,
  pruneLetters,
  prunePeriodicReports,
  pruneSmsDays,
  pruneStopNotices,
  pruneSubscriberMessages,
  pruneSums,
  pruneUnprovenIdentities,
  pruneWaitingSubscribers,
} from '../history/retention.ts'
import { sweepRemovedServices } from '../service-state/services.ts'
import type { Log } from './outage.ts'

/** Milliseconds between looks for closed days to pack. */
const packingPause = 1_800_000
/** Milliseconds between two looks whether the heads of the audit log are due. */
const anchorPause = 3_600_000
/** Milliseconds that a diagnostic can be read. */
const diagnosticLife = dayLength
/** Milliseconds that is known how many SMS an account sent on a day. */
const smsDayLife = 7 * dayLength
/** Milliseconds that an attempt to deliver a message can be read (resources/notifications/deliveries.ts). */
const deliveryLife = 30 * dayLength
/** Milliseconds that a message to a subscriber stays after it was sent. */
const toldLife = 30 * dayLength

export interface RetentionOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Whole days that history and logs are kept. */
  readonly retentionDays: number
  /** Whole days that the audit log is kept; default 400. */
  readonly auditRetentionDays?: number
  /** Deletes the evidence of analyses decided earlier, and that of deleted services; returns how many artifacts. */
  readonly pruneArtifacts: (beforeAt: number) => Promise<number>
  /** Packs the days that are closed at the moment; returns how many analyses were packed. */
  readonly packHistory: (nowAt: number) => Promise<number>
}

async function dropDays(database: Database, beforeAt: number): Promise<number> {
  return (await dropPartitionsBefore(database, beforeAt)).length
}

/**
 * Deletes expired data. Each day: the history by whole days with its sums, evidence, finished messages, periodic
 * reports and logins. All the time: deleted services' data, old diagnostics, codes, challenges, and subscribers and
 * identities that nobody confirmed. It also packs closed days. Status changes stay. Any number of processes may run it
 * at once.
 */
export class Retention {
  readonly #options: RetentionOptions
  #prunedDay = -1
  #lookedForClosedAt = Number.NEGATIVE_INFINITY
  #anchoredAt = Number.NEGATIVE_INFINITY

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  async keep(): Promise<void> {
    const { database, clock, retentionDays, auditRetentionDays = 400 } = this.#options
    const now = clock.now()
    await this.#step('removed services', () => sweepRemovedServices(database))
    await this.#step('diagnostics', () => pruneDiagnostics(database, now - diagnosticLife))
    await this.#step('codes of addresses', () => pruneAddressCodes(database, now - codePeriod))
    await this.#step('challenges of passkeys', () => pruneChallenges(database, now))
    await this.#step('identities that nobody proved', () => pruneUnprovenIdentities(database, now))
    await this.#step('subscribers that nobody confirmed', () =>
      pruneWaitingSubscribers(database, now - unconfirmedLife),
    )
    const today = Math.floor(now / dayLength)
    if (today !== this.#prunedDay) {
      const outdated = { takenBefore: goodScreenshotsFrom(now), endedBefore: (today - retentionDays) * dayLength }
      await this.#step('good screenshots', () => pruneGoodScreenshots(database, outdated))
      await this.#pruneBefore((today - retentionDays) * dayLength)
      await this.#step('audit log', () => pruneAudit(database, (today - auditRetentionDays) * dayLength))
      await this.#step('addresses of subscribers in the audit log', () => maskSubscribers(database))
      await this.#step('deliveries', () => pruneDeliveries(database, now - deliveryLife, countLimits.deliveries))
      await this.#step('messages to subscribers', () => pruneSubscriberMessages(database, now - toldLife))
      await this.#step('notices about planned stops', () => pruneStopNotices(database, now - toldLife))
      await this.#step('counted SMS', () => pruneSmsDays(database, now - smsDayLife))
      const sumsDays = Math.max(retentionDays, chartDays)
      await this.#step('sums of history', () => pruneSums(database, (today - sumsDays) * dayLength))
      this.#prunedDay = today
    }
    await this.#anchor(now)
    await this.#pack(now)
  }

  /** The line of the log is a witness of the audit log outside of the database. */
  async #anchor(now: number): Promise<void> {
    const { database, log } = this.#options
    if (Math.abs(now - this.#anchoredAt) < anchorPause) return
    this.#anchoredAt = now
    try {
      const head = await anchorHeads(database, now)
      if (head !== null) log.info({ auditHead: head }, 'The audit log of the installation ends here')
    } catch (error) {
      if (isServerAway(error)) throw error
      log.error({ err: error }, 'The heads of the audit log could not be kept')
    }
  }

  async #pack(now: number): Promise<void> {
    const { database, packHistory, log } = this.#options
    if (Math.abs(now - this.#lookedForClosedAt) < packingPause) return
    this.#lookedForClosedAt = now
    if (!(await hasClosedDay(database, now))) return
    try {
      const packedAnalyses = await packHistory(now)
      if (packedAnalyses > 0) log.info({ packedAnalyses }, 'Closed days of the history were packed')
    } catch (error) {
      if (isServerAway(error)) throw error
      log.error({ err: error }, 'Closed days of the history could not be packed')
    }
  }

  async #pruneBefore(beforeAt: number): Promise<void> {
    const { database, pruneArtifacts } = this.#options
    await this.#step('notices', () => pruneIntents(database, beforeAt))
    await this.#step('escalations', () => pruneEscalations(database, beforeAt))
    await this.#step('letters', () => pruneLetters(database, beforeAt))
    await this.#step('periodic reports', () => prunePeriodicReports(database, beforeAt))
    await this.#step('logins', () => pruneAuthentications(database, beforeAt))
    const isForgotten = await this.#step('days of history', () => dropDays(database, beforeAt))
    // While a row can be read, so can what it refers to.
    if (isForgotten) await this.#step('evidence', () => pruneArtifacts(beforeAt))
  }

  /** One thing that cannot be removed now must not keep the others; tomorrow it is tried again. */
  async #step(what: string, remove: () => Promise<number>): Promise<boolean> {
    try {
      const removed = await remove()
      if (removed > 0) this.#options.log.info({ what, removed }, 'Old data was removed')
      return true
    } catch (error) {
      if (isServerAway(error)) throw error
      this.#options.log.error({ err: error, what }, 'Old data could not be removed')
      return false
    }
  }
}
