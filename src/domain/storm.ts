/** Storms: many services of one account that fail, or work again, within a minute. Their messages go together, as one digest an address. */

/** Milliseconds in which the services are counted, and between two digests while a storm goes on. */
export const stormPeriod = 60_000

/** Milliseconds that the first digest of a storm waits for company. */
export const firstDigestDelay = 10_000

/** How many services may tell of themselves one by one, where the account has not chosen. */
export const usualStormThreshold = 100

/** Moments are Unix milliseconds. */
export interface StormFacts {
  /** More services than this are a storm. Null: the account wants every message by itself. */
  readonly threshold: number | null
  /** Services whose messages of the same kind were decided within the last minute, those of now included. */
  readonly services: number
  /** When the newest digest of the account goes, or went; null: there is none. */
  readonly lastDigestAt: number | null
  readonly now: number
}

/** When the digest goes that the messages of now belong to. Null: there is no storm, and each goes by itself, at once. */
export function digestTime({ threshold, services, lastDigestAt, now }: StormFacts): number | null {
  if (threshold === null || services <= threshold) return null
  if (lastDigestAt === null || lastDigestAt <= now - stormPeriod) return now + firstDigestDelay
  return lastDigestAt > now ? lastDigestAt : now + stormPeriod
}
