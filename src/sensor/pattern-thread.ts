import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

export interface Search {
  readonly pattern: string
  readonly text: string
  readonly flags: number
}

interface Waiting extends Search {
  readonly patienceMs: number
  readonly done: (found: boolean | null) => void
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

/** Searches texts one after another in a thread that can be ended in the middle of one. Made when it is first needed. */
export class PatternThread {
  readonly #queue: Waiting[] = []
  #worker: Worker | null = null
  #isReady = false
  #current: Waiting | null = null
  #timer: NodeJS.Timeout | null = null

  /** Null when it took longer than the patience, or more memory than there is for it; the time in line does not count. */
  find(search: Search, patienceMs: number): Promise<boolean | null> {
    return new Promise((done) => {
      this.#queue.push({ ...search, patienceMs, done })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== null) return
    this.#stopTimer()
    if (this.#queue.length === 0) {
      this.#timer = setTimeout(() => this.#end(), idleMs)
      this.#timer.unref()
      return
    }
    const worker = this.#worker ?? this.#launch()
    if (!this.#isReady) return
    const search = this.#queue.shift()
    if (search === undefined) return
    this.#current = search
    const { pattern, text, flags, patienceMs } = search
    this.#timer = setTimeout(() => this.#giveUp(), patienceMs)
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
      if (this.#worker === worker) this.#giveUp()
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    return worker
  }

  #giveUp(): void {
    // One that cannot even begin must not be tried for ever: whoever is first in line is told.
    this.#current ??= this.#queue.shift() ?? null
    this.#end()
    this.#settle(null)
    this.#next()
  }

  #settle(found: boolean | null): void {
    this.#stopTimer()
    const current = this.#current
    this.#current = null
    current?.done(found)
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = null
    this.#isReady = false
    void worker?.terminate()
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
