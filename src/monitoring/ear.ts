import type { Database } from '../database/connect.ts'

/** Hears wake-ups of one channel. They only save half a second: turns go on by themselves. */
export class Ear {
  readonly #database: Database
  readonly #channel: string
  readonly #heard: () => void
  #outage = -1
  #stop: (() => Promise<void>) | null = null

  constructor(database: Database, channel: string, heard: () => void) {
    this.#database = database
    this.#channel = channel
    this.#heard = heard
  }

  /** Listens, anew when the database was away since the last time. `outage` counts its absences. */
  async listen(outage: number): Promise<void> {
    if (outage === this.#outage) return
    await this.close()
    let isOpen = true
    const stop = await this.#database.listen(this.#channel, () => isOpen && this.#heard())
    this.#stop = async () => {
      isOpen = false
      await stop()
    }
    this.#outage = outage
  }

  async close(): Promise<void> {
    const stop = this.#stop
    this.#stop = null
    this.#outage = -1
    await stop?.()
  }
}
