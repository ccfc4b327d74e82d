import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
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
export type Found = readonly boolean[] | Unfinished

interface Waiting extends Turn {
  readonly work: ThreadWork
  readonly done: (found: Said[keyof Said] | Unfinished) => void
}

interface Running {
  readonly search: Waiting
  readonly startedAt: number
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
parentPort.postMessage('ready')
`
const libraries = ['re2js', 'json-p3', 'xpath', '@xmldom/xmldom'] as const
const mostMegabytes = 256
const idleMs = 30_000

export interface PatternThreadOptions extends FairQueueOptions {
  /** The time limit of one piece of work. */
  readonly patienceMs: number
}

/**
 * Searches texts and reads documents one after another, by turns of their owners, in a thread that can be ended at any
 * moment. The thread is started when it is first needed.
 */
export class PatternThread {
  readonly #patienceMs: number
  readonly #queue: FairQueue<Waiting>
  #worker: Worker | null = null
  #isReady = false
  #current: Running | null = null
  /** Ends the running search. */
  #limit: NodeJS.Timeout | null = null
  /** Wakes for waiting searches, or ends the thread while it is idle. */
  #alarm: NodeJS.Timeout | null = null

  constructor({ patienceMs, ...options }: PatternThreadOptions) {
    this.#patienceMs = patienceMs
    this.#queue = new FairQueue(options)
  }

  find({ pattern, texts, flags, ...turn }: Search): Promise<Found> {
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
    if (!this.#isReady) return
    const now = performance.now()
    const search = this.#queue.take(now)
    if (search === undefined) return
    this.#current = { search, startedAt: now }
    const limitMs = Math.min(this.#patienceMs, search.endsAt - now)
    this.#limit = setTimeout(() => this.#giveUp(limitMs < this.#patienceMs ? 'late' : 'slow'), limitMs)
    worker.postMessage(search.work)
  }

  #launch(): Worker {
    const { resolve } = createRequire(import.meta.url)
    const workerData = Object.fromEntries(libraries.map((name) => [name, resolve(name)]))
    const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes }
    const worker = new Worker(program, { eval: true, workerData, resourceLimits, execArgv: [] })
    this.#worker = worker
    this.#isReady = false
    worker.unref()
    worker.on('message', (said: 'ready' | Said[keyof Said]) => {
      if (this.#worker !== worker) return
      if (said === 'ready') this.#isReady = true
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
    this.#isReady = false
    void worker?.terminate()
  }
}
