import type { Refusal } from '../../auth/authenticate.ts'
import { ApiError } from '../../rest/problems.ts'

/** The result of a login. Throws if the login was refused, so that the request is refused with the same problems. */
export function unlessRefused<T extends object>(outcome: T | Refusal): T {
  if (!('problems' in outcome)) return outcome
  const seconds = outcome.retryAfterSeconds
  throw new ApiError(outcome.problems, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
}
