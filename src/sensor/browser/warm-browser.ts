import { availableParallelism, totalmem } from 'node:os'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { errorText } from '../../domain/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { PlacesUse } from '../messages.ts'
import type { BrowserProgram } from './find-browser.ts'
import { killBrowser, launchBrowser, launchText, type RunningBrowser } from './launch.ts'
import { type MemoryLimits, usualMemoryLimits } from './memory-limits.ts'
import { BrowserPlaces, type PlacesOptions } from './places.ts'
import { watchProcesses } from './process-watch.ts'
import { watchStarvation, watchStarvationByOthers } from './starvation.ts'
import { within } from './within.ts'

/**
 * The browser of a station. It starts at the first visit, is shared by all, and is replaced when it is old, hung or
 * gone.
 */
export interface WarmBrowser {
  /** Waits for a place. Rejects with a Failure of the sensor if none is free in time or no browser can start. */
  enter(waitMs: number, ownerKey: string): Promise<BrowserPlace>
  readonly places: PlacesUse
  stop(): Promise<void>
}

/** The right to one context. */
export interface BrowserPlace {
  /** The browser's product name and version. */
  readonly version: string
  open(options: BrowserContextOptions): Promise<BrowserContext>
  /** Closes the context; if that does not answer, ends the browser with everything in it. */
  leave(context: BrowserContext | null): Promise<void>
  /** Starts to measure for how many milliseconds the browser gets no CPU. */
  readonly watchStarvation: () => () => number
  /** The part of that which other programs caused. */
  readonly watchStarvationByOthers: () => () => number
  /** Resolves when the browser ended under this place. */
  readonly gone: Promise<void>
}

export interface WarmBrowserOptions {
  readonly prepare: () => Promise<BrowserProgram>
  readonly isSandboxed: boolean
  readonly extraArguments?: readonly string[]
  readonly places?: PlacesOptions
  /** Called at every start and end of a browser process, so that the parent can end it too. */
  readonly onProcess?: (processId: number, isRunning: boolean) => void
  readonly onFailure?: (message: string) => void
  /** Called when a page or the browser was ended for its memory. */
  readonly onEnded?: (what: 'page' | 'browser', reason: string) => void
  readonly memoryLimits?: MemoryLimits
  readonly visitsPerBrowser?: number
}

interface Run extends RunningBrowser {
  visits: number
  open: number
  isRetired: boolean
  /** All processes of the browser, its pages' included, at the last look. */
  processIds: readonly number[]
  readonly gone: Promise<void>
}

/** A single core still gets two, because a hanging page would block the other checks. */
const leastPlaces = 2
const pageBytes = 100 * 1024 ** 2
const shareOfMemory = 1 / 4
const usualVisitsPerBrowser = 250
const closePatienceMs = 3000
const openPatienceMs = 5000

export function createWarmBrowser(options: WarmBrowserOptions): WarmBrowser {
  return new Warm(options)
}

/**
 * Pages that share a core distort load times, so there are as many places as cores. Pages that only wait share the
 * memory.
 */
function placesHere(): PlacesOptions {
  const usual = Math.max(leastPlaces, availableParallelism())
  return { usual, most: Math.max(usual + 1, Math.floor(memoryShare() / pageBytes)) }
}

/** Bytes of this machine's memory that the browser may use. */
function memoryShare(): number {
  const limit = process.constrainedMemory()
  return (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) * shareOfMemory
}

/** On a large machine many pages are open at once. */
function memoryLimitsHere(): MemoryLimits {
  return { ...usualMemoryLimits, sum: Math.max(usualMemoryLimits.sum, memoryShare()) }
}

function busyText(waitMs: number, { taken, waiting }: PlacesUse): string {
  const seconds = Math.max(0, Math.round(waitMs / 1000))
  return `this station had no free browser for ${seconds} s: ${taken} pages were open, ${waiting} more checks waited`
}

class Warm implements WarmBrowser {
  readonly #options: WarmBrowserOptions
  readonly #places: BrowserPlaces
  readonly #runs = new Set<Run>()
  #current: Promise<Run> | null = null
  #isStopped = false

  constructor(options: WarmBrowserOptions) {
    this.#options = options
    this.#places = new BrowserPlaces(options.places ?? placesHere())
  }

  get places(): PlacesUse {
    return this.#places.use
  }

  async enter(waitMs: number, ownerKey: string): Promise<BrowserPlace> {
    const leave = await this.#places.enter(waitMs, ownerKey)
    if (leave === null) throw new Failure('browser_busy', busyText(waitMs, this.places))
    try {
      return this.#placeIn(await this.#run(), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    // The visits waiting for this start get its error; a browser that did not start need not be ended.
    await this.#current?.catch(() => {})
    await Promise.all([...this.#runs].map((run) => this.#end(run)))
  }

  #placeIn(run: Run, leave: () => void): BrowserPlace {
    run.visits += 1
    run.open += 1
    if (run.visits >= (this.#options.visitsPerBrowser ?? usualVisitsPerBrowser)) this.#retire(run)
    return {
      version: run.browser.version(),
      watchStarvation: () => watchStarvation(run.processIds),
      watchStarvationByOthers: () => watchStarvationByOthers(run.processId),
      gone: run.gone,
      open: async (options) => {
        const context = await within(openPatienceMs, run.browser.newContext(options)).catch((error: unknown) => {
          throw new Failure('browser_failed', errorText(error))
        })
        if (context !== null) return context
        await this.#kill(run)
        throw new Failure('browser_failed', `the browser opened no context within ${openPatienceMs} ms`)
      },
      leave: async (context) => {
        if (context !== null) {
          const closed = await within(
            closePatienceMs,
            context.close().then(
              () => true,
              () => true,
            ),
          )
          if (closed === null) await this.#kill(run)
        }
        run.open -= 1
        if (run.isRetired && run.open === 0) await this.#end(run)
        leave()
      },
    }
  }

  async #run(): Promise<Run> {
    if (this.#isStopped) throw new Failure('browser_failed', 'the station stops')
    this.#current ??= this.#launch().catch((error: unknown) => {
      this.#current = null
      const text = launchText(errorText(error))
      this.#options.onFailure?.(text)
      throw new Failure('browser_failed', text)
    })
    return await this.#current
  }

  async #launch(): Promise<Run> {
    const {
      prepare,
      isSandboxed,
      extraArguments = [],
      onProcess,
      onEnded,
      memoryLimits = memoryLimitsHere(),
    } = this.#options
    const running = await launchBrowser({ program: await prepare(), isSandboxed, extraArguments })
    const gone = new Promise<void>((resolve) => running.browser.once('disconnected', () => resolve()))
    const run: Run = { ...running, visits: 0, open: 0, isRetired: false, processIds: [running.processId], gone }
    this.#runs.add(run)
    onProcess?.(run.processId, true)
    const unwatch = watchProcesses(run, {
      isNeeded: () => run.open > 0,
      seen: (processIds) => {
        run.processIds = processIds
      },
      ended: (what, reason) => onEnded?.(what, reason),
      limits: memoryLimits,
    })
    gone.then(() => {
      unwatch()
      this.#forget(run)
      onProcess?.(run.processId, false)
    })
    return run
  }

  #retire(run: Run): void {
    run.isRetired = true
    this.#current = null
  }

  /** Closes the browser normally if it answers. */
  async #end(run: Run): Promise<void> {
    await within(
      closePatienceMs,
      // A browser that does not close itself is killed below.
      run.browser.close().catch(() => {}),
    )
    await this.#kill(run)
  }

  async #kill(run: Run): Promise<void> {
    this.#forget(run)
    killBrowser(run.processId)
    await within(closePatienceMs, run.gone)
  }

  #forget(run: Run): void {
    if (!run.isRetired) this.#retire(run)
    this.#runs.delete(run)
  }
}
