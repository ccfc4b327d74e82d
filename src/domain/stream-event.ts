import type { Caller } from './caller.ts'
import { holds } from './condition.ts'
import { accountPermissions, ownOrParents, serviceVisible } from './permissions.ts'

/** What the event stream tells of; beside these it says `reset`. */
export const streamEventKinds = ['service_status', 'status_change', 'notification', 'report', 'sensor'] as const
export type StreamEventKind = (typeof streamEventKinds)[number]

/** Whose an event is. */
export interface EventReach {
  readonly kind: StreamEventKind
  /** Of the service or the report; the account of a notification. */
  readonly ownerId: number | null
  /** The parent of that account. */
  readonly parentId: number | null
  readonly groupId: number | null
  /** Names of the service's tags. */
  readonly tags: readonly string[]
}

/** Whether the caller may read what the event tells, as everywhere else. */
export function mayHear(caller: Caller, { kind, ownerId, parentId, groupId }: EventReach): boolean {
  switch (kind) {
    case 'service_status':
    case 'status_change':
      return holds(serviceVisible(caller), { owner_id: ownerId, group_id: groupId })
    case 'notification': {
      const { read_logs: condition } = accountPermissions(caller)
      return condition !== undefined && holds(condition, { id: ownerId, parent_account_id: parentId })
    }
    case 'report':
      return holds(ownOrParents(caller), { owner_id: ownerId })
    case 'sensor':
      return true
  }
}

/** What a listener wants to hear; null: everything. */
export interface EventFilter {
  readonly groupIds: ReadonlySet<number> | null
  /** Names in lower case. */
  readonly tags: ReadonlySet<string> | null
}

/** A filter leaves out what is of no group and has no tags: reports and sensors. */
export function isWanted({ groupIds, tags }: EventFilter, event: EventReach): boolean {
  if (groupIds !== null && (event.groupId === null || !groupIds.has(event.groupId))) return false
  return tags === null || event.tags.some((tag) => tags.has(tag.toLowerCase()))
}

/** A place in the stream, from which it goes on. */
export interface StreamPlace {
  readonly epoch: number
  /** Every event of earlier transactions was heard. */
  readonly floor: number
  /** When it was reached. Unix milliseconds. */
  readonly at: number
}

/** Milliseconds for which a stream can be taken up again. */
const resumableMs = 300_000

/** Whether the stream still has all that came after the place. */
export function canResume(place: StreamPlace, present: Pick<StreamPlace, 'epoch' | 'at'>): boolean {
  const ageMs = present.at - place.at
  return place.epoch === present.epoch && ageMs <= resumableMs && ageMs > -resumableMs
}

/** The lines of an event; a line of data cannot hold a line break, and JSON has none. */
export function eventLines(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n`
}
