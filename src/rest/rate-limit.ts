import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from './problems.ts'

/** Counts a request of the key, or several; refuses with too_many_requests and Retry-After above the limit of a minute. */
export type RateLimit = (key: string, requests?: number) => Promise<void>

/** Limits requests a minute, known to this process only. Zero switches it off. */
export function createRateLimit(requestsPerMinute: number): RateLimit {
  if (requestsPerMinute === 0) return async () => {}
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 })
  return async (key, requests = 1) => {
    try {
      await limiter.consume(key, requests)
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      const seconds = String(Math.max(1, Math.ceil(rejected.msBeforeNext / 1000)))
      throw new ApiError([{ error: 'too_many_requests', facts: { retry_after: seconds } }], { 'Retry-After': seconds })
    }
  }
}
