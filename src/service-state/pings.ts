import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import type { PingKind } from '../domain/services/heartbeat.ts'
import { lockPlans } from './statuses.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** Pings as they arrive: many in one transaction, which is committed before any of them is answered. */

export interface ReceivedPing {
  readonly uuid: string
  /** When it arrived. Unix milliseconds. */
  readonly at: number
  readonly kind: PingKind
  readonly exitStatus: number | null
  readonly rid: string | null
  readonly ipAddress: string
  readonly method: string
  readonly userAgent: string
  /** Its first bytes; null without any. */
  readonly body: Buffer | null
}

/** Stores pings and hastens the rounds of their services. Returns the known ones by their place. */
export function storePings(database: Database, pings: readonly ReceivedPing[]): Promise<ReadonlySet<number>> {
  return database.transaction(async (transaction) => {
    const known = await transaction.query<{ service_id: number; ping_uuid: string }>(
      sql`select service_id, ping_uuid::text as ping_uuid from heartbeats
        where ping_uuid = any(${[...new Set(pings.map(({ uuid }) => uuid))]}::uuid[])`,
      'find-heartbeats',
    )
    // The lock comes before the numbers: a round that holds the plan sees every smaller one.
    const plans = await lockPlans(
      transaction,
      known.map((row) => row.service_id),
    )
    const present = new Set(plans.map((plan) => plan.service_id))
    const ids = new Map(
      known.flatMap((row) => (present.has(row.service_id) ? [[row.ping_uuid, row.service_id] as const] : [])),
    )
    const stored = pings.flatMap((ping, place) => {
      const serviceId = ids.get(ping.uuid)
      return serviceId === undefined ? [] : [{ ...ping, place, serviceId }]
    })
    if (stored.length === 0) return new Set()
    await insertPings(transaction, stored)
    await hasten(transaction, [...ids.values()], Math.max(...stored.map(({ at }) => at)))
    return new Set(stored.map(({ place }) => place))
  })
}

type StoredPing = ReceivedPing & { readonly serviceId: number }

async function insertPings(transaction: Executor, pings: readonly StoredPing[]): Promise<void> {
  await transaction.execute(
    sql`insert into pings (service_id, time, kind, exit_status, rid, ip_address, method, user_agent, body, body_size)
      select service_id, to_timestamp(at / 1000), kind, exit_status, rid, ip_address, method, user_agent,
        case when body_size > 0 then body end, body_size
      from unnest(${pings.map(({ serviceId }) => serviceId)}::int[], ${pings.map(({ at }) => at)}::float8[],
        ${pings.map(({ kind }) => kind)}::text[], ${pings.map(({ exitStatus }) => exitStatus)}::smallint[],
        ${pings.map(({ rid }) => rid)}::uuid[], ${pings.map(({ ipAddress }) => ipAddress)}::text[],
        ${pings.map(({ method }) => method)}::text[], ${pings.map(({ userAgent }) => userAgent)}::text[],
        ${pings.map(({ body }) => body ?? Buffer.alloc(0))}::bytea[],
        ${pings.map(({ body }) => body?.length ?? 0)}::int[])
        with ordinality as new (service_id, at, kind, exit_status, rid, ip_address, method, user_agent, body, body_size, place)
      order by place`,
    'insert-pings',
  )
}

async function hasten(transaction: Executor, serviceIds: readonly number[], now: number): Promise<void> {
  const due = new Date(now)
  await transaction.execute(
    sql`update schedule set due_at = ${due}, reason = 'forced'
      where service_id = any(${serviceIds}::int[]) and due_at > ${due}`,
    'hasten-heartbeats',
  )
  await wakeSchedulers(transaction)
}

/** The ping addresses of an account's heartbeats with this slug; null: no account has the key. */
export async function findBySlug(
  executor: Executor,
  pingKey: string,
  slug: string,
): Promise<{ readonly accountId: number; readonly uuids: readonly string[] } | null> {
  const [account] = await executor.query<{ id: number }>(
    sql`select id from accounts where ping_key = ${pingKey}`,
    'find-ping-key',
  )
  if (account === undefined) return null
  const rows = await executor.query<{ ping_uuid: string }>(
    sql`select ping_uuid::text as ping_uuid from heartbeats where owner_id = ${account.id} and ping_slug = ${slug} limit 2`,
    'find-ping-slug',
  )
  return { accountId: account.id, uuids: rows.map((row) => row.ping_uuid) }
}
