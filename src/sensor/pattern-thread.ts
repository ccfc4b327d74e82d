import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { FairQueue, type FairQueueOptions, type Turn } from './fair-queue.ts'

export interface Search extends Turn {
  readonly pattern: string
  readonly text: string
  readonly flags: number
}

/**
 * True or false if the search finished, otherwise the reason why it did not. `slow`: it took more time or memory than
 * allowed. `late`: it had no turn before its end, or too short a one. `budget`: its owner had used its time. `broken`:
 * the thread does not start.
 */
export type Found = boolean | 'slow' | 'late' | 'budget' | 'broken'

interface Waiting extends Search {
  readonly done: (found: Found) => void
}

interface Running {
  readonly search: Waiting
  readonly startedAt: number
}

/**
 * Kept as text, because the library is there in the bundle and in the source alike, but a file of our own would have to
 * be found.
 */
const work = `
const { parentPort, workerData } = require('node:worker_threads')
const { RE2JS } = require(workerData.library)
parentPort.on('message', ({ pattern, text, flags }) => {
  parentPort.postMessage(RE2JS.compile(pattern, flags).matcher(text).find())
})
parentPort.postMessage('ready')
`
const mostMegabytes = 256
const idleMs = 30_000

export interface PatternThreadOptions extends FairQueueOptions {
  /** The time limit of one search. */
  readonly patienceMs: number
}

/**
 * Searches texts one after another, by turns of their owners, in a thread that can be ended at any moment. The thread
 * is started when it is first needed.
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

  find(search: Search): Promise<Found> {
    return new Promise((done) => {
      this.#queue.add({ ...search, done }, performance.now())
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
    const { pattern, text, flags, endsAt } = search
    const limitMs = Math.min(this.#patienceMs, endsAt - now)
    this.#limit = setTimeout(() => this.#giveUp(limitMs < this.#patienceMs ? 'late' : 'slow'), limitMs)
    worker.postMessage({ pattern, text, flags })
  }

  #launch(): Worker {
    const library = createRequire(import.meta.url).resolve('re2js')
    const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes }
    const worker = new Worker(work, { eval: true, workerData: { library }, resourceLimits, execArgv: [] })
    this.#worker = worker
    this.#isReady = false
    worker.unref()
    worker.on('message', (said: unknown) => {
      if (this.#worker !== worker) return
      if (said === 'ready') this.#isReady = true
      else this.#settle(said === true)
      this.#next()
    })
    const lost = (): void => {
      if (this.#worker === worker) this.#giveUp('slow')
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    return worker
  }

  #giveUp(reason: Found): void {
    this.#end()
    if (this.#current !== null) this.#settle(reason)
    // A thread that cannot start must not be tried for ever, so the first waiting search is rejected.
    else this.#queue.take(performance.now())?.done('broken')
    this.#next()
  }

  #settle(found: Found): void {
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
