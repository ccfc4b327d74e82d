import type { Database } from '../database/connect.ts'

/**
 * Listens to wake-ups of one channel. They only save a moment, because turns go on by themselves. The listening session
 * shows others that this process lives.
 */
export class ChannelListener {
  readonly #database: Database
  readonly #channel: string
  readonly #heard: (payload: string) => void
  #outage = -1
  #session: string | null = null
  #stop: (() => Promise<void>) | null = null

  constructor(database: Database, channel: string, heard: (payload: string) => void) {
    this.#database = database
    this.#channel = channel
    this.#heard = heard
  }

  /** The name of the listening session; null if there is none. */
  get session(): string | null {
    return this.#session
  }

  /**
   * Listens, again if the session has ended or the database was away since the last call. `outage` counts its absences.
   */
  async listen(outage: number): Promise<void> {
    if (outage === this.#outage) return
    await this.close()
    let isOpen = true
    const stop = await this.#database.listen(this.#channel, (payload) => isOpen && this.#heard(payload), {
      begun: (name) => {
        this.#session = name
      },
      ended: () => {
        if (isOpen) this.#forget()
      },
    })
    this.#stop = async () => {
      isOpen = false
      await stop()
    }
    this.#outage = outage
  }

  /** Others report that the session of this name has ended unnoticed; `listen` makes another. */
  isGone(name: string): void {
    if (name === this.#session) this.#forget()
  }

  async close(): Promise<void> {
    const stop = this.#stop
    this.#stop = null
    this.#forget()
    await stop?.()
  }

  #forget(): void {
    this.#session = null
    this.#outage = -1
  }
}
