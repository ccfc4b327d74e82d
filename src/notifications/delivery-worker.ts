import { faultPause, patrolPause } from '../presence/pauses.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { type DeliveryContext, deliver } from './deliver.ts'
import type { FlowControl } from './flow-control.ts'
import type { ClaimMessages, OutboxMessage } from './outbox-message.ts'

/** Milliseconds that a free place waits for others while messages are under way, so that one look serves many. */
const gatheringPause = 15

export interface Route {
  readonly claim: ClaimMessages
  /** How many messages may be under way at once. */
  readonly concurrency: number
  readonly flowControl: FlowControl
  /** The session that holds what is claimed; null: only leases do. */
  readonly session: () => string | null
}

/**
 * Delivers the messages of one gateway. Each gateway has its own workers, so a slow one delays no other. While its
 * circuit breaker is open nothing is claimed, so waiting messages use up no attempts.
 */
export class DeliveryWorker {
  readonly #context: DeliveryContext
  readonly #route: Route
  readonly #underWay = new Set<Promise<void>>()
  /** Deliveries since the start. */
  #ended = 0
  readonly #patrol = new Turns({ timers: systemTimers, take: () => this.#look() })
  #isStopped = false
  #isDatabaseMissed = false
  /** When the first place became free since the last look; null: none has. */
  #freedAt: number | null = null
  #stopGathering = () => {}
  #lastClaim: Promise<unknown> = Promise.resolve()

  constructor(context: DeliveryContext, route: Route) {
    this.#context = context
    this.#route = route
    this.#patrol.start()
  }

  wake(): void {
    this.#patrol.wake()
  }

  /** Resolves when nothing is due and nothing is under way. */
  async drain(): Promise<void> {
    for (let isIdle = false; !isIdle; await Promise.all(this.#underWay)) {
      const ended = this.#ended
      const claimed = await this.#claimInTurn()
      // A delivery that ended meanwhile may have blocked another message during the search.
      isIdle = claimed === 0 && this.#underWay.size === 0 && this.#ended === ended
    }
  }

  /** Claims nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopGathering()
    await this.#patrol.stop()
    await Promise.all(this.#underWay)
  }

  async #look(): Promise<number> {
    const { flowControl } = this.#route
    let claimed = 0
    try {
      claimed = await this.#claimInTurn()
      this.#isDatabaseMissed = false
    } catch (error) {
      if (!this.#isDatabaseMissed) this.#context.log.warn({ err: error }, 'notifications cannot be claimed now')
      this.#isDatabaseMissed = true
      return faultPause
    }
    return claimed > 0 ? 0 : Math.min(flowControl.pause() || patrolPause, patrolPause)
  }

  /** One claim at a time, else two would both count on the same free places. */
  #claimInTurn(): Promise<number> {
    const next = this.#lastClaim.then(() => this.#claim())
    // The caller gets the error; the next claim only waits for its turn.
    this.#lastClaim = next.catch(() => undefined)
    return next
  }

  async #claim(): Promise<number> {
    const { flowControl, concurrency, claim, session } = this.#route
    const room = this.#isStopped ? 0 : flowControl.room(concurrency - this.#underWay.size)
    if (room <= 0) return 0
    this.#freedAt = null
    const avoiding = flowControl.avoiding?.()
    const messages = await claim({
      ...{ now: this.#context.clock.now(), heldBy: session(), limit: room },
      ...(avoiding === undefined ? {} : { avoiding }),
    })
    flowControl.pass(messages)
    for (const message of messages) {
      const delivery: Promise<void> = this.#carry(message).finally(() => {
        this.#underWay.delete(delivery)
        this.#ended += 1
        this.#free()
      })
      this.#underWay.add(delivery)
    }
    return messages.length
  }

  async #carry(message: OutboxMessage): Promise<void> {
    await deliver(this.#context, message, this.#route.flowControl).catch((error: unknown) =>
      this.#context.log.error({ err: error }, 'the end of a delivery was not recorded'),
    )
  }

  #free(): void {
    const nowAt = systemTimers.monotonic()
    this.#freedAt ??= nowAt
    const isWorthALook = this.#underWay.size <= this.#route.concurrency / 2 || nowAt - this.#freedAt >= gatheringPause
    this.#stopGathering()
    if (isWorthALook) this.wake()
    else this.#stopGathering = systemTimers.after(gatheringPause, () => this.wake())
  }
}
