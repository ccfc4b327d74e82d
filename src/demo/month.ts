/** The month as the program would have lived it: everything at its own moment, in order of time. */

import { ensureDays, recentDays } from '../database/partitions.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { type AnalysisRow, insertAnalyses, stored } from '../history/analyses.ts'
import type { PackedAnalysis } from '../history/packed/analysis.ts'
import { isClosed } from '../history/packed/pack-days.ts'
import { packGiven } from '../history/packed/pack-given.ts'
import { keepStepNames } from '../history/step-history.ts'
import { recordRounds } from '../monitoring/record.ts'
import { applyBoundaries, claimBoundaries } from '../service-state/pauses.ts'
import { type Happening, type SimulationParts, simulate, type Wish } from './simulate.ts'

/** Rows per statement. */
const batchRows = 2000
const boundariesAtOnce = 500
/** More than a month can hold; it ends an endless loop. */
const mostHappenings = 1_000_000

/** The clock of everybody except single services. Unix milliseconds. */
export interface SharedTime {
  at: number
}

/** An action of people or of the calendar. */
export interface Cue {
  readonly at: number
  /** Services whose past must be known and whose future may change. */
  readonly serviceIds: () => readonly number[]
  play(): Promise<void>
}

export interface MonthParts extends SimulationParts {
  readonly time: SharedTime
  /** Sends the decided messages. */
  readonly tell: () => Promise<void>
  /** The end of the month; days that are closed by then are packed. */
  readonly toAt: number
}

interface Course {
  livedTo: number
  happening: Happening | null
}

export class Month {
  readonly #parts: MonthParts
  readonly #courses = new Map<number, Course>()
  /** By day and service: analyses that no row holds yet. */
  readonly #days = new Map<number, Map<number, AnalysisRow[]>>()
  readonly #roomy = new Set<number>()
  #packing: Promise<void> = Promise.resolve()

  constructor(parts: MonthParts) {
    this.#parts = parts
  }

  /** Adds a service that exists from now on. */
  begin(serviceId: number): void {
    this.#courses.set(serviceId, { livedTo: this.#parts.time.at, happening: null })
  }

  serviceIds(): number[] {
    return [...this.#courses.keys()]
  }

  /** Plays all cues, which are in order of time. */
  async live(cues: readonly Cue[], told: (at: number) => void, signal: AbortSignal): Promise<void> {
    for (const [place, cue] of cues.entries()) {
      signal.throwIfAborted()
      await this.#until(cues.slice(place))
      this.#parts.time.at = Math.max(this.#parts.time.at, cue.at)
      await cue.play()
      // The cue may have changed their simulated future.
      for (const id of cue.serviceIds()) this.#forget(id)
      told(cue.at)
    }
  }

  /** Writes the rest of the month; no cue may follow. */
  async end(): Promise<void> {
    await this.#packing
    const { database } = this.#parts
    for (const [start, services] of [...this.#days].toSorted(([one], [other]) => one - other)) {
      await this.#makeRoom(start)
      const rows = [...services.values()].flat()
      for (let from = 0; from < rows.length; from += batchRows) {
        const batch = rows.slice(from, from + batchRows)
        await database.transaction((transaction) => insertAnalyses(transaction, batch))
      }
    }
    this.#days.clear()
  }

  /** Packs days that are over for every service, while the simulation goes on. */
  async packDays(beforeAt: number): Promise<void> {
    for (const [start, services] of this.#days) {
      if (start + dayLength > beforeAt || !isClosed(start, this.#parts.toAt)) continue
      this.#days.delete(start)
      await this.#packing
      this.#packing = this.#pack(start, services)
      // The next waiting caller gets the rejection.
      this.#packing.catch(() => undefined)
    }
  }

  async #pack(start: number, services: ReadonlyMap<number, readonly AnalysisRow[]>): Promise<void> {
    const { database } = this.#parts
    await database.transaction((transaction) => keepStepNames(transaction, [...services.values()].flat()))
    const given = [...services].map(([id, rows]) => [id, rows.map(packable)] as const)
    await packGiven(database, start, new Map(given))
    this.#roomy.delete(start)
  }

  /** Plays everything before the first of these cues, in order of time. */
  async #until(cues: readonly Cue[]): Promise<void> {
    const untilAt = cues[0]?.at ?? this.#parts.toAt
    for (let count = 0; count < mostHappenings; count++) {
      await this.#foresee(cues)
      const next = this.#next()
      if (next === null || next.happening.at >= untilAt) return
      await this.#happen(next.id, next.happening)
    }
    throw new Error('Time does not pass.')
  }

  async #foresee(cues: readonly Cue[]): Promise<void> {
    const wishes: Wish[] = []
    for (const [serviceId, { happening, livedTo }] of this.#courses) {
      if (happening !== null) continue
      const untilAt = cues.find((cue) => cue.serviceIds().includes(serviceId))?.at ?? this.#parts.toAt
      if (livedTo < untilAt) wishes.push({ serviceId, untilAt })
    }
    if (wishes.length === 0) return
    for (const { serviceId, untilAt, rows, happening } of await simulate(this.#parts, wishes)) {
      this.#courses.set(serviceId, { livedTo: happening?.at ?? untilAt, happening })
      this.#take(serviceId, rows)
    }
  }

  #next(): { readonly id: number; readonly happening: Happening } | null {
    let first: { id: number; happening: Happening } | null = null
    for (const [id, { happening }] of this.#courses)
      if (happening !== null && (first === null || happening.at < first.happening.at)) first = { id, happening }
    return first
  }

  async #happen(id: number, { at, round }: Happening): Promise<void> {
    const { database, sensors, time, tell } = this.#parts
    time.at = Math.max(time.at, at)
    if (round === null) return this.#speak(at)
    this.#forget(id)
    await this.#makeRoom(Math.floor(at / dayLength) * dayLength)
    const { notices } = await recordRounds({ database }, [round], sensors, at)
    if (notices.size > 0) await tell()
  }

  /** Calendars may change many services at once. */
  async #speak(at: number): Promise<void> {
    const { database, tell } = this.#parts
    const due = await database.transaction(async (transaction) => {
      const claimed = await claimBoundaries(transaction, at, boundariesAtOnce)
      await applyBoundaries(transaction, claimed)
      return claimed
    })
    for (const { serviceId } of due) this.#forget(serviceId)
    await tell()
  }

  #forget(id: number): void {
    const course = this.#courses.get(id)
    if (course === undefined) return
    course.happening = null
    course.livedTo = Number.NEGATIVE_INFINITY
  }

  #take(id: number, rows: readonly AnalysisRow[]): void {
    for (const row of rows) {
      const start = Math.floor(row.analysisId / 100 / dayLength) * dayLength
      const day = this.#days.get(start) ?? new Map<number, AnalysisRow[]>()
      this.#days.set(start, day)
      const known = day.get(id)
      if (known === undefined) day.set(id, [row])
      else known.push(row)
    }
  }

  async #makeRoom(start: number): Promise<void> {
    if (this.#roomy.has(start)) return
    await ensureDays(this.#parts.database, recentDays, [start])
    this.#roomy.add(start)
  }
}

/** Without the service's id, which a packed day has. */
function packable(row: AnalysisRow): PackedAnalysis {
  const { failures, stepSetId, stepTimes } = stored(row)
  return {
    analysisId: row.analysisId,
    verdict: row.verdict,
    errorTolerance: row.errorTolerance,
    sensorIds: row.sensorIds,
    results: row.results,
    timeOffsets: row.timeOffsets,
    responseTimes: row.responseTimes,
    dataSizes: row.dataSizes,
    phases: row.phases,
    failures,
    stepSetId,
    stepTimes,
  }
}
