import { type ChildProcess, fork } from 'node:child_process'
import type { Entry } from '../child-process/entry.ts'
import { childEnvironment } from '../child-process/environment.ts'
import { type ErrorTypeSymbol, errorType } from '../domain/error-types.ts'
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
import type { Allowed } from './screen.ts'

export interface ProbingProcessOptions {
  readonly allow: Allowed
  /** For a process that checks pages. */
  readonly browser?: BrowserOrder | null
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  /** A process silent for longer is taken for hung and replaced. */
  readonly hungAfterMs?: number
}

const batchMs = 2
const sweepMs = 50
/** The process gets this long past the deadline to hand over a result that was ready in time. */
const graceMs = 50
const firstRestartMs = 100
const longestRestartMs = 5000
const usualHungAfterMs = 5000
const startTimeoutMs = 30_000
const tidyingMs = 2000
const notRunning = 'the probing process is not running'

/** The parent's side of one probing process: numbers the jobs, batches them, and replaces the process when it dies or hangs. */
export class ProbingProcess {
  isReady = false
  /** As last heard; null while the process does not run. */
  load: ProcessLoad | null = null
  pingWay: PingWay = 'none'
  readonly #options: ProbingProcessOptions
  readonly #entry: Entry
  readonly #checks = new Pending<CheckJob, CheckResult>(unanswered)
  readonly #diagnostics = new Pending<DiagnosticJob, DiagnosticResult>((_job, _symbol, message) => ({
    isOk: false,
    lines: [message],
  }))
  readonly #send: (job: Numbered<CheckJob>) => void
  readonly #browsers = new Set<number>()
  #child: ChildProcess | null = null
  #lastNumber = 0
  #heardAt = 0
  #hasSpoken = false
  #sweptAt = 0
  #restartMs = firstRestartMs
  #isStopping = false
  #sweep: NodeJS.Timeout | null = null
  #restart: NodeJS.Timeout | null = null

  constructor(options: ProbingProcessOptions, entry: Entry) {
    this.#options = options
    this.#entry = entry
    this.#send = createBatch(batchMs, (jobs) => {
      if (this.isReady) this.#tell({ kind: 'jobs', jobs })
    })
  }

  start(): Promise<void> {
    this.#sweep = setInterval(() => this.#sweepOnce(), sweepMs)
    this.#sweep.unref()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.stop().then(() => reject(new Error('The probing process did not start in time.')))
      }, startTimeoutMs)
      this.#launch(() => {
        clearTimeout(timer)
        resolve()
      })
    })
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
    if (this.#sweep !== null) clearInterval(this.#sweep)
    if (this.#restart !== null) clearTimeout(this.#restart)
    const child = this.#child
    if (child === null) return Promise.resolve()
    return new Promise((resolve) => {
      // One with a browser has to tidy up; it ends by itself when it loses its parent.
      const timer = setTimeout(() => child.kill('SIGKILL'), tidyingMs)
      child.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      if (this.#options.browser !== undefined && child.connected) child.disconnect()
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
    this.#heardAt = Date.now()
    this.#hasSpoken = false
    child.on('message', (message: FromProcess) => this.#hear(message, ready))
    child.on('error', (error) =>
      this.#options.log('error', 'The probing process cannot be reached.', { error: error.message }),
    )
    child.once('exit', (code, signal) => this.#lose(code, signal))
  }

  #hear(message: FromProcess, ready: () => void): void {
    this.#heardAt = Date.now()
    this.#hasSpoken = true
    if (message.kind === 'hello')
      this.#tell({ kind: 'start', allow: this.#options.allow, browser: this.#options.browser ?? null })
    else if (message.kind === 'log') this.#options.log(message.level, message.message, message.facts)
    else if (message.kind === 'results')
      for (const [number, result] of message.results) this.#checks.settle(number, result)
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

  #sweepOnce(): void {
    const now = Date.now()
    this.#checks.sweep(now - graceMs)
    this.#diagnostics.sweep(now - graceMs)
    const hungAfterMs = this.#options.hungAfterMs ?? usualHungAfterMs
    // After a hold of our own the messages that came meanwhile are not read yet: the silence may be ours.
    const wasHeld = now - this.#sweptAt > hungAfterMs / 2
    this.#sweptAt = now
    if (wasHeld) this.#heardAt = Math.max(this.#heardAt, now - hungAfterMs / 2)
    // A machine under load takes long to start a process; ending it for that would only begin it anew.
    const patienceMs = this.#hasSpoken ? hungAfterMs : Math.max(hungAfterMs, startTimeoutMs)
    if (this.#child === null || now - this.#heardAt <= patienceMs) return
    this.#options.log('error', 'The probing process does not answer; ending it.', { silent_ms: now - this.#heardAt })
    this.#heardAt = now
    this.#child.kill('SIGKILL')
  }

  #tell(message: ToProcess): void {
    this.#child?.send(message, (error) => {
      if (error !== null)
        this.#options.log('warn', 'A message to the probing process was lost.', { error: error.message })
    })
  }
}

/** What a job gets that the process cannot answer. */
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
