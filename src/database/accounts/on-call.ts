import sql, { raw } from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** References to contacts, contact groups, rotations and escalations, and the objects that hold them. */

type Named = 'contacts' | 'contact_groups' | 'rotations' | 'escalations'

/** The given ids that belong to the account. Their objects cannot be deleted until the transaction ends. */
export async function ownIds(
  transaction: Executor,
  table: Named,
  ids: readonly number[],
  ownerId: number,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.query<{ id: number }>(sql`
    select id from ${raw(table)} where id = any(${[...ids]}::int[]) and owner_id = ${ownerId} for key share`)
  return new Set(rows.map(({ id }) => id))
}

/** An object that refers to another one. */
export interface Naming {
  readonly resource: 'escalations' | 'rotations' | 'services' | 'groups' | 'notification_addresses'
  readonly id: number
  readonly name: string
}

/** An escalation with a step that refers to the object; undefined if there is none. */
async function escalationNaming(executor: Executor, member: string, id: number, ownerId: number) {
  const [found] = await executor.query<Naming>(sql`
    select 'escalations' as resource, id, name from escalations
    where owner_id = ${ownerId} and steps @> ${JSON.stringify([{ [member]: [id] }])}::jsonb order by id limit 1`)
  return found
}

export function namingRotation(executor: Executor, id: number, ownerId: number): Promise<Naming | undefined> {
  return escalationNaming(executor, 'rotation_ids', id, ownerId)
}

export function namingContactGroup(executor: Executor, id: number, ownerId: number): Promise<Naming | undefined> {
  return escalationNaming(executor, 'contact_group_ids', id, ownerId)
}

/** An escalation or a rotation that refers to the contact; overrides count while they are in the rotation. */
export async function namingContact(executor: Executor, id: number, ownerId: number): Promise<Naming | undefined> {
  const [found] = await executor.query<Naming>(sql`
    select 'rotations' as resource, id, name from rotations
    where owner_id = ${ownerId} and (${id}::int = any(contact_ids) or overrides @> ${JSON.stringify([{ contact_id: id }])}::jsonb)
    order by id limit 1`)
  return found ?? escalationNaming(executor, 'contact_ids', id, ownerId)
}

/** A group or a service with the escalation. */
export async function namingEscalation(executor: Executor, id: number, ownerId: number): Promise<Naming | undefined> {
  const [group] = await executor.query<Naming>(sql`
    select 'groups' as resource, id, name from groups where owner_id = ${ownerId} and escalation_id = ${id} order by id limit 1`)
  if (group !== undefined) return group
  const [service] = await executor.query<Naming>(sql`
    select 'services' as resource, id, name from services where owner_id = ${ownerId} and escalation_id = ${id} order by id limit 1`)
  return service
}

/** Removes a deleted contact from every list. The transaction ends with the deletion. */
export async function forgetContact(transaction: Executor, id: number, ownerId: number): Promise<void> {
  await transaction.execute(sql`
    update contact_groups set contact_ids = array_remove(contact_ids, ${id}::int)
    where owner_id = ${ownerId} and ${id}::int = any(contact_ids)`)
  await forgetIn(transaction, 'contact_ids', id, ownerId)
}

/** The same for a group of contacts. */
export function forgetContactGroup(transaction: Executor, id: number, ownerId: number): Promise<void> {
  return forgetIn(transaction, 'contact_group_ids', id, ownerId)
}

async function forgetIn(
  transaction: Executor,
  list: 'contact_ids' | 'contact_group_ids',
  id: number,
  ownerId: number,
): Promise<void> {
  for (const table of ['groups', 'services', 'tags']) {
    await transaction.execute(sql`
      update ${raw(table)} set ${raw(list)} = array_remove(${raw(list)}, ${id}::int)
      where owner_id = ${ownerId} and ${id}::int = any(${raw(list)})`)
  }
}
