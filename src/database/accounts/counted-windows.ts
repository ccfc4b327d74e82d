import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** Attempts in windows of time, counted over all processes. */

/** A window after an attempt was added to it. */
export interface CountedWindow {
  /** The new one included. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly endsAt: number
}

/** Each failure removes at most this many expired windows: twice as many as it may open. */
const sweptAtOnce = 4

/** The digest of what is counted: the table holds no names and addresses. */
export function countedKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/**
 * Counts an attempt, and says how many there are. One statement does both, so of parallel attempts each has a number of
 * its own.
 */
export async function countAttempt(
  database: Executor,
  key: string,
  span: { readonly now: number; readonly windowMs: number },
): Promise<CountedWindow> {
  const [counted] = await countAttempts(database, [key], span)
  if (counted === undefined) throw new Error('The attempt was not counted.')
  return { attempts: counted.failures, endsAt: counted.ends_at }
}

/** How many attempts the window has that is open now. */
export async function attemptsOf(database: Executor, key: string, now: number): Promise<number> {
  const [found] = await database.query<{ failures: number }>(sql`
    select failures from login_failures where counts_against = ${countedKey(key)} and ends_at > ${new Date(now)}`)
  return found?.failures ?? 0
}

/** Adds an attempt to the window of each key; an expired window starts over. */
export async function countAttempts(
  database: Executor,
  keys: readonly string[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<readonly { readonly failures: number; readonly ends_at: number }[]> {
  const [from, until] = [new Date(now), new Date(now + windowMs)]
  // In the order of the keys, so that no two processes wait for each other.
  const counted = await database.query<{ failures: number; ends_at: number }>(sql`
    insert into login_failures as known (counts_against, failures, ends_at)
    select counts_against, 1, ${until} from unnest(${keys.map(countedKey)}::bytea[]) as counts_against order by 1
    on conflict (counts_against) do update set
      failures = case when known.ends_at > ${from} and known.ends_at <= ${until} then known.failures + 1 else 1 end,
      ends_at = case when known.ends_at > ${from} and known.ends_at <= ${until} then known.ends_at else ${until} end
    returning failures, ends_at`)
  await database.execute(sql`
    delete from login_failures where counts_against in (
      select counts_against from login_failures where ends_at <= ${from} limit ${sweptAtOnce} for update skip locked)`)
  return counted
}
