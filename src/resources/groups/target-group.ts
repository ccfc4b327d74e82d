import sql, { empty } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import type { Caller, ShareFlag } from '../../domain/access/caller.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { groupForKey } from '../../domain/access/narrowing.ts'
import { groupReachable, ownersOrShared } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, type Condition, holds } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { integer } from '../../rest/fields.ts'

/** The group into which something is put, with what the caller may do there. */
export interface GroupFacts {
  readonly id: number
  readonly owner_id: number
  readonly refusal: Problem | null
}

/** The field of what is in a group: its owner is the group's. */
export const ownerOfGroup = integer({
  about: "The group's owner; another one is refused.",
  immutable: true,
  elsewhere: true,
  filter: true,
  sort: true,
})

/** An object in a group: a field of its row before and after the write names the group. */
type Placed = Readonly<Record<string, unknown>>

/** A key for tags puts services into groups that it does not see. */
function mayHold(caller: Caller): Condition {
  return all(groupReachable(caller), groupForKey(caller))
}

/** Reads the group, the default one unless told otherwise; null when the caller may not read it. */
export async function targetGroup(
  transaction: Executor,
  call: Call,
  placed: { readonly given: Placed; readonly before: Placed | null },
  flag: ShareFlag,
): Promise<GroupFacts | null> {
  const groupBefore = placed.before?.['group_id']
  const groupId = placed.given['group_id'] ?? groupBefore ?? call.caller.default_group_id
  // A new group is locked against deletion. Objects in it already hold it themselves, and every deletion locks the
  // group first.
  const lock = groupId === groupBefore ? empty : sql`for key share`
  const [group] = await transaction.query<{ id: number; owner_id: number }>(
    sql`select id, owner_id from groups where id = ${groupId} ${lock}`,
  )
  if (group === undefined || !holds(mayHold(call.caller), group)) return null
  const isAllowed = holds(ownersOrShared(call.caller, flag, 'id'), group)
  return { ...group, refusal: isAllowed ? null : lacksPermission(call.caller, flag) }
}

/** `owner_id` may be sent with what is put into a group, and must then be the group's owner (answers §7). */
export function ownerProblems(
  group: GroupFacts | null,
  row: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | null,
): readonly Problem[] {
  const isOther = before === null && group !== null && (row['owner_id'] ?? group.owner_id) !== group.owner_id
  return isOther ? [{ error: 'incorrect_value', field: 'data.owner_id', facts: { detail: 'owner_of_group' } }] : []
}

/** Problems: incorrect_value (no such group, or another owner's), forbidden. */
export function targetGroupProblems(
  group: GroupFacts | null,
  before: Readonly<Record<string, unknown>> | null,
): readonly Problem[] {
  if (group === null) return [{ error: 'incorrect_value', field: 'data.group_id', facts: { detail: 'group' } }]
  const stays = before !== null && before['group_id'] === group.id
  if (!stays && group.refusal !== null) return [group.refusal]
  const isOtherOwner = before !== null && before['owner_id'] !== group.owner_id
  return isOtherOwner ? [{ error: 'incorrect_value', field: 'data.group_id', facts: { detail: 'group_of_owner' } }] : []
}
