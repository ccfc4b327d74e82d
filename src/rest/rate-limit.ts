import { createRequire } from 'node:module'
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from './problems.ts'

// The package's own entry loads a limiter for each of a dozen databases.
const load = createRequire(import.meta.url)
const Limiter: typeof RateLimiterMemory = load('rate-limiter-flexible/lib/RateLimiterMemory.js')
const Refusal: typeof RateLimiterRes = load('rate-limiter-flexible/lib/RateLimiterRes.js')

/** Per minute; zero: no limit. */
export interface RequestLimits {
  /** For an address without an account. */
  readonly anonymous: number
  /** The limit of an account, from whatever addresses. */
  readonly account: number
}

export const unlimited: RequestLimits = { anonymous: 0, account: 0 }

/** The caller whose requests are counted together. */
export interface Counted {
  readonly by: keyof RequestLimits
  readonly key: string
}

/** Counts a request, or several; refuses with too_many_requests and Retry-After above the limit of a minute. */
export type RateLimit = (counted: Counted, requests?: number) => Promise<void>

/** Limits requests a minute, known to this process only. */
export function createRateLimit(limits: RequestLimits): RateLimit {
  const limiterOf = (points: number) => (points === 0 ? null : new Limiter({ points, duration: 60 }))
  const limiters = { anonymous: limiterOf(limits.anonymous), account: limiterOf(limits.account) }
  return async ({ by, key }, requests = 1) => {
    try {
      await limiters[by]?.consume(key, requests)
    } catch (rejected) {
      if (!(rejected instanceof Refusal)) throw rejected
      const seconds = String(Math.max(1, Math.ceil(rejected.msBeforeNext / 1000)))
      throw new ApiError([{ error: 'too_many_requests', facts: { retry_after: seconds } }], { 'Retry-After': seconds })
    }
  }
}
