import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { reportsIn } from '../../checks/index.ts'
import type { Executor } from '../../database/connect.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { isPingSlug, slugOf } from '../../domain/services/ping-slug.ts'
import { type ColumnContext, text } from '../../rest/fields.ts'
import { addHeartbeat, renameHeartbeat } from '../../service-state/heartbeats.ts'
import { forWriters } from './for-writers.ts'

/** The ping address is a right to report. */
function pingUuid(context: ColumnContext) {
  return forWriters(context, sql`${context.alias}.ping_uuid::text`)
}

/** Members of a service that reports in; null for others. */
export const heartbeatFields = {
  ping_url: text({
    about:
      'Where a heartbeat reports in (docs/heartbeats.md). Null for other types, and for callers who may not change the service.',
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    column: pingUuid,
    shown: (uuid, _row, _language, baseUrl) => (uuid === null ? null : `${baseUrl.replace(/\/v3$/, '')}/ping/${uuid}`),
  }),
  ping_slug: text({
    about:
      'The name of a heartbeat in ping addresses with the ping key of the account: 1 to 100 of `a-z 0-9 _ -`. Default: made of its name.',
    nullable: true,
    filter: true,
    example: null,
  }),
}

interface Heartbeat extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly type_id: string
}

/** The members of a new service of the type. */
export function newHeartbeatFields(typeId: string, name: unknown): Readonly<Record<string, string | null>> {
  if (!reportsIn(typeId)) return {}
  return { address: '', ping_slug: slugOf(String(name ?? '')) }
}

export function slugProblems(typeId: string, slug: unknown): readonly Problem[] {
  if (slug === undefined || slug === null) return []
  if (reportsIn(typeId) && isPingSlug(String(slug))) return []
  return [{ error: 'incorrect_value', field: 'data.ping_slug', facts: { detail: 'ping_slug' } }]
}

function slugIn(row: Heartbeat): string | null {
  return typeof row['ping_slug'] === 'string' ? row['ping_slug'] : null
}

export async function heartbeatCreated(transaction: Executor, row: Heartbeat): Promise<void> {
  if (!reportsIn(row.type_id)) return
  const { id: serviceId, owner_id: ownerId } = row
  await addHeartbeat(transaction, { serviceId, ownerId, uuid: randomUUID(), slug: slugIn(row) })
}

export async function heartbeatChanged(transaction: Executor, row: Heartbeat, before: Heartbeat): Promise<void> {
  if (!reportsIn(row.type_id) || row['ping_slug'] === before['ping_slug']) return
  await renameHeartbeat(transaction, row.id, slugIn(row))
}
