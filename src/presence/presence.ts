import type { Database } from '../database/connect.ts'
import type { KindOfWork } from '../database/holders.ts'
import type { Clock } from '../domain/clock.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { AbandonedWork } from './abandoned.ts'
import { ChannelListener } from './channel-listener.ts'
import type { Due } from './due.ts'
import { longestPause, pauseBeforeLook } from './pauses.ts'

export interface PresenceParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
  /** The channel of the wake-ups. */
  readonly channel: string
  /** The kinds of work that this process takes over from dead ones. */
  readonly kinds: readonly KindOfWork[]
  /**
   * One look at the tables for everything that this process does here. It finds what a lost wake-up would have told of,
   * and what became due by itself, so the workers themselves need to look only when they are woken.
   */
  readonly look: (now: number) => Promise<Due>
  /** Called when there may be something to do. */
  readonly wake: () => void
}

/**
 * Shows with a session that this process lives, listens to wake-ups through it, releases the work of dead processes,
 * and wakes its own workers when something is due.
 */
export class Presence {
  readonly #parts: PresenceParts
  readonly #listener: ChannelListener
  readonly #abandoned: AbandonedWork
  readonly #looks = new Turns({ timers: systemTimers, take: () => this.#look() })
  /** Failed looks; a session from before the last of them may be dead. */
  #failures = 0
  #isDatabaseMissed = false
  /** When there was something to do, by the clock that never steps. */
  #busyAt = systemTimers.monotonic()

  constructor(parts: PresenceParts) {
    const { database, clock, log, kinds } = parts
    this.#parts = parts
    this.#listener = new ChannelListener(database, parts.channel, () => this.#wake())
    this.#abandoned = new AbandonedWork({ database, clock, timers: systemTimers, log, listener: this.#listener, kinds })
  }

  /** The name of the session; null while there is none. */
  get session(): string | null {
    return this.#listener.session
  }

  /** Resolves after the first look, even a failed one: without wake-ups everything is found a little later. */
  async start(): Promise<void> {
    this.#looks.start()
    await this.#looks.rest()
  }

  /** Call it when no work is running any more, because running work would look abandoned. */
  async stop(): Promise<void> {
    await this.#looks.stop()
    await this.#listener.close()
  }

  #wake(): void {
    this.#busyAt = systemTimers.monotonic()
    this.#parts.wake()
  }

  async #look(): Promise<number> {
    const { channel, clock, log, look } = this.#parts
    let pause = longestPause
    try {
      await this.#listener.listen(this.#failures)
      const isFreed = (await this.#abandoned.giveBack()) > 0
      const { isDue, nextAt } = await look(clock.now())
      if (isFreed || isDue) this.#wake()
      const quietFor = systemTimers.monotonic() - this.#busyAt
      pause = pauseBeforeLook({ hears: this.session !== null, quietFor, nextIn: nextAt - clock.now() })
      this.#isDatabaseMissed = false
    } catch (error) {
      if (!this.#isDatabaseMissed) log.warn({ err: error, channel }, 'the database cannot wake this process')
      this.#isDatabaseMissed = true
      this.#failures += 1
    }
    return pause
  }
}
