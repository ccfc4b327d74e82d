/**
 * A circuit breaker for a gateway: when the gateway counts as down, and when it is tried again. A gateway's outage uses
 * up no attempts of a message.
 */

/** The stored state of a gateway. Moments in Unix milliseconds. */
export interface GatewayHealth {
  /** Consecutive failures that were the gateway's own. */
  readonly failures: number
  /** When the first of them happened; null while the gateway works. */
  readonly failingSince: number | null
  /** No message goes before this moment, then one tries. Null: all messages go. */
  readonly tryAt: number | null
}

/**
 * The result of an attempt as far as it concerns the gateway. It served if it answered, even with a refusal of the
 * message.
 */
export interface GatewayAttempt {
  readonly isServed: boolean
  readonly now: number
  /** Milliseconds that the gateway asked us to wait. */
  readonly retryAfter: number
}

/** A gateway without known failures. */
export const workingGateway: GatewayHealth = { failures: 0, failingSince: null, tryAt: null }

/** Fewer failures may be chance: a lost connection, a restart. */
const failuresUntilShut = 3

/** Milliseconds. */
const firstPause = 5000
const longestPause = 60_000
const longestHiccup = 60_000

/**
 * After three consecutive failures only one message at a time goes to a gateway. The pauses double from 5 s to a
 * minute. Messages that were already on their way do not lengthen the pauses.
 */
export function afterAttempt(health: GatewayHealth, { isServed, now, retryAfter }: GatewayAttempt): GatewayHealth {
  if (isServed) return workingGateway
  const failingSince = health.failingSince ?? now
  if (health.tryAt !== null && now < health.tryAt) {
    return { ...health, tryAt: Math.max(health.tryAt, now + retryAfter) }
  }
  const failures = health.failures + 1
  const isShut = failures >= failuresUntilShut || retryAfter > 0
  const pause = firstPause * 2 ** Math.min(Math.max(failures - failuresUntilShut, 0), 10)
  return { failures, failingSince, tryAt: isShut ? now + Math.max(retryAfter, Math.min(pause, longestPause)) : null }
}

/** The number of messages that may go now: all, one that tries, or none. */
export function throughput(health: GatewayHealth, now: number, underWay: number): number {
  if (health.tryAt === null) return Number.POSITIVE_INFINITY
  return now >= health.tryAt && underWay === 0 ? 1 : 0
}

/** True when the administrator should be notified: three consecutive failures, the first at least a minute ago. */
export function isDown({ failures, failingSince }: GatewayHealth, now: number): boolean {
  return failures >= failuresUntilShut && failingSince !== null && now - failingSince >= longestHiccup
}

/** The state that a process left behind or another process reports: down, to be tried at once. */
export function knownDown(failingSince: number, now: number): GatewayHealth {
  return { failures: failuresUntilShut, failingSince, tryAt: now }
}
