import pg from 'pg'
import { ownSessionName } from './session-name.ts'
import { endSoon, type SilenceWatch } from './silence.ts'

/** Reports the listening session, which lasts until its process stops or dies. */
export interface SessionWatch {
  /** `name` has the form of `session-name.ts`. */
  begun(name: string): void
  ended(): void
}

export interface Listener {
  readonly channel: string
  readonly heard: (payload: string) => void
  readonly session: SessionWatch | undefined
}

/** A connection that hears the notifications of any number of channels. */
class ListeningSession {
  readonly #client: pg.Client
  readonly #silence: SilenceWatch
  readonly #name: Promise<string>
  readonly #listeners = new Set<Listener>()
  #takesMore = true
  #wasConnected = false
  #end: Promise<void> | null = null

  constructor({ newClient, connected, silence }: ListeningParts, onEnd: () => void) {
    const client = newClient()
    this.#client = client
    this.#silence = silence
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners) if (listener.channel === channel) listener.heard(payload ?? '')
    })
    client.on('end', () => {
      this.#takesMore = false
      for (const { session } of this.#listeners) session?.ended()
      onEnd()
    })
    this.#name = this.#begin(connected, onEnd)
  }

  /** False once a listener has left it: whoever listens anew may doubt that it still lives. */
  get takesMore(): boolean {
    return this.#takesMore
  }

  /** Returns the function to stop; with its last listener the session ends. */
  async add(listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.add(listener)
    try {
      const name = await this.#name
      await this.#attended(() => this.#client.query(`listen ${pg.escapeIdentifier(listener.channel)}`))
      listener.session?.begun(name)
    } catch (error) {
      this.#remove(listener)
      throw error
    }
    return async () => this.#remove(listener)
  }

  /** Resolves when its connection is closed. */
  end(): Promise<void> {
    this.#takesMore = false
    // Nothing of one that reached no server can be broken off, or hears of it.
    if (this.#wasConnected) endSoon(this.#client)
    // A connection that is closed already needs no goodbye.
    this.#end ??= this.#client.end().catch(() => undefined)
    return this.#end
  }

  async #begin(connected: ListeningParts['connected'], onFailure: () => void): Promise<string> {
    await this.#client.connect().catch((error: unknown) => {
      this.#takesMore = false
      onFailure()
      throw error
    })
    this.#wasConnected = true
    await this.#attended(() => connected(this.#client))
    const { rows } = await this.#attended(() => this.#client.query<{ session: string }>(ownSessionName))
    return rows[0]?.session ?? ''
  }

  /** A server that never answers must not keep the caller, but a listening connection may be quiet for days. */
  async #attended<T>(ask: () => Promise<T>): Promise<T> {
    this.#silence.attend(this.#client)
    try {
      return await ask()
    } finally {
      this.#silence.forget(this.#client)
    }
  }

  #remove(listener: Listener): void {
    this.#listeners.delete(listener)
    this.#takesMore = false
    if (this.#listeners.size === 0) void this.end()
  }
}

export interface ListeningParts {
  /** Makes a connection that is not connected yet and whose errors are heard. */
  readonly newClient: () => pg.Client
  /** Called once it is connected; the session ends if this rejects. */
  readonly connected: (client: pg.Client) => Promise<void>
  readonly silence: SilenceWatch
  /** True: all listeners share one session, which saves 3 MB of the server for each. False: each has its own. */
  readonly isShared: boolean
}

/** The listening sessions beside a pool. */
export class Listening {
  readonly #parts: ListeningParts
  readonly #sessions = new Set<ListeningSession>()

  constructor(parts: ListeningParts) {
    this.#parts = parts
  }

  listen(listener: Listener): Promise<() => Promise<void>> {
    return this.#session().add(listener)
  }

  /** Resolves when the connections are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.end()))
  }

  #session(): ListeningSession {
    const open = [...this.#sessions].find(({ takesMore }) => takesMore)
    if (this.#parts.isShared && open !== undefined) return open
    const session = new ListeningSession(this.#parts, () => this.#sessions.delete(session))
    this.#sessions.add(session)
    return session
  }
}
