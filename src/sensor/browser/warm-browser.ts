import { availableParallelism, totalmem } from 'node:os'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { memoryLimit } from '../../child-process/memory-limit.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { PlacesUse } from '../messages.ts'
import type { BrowserProgram } from './find-browser.ts'
import { killBrowser, launchBrowser, launchText, proportionalBytes, type RunningBrowser } from './launch.ts'
import { heaviestBeyond, type MemoryLimits, usualMemoryLimits } from './memory-limits.ts'
import { driverText } from './page-failure.ts'
import { BrowserPlaces, type PlacesOptions } from './places.ts'
import { watchProcesses } from './process-watch.ts'
import { type ProcessReadings, watchStarvation, watchWaiting } from './starvation.ts'
import { Suspects } from './suspects.ts'
import { within } from './within.ts'

/**
 * The browser of a station. It starts at the first visit, is shared by all, and is replaced when it is old, hung or
 * gone. Owners whose pages were inside when it ended have browsers of their own for a while.
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
  /** The part of that which other programs or pages of other owners caused. */
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
  /** Tests pass their own. */
  readonly readings?: ProcessReadings
}

interface Run extends RunningBrowser {
  /** The only owner of its pages; null for the browser that all share. */
  readonly apartFor: string | null
  /** When a page of each owner entered last. */
  readonly enteredMs: Map<string, number>
  /** The owner of each page that is open now. */
  readonly inside: string[]
  visits: number
  isRetired: boolean
  /** Its end is ours, and nobody’s fault. */
  isEnding: boolean
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
  return Math.min(memoryLimit(), totalmem()) * shareOfMemory
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
  readonly #suspects = new Suspects()
  readonly #runs = new Set<Run>()
  /** The running browser of each owner who is apart; null names the one that all others share. */
  readonly #current = new Map<string | null, Promise<Run>>()
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
      return this.#placeIn(await this.#runFor(ownerKey), ownerKey, leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    // The visits waiting for this start get its error; a browser that did not start need not be ended.
    await Promise.allSettled(this.#current.values())
    await Promise.all([...this.#runs].map((run) => this.#end(run)))
  }

  #placeIn(run: Run, ownerKey: string, leave: () => void): BrowserPlace {
    run.visits += 1
    run.inside.push(ownerKey)
    run.enteredMs.set(ownerKey, performance.now())
    if (run.visits >= (this.#options.visitsPerBrowser ?? usualVisitsPerBrowser)) this.#retire(run)
    return {
      version: run.browser.version(),
      watchStarvation: () => watchStarvation(run.processIds),
      watchStarvationByOthers: () => this.#watchStarvationByOthers(run, ownerKey),
      gone: run.gone,
      open: async (options) => {
        const context = await within(openPatienceMs, run.browser.newContext(options)).catch((error: unknown) => {
          throw new Failure('browser_failed', driverText(error))
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
          else if (run.apartFor !== null && this.#runs.has(run)) this.#suspects.wentWell(ownerKey)
        }
        run.inside.splice(run.inside.indexOf(ownerKey), 1)
        if (run.inside.length === 0 && run.apartFor !== null) this.#retire(run)
        if (run.isRetired && run.inside.length === 0) await this.#end(run)
        leave()
      },
    }
  }

  /**
   * Nobody knows which page of a browser took the CPU. So all waiting counts while pages of others are inside, and the
   * next visit of a page that waited for half of its time is apart, where the browser's own use is its own.
   */
  #watchStarvationByOthers(run: Run, ownerKey: string): () => number {
    const sinceMs = performance.now()
    const wasBeside = run.inside.some((key) => key !== ownerKey)
    const waiting = watchWaiting(run.processId, this.#options.readings)
    return () => {
      const { waitedMs, byOthersMs } = waiting()
      const isBeside = [...run.enteredMs].some(([key, enteredMs]) => key !== ownerKey && enteredMs >= sinceMs)
      if (!wasBeside && !isBeside) return byOthersMs
      const nowMs = performance.now()
      if (waitedMs - byOthersMs > (nowMs - sinceMs) / 2) this.#suspects.setApartOnce(ownerKey, nowMs)
      return waitedMs
    }
  }

  /** One that was retired before its visitor came is of no use any more. */
  async #runFor(ownerKey: string): Promise<Run> {
    const apartFor = this.#suspects.isApart(ownerKey) ? ownerKey : null
    const run = await this.#run(apartFor)
    return run.isRetired ? await this.#run(apartFor) : run
  }

  async #run(apartFor: string | null): Promise<Run> {
    if (this.#isStopped) throw new Failure('browser_failed', 'the station stops')
    const current = this.#current.get(apartFor)
    if (current !== undefined) return await current
    const launched = this.#launch(apartFor).catch((error: unknown) => {
      this.#current.delete(apartFor)
      // The owner of the page may be a stranger here: the paths of this machine are for its operator.
      this.#options.onFailure?.(launchText(errorText(error)))
      throw new Failure('browser_failed', 'the browser does not start; the log of this station says why')
    })
    this.#current.set(apartFor, launched)
    return await launched
  }

  async #launch(apartFor: string | null): Promise<Run> {
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
    const run: Run = {
      ...{ ...running, apartFor, gone, enteredMs: new Map(), inside: [], visits: 0 },
      ...{ isRetired: false, isEnding: false, processIds: [running.processId] },
    }
    this.#runs.add(run)
    onProcess?.(run.processId, true)
    const unwatch = watchProcesses(run, {
      isNeeded: () => run.inside.length > 0,
      seen: (processIds) => {
        run.processIds = processIds
        this.#boundTogether(memoryLimits.sum)
      },
      ended: (what, reason) => onEnded?.(what, reason),
      limits: memoryLimits,
    })
    gone.then(() => {
      unwatch()
      this.#suspect(run)
      this.#forget(run)
      onProcess?.(run.processId, false)
    })
    return run
  }

  /** Where a browser never had pages of two owners, nobody else is in danger. */
  #suspect(run: Run): void {
    if (run.isEnding || (run.apartFor === null && run.enteredMs.size < 2)) return
    this.#suspects.browserEnded(new Set(run.inside), performance.now())
  }

  #boundTogether(limit: number): void {
    if (this.#runs.size < 2) return
    const weighed = [...this.#runs].map((run) => {
      const bytes = run.processIds.reduce((sum, id) => sum + (proportionalBytes(id) ?? 0), 0)
      return { run, bytes, owners: new Set(run.inside).size }
    })
    const excess = heaviestBeyond(limit, weighed)
    if (excess === null) return
    this.#options.onEnded?.('browser', excess.reason)
    killBrowser(excess.heaviest.run.processId)
  }

  #retire(run: Run): void {
    if (run.isRetired) return
    run.isRetired = true
    this.#current.delete(run.apartFor)
  }

  /** Closes the browser normally if it answers. */
  async #end(run: Run): Promise<void> {
    run.isEnding = true
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
    this.#retire(run)
    this.#runs.delete(run)
  }
}
