import type { Database } from '../database/connect.ts'
import {
  areDiagnosticsOpen,
  type ClaimedDiagnostic,
  claimDiagnostics,
  type Diagnosis,
  finishDiagnostic,
  giveUpDiagnostics,
} from '../database/services/diagnostics.ts'
import type { Clock } from '../domain/clock.ts'
import { storable } from '../domain/input/storable.ts'
import { diagnosticSeconds } from '../domain/services/diagnostic.ts'
import type { Stations } from '../sensor/protocol.ts'
import type { Timers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import type { Outage } from './outage.ts'
import type { SensorDirectory } from './stations.ts'

/** Milliseconds. A wake-up that got lost costs no more than a pause. */
export const diagnosticPause = 2000
/** While none is open: a new one wakes this process. */
const restingPause = 10_000
/** A diagnostic that nobody claimed for this long is given up. */
const patience = 60_000
/** A station that keeps silent past its deadline is given up after this. */
const grace = 1000
const leaseMargin = 30_000
/** Checks come first: a process diagnoses only so many things at a time. */
const concurrency = 5
const longestSeconds = Math.max(...Object.values(diagnosticSeconds))

export interface DiagnosticianParts {
  readonly database: Database
  readonly stations: Stations
  readonly sensors: SensorDirectory
  readonly clock: Clock
  readonly timers: Timers
  readonly outage: Outage
  /** The session that holds what is taken; null: only leases do. */
  readonly session: () => string | null
}

/** Hands what people want to see to the stations of this process. */
export class Diagnostician {
  readonly #parts: DiagnosticianParts
  readonly #underWay = new Set<Promise<void>>()
  readonly #turns: Turns
  #isOpen = true

  constructor(parts: DiagnosticianParts) {
    this.#parts = parts
    this.#turns = new Turns({
      timers: parts.timers,
      take: async () => {
        await this.#takeTurn()
        return this.#isOpen || parts.session() === null ? diagnosticPause : restingPause
      },
    })
  }

  start(): void {
    this.#turns.start()
  }

  /** Looks at once. */
  wake(): void {
    this.#turns.wake()
  }

  /** Claims nothing more. Current diagnostics are left; they are released when the session ends. */
  async stop(): Promise<void> {
    await this.#turns.stop()
  }

  /** Takes what waits now and finishes it. */
  async drain(): Promise<void> {
    while ((await this.#takeTurn()) > 0) await Promise.all(this.#underWay)
  }

  /** Returns how many were taken. */
  async #takeTurn(): Promise<number> {
    const { database, sensors, clock, outage, session } = this.#parts
    let taken: readonly ClaimedDiagnostic[] = []
    await outage.guard('Diagnostics', async () => {
      this.#isOpen = await areDiagnosticsOpen(database)
      if (!this.#isOpen) return
      await giveUpDiagnostics(database, clock.now(), patience)
      const leasedUntilAt = clock.now() + longestSeconds * 1000 + leaseMargin
      const limit = concurrency - this.#underWay.size
      const sensorIds = sensors.connectedIds()
      if (limit > 0 && sensorIds.length > 0) {
        taken = await claimDiagnostics(database, { sensorIds, limit, leasedUntilAt, heldBy: session() })
      }
    })
    for (const diagnostic of taken) this.#begin(diagnostic)
    return taken.length
  }

  #begin(diagnostic: ClaimedDiagnostic): void {
    const work: Promise<void> = this.#diagnose(diagnostic).finally(() => {
      this.#underWay.delete(work)
      this.wake()
    })
    this.#underWay.add(work)
  }

  async #diagnose({ id, sensor_id: sensorId, request }: ClaimedDiagnostic): Promise<void> {
    const { database, stations, clock, outage } = this.#parts
    const durationMs = diagnosticSeconds[request.kind] * 1000
    const { isOk, lines } = await this.#within(
      durationMs + grace,
      stations.diagnose({ sensorId, request, deadlineAt: clock.now() + durationMs }),
    )
    await outage.guard('Recording a diagnosis', () =>
      finishDiagnostic(database, id, { isOk, lines: lines.map(storable) }),
    )
  }

  #within(delay: number, diagnosis: Promise<Diagnosis>): Promise<Diagnosis> {
    return new Promise((resolve) => {
      const silence = { isOk: false, lines: ['no answer from the sensor in time'] }
      const cancel = this.#parts.timers.after(delay, () => resolve(silence))
      diagnosis.then((found) => {
        cancel()
        resolve(found)
      })
    })
  }
}
