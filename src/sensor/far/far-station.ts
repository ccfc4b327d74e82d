import { performance } from 'node:perf_hooks'
import type { RawData, WebSocket } from 'ws'
import { needsBrowser } from '../../checks/index.ts'
import { mayCheckPages, notIsolated, offersPages, withoutPages } from '../../checks/page-isolation.ts'
import { nowhere } from '../../domain/services/coordinates.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { createBatch } from '../messages.ts'
import { unanswered } from '../probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from '../protocol.ts'
import type { Admission, FarStationsOptions, StationRegistration } from './admission.ts'
import { Allowance, type Budget } from './allowance.ts'
import { type FrameLimit, limitOf, signsIn, usualLimit } from './frame-size.ts'
import { GivenJobs } from './given-jobs.ts'
import { closings, longestSilenceMs, oldestProtocolVersion, protocolVersion, sharedSettingsVersion } from './wire.ts'
import { coreFrame, readStationFrame, type StationFrame, wireDiagnosis } from './wire-frames.ts'
import { jobFrames, type WireJob, wireJob } from './wire-jobs.ts'

export interface FarStationParts extends FarStationsOptions {
  /** Returns an id that is never used again. */
  readonly nextId: () => string
  /** The sensor's budget over all its connections. */
  readonly budget: Budget
  /** Called when the connection is over. */
  readonly lost: () => void
}

/** Less than the margin of a lead (latency.ts). */
const gathering = { aloneMs: 2, streamMs: 15 } as const
/** More unsent bytes than this mean that the station reads nothing. */
const mostBufferedBytes = 64 * 1_048_576
const tellingOffsetMs = 2000
/** How long a station may take to answer our closing before it is cut off. */
const farewellMs = 2000

type Hello = Extract<StationFrame, { kind: 'hello' }>

function registrationOf(
  {
    version,
    categories,
    unsupported_types: unsupportedTypes,
    city,
    country,
    latitude,
    longitude,
  }: Omit<Hello, 'protocol' | 'page_isolation'>,
  address: string,
): StationRegistration {
  // A position needs both coordinates.
  const place = latitude === null || longitude === null ? nowhere : { latitude, longitude }
  return { version, categories, unsupportedTypes, city, country, ...place, address }
}

/** The core's side of one connection. A station is believed only about the results of its own jobs. */
export class FarStation {
  readonly admission: Admission
  readonly #socket: WebSocket
  readonly #parts: FarStationParts
  readonly #given: GivenJobs
  readonly #sendJob: (job: WireJob) => void
  readonly #allowance: Allowance
  #state: 'new' | 'registering' | 'registered' | 'ready' | 'over' = 'new'
  #heardAt = performance.now()
  /** It offers pages, but its browser is not isolated enough for strangers' pages. */
  #isRefusedPages = false
  /** The protocol version that both sides know. */
  #spoken = oldestProtocolVersion

  constructor(socket: WebSocket, admission: Admission, parts: FarStationParts) {
    this.admission = admission
    this.#socket = socket
    this.#parts = parts
    this.#allowance = new Allowance(socket, parts.budget)
    this.#sendJob = createBatch(gathering, (jobs) => {
      for (const frame of jobFrames(jobs, this.#spoken >= sharedSettingsVersion)) this.#send(frame)
    })
    this.#given = new GivenJobs({
      clock: parts.clock,
      acknowledge: (ids) => this.#send(coreFrame({ kind: 'acknowledge', ids: [...ids] })),
      log: (level, message) => this.#log(level, message),
    })
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary))
    socket.on('ping', (data) => this.#allowance.use(data.length))
    socket.on('close', (code) => this.#end(`connection closed (${code})`))
    // A frame that is too large, invalid WebSocket bytes, or a reset; `close` follows.
    socket.on('error', (error) => this.#log('warn', 'The connection of a sensor is broken.', { error: error.message }))
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** True while it has jobs to answer. */
  get isBusy(): boolean {
    return this.#given.size > 0
  }

  check(job: CheckJob): Promise<CheckResult> {
    if (this.#isRefusedPages && needsBrowser(job.typeId))
      return Promise.resolve(unanswered(job, 'browser_not_isolated', notIsolated))
    const id = this.#parts.nextId()
    this.#sendJob(wireJob(id, job))
    return this.#given.check(id, job)
  }

  diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    const id = this.#parts.nextId()
    this.#send(wireDiagnosis(id, job))
    return this.#given.diagnose(id, job)
  }

  /** Ends the connection; open jobs count as lost from now on. */
  close(code: number, reason: string): void {
    if (this.#state === 'over') return
    this.#end(reason)
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), farewellMs).unref()
  }

  /** Ends the connection because this process stops; resolves once it is closed. */
  leave(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.CLOSED) return resolve()
      this.#socket.once('close', () => resolve())
      this.#end('this process stops')
      this.#socket.close(closings.elsewhere, 'this process stops')
      setTimeout(() => this.#socket.terminate(), farewellMs).unref()
    })
  }

  /** Drops expired jobs. `heldMs` is how long this process did not look. */
  sweep(heldMs: number): void {
    this.#given.sweep()
    this.#heardAt = Math.min(performance.now(), this.#heardAt + heldMs)
    // Its messages wait for us to read them.
    if (this.#allowance.isUsedUp) this.#heardAt = performance.now()
    if (performance.now() - this.#heardAt > longestSilenceMs) this.#cut('it is silent')
    else if (this.#socket.bufferedAmount > mostBufferedBytes) this.#cut('it does not read what it is sent')
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.#state === 'over') return
    this.#heardAt = performance.now()
    const bytes = data as Buffer
    this.#allowance.use(bytes.length)
    try {
      if (isBinary) throw new Error('frames are texts')
      this.#allowance.useSigns(signsIn(bytes, this.#limitOf(bytes)))
      const frame = readStationFrame(bytes.toString())
      if (frame !== null) this.#follow(frame)
    } catch (error) {
      const reason = errorText(error)
      this.#log('warn', 'A sensor sent an invalid frame; ending the connection.', { error: reason.slice(0, 500) })
      this.close(closings.violation, 'malformed frame')
    }
  }

  /** Before the welcome no frame needs to be long. */
  #limitOf(bytes: Buffer): FrameLimit {
    const isWelcome = this.#state === 'registered' || this.#state === 'ready'
    if (!isWelcome && bytes.length > usualLimit.bytes) throw new Error(`${bytes.length} bytes before welcome`)
    return limitOf(bytes)
  }

  #follow(frame: StationFrame): void {
    if (frame.kind === 'hello') {
      if (this.#state !== 'new') throw new Error('a second hello')
      void this.#register(frame)
    } else if (frame.kind === 'ping') {
      this.#send(coreFrame({ kind: 'pong', number: frame.number, at: this.#parts.clock.now() }))
    } else if (this.#state === 'new' || this.#state === 'registering') {
      throw new Error(`${frame.kind} before welcome`)
    } else if (frame.kind === 'ready') this.#begin(frame.clock_offset_ms)
    else if (frame.kind === 'results') for (const result of frame.results) this.#given.take(result)
    else this.#given.takeDiagnosis(frame.id, { isOk: frame.is_ok, lines: frame.lines })
  }

  async #register({ protocol, page_isolation, ...said }: Hello): Promise<void> {
    if (protocol < oldestProtocolVersion) return this.close(closings.tooOld, 'this version is too old for the core')
    const { sensorId, name, address } = this.admission
    this.#state = 'registering'
    try {
      const facts = registrationOf(said, address)
      this.#isRefusedPages = !mayCheckPages(page_isolation, this.#parts.isRegistrationOpen) && offersPages(facts)
      await this.#parts.register(sensorId, this.#isRefusedPages ? withoutPages(facts) : facts)
    } catch (error) {
      this.#log('warn', 'A sensor could not be registered.', { error: error instanceof Error ? error.message : '' })
      return this.close(closings.tryLater, 'try later')
    }
    if (this.#state !== 'registering') return
    this.#state = 'registered'
    this.#spoken = Math.min(protocol, protocolVersion)
    this.#send(coreFrame({ kind: 'welcome', protocol: this.#spoken, sensor_id: sensorId, name }))
  }

  #begin(clockOffsetMs: number): void {
    if (this.#state !== 'registered') return
    this.#state = 'ready'
    this.#log('info', 'A sensor is connected.', { name: this.admission.name, address: this.admission.address })
    if (this.#isRefusedPages) this.#log('warn', 'A sensor gets no page checks.', { reason: notIsolated })
    if (Math.abs(clockOffsetMs) <= tellingOffsetMs) return
    const facts = { offset_ms: Math.round(clockOffsetMs) }
    this.#log('warn', 'The clock of a sensor is wrong; its times are corrected.', facts)
  }

  #cut(reason: string): void {
    this.#end(reason)
    this.#socket.terminate()
  }

  #end(reason: string): void {
    if (this.#state === 'over') return
    const wasReady = this.#state === 'ready'
    this.#state = 'over'
    this.#allowance.end()
    this.#parts.lost()
    const facts = { reason, ...this.#given.loseAll() }
    this.#log(wasReady ? 'warn' : 'info', 'A sensor is not connected any more.', facts)
  }

  #send(frame: string): void {
    if (this.#state !== 'over') this.#socket.send(frame, () => {})
  }

  #log(level: 'info' | 'warn', message: string, facts: Readonly<Record<string, string | number>> = {}): void {
    this.#parts.log(level, message, { sensor_id: this.admission.sensorId, ...facts })
  }
}
