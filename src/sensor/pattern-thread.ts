import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { keepRunTime, type RunTime } from '../child-process/run-delay.ts'
import { FairQueue, type FairQueueOptions, type Turn } from './fair-queue.ts'
import { findInJson, findInXml, type PathAnswer, type PathWork } from './path-values.ts'

/** The thread's work: the search for a pattern, or the values of paths. */
export type ThreadWork = SearchWork | PathWork

interface SearchWork {
  readonly kind: 'pattern'
  readonly pattern: string
  readonly texts: readonly string[]
  readonly flags: number
}

/** The answer to each kind of work. */
interface Said {
  readonly pattern: readonly boolean[]
  readonly json: PathAnswer
  readonly xml: PathAnswer
}

/** Why work did not finish. `broken`: the thread does not start. */
export type Unfinished = 'slow' | 'late' | 'budget' | 'broken'

export interface Search extends Turn {
  readonly pattern: string
  readonly texts: readonly string[]
  readonly flags: number
}

/**
 * Which texts match, if the search finished, otherwise the reason why it did not. `slow`: it took more time or memory
 * than allowed. `late`: it had no turn before its end, or too short a one. `budget`: its owner had used its time.
 * `broken`: the thread does not start.
 */
export type FoundPatterns = readonly boolean[] | Unfinished

interface Waiting extends Turn {
  readonly work: ThreadWork
  readonly done: (found: Said[keyof Said] | Unfinished) => void
}

interface Running {
  readonly search: Waiting
  readonly startedAt: number
  /** The thread's time on a CPU at the start. */
  readonly ranMs: number | null
}

/**
 * Kept as text, because the library is there in the bundle and in the source alike, but a file of our own would have to
 * be found.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { RE2JS } = require(workerData.re2js)
// Some loaders of TypeScript put this call around functions.
const __name = (value) => value
const loaded = new Map()
const load = (name) => {
  if (!loaded.has(name)) loaded.set(name, require(workerData[name]))
  return loaded.get(name)
}
const findInJson = ${findInJson.toString()}
const findInXml = ${findInXml.toString()}
parentPort.on('message', (work) => {
  if (work.kind === 'json') parentPort.postMessage(findInJson(work, load('json-p3')))
  else if (work.kind === 'xml') parentPort.postMessage(findInXml(work, load('xpath'), load('@xmldom/xmldom')))
  else {
    const pattern = RE2JS.compile(work.pattern, work.flags)
    parentPort.postMessage(work.texts.map((text) => pattern.matcher(text).find()))
  }
})
let name = 'none'
try {
  name = require('node:fs').readlinkSync('/proc/thread-self')
} catch {
  // Not Linux.
}
parentPort.postMessage(name)
`
const libraries = ['re2js', 'json-p3', 'xpath', '@xmldom/xmldom'] as const
const mostMegabytes = 256
/** On a busy machine a thread has a CPU for a part of the time only. Others must not wait much longer for that. */
const mostTimesPatience = 3
/** The system counts the time on a CPU in steps of up to 10 ms. */
const stepMs = 10
const idleMs = 30_000

export interface PatternThreadOptions extends FairQueueOptions {
  /** The limit of one piece of work: milliseconds on a CPU, where the system tells them. */
  readonly patienceMs: number
  /** For tests; otherwise the system tells how long the thread had a CPU. */
  readonly runTimeOf?: (thread: string) => RunTime
}

/**
 * Searches texts and reads documents one after another, by turns of their owners, in a thread that can be ended at any
 * moment. The thread is started when it is first needed.
 */
export class PatternThread {
  readonly #patienceMs: number
  readonly #runTimeOf: (thread: string) => RunTime
  readonly #queue: FairQueue<Waiting>
  #worker: Worker | null = null
  /** Null until the thread is ready. */
  #runTime: RunTime | null = null
  #current: Running | null = null
  /** Ends the running search. */
  #limit: NodeJS.Timeout | null = null
  /** Wakes for waiting searches, or ends the thread while it is idle. */
  #alarm: NodeJS.Timeout | null = null

  constructor({ patienceMs, runTimeOf = keepRunTime, ...options }: PatternThreadOptions) {
    this.#patienceMs = patienceMs
    this.#runTimeOf = runTimeOf
    this.#queue = new FairQueue(options)
  }

  find({ pattern, texts, flags, ...turn }: Search): Promise<FoundPatterns> {
    return this.#take<'pattern'>({ kind: 'pattern', pattern, texts, flags }, turn)
  }

  /** The values of paths in a text. */
  findPaths(work: PathWork, turn: Turn): Promise<PathAnswer | Unfinished> {
    return this.#take<PathWork['kind']>(work, turn)
  }

  /** The thread answers each kind of work in its own way. */
  #take<Kind extends keyof Said>(work: ThreadWork, { ownerKey, endsAt }: Turn): Promise<Said[Kind] | Unfinished> {
    return new Promise((resolve) => {
      const done = (found: Said[keyof Said] | Unfinished) => resolve(found as Said[Kind] | Unfinished)
      this.#queue.add({ ownerKey, endsAt, work, done }, performance.now())
      this.#next()
    })
  }

  #next(): void {
    this.#begin()
    if (this.#alarm !== null) clearTimeout(this.#alarm)
    const now = performance.now()
    const nextAt = this.#queue.nextAt(now)
    if (nextAt !== null) this.#alarm = setTimeout(() => this.#next(), nextAt - now)
    else if (this.#current === null) this.#alarm = setTimeout(() => this.#end(), idleMs).unref()
    else this.#alarm = null
  }

  #begin(): void {
    for (const [{ done }, reason] of this.#queue.takeExpired(performance.now())) done(reason)
    if (this.#current !== null || this.#queue.nextAt(performance.now()) === null) return
    const worker = this.#worker ?? this.#launch()
    if (this.#runTime === null) return
    const now = performance.now()
    const search = this.#queue.take(now)
    if (search === undefined) return
    this.#current = { search, startedAt: now, ranMs: this.#runTime.read() }
    this.#watchLimit(this.#current)
    worker.postMessage(search.work)
  }

  /** Ends the work at its limit. A thread that waited for a CPU goes on, since that says nothing about the work. */
  #watchLimit(running: Running): void {
    const now = performance.now()
    const elapsedMs = now - running.startedAt
    const ranMs = this.#runTime?.read() ?? null
    const usedMs = ranMs === null || running.ranMs === null ? elapsedMs : ranMs - running.ranMs
    const mostMs = Math.min(this.#patienceMs * mostTimesPatience - elapsedMs, running.search.endsAt - now)
    const leftMs = this.#patienceMs - usedMs
    if (leftMs <= stepMs) this.#giveUp('slow')
    else if (mostMs <= 0) this.#giveUp('late')
    else this.#limit = setTimeout(() => this.#watchLimit(running), Math.min(leftMs, mostMs))
  }

  #launch(): Worker {
    const { resolve } = createRequire(import.meta.url)
    const workerData = Object.fromEntries(libraries.map((name) => [name, resolve(name)]))
    const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes }
    const worker = new Worker(program, { eval: true, workerData, resourceLimits, execArgv: [] })
    this.#worker = worker
    worker.unref()
    // The first message names the thread.
    worker.on('message', (said: string | Said[keyof Said]) => {
      if (this.#worker !== worker) return
      if (typeof said === 'string') this.#runTime = this.#runTimeOf(said)
      else this.#settle(said)
      this.#next()
    })
    const lost = (): void => {
      if (this.#worker === worker) this.#giveUp('slow')
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    return worker
  }

  #giveUp(reason: Unfinished): void {
    this.#end()
    if (this.#current !== null) this.#settle(reason)
    // A thread that cannot start must not be tried for ever, so the first waiting search is rejected.
    else this.#queue.take(performance.now())?.done('broken')
    this.#next()
  }

  #settle(found: Said[keyof Said] | Unfinished): void {
    if (this.#limit !== null) clearTimeout(this.#limit)
    this.#limit = null
    const current = this.#current
    this.#current = null
    if (current === null) return
    const now = performance.now()
    this.#queue.charge(current.search.ownerKey, now - current.startedAt, now)
    current.search.done(found)
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = null
    this.#runTime?.close()
    this.#runTime = null
    void worker?.terminate()
  }
}
