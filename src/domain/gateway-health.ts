/** When a gateway for notices counts as down, and when it is tried again, so that its trouble costs no notice an attempt. */

/** What is remembered of a gateway. Moments in Unix milliseconds. */
export interface GatewayHealth {
  /** Failures in a row that were the gateway's own. */
  readonly failures: number
  /** When the first of them came; null while it works. */
  readonly failingSince: number | null
  /** Nothing goes to it before, then one message tries; null while everything goes. */
  readonly tryAt: number | null
}

/** How an attempt ended as far as the gateway goes: it answered, whatever it said of the message, or it did not serve. */
export interface GatewayAttempt {
  readonly isServed: boolean
  readonly now: number
  /** Milliseconds that it asked to be left alone for. */
  readonly retryAfter: number
}

/** Nothing is known against it. */
export const workingGateway: GatewayHealth = { failures: 0, failingSince: null, tryAt: null }

/** Fewer are chance: a connection lost, a restart. */
const failuresUntilShut = 3

/** Milliseconds. */
const firstPause = 5000
const longestPause = 60_000
const longestHiccup = 60_000

/**
 * After three failures in a row nothing goes to a gateway but one message at a time, at pauses that double from 5 s to a minute. What
 * was under way when it was shut makes the pauses no longer.
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

/** How many messages may go to it now: all, one that tries, or none. */
export function throughput(health: GatewayHealth, now: number, underWay: number): number {
  if (health.tryAt === null) return Number.POSITIVE_INFINITY
  return now >= health.tryAt && underWay === 0 ? 1 : 0
}

/** True when the administrator is to hear of it: three failures in a row, the first of them a minute ago or more. */
export function isDown({ failures, failingSince }: GatewayHealth, now: number): boolean {
  return failures >= failuresUntilShut && failingSince !== null && now - failingSince >= longestHiccup
}

/** As it was left by a process that ended, or is told by another one: down, and to be tried at once. */
export function knownDown(failingSince: number, now: number): GatewayHealth {
  return { failures: failuresUntilShut, failingSince, tryAt: now }
}
