import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

type Stop = () => Promise<unknown>

/**
 * A role that does not stop in time is abandoned: its leases run out and another process takes its work. Milliseconds.
 */
const rolesPatience = 9000

/** The started parts, to be stopped in reverse. */
export class Started {
  readonly #log: Log
  readonly #infrastructure: Stop[] = []
  readonly #roles: Stop[] = []

  constructor(log: Log) {
    this.#log = log
  }

  /** Infrastructure: stopped after the roles, the last one first. */
  infrastructure(stop: Stop): void {
    this.#infrastructure.unshift(stop)
  }

  role(stop: Stop): void {
    this.#roles.push(stop)
  }

  /** Stops the roles together, then the infrastructure. Never rejects. */
  async stop(): Promise<void> {
    const rolesStopped = Promise.all(this.#roles.map((stop) => this.#attempt(stop)))
    await Promise.race([rolesStopped, delay(rolesPatience, undefined, { ref: false })])
    for (const stop of this.#infrastructure) await this.#attempt(stop)
  }

  async #attempt(stop: Stop): Promise<void> {
    await stop().catch((error: unknown) => this.#log.error({ err: error }, 'a part did not stop cleanly'))
  }
}
