import sql from 'sql-template-tag'
import type { IncidentProgress, IncidentUpdate } from '../../domain/status-pages/status-page.ts'
import type { Executor } from '../connect.ts'

export async function publishIncident(transaction: Executor, id: number, now: number): Promise<void> {
  await transaction.execute(sql`
    update status_page_incidents set is_published = true, updated_at = ${new Date(now)} where id = ${id}`)
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at))

/** Writes all updates of an incident, and where it stands after them. */
export async function writeUpdates(
  transaction: Executor,
  id: number,
  { updates, progress, now }: { updates: readonly IncidentUpdate[]; progress: IncidentProgress; now: number },
): Promise<void> {
  await transaction.execute(sql`
    update status_page_incidents set updates = ${JSON.stringify(updates)}::jsonb, status = ${progress.status},
      monitoring_at = ${dateOf(progress.monitoring_at)}, resolved_at = ${dateOf(progress.resolved_at)},
      updated_at = ${new Date(now)}
    where id = ${id}`)
}
