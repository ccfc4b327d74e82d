/** A rate limit for messages: a token bucket that fills evenly. */

/** The bucket of one gateway at its last count. */
export interface Pace {
  readonly tokens: number
  /** When the tokens were counted. Unix milliseconds. */
  readonly countedAt: number
}

/** A bucket holds one second's worth of tokens, at least one, so a rate of a few per minute allows no burst. */
function capacityOf(perMinute: number): number {
  return Math.max(1, perMinute / 60)
}

/** A full bucket, as after a long silence. @param now Unix milliseconds */
export function fullPace(perMinute: number, now: number): Pace {
  return { tokens: capacityOf(perMinute), countedAt: now }
}

/** The bucket at `now`. A clock that was set back adds no tokens. */
export function refilled({ tokens, countedAt }: Pace, perMinute: number, now: number): Pace {
  const gained = (Math.max(0, now - countedAt) * perMinute) / 60_000
  return { tokens: Math.min(capacityOf(perMinute), tokens + gained), countedAt: now }
}

/** The number of messages that may go now. */
export function allowed(pace: Pace): number {
  return Math.floor(pace.tokens + 1e-9)
}

/** @returns milliseconds until the next message may go */
export function untilAllowed(pace: Pace, perMinute: number): number {
  return pace.tokens >= 1 ? 0 : Math.ceil(((1 - pace.tokens) * 60_000) / perMinute)
}

/** Takes `count` tokens. The count may fall below zero; then the next messages wait longer. */
export function spent(pace: Pace, count: number): Pace {
  return { ...pace, tokens: pace.tokens - count }
}
