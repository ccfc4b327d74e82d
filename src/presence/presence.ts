import type { Database } from '../database/connect.ts'
import type { KindOfWork } from '../database/holders.ts'
import type { Clock } from '../domain/clock.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { AbandonedWork } from './abandoned.ts'
import { Ear } from './ear.ts'

/** Milliseconds between looks at who else is there. */
const lookPause = 2000

export interface PresenceParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
  /** Of the wake-ups. */
  readonly channel: string
  /** Work that this process takes from those that are gone. */
  readonly kinds: readonly KindOfWork[]
  /** There may be something to do. */
  readonly wake: () => void
}

/** Shows by a session that this process lives, hears wake-ups through it, and gives back what those held that are gone. */
export class Presence {
  readonly #parts: PresenceParts
  readonly #ear: Ear
  readonly #abandoned: AbandonedWork
  readonly #looks = new Turns({ timers: systemTimers, take: () => this.#look() })
  /** Looks that failed: a session that was made before the last of them may be dead. */
  #failures = 0
  #isDatabaseMissed = false

  constructor(parts: PresenceParts) {
    const { database, clock, log, kinds } = parts
    this.#parts = parts
    this.#ear = new Ear(database, parts.channel, () => parts.wake())
    this.#abandoned = new AbandonedWork({ database, clock, timers: systemTimers, log, ear: this.#ear, kinds })
  }

  /** The name of the session; null while there is none. */
  get session(): string | null {
    return this.#ear.session
  }

  /** Resolves after the first look, whatever came of it: without wake-ups everything is found a little later. */
  async start(): Promise<void> {
    this.#looks.start()
    await this.#looks.rest()
  }

  /** To be called when nothing is under way any more: what is would look abandoned. */
  async stop(): Promise<void> {
    await this.#looks.stop()
    await this.#ear.close()
  }

  async #look(): Promise<number> {
    const { channel, log, wake } = this.#parts
    try {
      await this.#ear.listen(this.#failures)
      if ((await this.#abandoned.giveBack()) > 0) wake()
      this.#isDatabaseMissed = false
    } catch (error) {
      if (!this.#isDatabaseMissed) log.warn({ err: error, channel }, 'the database cannot wake this process')
      this.#isDatabaseMissed = true
      this.#failures += 1
    }
    return lookPause
  }
}
