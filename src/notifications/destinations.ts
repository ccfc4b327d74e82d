import type { DeliveryOutcome } from '../channels/delivery.ts'
import type { Clock } from '../domain/clock.ts'
import { afterAttempt, type GatewayHealth, throughput, workingGateway } from '../domain/notification/gateway-health.ts'
import type { Avoiding } from '../outbox/claims.ts'
import { type FlowControl, isServed } from './flow-control.ts'
import type { GoesTo, OutboxMessage } from './outbox-message.ts'

/** Messages that were given out less than `slowAfter` ago. */
const mostFresh = 64
/** Milliseconds; a message that takes longer waits for its far end, and its place goes to another one. */
const slowAfter = 500
const mostPerDestination = 8
/** So that an account with a thousand silent far ends leaves places to the others. */
const mostPerAccount = 200
/** Milliseconds; a failing host that gets no message for so long is tried like a new one. */
const rememberedFor = 600_000
/** So that the hosts that strangers name fill no memory. */
const mostRemembered = 5000

interface Destination {
  underWay: number
  health: GatewayHealth
  /** When its last message ended. */
  idleSince: number
}

export interface DestinationFlowControlOptions {
  readonly clock: Clock
  /** Milliseconds that only go forward. */
  readonly monotonic?: () => number
  /** Messages of one account under way, above which its others wait. Default: 200. */
  readonly mostPerAccount?: number
}

/**
 * The circuit breaker for users' own destinations. Each account's messages to each host are judged separately. A
 * failing host pauses like a gateway, and delays no messages to other hosts.
 */
export class DestinationFlowControl implements FlowControl {
  readonly #clock: Clock
  readonly #monotonic: () => number
  readonly #mostPerAccount: number
  /** Those whose last message ended first come first. */
  readonly #destinations = new Map<string, Destination>()
  readonly #perAccount = new Map<number, number>()
  /** When each was given out, the oldest first. */
  readonly #fresh = new Map<OutboxMessage, number>()

  constructor(options: DestinationFlowControlOptions) {
    this.#clock = options.clock
    this.#monotonic = options.monotonic ?? (() => performance.now())
    this.#mostPerAccount = options.mostPerAccount ?? mostPerAccount
  }

  /** Destinations in memory. */
  get remembered(): number {
    return this.#destinations.size
  }

  room(free: number): number {
    this.#dropSlow()
    return Math.min(free, mostFresh - this.#fresh.size)
  }

  avoiding(): Avoiding {
    const now = this.#clock.now()
    const isFull = ({ underWay, health }: Destination) =>
      underWay >= mostPerDestination || throughput(health, now, underWay) === 0
    return {
      destinations: [...this.#destinations].filter(([, destination]) => isFull(destination)).map(([key]) => key),
      accountIds: [...this.#perAccount].filter(([, underWay]) => underWay >= this.#mostPerAccount).map(([id]) => id),
    }
  }

  pass(messages: readonly OutboxMessage[]): void {
    for (const message of messages) {
      const { destination, accountId } = message.goesTo ?? nowhere
      const known = this.#destinations.get(destination) ?? { underWay: 0, health: workingGateway, idleSince: 0 }
      known.underWay += 1
      this.#destinations.set(destination, known)
      this.#perAccount.set(accountId, (this.#perAccount.get(accountId) ?? 0) + 1)
      this.#fresh.set(message, this.#monotonic())
    }
  }

  async saw(outcome: DeliveryOutcome | null, message: OutboxMessage): Promise<void> {
    const { destination, accountId } = message.goesTo ?? nowhere
    this.#fresh.delete(message)
    const left = (this.#perAccount.get(accountId) ?? 1) - 1
    if (left > 0) this.#perAccount.set(accountId, left)
    else this.#perAccount.delete(accountId)
    const known = this.#destinations.get(destination)
    if (known === undefined) return
    known.underWay -= 1
    known.health = this.#judged(known.health, outcome)
    known.idleSince = this.#monotonic()
    this.#destinations.delete(destination)
    if (known.underWay > 0 || known.health.failures > 0) this.#destinations.set(destination, known)
    this.#forgetIdle()
  }

  pause(): number {
    this.#dropSlow()
    const [oldest] = this.#fresh.values()
    const isRoom = this.#fresh.size < mostFresh || oldest === undefined
    return isRoom ? 0 : Math.max(1, oldest + slowAfter - this.#monotonic())
  }

  #judged(health: GatewayHealth, outcome: DeliveryOutcome | null): GatewayHealth {
    const served = outcome === null ? null : isServed(outcome)
    if (outcome === null || served === null) return health
    const retryAfter = outcome.status === 'failed' ? (outcome.retryAfter ?? 0) : 0
    return afterAttempt(health, { isServed: served, now: this.#clock.now(), retryAfter })
  }

  #forgetIdle(): void {
    const now = this.#monotonic()
    for (const [key, { underWay, idleSince }] of this.#destinations) {
      const isSpare = this.#destinations.size > mostRemembered || now - idleSince >= rememberedFor
      if (underWay === 0 && !isSpare) return
      if (underWay === 0) this.#destinations.delete(key)
    }
  }

  #dropSlow(): void {
    const now = this.#monotonic()
    for (const [message, startedAt] of this.#fresh) {
      if (now - startedAt < slowAfter) return
      this.#fresh.delete(message)
    }
  }
}

const nowhere: GoesTo = { destination: '', accountId: 0 }
