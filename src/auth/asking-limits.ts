import type { Executor } from '../database/connect.ts'
import { askingLimits } from '../domain/subscriber.ts'
import { failuresIn } from './shared-failures.ts'

/** A request to subscribe to a status page. */
export interface AskedFor {
  readonly pageId: number
  /** Null: the owner of the page adds the address. */
  readonly network: string | null
  /** The same text for one destination in any spelling. */
  readonly destination: string
}

/** The limit that a request meets, and the end of its window in Unix milliseconds. */
export interface AskingLimit {
  readonly limit: 'network' | 'page' | 'address'
  readonly until: number
}

function keysOf({ pageId, network, destination }: AskedFor) {
  return [
    ...(network === null ? [] : [{ limit: 'network' as const, key: `subscribing network ${network}` }]),
    { limit: 'page' as const, key: `subscribing page ${pageId}` },
    { limit: 'address' as const, key: `subscribing address ${destination.toLowerCase()}` },
  ]
}

/** Counts a request, unless it meets a limit; null: it meets none. Counted over all processes of the database. */
export async function countAsking(executor: Executor, asked: AskedFor, now: number): Promise<AskingLimit | null> {
  const keys = keysOf(asked)
  for (const { limit, key } of keys) {
    const { most, windowMs } = askingLimits[limit]
    const until = await failuresIn(executor, windowMs).fullUntil([key], most, now)
    if (until !== null) return { limit, until }
  }
  for (const { limit, key } of keys) await failuresIn(executor, askingLimits[limit].windowMs).count([key], now)
  return null
}
