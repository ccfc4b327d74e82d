import { errorText } from '../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import { unanswered } from '../sensor/probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, Stations } from '../sensor/protocol.ts'
import { decodeFrame, type Frame } from './frames.ts'
import type { Peer } from './peer.ts'

export const notConnected = 'the sensor is not connected'

export interface AnsweringOptions {
  /** The stations of this process; null if it has none. */
  readonly stations: Pick<Stations, 'check' | 'diagnose'> | null
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

/**
 * Handles the frames of other processes: asks this process's stations for them, and passes on the answers of theirs.
 */
export class Answering {
  readonly #options: AnsweringOptions
  readonly #lateSensors = new Set<number>()
  #underWay = 0

  constructor(options: AnsweringOptions) {
    this.#options = options
  }

  /** The number of unanswered checks for other processes. */
  get underWay(): number {
    return this.#underWay
  }

  /** Throws if the bytes are no frame. */
  take(peer: Peer, bytes: Buffer): void {
    const frame = decodeFrame(bytes)
    if (frame !== null) this.#follow(peer, frame)
  }

  #follow(peer: Peer, { kind, items }: Frame): void {
    if (kind === 'jobs') for (const [number, job] of items) void this.#serve(peer, number, job)
    else if (kind === 'results') for (const [number, result] of items) this.#settle(peer, number, result)
    else if (kind === 'diagnose') for (const [number, job] of items) void this.#examine(peer, number, job)
    else for (const [number, result] of items) peer.settleDiagnosis(number, result)
  }

  /** Stations should never reject; if one does, its check is lost, not the process. */
  async #serve(peer: Peer, number: number, job: CheckJob): Promise<void> {
    const { stations } = this.#options
    this.#underWay += 1
    try {
      peer.answer(number, stations === null ? unanswered(job, 'sensor_lost', notConnected) : await stations.check(job))
    } catch (error) {
      this.#tellFault(error)
      peer.answer(number, unanswered(job, 'sensor_fault', 'the check could not be done'))
    }
    this.#underWay -= 1
  }

  async #examine(peer: Peer, number: number, job: DiagnosticJob): Promise<void> {
    try {
      const found = await this.#options.stations?.diagnose(job)
      peer.answerDiagnosis(number, found ?? { isOk: false, lines: [notConnected] })
    } catch (error) {
      this.#tellFault(error)
    }
  }

  #tellFault(error: unknown): void {
    this.#options.log('error', 'A station could not run a check for another process.', { error: errorText(error) })
  }

  #settle(peer: Peer, number: number, result: CheckResult): void {
    const { sensorId } = result
    if (peer.settle(number, result) || this.#lateSensors.has(sensorId)) return
    this.#lateSensors.add(sensorId)
    this.#options.log('info', 'A result of a sensor came too late and is dropped; further ones are not logged.', {
      sensor_id: sensorId,
    })
  }
}
