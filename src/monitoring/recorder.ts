import type { Database } from '../database/connect.ts'
import { isDatabaseAway } from '../database/failures.ts'
import type { Clock } from '../domain/clock.ts'
import type { HistoryWriter } from '../history/writer.ts'
import type { ClaimedRound } from '../service-state/claims.ts'
import { skipRounds } from '../service-state/schedule.ts'
import type { MonitoringTelemetry } from '../telemetry/port.ts'
import type { Timers } from '../turns/timers.ts'
import type { DayPartitions } from './day-partitions.ts'
import type { Log, Outage } from './outage.ts'
import { recordRounds } from './record.ts'
import type { RecordableRound } from './recordable-round.ts'
import type { SensorDirectory } from './stations.ts'
import { VerdictLines } from './verdict-lines.ts'

/** Milliseconds that every finished round waits for others of its moment to share its transaction. */
const shortestPause = 25
const flushSize = 1000
/** Milliseconds between two attempts. */
const pauseWhileAway = 250
/** Finished rounds kept while the database is away. Beyond them the oldest is lost, which the log says. */
const maximumPending = 20_000
/** The rest of the room is for rounds that are under way already. */
const claimableRoom = maximumPending / 2

export interface RecorderParts {
  readonly database: Database
  /** By default analyses are written in the transaction of their rounds. */
  readonly history?: HistoryWriter | undefined
  readonly sensors: SensorDirectory
  readonly partitions: DayPartitions
  readonly clock: Clock
  readonly timers: Timers
  readonly outage: Outage
  readonly log: Log
  readonly telemetry: Pick<MonitoringTelemetry, 'recorded' | 'notRecorded' | 'missed'>
}

/** Keeps finished rounds until they are recorded: together, in order, over outages of the database. */
export class Recorder {
  readonly #parts: RecorderParts
  readonly #verdictLines: VerdictLines
  #pending: RecordableRound[] = []
  #flushing: Promise<void> | null = null
  /** The next recording, by the clock that never steps. */
  #flushAt = Number.POSITIVE_INFINITY
  #cancelTimer = () => {}

  constructor(parts: RecorderParts) {
    this.#parts = parts
    this.#verdictLines = new VerdictLines(parts)
  }

  /** How many rounds wait. */
  get waiting(): number {
    return this.#pending.length
  }

  /** How many more rounds may be claimed, so that none is lost. */
  get room(): number {
    return Math.max(0, claimableRoom - this.#pending.length)
  }

  /** The claims of the waiting rounds. */
  claims(): ClaimedRound[] {
    return this.#pending.map(({ claim }) => claim)
  }

  add(round: RecordableRound): void {
    this.#pending.push(round)
    if (this.#pending.length > maximumPending) {
      this.#pending.shift()
      this.#parts.log.error({ maximumPending }, 'Too many rounds wait for the database; the oldest is lost')
    }
    this.#flushWithin(round.patienceMs ?? 0)
  }

  /** Records what is pending; returns early when the database is away. */
  async flush(): Promise<void> {
    if (this.#flushing !== null) await this.#flushing
    this.#flushing ??= this.#flushOnce()
    await this.#flushing
  }

  /** Nothing is recorded any more: the log hears of what was gathered for it. */
  end(): void {
    this.#verdictLines.tell()
  }

  async #flushOnce(): Promise<void> {
    let isRecorded = false
    try {
      isRecorded = await this.#flushAll()
    } finally {
      this.#flushing = null
      if (this.#pending.length === 0) this.cancelFlush()
      else if (!isRecorded) this.#flushWithin(pauseWhileAway)
    }
  }

  /** Plans no recording any more, until another round is added. */
  cancelFlush(): void {
    this.#cancelTimer()
    this.#flushAt = Number.POSITIVE_INFINITY
  }

  /** The nearest moment counts: a round that cannot wait takes along those that can. */
  #flushWithin(milliseconds: number): void {
    const { timers } = this.#parts
    const pause = Math.max(shortestPause, milliseconds)
    const flushAt = timers.monotonic() + pause
    if (flushAt >= this.#flushAt) return
    this.#cancelTimer()
    this.#flushAt = flushAt
    this.#cancelTimer = timers.after(pause, () => {
      this.#flushAt = Number.POSITIVE_INFINITY
      void this.flush()
    })
  }

  /** Rounds that end meanwhile wait for company of their own. Returns false while the database is away. */
  async #flushAll(): Promise<boolean> {
    let left = this.#pending.length
    while (left > 0) {
      const batch = this.#pending.slice(0, Math.min(flushSize, left))
      if (!(await this.#parts.outage.guard('Recording', () => this.#recordBatch(batch)))) return false
      // The oldest may have been dropped meanwhile.
      this.#pending.splice(0, this.#pending.lastIndexOf(batch.at(-1) as RecordableRound, batch.length - 1) + 1)
      left -= batch.length
    }
    return true
  }

  /** One bad round must not hold up the others: a batch that fails is recorded one by one. */
  async #recordBatch(batch: readonly RecordableRound[]): Promise<void> {
    try {
      await this.#record(batch)
      return
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#parts.log.warn({ err: error, rounds: batch.length }, 'Recording rounds together failed; trying one by one')
    }
    for (const round of batch) {
      try {
        await this.#record([round])
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        const facts = { err: error, service_id: round.claim.serviceId, analysis_id: round.analysis?.analysisId }
        this.#parts.log.error(facts, 'A round could not be recorded')
        await this.#giveUp(round.claim)
      }
    }
  }

  /** The service goes on with its next round; should even that fail, its lease runs out. */
  async #giveUp(claim: ClaimedRound): Promise<void> {
    const { database, clock, log, telemetry } = this.#parts
    try {
      telemetry.missed(await database.transaction((transaction) => skipRounds(transaction, [claim], clock.now())))
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error, service_id: claim.serviceId }, 'A round could not be given up')
    }
  }

  async #record(rounds: readonly RecordableRound[]): Promise<void> {
    const { database, history, sensors, partitions, clock, timers, telemetry } = this.#parts
    const [beganAt, began] = [clock.now(), timers.monotonic()]
    for (const { analysis } of rounds) if (analysis !== null) await partitions.ensure(analysis.decidedAt)
    if (rounds.some((round) => round.reportsIn === true)) await partitions.ensure(beganAt)
    const recorded = await recordRounds({ database, history }, rounds, sensors, clock.now()).catch((error: unknown) => {
      telemetry.notRecorded()
      throw error
    })
    this.#verdictLines.note(recorded)
    telemetry.recorded({ ...recorded, beganAt, durationMs: timers.monotonic() - began })
  }
}
