import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { nextEscalationAt, tellDueSteps } from '../outbox/escalation-steps.ts'
import { faultPause, patrolPause } from '../presence/pauses.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import type { NotifierLog } from './notifier-log.ts'

/** Milliseconds; what is due may be in the hands of somebody else. */
const shortestPause = 20

/** Tells the steps of escalations when they are due. In as many processes as one likes. */
export class Escalator {
  readonly #parts: { readonly database: Database; readonly clock: Clock; readonly log: NotifierLog }
  readonly #turns = new Turns({ timers: systemTimers, take: () => this.#look() })
  #isDatabaseMissed = false

  constructor(parts: { readonly database: Database; readonly clock: Clock; readonly log: NotifierLog }) {
    this.#parts = parts
    this.#turns.start()
  }

  wake(): void {
    this.#turns.wake()
  }

  stop(): Promise<void> {
    return this.#turns.stop()
  }

  /** Resolves when nothing is due. */
  async drain(): Promise<void> {
    const { database, clock } = this.#parts
    await this.#turns.rest()
    while ((await tellDueSteps(database, clock.now())) > 0);
  }

  async #look(): Promise<number> {
    const { database, clock, log } = this.#parts
    try {
      const looked = await tellDueSteps(database, clock.now())
      this.#isDatabaseMissed = false
      if (looked > 0) return 0
      const pause = (await nextEscalationAt(database)) - clock.now()
      return Math.min(patrolPause, Math.max(shortestPause, pause))
    } catch (error) {
      if (!this.#isDatabaseMissed) log.warn({ err: error }, 'escalations cannot be handled now')
      this.#isDatabaseMissed = true
      return faultPause
    }
  }
}
