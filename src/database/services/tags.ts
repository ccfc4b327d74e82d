import sql from 'sql-template-tag'
import { countLimits } from '../../domain/input/count-limits.ts'
import { fold } from '../../domain/queries/condition.ts'
import type { Naming } from '../accounts/on-call.ts'
import type { Executor } from '../connect.ts'
import { countUpTo } from '../count.ts'
import { lockKeys } from '../locks.ts'

/** The tags behind the tag names of a service. */
export interface NamedTags {
  /** In the order of the names, each once. */
  readonly ids: readonly number[]
  /** True if the account has no room for the missing names; they were not made. */
  readonly isFull: boolean
}

/**
 * Until the transaction ends nobody else makes or renames a tag of the account, so names stay unique without regard to
 * case. No index can see to that: accounts may have such pairs, and `fold` differs between servers. Processes from
 * before the first release lock the account's row alone, so it is locked too. It comes first, because a service that is
 * switched on holds it when its tags are made.
 */
export async function lockTagsOf(transaction: Executor, ownerId: number): Promise<void> {
  await transaction.execute(sql`select 1 from accounts where id = ${ownerId} for no key update`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.tags}, ${ownerId})`)
}

/** True if another tag of the account has the name, in any case. */
export async function isTagNameTaken(
  transaction: Executor,
  ownerId: number,
  name: string,
  exceptId: number | null,
): Promise<boolean> {
  const found = await transaction.query(sql`
    select 1 from tags where owner_id = ${ownerId} and fold(name) = fold(${name}) and id is distinct from ${exceptId}
    limit 1`)
  return found.length > 0
}

/** The account's tags with these names by folded name; they stay until the transaction ends. */
export async function lockTagsNamed(
  transaction: Executor,
  ownerId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.query<{ id: number; name: string }>(sql`
    select id, name from tags where owner_id = ${ownerId}
      and fold(name) = any (select fold(wanted) from unnest(${[...names]}::text[]) wanted) order by id for key share`)
  return new Map(rows.map(({ id, name }) => [fold(name), id]))
}

/** An address that hears of services with the tag alone; undefined if there is none. */
export async function addressWithTag(executor: Executor, id: number): Promise<Naming | undefined> {
  const [found] = await executor.query<Naming>(sql`
    select 'notification_addresses' as resource, id, coalesce(nullif(description, ''), address) as name
    from notification_addresses where ${id}::int = any(tag_ids) order by id limit 1`)
  return found
}

export async function setAddressTags(
  transaction: Executor,
  addressId: number,
  ids: readonly number[] | null,
): Promise<void> {
  await transaction.execute(sql`update notification_addresses set tag_ids = ${ids}::int[] where id = ${addressId}`)
}

async function idsByName(
  transaction: Executor,
  ownerId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.query<{ id: number; name: string }>(sql`
    select id, name from tags where owner_id = ${ownerId}
      and fold(name) = any (select fold(wanted) from unnest(${names}::text[]) wanted)`)
  return new Map(rows.map(({ id, name }) => [fold(name), id]))
}

/** Finds the account's tags with these names, and makes the missing ones. */
export async function tagsNamed(transaction: Executor, ownerId: number, names: readonly string[]): Promise<NamedTags> {
  const wanted = new Map(names.toReversed().map((name) => [fold(name), name]))
  const order = [...new Set(names.map(fold))]
  const idsIn = (known: ReadonlyMap<string, number>) => order.flatMap((folded) => known.get(folded) ?? [])
  if (order.length === 0) return { ids: [], isFull: false }
  const known = await idsByName(transaction, ownerId, names)
  if (order.every((folded) => known.has(folded))) return { ids: idsIn(known), isFull: false }
  await lockTagsOf(transaction, ownerId)
  const present = await idsByName(transaction, ownerId, names)
  const missing = order.flatMap((folded) => (present.has(folded) ? [] : [wanted.get(folded) ?? folded]))
  const count = await countUpTo(transaction, { table: 'tags', column: 'owner_id', value: ownerId }, countLimits.tags)
  if (missing.length > 0 && count + missing.length > countLimits.tags) return { ids: idsIn(present), isFull: true }
  await transaction.execute(sql`
    insert into tags (owner_id, name) select ${ownerId}, wanted from unnest(${missing}::text[]) wanted`)
  return { ids: idsIn(await idsByName(transaction, ownerId, names)), isFull: false }
}

/** The accounts' tags with these names, by the place of the name; undefined where there is none. */
export async function tagIdsNamed(
  executor: Executor,
  ownerIds: readonly number[],
  names: readonly string[],
): Promise<readonly (number | undefined)[]> {
  if (names.length === 0) return []
  const rows = await executor.query<{ id: number; name: string }>(sql`
    select id, name from tags where owner_id = any(${[...ownerIds]}::int[])
      and fold(name) = any (select fold(wanted) from unnest(${[...names]}::text[]) wanted)`)
  const ids = new Map(rows.map(({ id, name }) => [fold(name), id]))
  return names.map((name) => ids.get(fold(name)))
}

/** Replaces all tags of a service. */
export async function setTags(transaction: Executor, serviceId: number, ids: readonly number[]): Promise<void> {
  await transaction.execute(sql`update services set tag_ids = ${ids}::int[] where id = ${serviceId}`)
}
