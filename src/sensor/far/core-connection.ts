import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import type { PageIsolation } from '../../checks/page-isolation.ts'
import { errorText } from '../../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../messages.ts'
import type { Stations } from '../protocol.ts'
import { CoreClock, type OwnClocks } from './core-clock.ts'
import { type CoreSocketOptions, failureOf, openCoreSocket, refusalOf } from './core-socket.ts'
import { FarWork } from './far-work.ts'
import { Heartbeat } from './heartbeat.ts'
import type { KeptResults } from './kept-results.ts'
import { Reconnecting } from './reconnecting.ts'
import { closings, protocolVersion } from './wire.ts'
import { type CoreFrame, readCoreFrame, stationFrame } from './wire-frames.ts'

export interface CoreConnectionOptions extends CoreSocketOptions {
  readonly categories: readonly string[]
  /** Service types of those categories that it cannot check; none by default. */
  readonly unsupportedTypes?: readonly string[]
  /** The browser's isolation; `none` by default. */
  readonly isolation?: PageIsolation
  readonly city: string
  readonly country: string
  readonly latitude?: number | null
  readonly longitude?: number | null
  /** Runs the checks, as sensor 0. */
  readonly stations: Pick<Stations, 'check' | 'diagnose'>
  readonly kept: KeptResults
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  readonly clocks?: OwnClocks
  /** From 0 to 1. */
  readonly random?: () => number
}

/** The core's first answer to us. */
export type FirstMeeting = { readonly sensorId: number; readonly name: string } | { readonly refusal: string }

export interface CoreConnection {
  /** Resolves when the core has welcomed or refused us; further tries go on in either case. */
  readonly firstMeeting: Promise<FirstMeeting>
  /** True if it takes jobs now. */
  readonly isReady: boolean
  /** Ends the connection without waiting for pending results. */
  stop(): Promise<void>
}

/** The number of clock measurements after which a station is ready. */
const firstMeasurements = 4
const systemClocks: OwnClocks = { monotonic: () => performance.now(), wall: () => Date.now() }

/** Connects a station to its core, again and again, takes jobs and hands over results. */
export function connectToCore(options: CoreConnectionOptions): CoreConnection {
  const connection = new Connecting(options)
  connection.connect()
  return connection
}

class Connecting implements CoreConnection {
  readonly firstMeeting: Promise<FirstMeeting>
  readonly #options: CoreConnectionOptions
  readonly #clock: CoreClock
  readonly #work: FarWork
  readonly #reconnecting: Reconnecting
  readonly #heartbeat: Heartbeat
  #meet: (meeting: FirstMeeting) => void = () => {}
  #socket: WebSocket | null = null
  #state: 'away' | 'welcome' | 'ready' = 'away'
  #isStopped = false
  #again: NodeJS.Timeout | null = null

  constructor(options: CoreConnectionOptions) {
    this.#options = options
    this.#clock = new CoreClock(options.clocks ?? systemClocks)
    this.#reconnecting = new Reconnecting(options.random ?? Math.random)
    this.#work = new FarWork({
      ...{ stations: options.stations, kept: options.kept, clock: this.#clock, log: options.log },
      isOpen: () => this.isReady,
      send: (frame) => this.#send(frame),
    })
    this.#heartbeat = new Heartbeat({ beat: () => this.#ask(), silent: () => this.#cut() })
    this.firstMeeting = new Promise((resolve) => {
      this.#meet = resolve
    })
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  connect(): void {
    const socket = openCoreSocket(this.#options)
    this.#socket = socket
    socket.on('open', () => this.#greet())
    socket.on('message', (data) => this.#hear(data.toString()))
    let failure: string | null = null
    socket.on('unexpected-response', (request, { statusCode = 0, headers: { location } }) => {
      const refusal = refusalOf(statusCode, location)
      this.#reconnecting.refused(statusCode, refusal !== null)
      if (refusal !== null) this.#meet({ refusal })
      request.destroy()
      this.#lose(socket, refusal ?? `HTTP ${statusCode}`)
    })
    socket.on('error', (error) => {
      const { reason, isForPerson } = failureOf(error, this.#options.server)
      failure = reason
      if (isForPerson) this.#meet({ refusal: reason })
    })
    socket.on('close', (code, reason) => {
      if (code === closings.tooOld) this.#meet({ refusal: 'this version is too old for the core; update it' })
      this.#reconnecting.closed(code)
      this.#lose(socket, failure ?? `closed: ${code} ${reason.toString()}`.trim())
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#again !== null) clearTimeout(this.#again)
    const socket = this.#socket
    if (socket === null) return
    const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    this.#work.end()
    socket.close(1001)
    const cut = setTimeout(() => socket.terminate(), 1000)
    await over
    clearTimeout(cut)
  }

  #greet(): void {
    const { version, categories, unsupportedTypes = [], isolation = 'none', city, country } = this.#options
    const { latitude = null, longitude = null } = this.#options
    this.#heartbeat.begin()
    this.#clock.forgetQuestions()
    const facts = { version, categories: [...categories], unsupported_types: [...unsupportedTypes], city, country }
    const place = { latitude, longitude }
    this.#send(
      stationFrame({ kind: 'hello', protocol: protocolVersion, ...facts, ...place, page_isolation: isolation }),
    )
  }

  #hear(text: string): void {
    this.#heartbeat.heard()
    try {
      const frame = readCoreFrame(text)
      if (frame !== null) this.#follow(frame)
    } catch (error) {
      this.#log('error', 'The core sent an invalid frame.', { error: errorText(error) })
      this.#socket?.close(closings.violation)
    }
  }

  #follow(frame: CoreFrame): void {
    if (frame.kind === 'jobs') this.#work.take(frame)
    else if (frame.kind === 'acknowledge') this.#work.acknowledge(frame.ids)
    else if (frame.kind === 'pong') this.#measure(frame.number, frame.at)
    else if (frame.kind === 'diagnose') void this.#work.diagnose(frame)
    else {
      this.#state = 'welcome'
      this.#log('info', 'The core has welcomed this station.', { sensor_id: frame.sensor_id, name: frame.name })
      this.#meet({ sensorId: frame.sensor_id, name: frame.name })
      this.#ask()
    }
  }

  #measure(number: number, at: number): void {
    this.#clock.answer(number, at)
    if (this.#state !== 'welcome') return
    if (this.#clock.heard < firstMeasurements) {
      this.#ask()
      return
    }
    this.#state = 'ready'
    this.#reconnecting.ready()
    this.#send(stationFrame({ kind: 'ready', clock_offset_ms: this.#clock.wallOffset }))
    this.#work.begin()
  }

  #ask(): void {
    this.#send(stationFrame({ kind: 'ping', number: this.#clock.ask() }))
  }

  #cut(): void {
    this.#log('warn', 'The core is silent; reconnecting.')
    this.#socket?.terminate()
  }

  #lose(socket: WebSocket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#heartbeat.end()
    this.#state = 'away'
    const waitMs = this.#reconnecting.pauseAfter()
    if (this.#isStopped) return
    const facts = { reason, again_in_ms: Math.round(waitMs), kept_results: this.#options.kept.size }
    this.#log('warn', 'Not connected to the core; trying again.', facts)
    this.#again = setTimeout(() => this.connect(), waitMs)
  }

  #send(frame: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame, () => {})
  }

  #log(level: LogLevel, message: string, facts: LogFacts = {}): void {
    this.#options.log(level, message, facts)
  }
}
