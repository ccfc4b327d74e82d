import { countAttempt } from '../database/accounts/counted-windows.ts'
import { countUnasked } from '../database/accounts/unasked.ts'
import type { Executor } from '../database/connect.ts'
import { askingLimits } from '../domain/status-pages/subscriber.ts'

/** A request to subscribe to a status page. */
export interface AskedFor {
  readonly pageId: number
  readonly by: { readonly network: string } | { readonly ownerId: number }
  /** The same text for one destination in any spelling. */
  readonly destination: string
}

/** The limit that a request meets, and the end of its window in Unix milliseconds. */
export interface AskingLimit {
  readonly limit: 'network' | 'owner' | 'page' | 'address'
  readonly until: number
}

function keysOf({ pageId, by, destination }: AskedFor) {
  return [
    'network' in by
      ? { limit: 'network' as const, key: `subscribing network ${by.network}` }
      : { limit: 'owner' as const, key: `subscribing owner ${by.ownerId}` },
    { limit: 'page' as const, key: `subscribing page ${pageId}` },
    { limit: 'address' as const, key: `subscribing address ${destination.toLowerCase()}` },
  ]
}

/**
 * Counts a request, and compares afterwards, so that parallel requests keep the limits; null: it meets none. After a
 * limit that it meets it counts against no further one. Counted over all processes of the database.
 */
export async function countAsking(executor: Executor, asked: AskedFor, now: number): Promise<AskingLimit | null> {
  for (const { limit, key } of keysOf(asked)) {
    const { most, windowMs } = askingLimits[limit]
    const { attempts, endsAt } = await countAttempt(executor, key, { now, windowMs })
    if (attempts > most) return { limit, until: endsAt }
  }
  const until = await countUnasked(executor, asked.destination, now)
  return until === null ? null : { limit: 'address', until }
}
