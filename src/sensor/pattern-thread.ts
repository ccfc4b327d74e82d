import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { FairQueue, type FairQueueOptions, type Turn } from './fair-queue.ts'

export interface Search extends Turn {
  readonly pattern: string
  readonly text: string
  readonly flags: number
}

/**
 * Whether it was found, or why nobody knows: `slow` took longer than the patience, or more memory than there is; `late` had no turn before
 * its end, or too short a one; `budget` had none because its owner had used its time; `broken`: the thread does not start.
 */
export type Found = boolean | 'slow' | 'late' | 'budget' | 'broken'

interface Waiting extends Search {
  readonly done: (found: Found) => void
}

interface Running {
  readonly search: Waiting
  readonly startedAt: number
}

/** As a text: whoever runs the program, bundled or from its source, has the library and need not find one more file. */
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
  /** The longest that one search takes. */
  readonly patienceMs: number
}

/**
 * Searches texts in a thread that can be ended in the middle of one: one after another, by turns of their owners. Made when it is first
 * needed.
 */
export class PatternThread {
  readonly #patienceMs: number
  readonly #queue: FairQueue<Waiting>
  #worker: Worker | null = null
  #isReady = false
  #current: Running | null = null
  /** Of the search that runs. */
  #limit: NodeJS.Timeout | null = null
  /** Of those that wait, or of the thread while it has nothing to do. */
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
    // One that cannot even begin must not be tried for ever: whoever is first in line is told.
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
