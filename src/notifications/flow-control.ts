import type { DeliveryOutcome } from '../channels/delivery.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import {
  afterAttempt,
  type GatewayHealth,
  isDown,
  knownDown,
  throughput,
  workingGateway,
} from '../domain/notification/gateway-health.ts'
import type { AdministratorContact } from '../domain/notification/letter.ts'
import { allowed, fullPace, type Pace, refilled, spent, untilAllowed } from '../domain/notification/pace.ts'
import type { Avoiding } from '../outbox/claims.ts'
import { readFailingSince, recordBack, recordDown } from './failing-gateways.ts'
import type { NotifierLog } from './notifier-log.ts'
import type { OutboxMessage } from './outbox-message.ts'

/** Stands before a gateway: says how many messages may go to it now, and learns from how they end. */
export interface FlowControl {
  /** How many of so many free places may be filled now. */
  room(free: number): number
  /** Messages to leave out. Default: none. */
  avoiding?(): Avoiding
  /** These messages are on their way. */
  pass(messages: readonly OutboxMessage[]): void
  /** How one of them ended; null: the gateway was not asked, and its pace is as before. Never rejects. */
  saw(outcome: DeliveryOutcome | null, message: OutboxMessage): Promise<void>
  /** Milliseconds until there may be room again; 0 when nothing stands in the way. */
  pause(): number
}

export interface GatewayFlowControlOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: NotifierLog
  readonly gateway: string
  /** Messages a minute from this process; null: no limit. */
  readonly perMinute: number | null
  readonly administratorContact: AdministratorContact
}

export const noFlowControl: FlowControl = {
  room: (free) => free,
  pass: () => undefined,
  saw: async () => undefined,
  pause: () => 0,
}

/** Milliseconds between looks whether what another process said of the gateway still holds. */
const lookPause = 60_000

/** Did the gateway serve? Null: it was not asked. */
export function isServed(outcome: DeliveryOutcome): boolean | null {
  if (outcome.status === 'sent') return true
  if (outcome.status === 'unconfirmed') return false
  return outcome.isGatewayDown === undefined ? null : !outcome.isGatewayDown
}

/** A gateway that was left down is tried by one message first. */
export async function gatewayFlowControl(options: GatewayFlowControlOptions): Promise<FlowControl> {
  const { clock, log, perMinute, gateway } = options
  const failingSince = await readFailingSince(options.database, gateway).catch((error: unknown) => {
    log.warn({ err: error, gateway }, 'it is not known whether the gateway was down')
    return null
  })
  const reporting = newReporting(options, failingSince !== null)
  let health: GatewayHealth = failingSince === null ? workingGateway : knownDown(failingSince, clock.now())
  let pace: Pace | null = perMinute === null ? null : fullPace(perMinute, clock.now())
  let underWay = 0

  function paceNow(now: number): Pace | null {
    if (pace !== null && perMinute !== null) pace = refilled(pace, perMinute, now)
    return pace
  }
  return {
    room(free) {
      const now = clock.now()
      const tokens = paceNow(now)
      return Math.min(free, throughput(health, now, underWay), tokens === null ? free : allowed(tokens))
    },
    pass({ length: count }) {
      underWay += count
      if (pace !== null) pace = spent(pace, count)
    },
    async saw(outcome) {
      underWay -= 1
      if (outcome === null && pace !== null) pace = spent(pace, -1)
      const served = outcome === null ? null : isServed(outcome)
      if (outcome === null || served === null) return
      const now = clock.now()
      const wasOpen = health.tryAt === null
      const retryAfter = outcome.status === 'failed' ? (outcome.retryAfter ?? 0) : 0
      health = afterAttempt(health, { isServed: served, now, retryAfter })
      const error = 'error' in outcome ? outcome.error : ''
      if (wasOpen && health.tryAt !== null) log.warn({ gateway, reason: error }, 'a gateway is down: its messages wait')
      await reporting(health, error, now)
    },
    pause() {
      const now = clock.now()
      const tokens = paceNow(now)
      const untilTried = health.tryAt === null ? 0 : Math.max(0, health.tryAt - now)
      const untilPaced = tokens === null || perMinute === null ? 0 : untilAllowed(tokens, perMinute)
      return Math.max(untilTried, untilPaced)
    },
  }
}

/** Tells of a gateway that went down, and that it is back, once each. */
function newReporting(
  { database, log, gateway, administratorContact }: GatewayFlowControlOptions,
  isKnownAtStart: boolean,
) {
  let isKnown = isKnownAtStart
  let lookedAt = Number.NEGATIVE_INFINITY

  async function report(health: GatewayHealth, error: string, now: number): Promise<void> {
    const { failingSince } = health
    if (failingSince !== null && !isKnown && isDown(health, now)) {
      const isNew = await recordDown(database, { gateway, sinceAt: failingSince, error }, administratorContact, now)
      isKnown = true
      if (isNew) log.error({ gateway, reason: error, since: new Date(failingSince) }, 'A gateway is down')
    }
    // The process that reported it down may be gone, so any process that is served may report it up.
    const isWorthALook = isKnown || now - lookedAt >= lookPause
    if (failingSince === null && isWorthALook) {
      lookedAt = now
      const trouble = await recordBack(database, gateway, administratorContact, now)
      isKnown = false
      if (trouble !== null) log.warn({ gateway, since: new Date(trouble.sinceAt) }, 'A gateway is back')
    }
  }
  return (health: GatewayHealth, error: string, now: number) =>
    report(health, error, now).catch((failure: unknown) =>
      log.warn({ err: failure, gateway }, 'the state of a gateway could not be stored'),
    )
}
