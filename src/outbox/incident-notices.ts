import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import {
  concernedComponents,
  type DueNotice,
  dueNotices,
  nextNoticeAt,
  type SentNotice,
} from '../domain/status-pages/incident-notice.ts'
import type {
  IncidentImpact,
  IncidentProgress,
  IncidentStatus,
  IncidentUpdate,
} from '../domain/status-pages/status-page.ts'

/** The facts of a notice, frozen when it was decided. Moments in Unix milliseconds. */
export interface NoticeOfIncident {
  readonly kind: DueNotice['kind']
  readonly status: IncidentStatus | 'cancelled'
  readonly name: string
  readonly impact: IncidentImpact
  readonly isMaintenance: boolean
  readonly startedAt: number
  readonly resolvedAt: number | null
  readonly scheduledFor: number | null
  readonly scheduledUntil: number | null
  /** Null: only the status changed. */
  readonly update: { readonly id: string; readonly body: string; readonly displayAt: number } | null
  readonly components: readonly { readonly id: number; readonly name: string }[]
}

interface IncidentFacts extends IncidentProgress {
  readonly id: number
  readonly status_page_id: number
  readonly name: string
  readonly impact: IncidentImpact
  readonly is_published: boolean
  readonly is_maintenance: boolean
  readonly started_at: number
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
  readonly component_ids: readonly number[]
  readonly updates: readonly IncidentUpdate[]
  readonly next_notice_at: number | null
}

interface ComponentFacts {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
}

/**
 * Decides what the subscribers of the page are told of an incident. Call it after every write to the incident, in the
 * same transaction. Calls without news change nothing.
 */
export async function tellOfIncident(transaction: Executor, incidentId: number, now: number): Promise<void> {
  const [incident] = await transaction.query<IncidentFacts>(
    sql`select * from status_page_incidents where id = ${incidentId} for update`,
  )
  if (incident === undefined) return
  const told = await transaction.query<SentNotice>(sql`
    select status, update_ids from status_page_notices where incident_id = ${incidentId} order by number`)
  const due = dueNotices(incident, told, now)
  const nextAt = nextNoticeAt(incident, now)
  if (nextAt !== incident.next_notice_at) {
    await transaction.execute(sql`
      update status_page_incidents set next_notice_at = ${nextAt === null ? null : new Date(nextAt)} where id = ${incidentId}`)
  }
  if (due.length === 0) return
  const components = await transaction.query<ComponentFacts>(sql`
    select id, parent_id, name from status_page_components
    where status_page_id = ${incident.status_page_id} order by position, id`)
  for (const [index, notice] of due.entries()) {
    await writeNotice(transaction, { incident, notice, number: told.length + index + 1, components }, now)
  }
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}

interface NewNotice {
  readonly incident: IncidentFacts
  readonly notice: DueNotice
  readonly number: number
  readonly components: readonly ComponentFacts[]
}

async function writeNotice(
  transaction: Executor,
  { incident, notice, number, components }: NewNotice,
  now: number,
): Promise<void> {
  const concerned = concernedComponents(incident.component_ids, components)
  const facts = factsOf(incident, notice, components)
  await transaction.execute(sql`
    insert into status_page_notices (status_page_id, incident_id, number, status, update_ids, component_ids, facts, created_at)
    values (${incident.status_page_id}, ${incident.id}, ${number}, ${notice.status}, ${[...notice.updateIds]}::text[],
      ${[...concerned]}::int[], ${JSON.stringify(facts)}::jsonb, ${new Date(now)})`)
}

function factsOf(
  incident: IncidentFacts,
  { kind, status, update }: DueNotice,
  components: readonly ComponentFacts[],
): NoticeOfIncident {
  return {
    ...{ kind, status, name: incident.name, impact: incident.impact, isMaintenance: incident.is_maintenance },
    ...{ startedAt: incident.started_at, resolvedAt: incident.resolved_at },
    ...{ scheduledFor: incident.scheduled_for, scheduledUntil: incident.scheduled_until },
    update: update === null ? null : { id: update.id, body: update.body, displayAt: update.display_at },
    components: components
      .filter(({ id }) => incident.component_ids.includes(id))
      .map(({ id, name }) => ({ id, name })),
  }
}

/** The incidents whose status time has changed, at most a hundred. */
export async function dueIncidents(executor: Executor, now: number): Promise<readonly number[]> {
  const rows = await executor.query<{ id: number }>(sql`
    select id from status_page_incidents where next_notice_at <= ${new Date(now)} order by next_notice_at limit 100`)
  return rows.map(({ id }) => id)
}
