import type { Authenticator } from '../auth/authenticate.ts'
import { windowMs } from '../auth/counted-attempts.ts'
import { PagePasswordLimit } from '../auth/page-password-limit.ts'
import { failuresIn } from '../auth/shared-failures.ts'
import { sessionToken } from '../console/session-cookie.ts'
import type { Database } from '../database/connect.ts'
import { withoutPort } from '../domain/access/network.ts'
import type { Clock } from '../domain/clock.ts'
import type { AccountsOfVisitor } from '../status-pages/access.ts'

/** The accounts of whoever is logged in to the console in the same browser. */
export function visitorsOf(authenticator: Pick<Authenticator, 'authenticate'>): AccountsOfVisitor {
  return async (request) => {
    const token = sessionToken(request)
    if (token === null) return []
    const outcome = await authenticator.authenticate({
      authorization: `Bearer ${token}`,
      ipAddress: withoutPort(request.ip),
      userAgent: request.headers['user-agent'] ?? '',
      isUnverifiedAllowed: false,
    })
    if (outcome === null || 'problems' in outcome) return []
    // A cookie holds the token of a session, whatever a client puts there.
    if (outcome.caller.scope !== 'customer' || outcome.caller.key !== null) return []
    return [...outcome.caller.account_ids, outcome.caller.primary_account_id]
  }
}

interface Limited {
  readonly database: Database
  readonly clock: Clock
  readonly attemptsPerMinute: number
}

/** The limit of wrong passwords of status pages. */
export function passwordLimit({ database, clock, attemptsPerMinute }: Limited): PagePasswordLimit {
  const shared = failuresIn(database, windowMs)
  return new PagePasswordLimit({ attemptsPerMinute, clock, counted: 'status pages', shared })
}
