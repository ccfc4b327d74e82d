import { performance } from 'node:perf_hooks'
import type { Database } from '../database/connect.ts'
import { isDatabaseAway } from '../database/failures.ts'
import {
  beat,
  dropProcess,
  mostTaken,
  type ProcessRow,
  putMessages,
  readAnnouncements,
  readProcesses,
  sayGoodbye,
  takeMessages,
} from '../database/processes.ts'
import { errorText } from '../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import type { Carrier, CarrierListener } from './carrier.ts'
import { GatheredMessages } from './gathered-messages.ts'

export interface DatabaseCarrierOptions {
  /** Its own connections: a process that waited for shared ones would count as dead. */
  readonly database: Database
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
  /** If a process's row does not change for this long, any other process removes it. */
  readonly deadMs?: number
}

interface Known {
  readonly beats: number
  readonly revision: number
  /** When the row last changed, or was first seen. */
  readonly at: number
  /** The row has changed since it was first seen, so its process lives. */
  readonly isAlive: boolean
}

const usualMs = 150
const longestBytes = 1_048_576
/** The database has not answered for this long. */
const silentMs = 2500
const usualDeadMs = 60_000

/** Carries messages as rows in tables, with a wake-up. It is slow, but works wherever the database does. */
export class DatabaseCarrier implements Carrier {
  readonly name = 'database'
  readonly usualMs = usualMs
  readonly longestBytes = longestBytes
  readonly #options: DatabaseCarrierOptions
  readonly #known = new Map<string, Known>()
  readonly #announcements = new Map<string, string>()
  readonly #messages: GatheredMessages
  #processId = ''
  #listener: CarrierListener | null = null
  #announcement = ''
  #revision = 0
  #readAt = Number.NEGATIVE_INFINITY
  #isAway = false
  #looking: Promise<void> | null = null
  #isWoken = false
  #isBeatDue = false
  #isPresenceWanted = false
  #stopListening: (() => Promise<void>) | null = null
  #isStopped = false

  constructor(options: DatabaseCarrierOptions) {
    this.#options = options
    this.#messages = new GatheredMessages((batch) => this.#guard(() => putMessages(options.database, batch)))
  }

  get isUp(): boolean {
    return !this.#isAway && performance.now() - this.#readAt < silentMs
  }

  /** Every row from before this process's start has changed since. */
  get isSettled(): boolean {
    return [...this.#known.values()].every(({ isAlive }) => isAlive)
  }

  async start(processId: string, listener: CarrierListener): Promise<void> {
    this.#processId = processId
    const rows = await readProcesses(this.#options.database, processId)
    const at = performance.now()
    for (const { id, beats, has_left } of rows) this.#known.set(id, { beats, revision: -1, at, isAlive: has_left })
    this.#listener = listener
    await this.#listen()
    this.#readAt = performance.now()
  }

  announce(announcement: string): void {
    if (announcement !== this.#announcement) this.#revision += 1
    this.#announcement = announcement
    this.#isBeatDue = true
    this.#isPresenceWanted = true
    this.#look()
  }

  send(processId: string, message: Buffer): void {
    this.#messages.add({ receiver: processId, content: message })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#looking
    // The listening connection is already closed or closing, so nothing is left to end.
    await this.#stopListening?.().catch(() => undefined)
    // Without a goodbye the others notice the missing heartbeat, as after a crash.
    await sayGoodbye(this.#options.database, this.#processId).catch(() => undefined)
  }

  async #listen(): Promise<void> {
    // The listening connection is already closed or closing, so nothing is left to end.
    await this.#stopListening?.().catch(() => undefined)
    this.#stopListening = null
    this.#stopListening = await this.#options.database.listen('processes', (receiver) => {
      if (receiver === '') this.#isPresenceWanted = true
      if (receiver === '' || receiver === this.#processId) this.#look()
    })
  }

  /** Reads the messages for this process; only one reading runs at a time. */
  #look(): void {
    this.#isWoken = true
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = null
    })
  }

  async #readAll(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      const [isBeatDue, isPresenceWanted] = [this.#isBeatDue, this.#isPresenceWanted]
      this.#isBeatDue = false
      this.#isPresenceWanted = false
      await this.#guard(async () => {
        if (this.#isAway) await this.#listen()
        if (isBeatDue) await this.#beat()
        await this.#readMessages()
        if (isPresenceWanted) await this.#readProcesses()
      })
    }
  }

  async #beat(): Promise<void> {
    await beat(this.#options.database, {
      ...{ id: this.#processId, announcement: this.#announcement, revision: this.#revision },
    })
  }

  async #readMessages(): Promise<void> {
    for (;;) {
      const messages = await takeMessages(this.#options.database, this.#processId)
      for (const message of messages) this.#listener?.message(message)
      if (messages.length < mostTaken || this.#isStopped) return
    }
  }

  async #readProcesses(): Promise<void> {
    const { database } = this.#options
    const rows = await readProcesses(database, this.#processId)
    const now = performance.now()
    const moved = rows.filter(({ id, beats }) => this.#known.get(id)?.beats !== beats)
    const renewed = moved.filter(({ id, revision }) => this.#known.get(id)?.revision !== revision)
    for (const { id, announcement } of await readAnnouncements(
      database,
      renewed.map(({ id }) => id),
    )) {
      this.#announcements.set(id, announcement)
    }
    for (const { id, beats, revision, has_left } of moved) {
      this.#known.set(id, { beats, revision, at: now, isAlive: true })
      const announcement = this.#announcements.get(id)
      if (has_left) this.#listener?.gone(id)
      else if (announcement !== undefined) this.#listener?.present(id, announcement)
    }
    await this.#forget(rows, now)
  }

  async #forget(rows: readonly ProcessRow[], now: number): Promise<void> {
    const { deadMs = usualDeadMs } = this.#options
    const there = new Set(rows.map(({ id }) => id))
    for (const [id, { beats, at }] of this.#known) {
      if (there.has(id) && now - at > deadMs) await dropProcess(this.#options.database, id, beats)
      if (there.has(id)) continue
      this.#known.delete(id)
      this.#announcements.delete(id)
    }
  }

  /** Failures are not repeated here, because lines send again. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#readAt = performance.now()
      this.#isAway = false
    } catch (error) {
      if (this.#isStopped) return
      const facts = { error: errorText(error) }
      if (!isDatabaseAway(error)) this.#options.log('error', 'Processes cannot talk through the database.', facts)
      this.#isAway = true
    }
  }
}
