import type { Refusal } from '../../auth/authenticate.ts'
import { ApiError } from '../../rest/problems.ts'

/** Passes on what was decided about a login, or refuses the request as it was refused. */
export function unlessRefused<T extends object>(outcome: T | Refusal): T {
  if (!('problems' in outcome)) return outcome
  const seconds = outcome.retryAfterSeconds
  throw new ApiError(outcome.problems, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
}
