import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { isSpreading, spreadNotices } from '../outbox/notice-spreading.ts'
import { faultPause, patrolPause } from '../presence/pauses.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import type { NotifierLog } from './notifier-log.ts'

/** Milliseconds until messages of a notice that waits for its turn may have been claimed. */
const shortPause = 100

interface SpreaderParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: NotifierLog
}

/** Writes the messages to the subscribers of status pages, batch by batch. In as many processes as one likes. */
export class Spreader {
  readonly #parts: SpreaderParts
  readonly #turns = new Turns({ timers: systemTimers, take: () => this.#look() })
  #isDatabaseMissed = false

  constructor(parts: SpreaderParts) {
    this.#parts = parts
    this.#turns.start()
  }

  wake(): void {
    this.#turns.wake()
  }

  stop(): Promise<void> {
    return this.#turns.stop()
  }

  /** Resolves when no notice can get further now; `more` while one waits for its messages to be claimed. */
  async drain(): Promise<'more' | 'done'> {
    const { database, clock } = this.#parts
    await this.#turns.rest()
    while ((await spreadNotices(database, clock.now())) > 0);
    return (await isSpreading(database)) ? 'more' : 'done'
  }

  async #look(): Promise<number> {
    const { database, clock, log } = this.#parts
    try {
      const spread = await spreadNotices(database, clock.now())
      this.#isDatabaseMissed = false
      if (spread > 0) return 0
      return (await isSpreading(database)) ? shortPause : patrolPause
    } catch (error) {
      if (!this.#isDatabaseMissed)
        log.warn({ err: error }, 'messages to subscribers of status pages cannot be written now')
      this.#isDatabaseMissed = true
      return faultPause
    }
  }
}
