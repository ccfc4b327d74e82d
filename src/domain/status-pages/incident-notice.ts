/** The messages that an incident owes to the subscribers of its page. Moments in Unix milliseconds. */
import { type IncidentStatus, type IncidentUpdate, isOver } from './status-page.ts'
import { statusAt } from './status-page-state.ts'

export type NoticeKind = 'published' | 'updated' | 'resolved' | 'scheduled' | 'started' | 'completed' | 'cancelled'

/** The facts of an incident that decide what is told. */
export interface IncidentFacts {
  readonly status: IncidentStatus
  readonly is_published: boolean
  readonly is_maintenance: boolean
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
  /** The oldest first. */
  readonly updates: readonly IncidentUpdate[]
}

/** An earlier message about the incident. */
export interface SentNotice {
  readonly status: IncidentStatus
  /** The updates that it told. */
  readonly update_ids: readonly string[]
}

export interface DueNotice {
  readonly kind: NoticeKind
  readonly status: IncidentStatus
  /** Null: only the status changed. */
  readonly update: IncidentUpdate | null
  readonly updateIds: readonly string[]
}

/**
 * The messages due now, in order. Every update and every change of the status is told once. An incident that is over
 * before anybody heard of it is not told: it is history.
 *
 * @param told the earlier messages, the oldest first
 */
export function dueNotices(incident: IncidentFacts, told: readonly SentNotice[], now: number): readonly DueNotice[] {
  if (!incident.is_published) return []
  const { status } = statusAt(incident, now)
  const last = told.at(-1)
  if (last === undefined) {
    if (isOver(status)) return []
    const update = incident.updates.at(-1) ?? null
    return [{ kind: firstKind(incident, status), status, update, updateIds: incident.updates.map(({ id }) => id) }]
  }
  const known = new Set(told.flatMap(({ update_ids: ids }) => ids))
  const fresh = incident.updates.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) {
    return status === last.status
      ? []
      : [{ kind: kindOf(incident, last.status, status), status, update: null, updateIds: [] }]
  }
  // The last update has the status of now, even if the time moved it on.
  const statuses = fresh.map((update, index) => (index === fresh.length - 1 ? status : update.status))
  return fresh.map((update, index) => {
    const present = statuses[index] ?? status
    const before = statuses[index - 1] ?? last.status
    return { kind: kindOf(incident, before, present), status: present, update, updateIds: [update.id] }
  })
}

function firstKind({ is_maintenance: isMaintenance }: IncidentFacts, status: IncidentStatus): NoticeKind {
  if (!isMaintenance) return 'published'
  return status === 'scheduled' ? 'scheduled' : 'started'
}

function kindOf(
  { is_maintenance: isMaintenance }: IncidentFacts,
  before: IncidentStatus,
  status: IncidentStatus,
): NoticeKind {
  if (isOver(status) && !isOver(before)) return isMaintenance ? 'completed' : 'resolved'
  return before === 'scheduled' && status !== 'scheduled' ? 'started' : 'updated'
}

/** The next moment at which time alone changes the status; null: none. */
export function nextNoticeAt(incident: IncidentFacts, now: number): number | null {
  if (!incident.is_published || !incident.is_maintenance) return null
  const { status } = statusAt(incident, now)
  if (status === 'scheduled') return incident.scheduled_for
  return status === 'in_progress' ? incident.scheduled_until : null
}

export interface ComponentWithParent {
  readonly id: number
  readonly parent_id: number | null
}

/**
 * The components whose subscribers hear of an incident. A group stands for its parts, and a subscriber of a group hears
 * of each part. Empty: all hear of it.
 */
export function concernedComponents(
  named: readonly number[],
  components: readonly ComponentWithParent[],
): readonly number[] {
  const parts = components.filter(({ parent_id: parent }) => parent !== null && named.includes(parent))
  const groups = components.filter(({ id }) => named.includes(id)).flatMap(({ parent_id: parent }) => parent ?? [])
  return [...new Set([...named, ...parts.map(({ id }) => id), ...groups])].toSorted((one, other) => one - other)
}
