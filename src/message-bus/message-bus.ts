import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import { errorType } from '../domain/judging/error-types.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import { unanswered } from '../sensor/probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult, Stations } from '../sensor/protocol.ts'
import type { HeldSensor } from './announcement.ts'
import { Answering, notConnected } from './answering.ts'
import type { Carrier } from './carrier.ts'
import { Neighbours } from './neighbours.ts'
import { OwnAnnouncement } from './own-announcement.ts'
import type { Peer } from './peer.ts'
import { Peers } from './peers.ts'
import type { SealRefusal } from './seal.ts'
import { type MessageBusWatch, watchedCarrier } from './watched-carrier.ts'

/** The stations of this process. */
export interface Held {
  readonly stations: Stations
  /** The sensors that are connected now. */
  sensors(): readonly HeldSensor[]
  /** Called when a sensor has connected to another process later than here. */
  giveWay(sensorId: number): void
}

export interface MessageBusOptions {
  /** The best carrier comes first. */
  readonly carriers: readonly Carrier[]
  readonly roles: readonly string[]
  /** Null: this process has no stations. */
  readonly held: Held | null
  readonly clock: Clock
  readonly watch?: MessageBusWatch
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

const tickMs = 100
/** A process that is silent for this long counts as dead. */
const longestSilenceMs = 5000
/** The time that processes get to announce themselves to a new one. */
const settlingMs = 1500
const farewellMs = 1000
const lostId = errorType('sensor_lost').id

type Place = Pick<Stations, 'check' | 'diagnose' | 'leadMs'>

/** All stations of the core, whichever process they are connected to. This process's own are asked directly. */
export class MessageBus implements Stations {
  readonly #options: MessageBusOptions
  readonly #id = randomBytes(9).toString('base64url')
  readonly #peers = new Peers()
  readonly #answering: Answering
  readonly #neighbours: Neighbours
  readonly #announcement: OwnAnnouncement
  #tick: NodeJS.Timeout | null = null
  #tickedAt = performance.now()
  #isLeaving = false
  readonly #refusalsTold = new Set<SealRefusal>()

  constructor(options: MessageBusOptions) {
    const { held, roles, log, watch } = options
    const carriers = options.carriers.map((carrier) => (watch === undefined ? carrier : watchedCarrier(carrier, watch)))
    this.#options = { ...options, carriers }
    this.#answering = new Answering({ stations: held?.stations ?? null, log })
    this.#announcement = new OwnAnnouncement(
      () => ({ roles, isLeaving: this.#isLeaving, sensors: held?.sensors() ?? [] }),
      (text) => {
        for (const carrier of carriers) carrier.announce(text)
      },
    )
    this.#neighbours = new Neighbours({
      ...{ me: this.#id, carriers, log, watch, peers: this.#peers, answering: this.#answering },
      met: () => this.#announcement.announce(),
      learnt: (peer) => this.#giveWay(peer),
    })
  }

  /** Resolves once the running processes are known. */
  async start(): Promise<void> {
    const { carriers } = this.#options
    for (const carrier of carriers) {
      await carrier.start(this.#id, {
        message: (bytes) => this.#neighbours.hear(carrier, bytes),
        present: (processId, announcement) => this.#neighbours.see(carrier, processId, announcement),
        gone: (processId) => this.#neighbours.goodbye(processId),
        refused: (reason) => this.#tellRefused(carrier, reason),
      })
    }
    this.#announcement.announce()
    this.#tick = setInterval(() => this.#tickOnce(), tickMs)
    this.#tick.unref()
    const until = performance.now() + settlingMs
    while (performance.now() < until && carriers.some(({ isSettled }) => !isSettled)) await this.#peers.change(20)
  }

  /** The roles of the other processes. */
  otherRoles(): ReadonlySet<string> {
    const staying = this.#peers.all().filter(({ isLeaving }) => !isLeaving)
    return new Set(staying.flatMap(({ roles }) => roles))
  }

  isConnected(sensorId: number): boolean {
    return this.#placeOf(sensorId) !== null || this.#peers.isMoving(sensorId)
  }

  leadMs(sensorId: number): number {
    return this.#placeOf(sensorId)?.leadMs(sensorId) ?? 0
  }

  /** If a job got lost because its sensor moved to another process, it is sent there once more. */
  async check(job: CheckJob): Promise<CheckResult> {
    this.#peers.nextTurn()
    const place = this.#placeOf(job.sensorId)
    const result = place === null ? unanswered(job, 'sensor_lost', notConnected) : await place.check(job)
    if (result.errorTypeId !== lostId) return result
    const next = await this.#nextPlace(job, place)
    return next === null ? result : next.check(job)
  }

  async diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    return this.#placeOf(job.sensorId)?.diagnose(job) ?? { isOk: false, lines: [notConnected] }
  }

  /** Announces that this process is stopping. Its own requests to others go on. */
  leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#peers.expectAgain(this.#options.held?.sensors() ?? [])
    this.#announcement.announce()
  }

  /** Stops once the others' requests are answered, at the latest after `patienceMs`. Never rejects. */
  async stop(patienceMs: number): Promise<void> {
    this.leave()
    const until = performance.now() + patienceMs
    while (this.#answering.underWay > 0 && performance.now() < until) await delay(20)
    const goodbyeAt = Math.min(until, performance.now() + farewellMs)
    const isHeard = () => this.#peers.all().every(({ hasHeardAll }) => hasHeardAll)
    while (!isHeard() && performance.now() < goodbyeAt) await delay(20)
    if (this.#tick !== null) clearInterval(this.#tick)
    await Promise.all(this.#options.carriers.map((carrier) => carrier.stop()))
    for (const peer of this.#peers.all()) peer.end()
  }

  /** This process if the station is here, otherwise another one. */
  #placeOf(sensorId: number): Place | null {
    const own = this.#options.held?.stations
    return own?.isConnected(sensorId) === true ? own : (this.#peers.placeOf(sensorId) ?? null)
  }

  /** Another place than the one that lost the job; waits while the sensor moves. */
  async #nextPlace({ sensorId, deadlineAt }: CheckJob, lost: Place | null): Promise<Place | null> {
    for (;;) {
      const next = this.#placeOf(sensorId)
      if (next !== null && next !== lost) return next
      const leftMs = deadlineAt - this.#options.clock.now()
      if (leftMs <= 0 || !this.#peers.isMoving(sensorId)) return null
      await this.#peers.change(Math.min(leftMs, tickMs))
    }
  }

  /** Anybody who reaches the carrier can make many of these, so each kind is logged once and the rest counted. */
  #tellRefused({ name }: Carrier, reason: SealRefusal): void {
    if (this.#refusalsTold.has(reason)) return
    this.#refusalsTold.add(reason)
    const facts = { carrier: name, reason }
    this.#options.log(
      'warn',
      'A message that no process of this core sent just now is refused; others are counted.',
      facts,
    )
  }

  #giveWay(peer: Peer): void {
    const { held } = this.#options
    for (const { id, connectionNo } of held?.sensors() ?? []) {
      const there = peer.sensors.get(id)?.connectionNo ?? 0
      if (there > connectionNo) held?.giveWay(id)
    }
  }

  #tickOnce(): void {
    const now = performance.now()
    const elapsedMs = now - this.#tickedAt
    this.#tickedAt = now
    // While no carrier is up, and after a stall of our own, the silence is ours.
    const isDeaf = this.#options.carriers.every(({ isUp }) => !isUp)
    const heldMs = isDeaf ? elapsedMs : Math.max(0, elapsedMs - tickMs)
    for (const peer of this.#peers.all()) {
      peer.line.forgive(heldMs)
      peer.sweep(this.#options.clock.now())
      if (now - peer.line.heardAt > longestSilenceMs) this.#neighbours.end(peer.id, false)
    }
    this.#announcement.announceIfDue()
  }
}
