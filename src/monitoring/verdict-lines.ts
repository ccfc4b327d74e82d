import type { UnknownReason } from '../domain/judging/unknown-reason.ts'
import type { Timers } from '../turns/timers.ts'
import type { Log } from './outage.ts'

/** A new heartbeat is no fault that an operator looks for. */
const waitsForReport: UnknownReason = 'heartbeat_awaited'

/** Services that one line of the log names at most. */
const mostNamed = 20

/** Rounds of one moment are recorded in several transactions. Milliseconds. */
const gatheringMs = 1000

/** Services by what has become of their verdict. */
interface ChangedVerdicts {
  readonly unknowns: readonly { readonly serviceId: number; readonly reason: string }[]
  readonly knownAgain: readonly number[]
}

export interface VerdictLinesParts {
  readonly timers: Timers
  readonly log: Log
}

/**
 * Tells the log of rounds that lose their verdict, and get one again. Thousands of services may lose their stations at
 * once: all of a moment are one line for each reason.
 */
export class VerdictLines {
  readonly #parts: VerdictLinesParts
  readonly #lost = new Map<string, number[]>()
  #known: number[] = []
  #cancelTimer: (() => void) | null = null

  constructor(parts: VerdictLinesParts) {
    this.#parts = parts
  }

  note({ unknowns, knownAgain }: ChangedVerdicts): void {
    for (const { reason, serviceId } of unknowns) {
      if (reason === waitsForReport) continue
      const services = this.#lost.get(reason)
      if (services === undefined) this.#lost.set(reason, [serviceId])
      else services.push(serviceId)
    }
    for (const serviceId of knownAgain) this.#known.push(serviceId)
    if (this.#lost.size === 0 && this.#known.length === 0) return
    this.#cancelTimer ??= this.#parts.timers.after(gatheringMs, () => this.tell())
  }

  /** Tells what is gathered without waiting for more. */
  tell(): void {
    const { log } = this.#parts
    this.#cancelTimer?.()
    this.#cancelTimer = null
    for (const [reason, services] of this.#lost) {
      log.warn({ reason, ...factsOf(services) }, 'Rounds have no verdict')
    }
    if (this.#known.length > 0) log.info(factsOf(this.#known), 'Rounds have a verdict again')
    this.#lost.clear()
    this.#known = []
  }
}

function factsOf(serviceIds: readonly number[]) {
  return { services: serviceIds.length, service_ids: serviceIds.slice(0, mostNamed) }
}
