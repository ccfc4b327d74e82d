import { createRequire } from 'node:module'
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from './problems.ts'

// The package's own entry loads a limiter for each of a dozen databases.
const load = createRequire(import.meta.url)
const Limiter: typeof RateLimiterMemory = load('rate-limiter-flexible/lib/RateLimiterMemory.js')
const Refusal: typeof RateLimiterRes = load('rate-limiter-flexible/lib/RateLimiterRes.js')

/** Counts a request of the key, or several; refuses with too_many_requests and Retry-After above the limit of a minute. */
export type RateLimit = (key: string, requests?: number) => Promise<void>

/** Limits requests a minute, known to this process only. Zero switches it off. */
export function createRateLimit(requestsPerMinute: number): RateLimit {
  if (requestsPerMinute === 0) return async () => {}
  const limiter = new Limiter({ points: requestsPerMinute, duration: 60 })
  return async (key, requests = 1) => {
    try {
      await limiter.consume(key, requests)
    } catch (rejected) {
      if (!(rejected instanceof Refusal)) throw rejected
      const seconds = String(Math.max(1, Math.ceil(rejected.msBeforeNext / 1000)))
      throw new ApiError([{ error: 'too_many_requests', facts: { retry_after: seconds } }], { 'Retry-After': seconds })
    }
  }
}
