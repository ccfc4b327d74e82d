import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { errorText } from '../../domain/text/error-text.ts'
import { unanswered } from '../probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult, Stations } from '../protocol.ts'
import type { Admission, FarStationsOptions } from './admission.ts'

import { Budget } from './allowance.ts'
import { FarStation } from './far-station.ts'
import { Latency } from './latency.ts'
import { closings } from './wire.ts'

const sweepMs = 50
/** A revoked token ends its connection within this time. */
const admissionsMs = 5000
const notConnected = 'the sensor is not connected'

/** The remote stations that are connected to this process. */
export class FarStations implements Stations {
  readonly #options: FarStationsOptions
  readonly #stations = new Map<number, FarStation>()
  /** The budgets of all sensors that ever connected: reconnecting restores nothing. */
  readonly #budgets = new Map<number, Budget>()
  readonly #latencies = new Map<number, Latency>()
  /** Keeps this process's jobs apart from those of other processes and earlier runs. */
  readonly #run = randomBytes(9).toString('base64url')
  #lastNumber = 0
  /** Runs only while stations are connected. */
  #sweep: NodeJS.Timeout | undefined
  readonly #admissions: NodeJS.Timeout
  #sweptAt = performance.now()
  #isStopped = false

  constructor(options: FarStationsOptions) {
    this.#options = options
    this.#admissions = setInterval(() => void this.#lookAtAdmissions(), admissionsMs)
    this.#admissions.unref()
  }

  /** The number of connected stations. */
  get size(): number {
    return this.#stations.size
  }

  /** Takes over an open connection. It replaces an earlier one of the same sensor. */
  accept(socket: WebSocket, admission: Admission): void {
    const { sensorId } = admission
    if (this.#isStopped) {
      socket.close(closings.tryLater)
      return
    }
    this.#stations.get(sensorId)?.close(closings.replaced, 'another connection has the same token')
    const budget = this.#budgets.get(sensorId) ?? new Budget()
    this.#budgets.set(sensorId, budget)
    const station = new FarStation(socket, admission, {
      ...this.#options,
      budget,
      nextId: () => {
        this.#lastNumber += 1
        return `${this.#run}.${this.#lastNumber}`
      },
      lost: () => {
        latency.stop()
        if (this.#stations.get(sensorId) !== station) return
        this.#stations.delete(sensorId)
        this.#latencies.delete(sensorId)
        if (this.#stations.size === 0) this.#endSweep()
      },
    })
    const latency = new Latency(socket)
    this.#stations.set(sensorId, station)
    this.#beginSweep()
    this.#latencies.set(sensorId, latency)
  }

  connectedIds(): readonly number[] {
    return [...this.#stations.keys()].filter((sensorId) => this.isConnected(sensorId))
  }

  /** Ends the connection of a sensor that has a later one at another process. */
  giveWay(sensorId: number): void {
    this.#stations.get(sensorId)?.close(closings.replaced, 'another connection has the same token')
  }

  leadMs(sensorId: number): number {
    return this.#latencies.get(sensorId)?.leadMs ?? 0
  }

  isConnected(sensorId: number): boolean {
    return !this.#isStopped && this.#stations.get(sensorId)?.isReady === true
  }

  check(job: CheckJob): Promise<CheckResult> {
    const station = this.#stations.get(job.sensorId)
    return !this.#isStopped && station?.isReady === true
      ? station.check(job)
      : Promise.resolve(unanswered(job, 'sensor_lost', notConnected))
  }

  diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    const station = this.#stations.get(job.sensorId)
    return station?.isReady === true ? station.diagnose(job) : Promise.resolve({ isOk: false, lines: [notConnected] })
  }

  /**
   * Takes no more jobs and sends each station elsewhere once it has answered, at the latest after `patienceMs`. Jobs
   * unanswered by then are lost.
   */
  async stop(patienceMs = 0): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#admissions)
    const until = performance.now() + patienceMs
    const leave = async (station: FarStation) => {
      while (station.isBusy && performance.now() < until) await delay(sweepMs)
      await station.leave()
    }
    await Promise.all([...this.#stations.values()].map(leave))
    this.#endSweep()
  }

  #beginSweep(): void {
    if (this.#sweep !== undefined) return
    this.#sweptAt = performance.now()
    this.#sweep = setInterval(() => this.#sweepOnce(), sweepMs).unref()
  }

  #endSweep(): void {
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #sweepOnce(): void {
    const now = performance.now()
    // After a stall of our own the frames from that time are still unread, so the silence may be ours.
    const heldMs = Math.max(0, now - this.#sweptAt - sweepMs)
    this.#sweptAt = now
    for (const station of [...this.#stations.values()]) station.sweep(heldMs)
  }

  async #lookAtAdmissions(): Promise<void> {
    const stations = [...this.#stations.values()]
    if (stations.length === 0) return
    try {
      const valid = await this.#options.stillValid(stations.map(({ admission }) => admission.tokenDigest))
      for (const station of stations) {
        if (!valid.has(station.admission.tokenDigest)) station.close(closings.refused, 'the token was revoked')
      }
    } catch (error) {
      // While the database is unreachable no connection is ended.
      const reason = errorText(error)
      this.#options.log('warn', 'The tokens of sensors could not be checked.', { error: reason })
    }
  }
}
