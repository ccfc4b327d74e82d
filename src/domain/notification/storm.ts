/**
 * Storms: many services of one account fail or recover within a minute. Their messages are sent as one digest per
 * address.
 */

/** The window in which services are counted, and the pause between two digests during a storm. Milliseconds. */
export const stormPeriod = 60_000

/** The delay of a storm's first digest, so that more messages join it. Milliseconds. */
export const firstDigestDelay = 10_000

/** The default number of services that may notify one by one. */
export const usualStormThreshold = 100

/** Moments are Unix milliseconds. */
export interface StormFacts {
  /** More services than this make a storm. Null: the account wants every message separately. */
  readonly threshold: number | null
  /** Services with a message of the same kind in the last minute, including the current ones. */
  readonly services: number
  /** When the account's newest digest goes or went out; null if there is none. */
  readonly lastDigestAt: number | null
  readonly now: number
}

/** When the digest of the current messages goes out. Null: there is no storm, and each message goes out at once. */
export function digestTime({ threshold, services, lastDigestAt, now }: StormFacts): number | null {
  if (threshold === null || services <= threshold) return null
  if (lastDigestAt === null || lastDigestAt <= now - stormPeriod) return now + firstDigestDelay
  return lastDigestAt > now ? lastDigestAt : now + stormPeriod
}
