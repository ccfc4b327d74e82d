import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'
import { lockKeys } from '../locks.ts'

/** References from services to the services on which they depend. All of a graph have one owner. */

/** Until the transaction ends nobody else changes what depends on what in the account, so no cycle can arise. */
export async function lockDependenciesOf(transaction: Executor, ownerId: number): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.dependencies}, ${ownerId})`)
}

/** A possible parent. */
export interface ParentRow extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly group_id: number
  readonly tag_ids: readonly number[]
  readonly parent_ids: readonly number[]
}

export function readParents(executor: Executor, ids: readonly number[], ownerId: number): Promise<ParentRow[]> {
  return executor.query<ParentRow>(sql`
    select id, owner_id, group_id, tag_ids, parent_ids from services where id = any(${[...ids]}::int[]) and owner_id = ${ownerId}`)
}

/** The given services that depend on another one, over any number of levels, and the other one itself. */
export async function dependingOn(
  executor: Executor,
  services: readonly Pick<ParentRow, 'id' | 'parent_ids'>[],
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
): Promise<ReadonlySet<number>> {
  const parentIds = new Map(services.map((service) => [service.id, service.parent_ids]))
  let wanted = missingOf(parentIds)
  while (wanted.length > 0) {
    const rows = await readParents(executor, wanted, ownerId)
    // Ids without a row are known to have no parents, so each id is asked for once.
    for (const missing of wanted) parentIds.set(missing, [])
    for (const row of rows) parentIds.set(row.id, row.parent_ids)
    wanted = missingOf(parentIds)
  }
  return new Set(services.filter((service) => reaches(parentIds, service.id, id)).map((service) => service.id))
}

function missingOf(parentIds: ReadonlyMap<number, readonly number[]>): number[] {
  return [...new Set([...parentIds.values()].flat())].filter((id) => !parentIds.has(id))
}

function reaches(parentIds: ReadonlyMap<number, readonly number[]>, from: number, to: number): boolean {
  const seen = new Set([from])
  // The set grows while it is walked.
  for (const id of seen) for (const parent of parentIds.get(id) ?? []) seen.add(parent)
  return seen.has(to)
}

/** Removes deleted services from every list of parents. */
export async function forgetParents(transaction: Executor, ids: readonly number[]): Promise<void> {
  const owners = await transaction.query<{ owner_id: number }>(sql`
    select distinct owner_id from services where id = any(${[...ids]}::int[]) order by owner_id`)
  for (const { owner_id: ownerId } of owners) {
    await lockDependenciesOf(transaction, ownerId)
    const children = await transaction.query<{ id: number; parent_ids: readonly number[] }>(sql`
      select id, parent_ids from services
      where owner_id = ${ownerId} and parent_ids && ${[...ids]}::int[] and id <> all(${[...ids]}::int[])`)
    for (const child of children) {
      const kept = child.parent_ids.filter((id) => !ids.includes(id))
      await transaction.execute(sql`update services set parent_ids = ${kept}::int[] where id = ${child.id}`)
    }
  }
}
