import type { Readable } from 'node:stream'
import { type ConnectedCaller, readStandings, type Standing } from '../../auth/standing.ts'
import type { Database } from '../../database/connect.ts'
import { readCore } from '../../database/processes.ts'
import {
  forgetStreamEvents,
  type HeardSoFar,
  readStreamEvents,
  type StoredEvent,
} from '../../database/services/stream-events.ts'
import type { Clock } from '../../domain/clock.ts'
import { canResume, isWanted, mayHear, type StreamCursor } from '../../domain/stream-event.ts'
import type { Call } from '../../rest/call.ts'
import { refuse } from '../../rest/problems.ts'
import { systemTimers } from '../../turns/timers.ts'
import { Turns } from '../../turns/turns.ts'
import { type CursorText, cursorText } from './cursor-text.ts'
import { type ListenerParts, StreamListener } from './listener.ts'
import { type ShownEvent, showEvents } from './show-events.ts'

/** Streams at once, at each process. */
export interface StreamLimits {
  readonly ofAccount: number
  readonly ofAddress: number
}

export interface EventFeedOptions {
  readonly database: Database
  readonly clock: Clock
  readonly limits?: StreamLimits
  readonly onFault: (error: unknown) => void
}

const usualLimits: StreamLimits = { ofAccount: 50, ofAddress: 200 }
const lookEveryMs = 500
const idleMs = 60_000
const afterFaultMs = 2000
/** A listener who lost the right receives nothing from then on, and is disconnected within this time. */
const standingEveryMs = 5000
const forgetEveryMs = 60_000
/** More in one look than this is not told one by one. */
const mostEvents = 2000

/**
 * Reads the events of all processes and sends them to the listeners of this one, with one look for all of them. Events
 * come from the database, so each is sent after its commit, to the listeners of every process.
 */
export class EventFeed {
  readonly #options: EventFeedOptions
  readonly #turns: Turns
  readonly #listeners = new Set<StreamListener>()
  readonly #joining = new Set<StreamListener>()
  #heard: HeardSoFar = { floor: null, seen: [] }
  /** Heard events of transactions that are younger than one that has not ended. */
  #known: readonly StoredEvent[] = []
  #epoch: number | null = null
  #cursors: CursorText | null = null
  #call: Call | null = null
  #standingAt = Number.NEGATIVE_INFINITY
  #forgotAt = Number.NEGATIVE_INFINITY
  #isStopped = false
  #isOn = false

  constructor(options: EventFeedOptions) {
    this.#options = options
    this.#turns = new Turns({ timers: systemTimers, take: () => this.#take() })
  }

  /** Listeners of this process. */
  get size(): number {
    return this.#listeners.size + this.#joining.size
  }

  /** Begins to forget what is too old, whether somebody listens or not. */
  start(): void {
    if (this.#isOn || this.#isStopped) return
    this.#isOn = true
    this.#turns.start()
  }

  /** Refuses one stream too many of an account or an address. */
  open(call: Call, parts: ListenerParts): Readable {
    const { ofAccount, ofAddress } = this.#options.limits ?? usualLimits
    if (this.#count(({ accountId }) => accountId === parts.holder.accountId) >= ofAccount) {
      refuse('too_many_streams', undefined, { value: ofAccount })
    }
    if (this.#count(({ ipAddress }) => ipAddress === parts.holder.ipAddress) >= ofAddress) {
      refuse('too_many_streams', undefined, { value: ofAddress })
    }
    const listener = new StreamListener(parts)
    listener.stream.once('close', () => {
      this.#listeners.delete(listener)
      this.#joining.delete(listener)
    })
    if (this.#isStopped) listener.end()
    else this.#joining.add(listener)
    this.#call = call
    this.start()
    this.#turns.wake()
    return listener.stream
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#turns.stop()
    for (const listener of [...this.#listeners, ...this.#joining]) listener.end()
  }

  #count(isMeant: (holder: ConnectedCaller) => boolean): number {
    return [...this.#listeners, ...this.#joining].filter(({ parts }) => isMeant(parts.holder)).length
  }

  async #take(): Promise<number> {
    try {
      await this.#forget()
      if (this.size === 0) {
        this.#forgetAll()
        return idleMs
      }
      this.#cursors ??= cursorText((await readCore(this.#options.database)).key)
      await this.#look()
      return lookEveryMs
    } catch (error) {
      this.#options.onFault(error)
      return afterFaultMs
    }
  }

  async #forget(): Promise<void> {
    const now = performance.now()
    if (now - this.#forgotAt < forgetEveryMs) return
    this.#forgotAt = now
    await forgetStreamEvents(this.#options.database)
  }

  async #look(): Promise<void> {
    const { database } = this.#options
    const isNew = this.#heard.floor === null
    const read = await readStreamEvents(database, this.#heard, mostEvents)
    const isInterrupted = !isNew && read.epoch !== this.#epoch
    const isTooMuch = read.events.length >= mostEvents
    this.#epoch = read.epoch
    if (isTooMuch || isInterrupted) await this.#skip()
    else this.#advance(read.floor, read.events)
    const cursor = this.#cursorText()
    if (isTooMuch || isInterrupted) this.#resetAll(cursor)
    else if (!isNew) await this.#tell(read.events, [...this.#listeners], cursor)
    await this.#join()
    await this.#endUnwelcome()
    for (const listener of this.#listeners) listener.keepAlive(cursor, this.#now())
  }

  /** Takes what there is as heard: everybody is told to read again. */
  async #skip(): Promise<void> {
    this.#forgetAll()
    const read = await readStreamEvents(this.#options.database, this.#heard, mostEvents)
    this.#advance(read.floor, read.events)
  }

  #forgetAll(): void {
    this.#known = []
    this.#heard = { floor: null, seen: [] }
  }

  #advance(floor: number, events: readonly StoredEvent[]): void {
    this.#known = [...this.#known, ...events].filter(({ transaction }) => transaction >= floor)
    this.#heard = { floor, seen: this.#known.map(({ id }) => id) }
  }

  async #join(): Promise<void> {
    const joining = [...this.#joining]
    if (joining.length === 0) return
    const present = this.#cursor()
    const [resuming, lost] = [new Map<StreamListener, StreamCursor>(), new Set<StreamListener>()]
    for (const listener of joining) {
      const { resumesAt } = listener.parts
      const cursor = resumesAt === null ? null : (this.#cursors?.read(resumesAt) ?? null)
      if (cursor !== null && canResume(cursor, present)) resuming.set(listener, cursor)
      else if (resumesAt !== null) lost.add(listener)
    }
    const missed = await this.#missed([...resuming.values()])
    for (const listener of joining) {
      this.#joining.delete(listener)
      if (listener.stream.destroyed) continue
      this.#listeners.add(listener)
      const cursor = resuming.get(listener)
      const isLost = lost.has(listener) || (cursor !== undefined && missed === null)
      const begun = cursor === undefined || isLost ? this.#cursorText() : (listener.parts.resumesAt ?? '')
      listener.begin(begun, this.#now())
      if (isLost) listener.reset(begun, this.#now())
    }
    if (missed === null || missed.length === 0) return
    const standing = await this.#standing([...resuming.keys()])
    const shown = await this.#show(missed, [...resuming.keys()])
    for (const [listener, { floor }] of resuming) {
      this.#send(
        listener,
        shown.filter(({ transaction }) => transaction >= floor),
        standing,
        this.#cursorText(),
      )
    }
  }

  /**
   * The events since the earliest of the cursors that were read here before; the rest comes with the next look. Null:
   * too many.
   */
  async #missed(from: readonly StreamCursor[]): Promise<readonly StoredEvent[] | null> {
    if (from.length === 0) return []
    const floor = Math.min(...from.map((cursor) => cursor.floor))
    const { events } = await readStreamEvents(this.#options.database, { floor, seen: [] }, mostEvents)
    if (events.length >= mostEvents) return null
    const [heardFloor, seen] = [this.#heard.floor ?? 0, new Set(this.#heard.seen)]
    return events.filter(({ id, transaction }) => transaction < heardFloor || seen.has(id))
  }

  async #tell(events: readonly StoredEvent[], listeners: readonly StreamListener[], cursor: string): Promise<void> {
    if (events.length === 0 || listeners.length === 0) return
    const shown = await this.#show(events, listeners)
    if (shown.length === 0) return
    const standing = await this.#standing(listeners)
    for (const listener of listeners) this.#send(listener, shown, standing, cursor)
  }

  #send(listener: StreamListener, events: readonly ShownEvent[], standing: Standing, cursor: string): void {
    const { holder, filter, language } = listener.parts
    const caller = standing(holder)
    if (caller === null) {
      listener.end()
      return
    }
    const heard = events.filter((event) => mayHear(caller, event) && isWanted(filter, event))
    const lines = heard.flatMap((event) => event.lines.get(language) ?? [])
    if (lines.length > 0) listener.send(lines, cursor, this.#now())
  }

  async #show(events: readonly StoredEvent[], listeners: readonly StreamListener[]): Promise<readonly ShownEvent[]> {
    if (this.#call === null) return []
    const { database } = this.#options
    const languages = [...new Set(listeners.map(({ parts }) => parts.language))]
    return showEvents({ ...this.#call, database, nowAt: this.#now() }, events, languages)
  }

  #standing(listeners: readonly StreamListener[]): Promise<Standing> {
    const holders = listeners.map(({ parts }) => parts.holder)
    return readStandings(this.#options.database, holders, this.#now())
  }

  async #endUnwelcome(): Promise<void> {
    const now = performance.now()
    if (now - this.#standingAt < standingEveryMs) return
    this.#standingAt = now
    const listeners = [...this.#listeners]
    const standing = await this.#standing(listeners)
    for (const listener of listeners) if (standing(listener.parts.holder) === null) listener.end()
  }

  #resetAll(cursor: string): void {
    for (const listener of this.#listeners) listener.reset(cursor, this.#now())
  }

  #cursor(): StreamCursor {
    return { epoch: this.#epoch ?? 0, floor: this.#heard.floor ?? 0, at: this.#now() }
  }

  #cursorText(): string {
    return this.#cursors?.write(this.#cursor()) ?? ''
  }

  #now(): number {
    return this.#options.clock.now()
  }
}
