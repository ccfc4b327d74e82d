/** How fast messages may follow one another: a bucket of tokens that fills evenly. */

/** The bucket of one gateway as it was counted last. */
export interface Pace {
  readonly tokens: number
  /** When the tokens were counted. Unix milliseconds. */
  readonly countedAt: number
}

/** A bucket holds what a second brings, at least one, so that a rate of a few a minute makes no burst. */
function capacityOf(perMinute: number): number {
  return Math.max(1, perMinute / 60)
}

/** As after a long silence. @param now Unix milliseconds */
export function fullPace(perMinute: number, now: number): Pace {
  return { tokens: capacityOf(perMinute), countedAt: now }
}

/** The bucket as it is now. A clock that was set back fills nothing. */
export function refilled({ tokens, countedAt }: Pace, perMinute: number, now: number): Pace {
  const gained = (Math.max(0, now - countedAt) * perMinute) / 60_000
  return { tokens: Math.min(capacityOf(perMinute), tokens + gained), countedAt: now }
}

/** How many messages may go now. */
export function allowed(pace: Pace): number {
  return Math.floor(pace.tokens + 1e-9)
}

/** @returns milliseconds until one more may go */
export function untilAllowed(pace: Pace, perMinute: number): number {
  return pace.tokens >= 1 ? 0 : Math.ceil(((1 - pace.tokens) * 60_000) / perMinute)
}

/** So many have gone. Below zero when more went than were allowed: the next ones wait longer. */
export function spent(pace: Pace, count: number): Pace {
  return { ...pace, tokens: pace.tokens - count }
}
