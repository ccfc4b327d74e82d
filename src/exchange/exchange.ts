import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import { errorType } from '../domain/error-types.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import { unanswered } from '../sensor/probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult, Stations } from '../sensor/protocol.ts'
import { type Announcement, decodeAnnouncement, encodeAnnouncement, type HeldSensor } from './announcement.ts'
import type { Carrier } from './carrier.ts'
import { decodeFrame, type Frame } from './frames.ts'
import { Line } from './line.ts'
import { decodeMessage } from './message.ts'
import { Peer } from './peer.ts'
import { Presence } from './presence.ts'

/** The stations of this process. */
export interface Held {
  readonly stations: Stations
  /** Those that are connected now. */
  sensors(): readonly HeldSensor[]
  /** A sensor has connected to another process later than here. */
  giveWay(sensorId: number): void
}

export interface ExchangeOptions {
  /** Those that work best first. */
  readonly carriers: readonly Carrier[]
  readonly roles: readonly string[]
  /** Null: no stations are here. */
  readonly held: Held | null
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

const tickMs = 100
/** Each process shows so often that it is there, and is taken for dead after the silence. */
const announcementMs = 1000
const longestSilenceMs = 5000
/** For processes that are there to show themselves to one that has just come. */
const settlingMs = 1500
const farewellMs = 1000
const notConnected = 'the sensor is not connected'
const lostId = errorType('sensor_lost').id

type Place = Pick<Stations, 'check' | 'diagnose' | 'leadMs'>

/** All stations of the core, whichever process they are connected to. Those of this one are asked directly. */
export class Exchange implements Stations {
  readonly #options: ExchangeOptions
  readonly #id = randomBytes(9).toString('base64url')
  readonly #presence = new Presence()
  readonly #lateSensors = new Set<number>()
  #tick: NodeJS.Timeout | null = null
  #tickedAt = performance.now()
  #announcedAt = Number.NEGATIVE_INFINITY
  #announced = ''
  #revision = 0
  #isLeaving = false
  #underWay = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  /** Resolves when those are known who are there. */
  async start(): Promise<void> {
    const { carriers } = this.#options
    for (const carrier of carriers) {
      await carrier.start(this.#id, {
        message: (bytes) => this.#hear(carrier, bytes),
        present: (processId, announcement) => this.#see(carrier, processId, announcement),
        gone: (processId) => this.#end(processId, true),
      })
    }
    this.#announce()
    this.#tick = setInterval(() => this.#tickOnce(), tickMs)
    this.#tick.unref()
    const until = performance.now() + settlingMs
    while (performance.now() < until && carriers.some(({ isSettled }) => !isSettled)) await this.#presence.change(20)
  }

  /** The roles that other processes have. */
  otherRoles(): ReadonlySet<string> {
    const staying = this.#presence.peers().filter(({ isLeaving }) => !isLeaving)
    return new Set(staying.flatMap(({ roles }) => roles))
  }

  isConnected(sensorId: number): boolean {
    return this.#placeOf(sensorId) !== null || this.#presence.isMoving(sensorId)
  }

  leadMs(sensorId: number): number {
    return this.#placeOf(sensorId)?.leadMs(sensorId) ?? 0
  }

  /** What got lost because the sensor has moved, or moves, to another process is asked once more there. */
  async check(job: CheckJob): Promise<CheckResult> {
    this.#presence.nextTurn()
    const place = this.#placeOf(job.sensorId)
    const result = place === null ? unanswered(job, 'sensor_lost', notConnected) : await place.check(job)
    if (result.errorTypeId !== lostId) return result
    const next = await this.#nextPlace(job, place)
    return next === null ? result : next.check(job)
  }

  async diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    return this.#placeOf(job.sensorId)?.diagnose(job) ?? { isOk: false, lines: [notConnected] }
  }

  /** Tells the others that this process stops. What it asks them itself goes on. */
  leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#presence.expectAgain(this.#options.held?.sensors() ?? [])
    this.#announce()
  }

  /** Ends it once what others asked is answered, at the latest after the time. Never rejects. */
  async stop(patienceMs: number): Promise<void> {
    this.leave()
    const until = performance.now() + patienceMs
    while (this.#underWay > 0 && performance.now() < until) await delay(20)
    const goodbyeAt = Math.min(until, performance.now() + farewellMs)
    const isHeard = () => this.#presence.peers().every(({ line }) => line.underWay === 0)
    while (!isHeard() && performance.now() < goodbyeAt) await delay(20)
    if (this.#tick !== null) clearInterval(this.#tick)
    await Promise.all(this.#options.carriers.map((carrier) => carrier.stop()))
    for (const peer of this.#presence.peers()) peer.end()
  }

  /** This process if its station is here, else another one. */
  #placeOf(sensorId: number): Place | null {
    const own = this.#options.held?.stations
    return own?.isConnected(sensorId) === true ? own : (this.#presence.placeOf(sensorId) ?? null)
  }

  /** Another place than the one that has lost it; waits while the sensor moves. */
  async #nextPlace({ sensorId, deadlineAt }: CheckJob, lost: Place | null): Promise<Place | null> {
    for (;;) {
      const next = this.#placeOf(sensorId)
      if (next !== null && next !== lost) return next
      const leftMs = deadlineAt - this.#options.clock.now()
      if (leftMs <= 0 || !this.#presence.isMoving(sensorId)) return null
      await this.#presence.change(Math.min(leftMs, tickMs))
    }
  }

  #hear(carrier: Carrier, bytes: Buffer): void {
    const message = decodeMessage(bytes)
    if (message === null) return
    const { line } = this.#peer(message.from)
    line.heardBy(carrier)
    line.receive(message)
  }

  #see(carrier: Carrier, processId: string, text: string): void {
    const isNew = this.#presence.get(processId) === undefined
    const peer = this.#peer(processId)
    peer.line.heardBy(carrier)
    // Whoever comes wants to know who is there.
    if (isNew) this.#announce()
    const before = [...peer.sensors.values()]
    if (!peer.believe(text, () => this.#understood(processId, text))) return
    if (peer.isLeaving) this.#presence.expectAgain(before)
    this.#presence.changed()
    this.#giveWay(peer)
    if (isNew) this.#log('info', 'Another process is there.', { process: processId, roles: peer.roles.join(',') })
  }

  #understood(processId: string, text: string): Announcement | null {
    const announcement = decodeAnnouncement(text)
    if (announcement === null) this.#log('warn', 'A process of another version is left alone.', { process: processId })
    return announcement
  }

  #giveWay(peer: Peer): void {
    const { held } = this.#options
    for (const { id, connectionNo } of held?.sensors() ?? []) {
      const there = peer.sensors.get(id)?.connectionNo ?? 0
      if (there > connectionNo) held?.giveWay(id)
    }
  }

  #peer(processId: string): Peer {
    const known = this.#presence.get(processId)
    if (known !== undefined) return known
    const line = new Line({
      ...{ me: this.#id, peer: processId, carriers: this.#options.carriers },
      take: (frame) => this.#take(peer, frame),
    })
    const peer: Peer = new Peer(processId, line)
    this.#presence.add(peer)
    return peer
  }

  #take(peer: Peer, bytes: Buffer): void {
    try {
      const frame = decodeFrame(bytes)
      if (frame !== null) this.#follow(peer, frame)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#log('error', 'Another process sent what is no frame.', { process: peer.id, error: reason })
    }
  }

  #follow(peer: Peer, { kind, items }: Frame): void {
    if (kind === 'jobs') for (const [number, job] of items) void this.#serve(peer, number, job)
    else if (kind === 'results') for (const [number, result] of items) this.#settle(peer, number, result)
    else if (kind === 'diagnose') for (const [number, job] of items) void this.#examine(peer, number, job)
    else for (const [number, result] of items) peer.settleDiagnosis(number, result)
  }

  async #serve(peer: Peer, number: number, job: CheckJob): Promise<void> {
    this.#underWay += 1
    const own = this.#options.held?.stations
    peer.answer(number, own === undefined ? unanswered(job, 'sensor_lost', notConnected) : await own.check(job))
    this.#underWay -= 1
  }

  async #examine(peer: Peer, number: number, job: DiagnosticJob): Promise<void> {
    const found = await this.#options.held?.stations.diagnose(job)
    peer.answerDiagnosis(number, found ?? { isOk: false, lines: [notConnected] })
  }

  #settle(peer: Peer, number: number, result: CheckResult): void {
    const { sensorId } = result
    if (peer.settle(number, result) || this.#lateSensors.has(sensorId)) return
    this.#lateSensors.add(sensorId)
    this.#log('info', 'A result of a sensor came too late and is dropped; further ones are not told.', {
      sensor_id: sensorId,
    })
  }

  #tickOnce(): void {
    const now = performance.now()
    const elapsedMs = now - this.#tickedAt
    this.#tickedAt = now
    // While nothing can be heard, and after a hold of our own, the silence is ours.
    const isDeaf = this.#options.carriers.every(({ isUp }) => !isUp)
    const heldMs = isDeaf ? elapsedMs : Math.max(0, elapsedMs - tickMs)
    for (const peer of this.#presence.peers()) {
      peer.line.forgive(heldMs)
      peer.sweep(this.#options.clock.now())
      if (now - peer.line.heardAt > longestSilenceMs) this.#end(peer.id, false)
    }
    if (now - this.#announcedAt >= announcementMs || this.#announcement() !== this.#announced) this.#announce()
  }

  #announcement(): string {
    const { roles, held } = this.#options
    const said = { roles, isLeaving: this.#isLeaving, sensors: held?.sensors() ?? [] }
    const same = encodeAnnouncement({ revision: this.#revision, ...said })
    if (same === this.#announced) return same
    return encodeAnnouncement({ revision: this.#revision + 1, ...said })
  }

  #announce(): void {
    this.#announcedAt = performance.now()
    const announcement = this.#announcement()
    if (announcement !== this.#announced) this.#revision += 1
    this.#announced = announcement
    for (const carrier of this.#options.carriers) carrier.announce(this.#announced)
  }

  #end(processId: string, hasLeft: boolean): void {
    const peer = this.#presence.get(processId)
    if (peer === undefined) return
    if (hasLeft) this.#presence.expectAgain(peer.sensors.values())
    this.#presence.remove(peer)
    const facts = { process: processId, roles: peer.roles.join(','), lost_checks: peer.end() }
    if (hasLeft) this.#log('info', 'Another process has left.', facts)
    else this.#log('warn', 'Another process is silent; what was asked of it is lost.', facts)
  }

  #log(level: LogLevel, message: string, facts: LogFacts): void {
    this.#options.log(level, message, facts)
  }
}
