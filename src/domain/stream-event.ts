import type { Caller } from './access/caller.ts'
import type { KeyScope } from './access/key-scopes.ts'
import { isNarrowed } from './access/narrowing.ts'
import { accountPermissions, ownOrParents, serviceVisible } from './access/permissions.ts'
import { holds } from './queries/condition.ts'

/** The kinds of events in the stream; it also sends `reset`. */
export const streamEventKinds = ['service_status', 'status_change', 'notification', 'report', 'sensor'] as const
export type StreamEventKind = (typeof streamEventKinds)[number]

/** The owners and readers of an event. */
export interface EventReach {
  readonly kind: StreamEventKind
  /** The owner of the service or the report; the account of a notification. */
  readonly ownerId: number | null
  /** The parent of that account. */
  readonly parentId: number | null
  readonly groupId: number | null
  /** Identifiers of the service's tags. */
  readonly tagIds: readonly number[]
  /** Names of the service's tags. */
  readonly tags: readonly string[]
}

/** True if the caller may read the content of the event, by the same rules as elsewhere. */
export function mayHear(caller: Caller, event: EventReach): boolean {
  return isOpenToKey(caller, event.kind) && mayRead(caller, event)
}

const scopesOfKinds: Readonly<Record<StreamEventKind, KeyScope>> = {
  service_status: 'read',
  status_change: 'read',
  notification: 'notifications',
  report: 'reports',
  sensor: 'read',
}

function isOpenToKey(caller: Caller, kind: StreamEventKind): boolean {
  const ofAccount = kind === 'notification' || kind === 'report'
  if (caller.key === null) return true
  return caller.key.scopes.includes(scopesOfKinds[kind]) && !(ofAccount && isNarrowed(caller))
}

function mayRead(caller: Caller, { kind, ownerId, parentId, groupId, tagIds }: EventReach): boolean {
  switch (kind) {
    case 'service_status':
    case 'status_change':
      return holds(serviceVisible(caller), { owner_id: ownerId, group_id: groupId, tag_ids: tagIds })
    case 'notification': {
      const { read_logs: condition } = accountPermissions(caller)
      return condition !== undefined && holds(condition, { id: ownerId, family_parent_id: parentId })
    }
    case 'report':
      return holds(ownOrParents(caller), { owner_id: ownerId })
    case 'sensor':
      return true
  }
}

/** A listener's filter; null: everything. */
export interface EventFilter {
  readonly groupIds: ReadonlySet<number> | null
  /** Names in lower case. */
  readonly tags: ReadonlySet<string> | null
}

/** A filter leaves out events without a group and tags: reports and sensors. */
export function isWanted({ groupIds, tags }: EventFilter, event: EventReach): boolean {
  if (groupIds !== null && (event.groupId === null || !groupIds.has(event.groupId))) return false
  return tags === null || event.tags.some((tag) => tags.has(tag.toLowerCase()))
}

/** A cursor in the stream from which it can continue. */
export interface StreamCursor {
  readonly epoch: number
  /** Every event of earlier transactions was delivered. */
  readonly floor: number
  /** When the cursor was reached. Unix milliseconds. */
  readonly at: number
}

/** Milliseconds for which a stream can be resumed. */
const resumableMs = 300_000

/** True if the stream still has everything after the cursor. */
export function canResume(cursor: StreamCursor, present: Pick<StreamCursor, 'epoch' | 'at'>): boolean {
  const ageMs = present.at - cursor.at
  return cursor.epoch === present.epoch && ageMs <= resumableMs && ageMs > -resumableMs
}

/** The lines of an event. A data line cannot hold a line break, and JSON has none. */
export function eventLines(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n`
}
