import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { holds } from '../domain/condition.ts'
import { groupVisible, ownersOrShared, type ShareFlag } from '../domain/permissions.ts'
import type { Problem } from '../domain/problem.ts'
import type { Call } from '../rest/call.ts'

/** The group into which something is put, with what the caller may do there. */
export interface GroupFacts {
  readonly id: number
  readonly owner_id: number
  readonly isAllowed: boolean
}

/** Reads the group and holds it against deletion; null when the caller may not read it. */
export async function targetGroup(
  transaction: Executor,
  call: Call,
  groupId: number | null,
  flag: ShareFlag,
): Promise<GroupFacts | null> {
  const [group] = await transaction.query<{ id: number; owner_id: number }>(
    sql`select id, owner_id from groups where id = ${groupId} for key share`,
  )
  if (group === undefined || !holds(groupVisible(call.caller), group)) return null
  return { ...group, isAllowed: holds(ownersOrShared(call.caller, flag, 'id'), group) }
}

/** Problems: incorrect_value (no such group, or another owner's), forbidden. */
export function targetGroupProblems(
  group: GroupFacts | null,
  before: Readonly<Record<string, unknown>> | null,
): readonly Problem[] {
  if (group === null) return [{ error: 'incorrect_value', field: 'data.group_id' }]
  const stays = before !== null && before['group_id'] === group.id
  if (!stays && !group.isAllowed) return [{ error: 'forbidden' }]
  const isOtherOwner = before !== null && before['owner_id'] !== group.owner_id
  return isOtherOwner ? [{ error: 'incorrect_value', field: 'data.group_id' }] : []
}
