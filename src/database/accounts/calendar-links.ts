import sql from 'sql-template-tag'
import type { Row } from '../../domain/queries/condition.ts'
import type { Executor } from '../connect.ts'

/** Ends the current link of the rotation at once. */
export async function setCalendarLink(
  transaction: Executor,
  rotationId: number,
  token: { readonly digest: Buffer; readonly prefix: string } | null,
): Promise<void> {
  await transaction.execute(sql`
    update rotations set link_digest = ${token?.digest ?? null}, link_prefix = ${token?.prefix ?? null}, link_used_at = null
    where id = ${rotationId}`)
}

/** The rotation behind a link; undefined if the link is invalid. */
export async function findLinkedRotation(executor: Executor, digest: Buffer): Promise<Row | undefined> {
  const [found] = await executor.query<Row & object>(sql`
    select id, owner_id, name, time_zone_id, contact_ids, shift, starts_on, overrides from rotations where link_digest = ${digest}`)
  return found
}

/** A calendar program asks every few minutes, so its use is recorded once a minute. */
const notedMs = 60_000

export async function calendarLinkUsed(executor: Executor, rotationId: number, now: number): Promise<void> {
  await executor.execute(sql`
    update rotations set link_used_at = ${new Date(now)}
    where id = ${rotationId} and (link_used_at is null or link_used_at < ${new Date(now - notedMs)})`)
}
