import type { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import { createBatch, type LogFacts, type LogLevel } from '../messages.ts'
import type { CheckResult, Stations } from '../protocol.ts'
import { CoreClock, type OwnClocks } from './core-clock.ts'
import type { Bounds, KeptResults } from './kept-results.ts'
import {
  type CoreFrame,
  closings,
  connectionPath,
  heartbeatMs,
  jobOfWire,
  longestFrameBytes,
  longestSilenceMs,
  mostResultsInFrame,
  protocolVersion,
  readCoreFrame,
  readJob,
  stationFrame,
  usualFrameBytes,
  type WireJob,
  wireResult,
} from './wire.ts'

export interface CoreConnectionOptions {
  /** Where the API is; `http` or `https`, with the path that a proxy puts before it. */
  readonly server: URL
  readonly token: string
  readonly version: string
  readonly categories: readonly string[]
  readonly city: string
  readonly country: string
  /** The way out; undefined for the direct one. */
  readonly agent?: Agent | undefined
  /** Does the checks, as sensor 0. */
  readonly stations: Pick<Stations, 'check' | 'diagnose'>
  readonly kept: KeptResults
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  readonly clocks?: OwnClocks
  /** From 0 to 1. */
  readonly random?: () => number
}

/** How the core met us for the first time. */
export type FirstMeeting = { readonly sensorId: number; readonly name: string } | { readonly refusal: string }

export interface CoreConnection {
  /** Resolves when the core has welcomed or refused us; trying goes on all the same. */
  readonly firstMeeting: Promise<FirstMeeting>
  /** Takes jobs now. */
  readonly isReady: boolean
  /** Ends the connection. Results that are under way are not waited for. */
  stop(): Promise<void>
}

const batchMs = 5
/** So many measurements of the clock make a station ready. */
const firstMeasurements = 4
const shortestPauseMs = 500
const longestPauseMs = 15_000
/** A core that is started anew is back within so many tries: until then they do not get rarer. */
const quickTries = 8
/** Where a person has to act there is no hurry. */
const refusedPauseMs = 60_000
/** A core that stops sends all its stations to others: they come spread over so long. */
const elsewherePauseMs = 200
/** A connection that held so long was a good one. */
const goodMs = 10_000
const handshakeMs = 10_000
const frameBounds: Bounds = { count: mostResultsInFrame, bytes: usualFrameBytes }
const windowBounds: Bounds = { count: 5000, bytes: 32 * 1_048_576 }
const systemClocks: OwnClocks = { monotonic: () => performance.now(), wall: () => Date.now() }

/** Connects a station to its core, again and again, takes jobs and hands over results. */
export function connectToCore(options: CoreConnectionOptions): CoreConnection {
  const connection = new Connecting(options)
  connection.connect()
  return connection
}

function addressOf(server: URL): URL {
  const address = new URL(server)
  address.protocol = server.protocol === 'https:' ? 'wss:' : 'ws:'
  address.pathname = server.pathname.replace(/\/+$/, '').replace(/\/v3$/, '') + connectionPath
  return address
}

class Connecting implements CoreConnection {
  readonly firstMeeting: Promise<FirstMeeting>
  readonly #options: CoreConnectionOptions
  readonly #clock: CoreClock
  readonly #underWay = new Set<string>()
  readonly #flush: (nothing: null) => void
  #meet: (meeting: FirstMeeting) => void = () => {}
  #socket: WebSocket | null = null
  #state: 'away' | 'welcome' | 'ready' = 'away'
  #heardAt = 0
  #readyAt = Number.POSITIVE_INFINITY
  #failures = 0
  #isRefused = false
  #isSentElsewhere = false
  #isStopped = false
  #heartbeat: NodeJS.Timeout | null = null
  #again: NodeJS.Timeout | null = null
  #lookedAt = 0

  constructor(options: CoreConnectionOptions) {
    this.#options = options
    this.#clock = new CoreClock(options.clocks ?? systemClocks)
    this.#flush = createBatch(batchMs, () => this.#handOver())
    this.firstMeeting = new Promise((resolve) => {
      this.#meet = resolve
    })
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  connect(): void {
    const { server, token, version, agent } = this.#options
    const socket = new WebSocket(addressOf(server), {
      headers: { authorization: `Bearer ${token}`, 'user-agent': `latarnik/${version}` },
      ...(agent === undefined ? {} : { agent }),
      handshakeTimeout: handshakeMs,
      maxPayload: longestFrameBytes,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('open', () => this.#greet())
    socket.on('message', (data) => this.#hear(data.toString()))
    socket.on('unexpected-response', (request, response) => {
      this.#log('warn', 'The core does not take the connection.', { status: response.statusCode ?? 0 })
      this.#isRefused = unhurried.has(response.statusCode ?? 0)
      const refusal = refusals[response.statusCode ?? 0]
      if (refusal !== undefined) this.#meet({ refusal })
      request.destroy()
      this.#lose(socket, 'refused')
    })
    socket.on('error', (error) => {
      if (this.#socket === socket) this.#log('warn', 'The core cannot be reached.', { error: reasonOf(error) })
    })
    socket.on('close', (code, reason) => {
      if (code === closings.refused || code === closings.replaced || code === closings.tooOld) this.#isRefused = true
      if (code === closings.tooOld) this.#meet({ refusal: 'this version is too old for the core; update it' })
      this.#isSentElsewhere = code === closings.elsewhere
      this.#lose(socket, `closed: ${code} ${reason.toString()}`.trim())
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#again !== null) clearTimeout(this.#again)
    const socket = this.#socket
    if (socket === null) return
    const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    this.#handOver()
    socket.close(1001)
    const cut = setTimeout(() => socket.terminate(), 1000)
    await over
    clearTimeout(cut)
  }

  #greet(): void {
    const { version, categories, city, country } = this.#options
    this.#heardAt = performance.now()
    this.#lookedAt = this.#heardAt
    this.#clock.forgetQuestions()
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs)
    const facts = { version, categories: [...categories], city, country }
    this.#send(stationFrame({ kind: 'hello', protocol: protocolVersion, ...facts }))
  }

  #hear(text: string): void {
    this.#heardAt = performance.now()
    try {
      const frame = readCoreFrame(text)
      if (frame !== null) this.#follow(frame)
    } catch (error) {
      this.#log('error', 'The core sent what is no frame.', { error: reasonOf(error) })
      this.#socket?.close(closings.violation)
    }
  }

  #follow(frame: CoreFrame): void {
    if (frame.kind === 'jobs') this.#takeAll(frame.jobs)
    else if (frame.kind === 'acknowledge') {
      this.#options.kept.acknowledge(frame.ids)
      this.#flush(null)
    } else if (frame.kind === 'pong') this.#measure(frame.number, frame.at)
    else if (frame.kind === 'diagnose') void this.#diagnose(frame)
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
    this.#readyAt = performance.now()
    this.#send(stationFrame({ kind: 'ready', clock_offset_ms: this.#clock.wallOffset }))
    this.#options.kept.rewind()
    this.#handOver()
  }

  #ask(): void {
    this.#send(stationFrame({ kind: 'ping', number: this.#clock.ask() }))
  }

  #takeAll(given: readonly unknown[]): void {
    for (const one of given) {
      const job = readJob(one)
      if (job === null) this.#log('error', 'The core sent a job that cannot be read.')
      else this.#take(job)
    }
  }

  #take(wire: WireJob): void {
    if (this.#underWay.has(wire.id)) return
    this.#underWay.add(wire.id)
    const job = jobOfWire(wire)
    const { stations } = this.#options
    const startAt = this.#clock.toWall(job.startAt)
    const deadlineAt = this.#clock.toWall(job.deadlineAt)
    void stations.check({ ...job, startAt, deadlineAt }).then((result) => this.#keep(wire.id, result))
  }

  #keep(id: string, result: CheckResult): void {
    this.#underWay.delete(id)
    if (this.#isStopped) return
    this.#options.kept.add(wireResult(id, result, this.#clock.toCore(result.startedAt)))
    this.#flush(null)
  }

  async #diagnose({ id, request, deadline_at }: Extract<CoreFrame, { kind: 'diagnose' }>): Promise<void> {
    const deadlineAt = this.#clock.toWall(deadline_at)
    const { isOk, lines } = await this.#options.stations.diagnose({ sensorId: 0, request, deadlineAt })
    this.#send(stationFrame({ kind: 'diagnosis', id, is_ok: isOk, lines: [...lines] }))
  }

  /** Sends what is kept as far as the window is open. */
  #handOver(): void {
    const { kept } = this.#options
    kept.write()
    while (this.#state === 'ready') {
      const texts = kept.take(frameBounds, windowBounds)
      if (texts.length === 0) return
      this.#send(`{"kind":"results","results":[${texts.join(',')}]}`)
    }
  }

  #beat(): void {
    const now = performance.now()
    // After a hold of our own the core's frames are not read yet.
    const heldMs = now - this.#lookedAt - heartbeatMs
    this.#lookedAt = now
    if (heldMs > heartbeatMs) this.#heardAt = Math.min(now, this.#heardAt + heldMs)
    if (now - this.#heardAt > longestSilenceMs) {
      this.#log('warn', 'The core is silent; connecting anew.')
      this.#socket?.terminate()
    } else this.#ask()
  }

  #lose(socket: WebSocket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = null
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    const heldMs = performance.now() - this.#readyAt
    const wasGood = this.#state === 'ready' && (heldMs > goodMs || this.#isSentElsewhere)
    this.#failures = wasGood ? 0 : this.#failures + 1
    this.#state = 'away'
    if (this.#isStopped) return
    const waitMs = this.#nextPauseMs()
    const facts = { reason, again_in_ms: Math.round(waitMs), kept_results: this.#options.kept.size }
    this.#log('warn', 'Not connected to the core.', facts)
    this.#isRefused = false
    this.#again = setTimeout(() => this.connect(), waitMs)
  }

  /** Grows with failures in a row; spread, so that the stations of a core that comes back do not come all at once. */
  #nextPauseMs(): number {
    if (this.#isSentElsewhere && this.#failures === 0) return elsewherePauseMs * (this.#options.random ?? Math.random)()
    const most = this.#isRefused
      ? refusedPauseMs
      : Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.max(0, Math.min(this.#failures, 20) - quickTries))
    return most / 2 + (most / 2) * (this.#options.random ?? Math.random)()
  }

  #send(frame: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame, () => {})
  }

  #log(level: LogLevel, message: string, facts: LogFacts = {}): void {
    this.#options.log(level, message, facts)
  }
}

/** Asking again soon changes nothing: a token that does not hold, no such place, or too many who ask. */
const unhurried: ReadonlySet<number> = new Set([401, 404, 429])

const refusals: Readonly<Record<number, string>> = {
  401: 'the core does not know this token: it was revoked, or replaced by a newer one',
  404: 'there is no Latarnik at this address, or a proxy before it does not pass WebSockets on',
  407: 'the proxy of HTTPS_PROXY wants other credentials',
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
