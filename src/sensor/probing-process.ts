import { type ChildProcess, fork } from 'node:child_process'
import type { EntryFile } from '../child-process/entry.ts'
import { childEnvironment } from '../child-process/environment.ts'
import { readMainThread, type ThreadReading } from '../child-process/main-thread.ts'
import { type ErrorTypeSymbol, errorType } from '../domain/judging/error-types.ts'
import type { Allowed } from '../outgoing/screen.ts'
import { killBrowser } from './browser/launch.ts'
import {
  type BrowserOrder,
  createBatch,
  type FromProcess,
  type LogFacts,
  type LogLevel,
  type Numbered,
  type ProcessLoad,
  type ToProcess,
} from './messages.ts'
import { Pending } from './pending.ts'
import type { PingWay } from './ping/pinger.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from './protocol.ts'
import { Shortage } from './shortage.ts'
import { Silence } from './silence.ts'
import { type UnsearchedCounts, UnsearchedPatterns } from './unsearched-patterns.ts'

export interface ProbingProcessOptions {
  readonly allow: Allowed
  /** For a process that checks pages. */
  readonly browser?: BrowserOrder | null
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  /**
   * A process silent for longer counts as hung and is replaced. Time without a CPU does not count, see `silence.ts`.
   */
  readonly hungAfterMs?: number
  /** A process silent for longer is replaced, whatever the cause. */
  readonly longestSilenceMs?: number
  /** Reads the state of the process with an id, if not from the system. */
  readonly readThread?: (processId: number) => ThreadReading | null
}

const batchMs = 2
/** Between two sweeps while checks are under way; the core ends its rounds at their deadlines by itself. */
const sweepMs = 200
/** Between two sweeps of an idle process. A deadline is at least a second after its job. */
const idleSweepMs = 500
/** The process gets this long past the deadline to hand over a result that was ready in time. */
const graceMs = 50
const firstRestartMs = 100
const longestRestartMs = 5000
const usualHungAfterMs = 5000
const usualLongestSilenceMs = 60_000
const startTimeoutMs = 30_000
const tidyingMs = 2000
const outOfSockets = errorType('sensor_out_of_sockets').id
const outOfBrowsers = errorType('browser_busy').id
const socketsAreBackAfterMs = 15_000
/** A round that found none is repeated within a minute. */
const browsersAreBackAfterMs = 90_000
const notRunning = 'the probing process is not running'

/**
 * The parent's side of one probing process: it numbers the jobs, batches them, and replaces the process when it dies or
 * hangs.
 */
export class ProbingProcess {
  isReady = false
  /** The last reported load; null while the process does not run. */
  load: ProcessLoad | null = null
  pingWay: PingWay = 'none'
  readonly #options: ProbingProcessOptions
  readonly #entry: EntryFile
  readonly #checks = new Pending<CheckJob, CheckResult>(unanswered)
  readonly #diagnostics = new Pending<DiagnosticJob, DiagnosticResult>((_job, _symbol, message) => ({
    isOk: false,
    lines: [message],
  }))
  readonly #send: (job: Numbered<CheckJob>) => void
  readonly #browsers = new Set<number>()
  #child: ChildProcess | null = null
  #lastNumber = 0
  #hasSpoken = false
  #isPatient = false
  readonly #silence: Silence
  readonly #sockets = new Shortage(socketsAreBackAfterMs, (isShort) => this.#tellSockets(isShort))
  readonly #freeBrowsers = new Shortage(browsersAreBackAfterMs, (isShort) => this.#tellBrowsers(isShort))
  #busyCount = 0
  readonly #unsearched: UnsearchedPatterns
  #restartMs = firstRestartMs
  #isStopping = false
  #sweep: NodeJS.Timeout | null = null
  #restart: NodeJS.Timeout | null = null

  constructor(options: ProbingProcessOptions, entry: EntryFile) {
    this.#options = options
    this.#entry = entry
    this.#unsearched = new UnsearchedPatterns(options.log)
    const read = options.readThread ?? readMainThread
    this.#silence = new Silence(() => read(this.#child?.pid ?? 0), performance.now())
    this.#send = createBatch(batchMs, (jobs) => {
      if (this.isReady) this.#tell({ kind: 'jobs', jobs })
    })
  }

  /** True if its checks recently found no free socket on this machine. */
  get lacksSockets(): boolean {
    return this.#sockets.isOn
  }

  /** True if its page checks recently found no free browser in time. */
  get lacksBrowsers(): boolean {
    return this.#freeBrowsers.isOn
  }

  /** The number of checks that found none since the start. */
  get busyCount(): number {
    return this.#busyCount
  }

  /** True if there was recently too little time for all patterns of its checks. */
  get lacksPatternTime(): boolean {
    return this.#unsearched.isStationLate
  }

  /** The number of patterns not searched since the start. */
  get unsearchedCounts(): UnsearchedCounts {
    return this.#unsearched.counts
  }

  /** An aborted signal cancels the start: it rejects with the signal's reason once the process is gone. */
  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.#sweepAgain()
    let timer: NodeJS.Timeout | undefined
    let abort: () => void = () => undefined
    try {
      await new Promise<void>((resolve, reject) => {
        const giveUp = (reason: unknown) => void this.stop().then(() => reject(reason))
        timer = setTimeout(() => giveUp(new Error('The probing process did not start in time.')), startTimeoutMs)
        abort = () => giveUp(signal?.reason)
        signal?.addEventListener('abort', abort)
        this.#launch(resolve)
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  check(job: CheckJob): Promise<CheckResult> {
    if (!this.isReady) return Promise.resolve(unanswered(job, 'sensor_lost', notRunning))
    this.#lastNumber += 1
    this.#send([this.#lastNumber, job])
    return this.#checks.wait(this.#lastNumber, job)
  }

  diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    if (!this.isReady) return Promise.resolve({ isOk: false, lines: [notRunning] })
    this.#lastNumber += 1
    this.#tell({ kind: 'diagnose', job: [this.#lastNumber, job] })
    return this.#diagnostics.wait(this.#lastNumber, job)
  }

  stop(): Promise<void> {
    this.#isStopping = true
    if (this.#sweep !== null) clearTimeout(this.#sweep)
    if (this.#restart !== null) clearTimeout(this.#restart)
    const child = this.#child
    if (child === null) return Promise.resolve()
    return new Promise((resolve) => {
      // A process with a browser has to clean up once it is ready. It ends by itself when it loses its parent.
      const timer = setTimeout(() => child.kill('SIGKILL'), tidyingMs)
      child.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      if (this.isReady && this.#options.browser !== undefined && child.connected) child.disconnect()
      else child.kill('SIGKILL')
    })
  }

  #launch(ready: () => void): void {
    const child = fork(this.#entry.path, [], {
      execArgv: [...this.#entry.execArgv],
      env: childEnvironment(),
      // Keeps the settings that jobs share as one object, and bytes as bytes.
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#endSilence()
    this.#hasSpoken = false
    child.on('message', (message: FromProcess) => this.#hear(message, ready))
    child.on('error', (error) =>
      this.#options.log('error', 'The probing process cannot be reached.', { error: error.message }),
    )
    child.once('exit', (code, signal) => this.#lose(code, signal))
  }

  #hear(message: FromProcess, ready: () => void): void {
    this.#endSilence()
    this.#hasSpoken = true
    if (message.kind === 'hello')
      this.#tell({ kind: 'start', allow: this.#options.allow, browser: this.#options.browser ?? null })
    else if (message.kind === 'log') this.#options.log(message.level, message.message, message.facts)
    else if (message.kind === 'results')
      for (const [number, result] of message.results) {
        this.#noteLack(result)
        this.#checks.settle(number, result)
      }
    else if (message.kind === 'diagnosis') this.#diagnostics.settle(...message.result)
    else if (message.kind === 'browser') {
      if (message.isRunning) this.#browsers.add(message.processId)
      else this.#browsers.delete(message.processId)
    } else if (message.kind === 'ready') {
      this.isReady = true
      this.pingWay = message.pingWay
      ready()
    } else {
      this.#restartMs = firstRestartMs
      this.load = message.load
    }
  }

  #lose(code: number | null, signal: NodeJS.Signals | null): void {
    this.isReady = false
    this.load = null
    this.#child = null
    for (const processId of this.#browsers) killBrowser(processId)
    this.#browsers.clear()
    const lost = this.#checks.loseAll('the probing process ended during the check')
    this.#diagnostics.loseAll('the probing process ended meanwhile')
    if (this.#isStopping) return
    const facts = { code, signal, lost_checks: lost, restart_in_ms: this.#restartMs }
    this.#options.log('error', 'The probing process ended; starting another one.', facts)
    this.#restart = setTimeout(() => this.#launch(() => {}), this.#restartMs)
    this.#restartMs = Math.min(this.#restartMs * 2, longestRestartMs)
  }

  #sweepAgain(): void {
    const isBusy = this.#checks.size + this.#diagnostics.size > 0
    this.#sweep = setTimeout(() => this.#sweepOnce(), isBusy ? sweepMs : idleSweepMs).unref()
  }

  #sweepOnce(): void {
    this.#sweepAgain()
    const now = Date.now()
    this.#checks.sweep(now - graceMs)
    this.#diagnostics.sweep(now - graceMs)
    this.#sockets.look(performance.now())
    this.#freeBrowsers.look(performance.now())
    this.#unsearched.look(performance.now())
    if (this.#child !== null) this.#judgeSilence(this.#child)
  }

  #judgeSilence(child: ChildProcess): void {
    const { hungAfterMs = usualHungAfterMs, longestSilenceMs = usualLongestSilenceMs, log } = this.#options
    const { countedMs, lastedMs, state } = this.#silence.look(performance.now())
    // A busy machine takes long to start a process; ending it for that would only start it anew.
    const mostMs = this.#hasSpoken ? hungAfterMs : Math.max(hungAfterMs, startTimeoutMs)
    const facts = { silent_ms: Math.round(lastedMs), counted_ms: Math.round(countedMs), state }
    if (countedMs > mostMs || lastedMs > Math.max(mostMs, longestSilenceMs)) {
      log('error', 'The probing process does not answer; ending it.', facts)
      this.#endSilence()
      child.kill('SIGKILL')
    } else if (lastedMs > mostMs && !this.#isPatient) {
      this.#isPatient = true
      log('warn', 'The probing process is held by the machine; it is given more time.', facts)
    }
  }

  #noteLack(result: CheckResult): void {
    const { errorTypeId } = result
    this.#unsearched.note(result, performance.now())
    if (errorTypeId === outOfSockets) this.#sockets.meet(performance.now())
    if (errorTypeId !== outOfBrowsers) return
    this.#busyCount += 1
    this.#freeBrowsers.meet(performance.now())
  }

  #tellBrowsers(isShort: boolean): void {
    const facts = { ...this.load?.places }
    if (isShort)
      this.#options.log(
        'error',
        'This station is full: page checks find no free browser in time, they are unknown.',
        facts,
      )
    else this.#options.log('info', 'There are free browsers for page checks again.', facts)
  }

  #tellSockets(isShort: boolean): void {
    if (isShort)
      this.#options.log(
        'error',
        'No socket is left for checks (descriptors, ports, memory): their results are unknown.',
      )
    else this.#options.log('info', 'There are sockets for checks again.')
  }

  #endSilence(): void {
    this.#isPatient = false
    this.#silence.end(performance.now())
  }

  #tell(message: ToProcess): void {
    this.#child?.send(message, (error) => {
      if (error !== null)
        this.#options.log('warn', 'A message to the probing process was lost.', { error: error.message })
    })
  }
}

/** The result of a job that the process cannot answer. */
export function unanswered(job: CheckJob, symbol: ErrorTypeSymbol, message: string): CheckResult {
  return {
    serviceId: job.serviceId,
    sensorId: job.sensorId,
    result: 'unknown',
    startedAt: job.startAt,
    responseTime: null,
    dataSize: null,
    errorTypeId: errorType(symbol).id,
    errorMessage: message,
    phases: null,
    steps: null,
    evidence: null,
  }
}
