import { all, always, any, type Condition, is, oneOf } from '../queries/condition.ts'
import type { Caller } from './caller.ts'

/** A key may be narrowed to groups, to tags, or to both: it sees the services that lie in one of each. */

/** True if the caller's key leaves out some of its owner's objects. */
export function isNarrowed({ key }: Caller): boolean {
  return key !== null && (key.group_ids !== null || key.tag_ids !== null)
}

/** The service lies within the key. `tag_ids` is a list of the row; a row without it lies in no tag. */
export function withinKey({ key }: Caller, groupField = 'group_id'): Condition {
  if (key === null) return always(true)
  const { group_ids: groups, tag_ids: tags } = key
  return all(
    groups === null ? always(true) : oneOf(groupField, groups),
    tags === null ? always(true) : any(...tags.map((id) => is('tag_ids', id))),
  )
}

/** The group may hold services of the key. */
export function groupForKey({ key }: Caller, field = 'id'): Condition {
  return key === null || key.group_ids === null ? always(true) : oneOf(field, key.group_ids)
}

/** The key sees the group itself, with its addresses. A key for tags alone sees no group. */
export function groupWithinKey(caller: Caller, field = 'id'): Condition {
  const { key } = caller
  return key !== null && key.group_ids === null && key.tag_ids !== null ? always(false) : groupForKey(caller, field)
}

/** A change of a group concerns services that lie outside a key for tags. */
export function mayChangeGroups({ key }: Caller): boolean {
  return key === null || key.tag_ids === null
}

/** A service with these tags would lie within the key. */
export function hasTagOfKey({ key }: Caller, tagIds: readonly number[]): boolean {
  return key === null || key.tag_ids === null || key.tag_ids.some((id) => tagIds.includes(id))
}
