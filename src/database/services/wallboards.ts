import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** The wallboard behind a link. */
export interface SharedWallboard {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly group_ids: readonly number[] | null
  readonly shows_addresses: boolean
}

/** Ends the current link at once. */
export async function setWallboardToken(
  transaction: Executor,
  id: number,
  token: { readonly digest: Buffer; readonly prefix: string } | null,
): Promise<void> {
  await transaction.execute(sql`
    update wallboards set token_digest = ${token?.digest ?? null}, token_prefix = ${token?.prefix ?? null}, last_used_at = null
    where id = ${id}`)
}

/** The wallboard behind a link; undefined if the link is invalid. */
export async function findWallboard(
  executor: Executor,
  digest: Buffer,
  now: number,
): Promise<SharedWallboard | undefined> {
  const [found] = await executor.query<SharedWallboard>(sql`
    select id, owner_id, name, group_ids, shows_addresses from wallboards
    where token_digest = ${digest} and (expires_at is null or expires_at > ${new Date(now)})`)
  return found
}

/** Screens ask every few seconds, so their use is recorded once a minute. */
const notedMs = 60_000

export async function wallboardUsed(executor: Executor, id: number, now: number): Promise<void> {
  await executor.execute(sql`
    update wallboards set last_used_at = ${new Date(now)}
    where id = ${id} and (last_used_at is null or last_used_at < ${new Date(now - notedMs)})`)
}
