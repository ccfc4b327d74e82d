import sql from 'sql-template-tag'
import type { Database, Executor } from '../connect.ts'

/** Failures that one query reads. */
const mostPairs = 2000
/** Queries of one pruning. */
const mostQueries = 50
/** Drafts that one pruning deletes. */
const mostPruned = 5000

/**
 * Forgets drafts of failures that nobody published in the time after their end, and failures that are over and whose
 * incidents are too.
 */
export async function prunePageFailures(database: Database, endedBefore: number): Promise<void> {
  const before = new Date(endedBefore)
  await database.transaction((transaction) =>
    transaction.execute(
      sql`delete from status_page_incidents where id in (
        select id from status_page_incidents
        where not is_published and not is_maintenance and change_ids <> '{}' and resolved_at < ${before}
          and updated_at < ${before}
        limit ${mostPruned})`,
      'prune-page-drafts',
    ),
  )
  let last: EndedRow | undefined
  for (let count = 0; count < mostQueries; count++) {
    const rows = await readEnded(database, before, last)
    await forgetEnded(database, rows)
    last = rows.at(-1)
    if (rows.length < mostPairs) return
  }
}

interface EndedRow {
  readonly page_id: number
  readonly service_id: number
  readonly change_id: number
}

/** Failures whose incident was over before, or which have none. */
function readEnded(executor: Executor, before: Date, last: EndedRow | undefined): Promise<EndedRow[]> {
  return executor.query<EndedRow>(
    sql`select f.status_page_id as page_id, f.service_id, f.change_id from status_page_failures f
        left join status_page_incidents i on i.id = f.incident_id
      where (f.incident_id is null or i.resolved_at < ${before})
        and (f.status_page_id, f.service_id, f.change_id)
          > (${last?.page_id ?? 0}::int, ${last?.service_id ?? 0}::int, ${last?.change_id ?? 0}::bigint)
      order by f.status_page_id, f.service_id, f.change_id limit ${mostPairs}`,
    'ended-page-failures',
  )
}

/** A failure that still lasts is kept, because it would open an incident again. */
async function forgetEnded(database: Database, rows: readonly EndedRow[]): Promise<void> {
  const lasting = await database.query<{ service_id: number; change_id: number }>(
    sql`select service_id, state_change_id as change_id from service_statuses
      where service_id = any(${rows.map((row) => row.service_id)}::int[]) and state = 'failure'`,
    'lasting-failures',
  )
  const lasts = new Set(lasting.map((row) => `${row.service_id} ${row.change_id}`))
  const over = rows.filter((row) => !lasts.has(`${row.service_id} ${row.change_id}`))
  if (over.length === 0) return
  await database.execute(
    sql`delete from status_page_failures where (status_page_id, service_id, change_id) in (
      select * from unnest(${over.map((row) => row.page_id)}::int[], ${over.map((row) => row.service_id)}::int[],
        ${over.map((row) => row.change_id)}::bigint[]) as over (page_id, service_id, change_id))`,
    'prune-page-failures',
  )
}
