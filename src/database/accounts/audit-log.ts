import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../connect.ts'

/** A change, as the audit log keeps it. */
export interface AuditRecord {
  /** The account whose objects changed; 0: the installation. */
  readonly ownerId: number
  readonly at: number
  readonly accountId: number | null
  readonly apiKeyId: number | null
  readonly ipAddress: string
  readonly source: string
  readonly operation: string
  readonly resource: string
  readonly objectId: string | null
  readonly before: unknown
  readonly after: unknown
}

/** The owner of an installation's own objects, such as stations. */
export const noOwner = 0

function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

const columns = raw(
  'owner_id, position, time, account_id, api_key_id, ip_address, source, operation, resource, object_id, before, after',
)

/** Locks the chain's head until the transaction ends, adds the record and moves the head, in one statement. */
function appending(record: AuditRecord): Sql {
  const { ownerId, at, accountId, apiKeyId, ipAddress, source, operation, resource, objectId } = record
  return sql`
    with head as (select position, hash from audit_chains where owner_id = ${ownerId} for update),
    entry as (
      select head.hash as previous, nextval(pg_get_serial_sequence('audit_log', 'id')) as id, ${ownerId}::int as owner_id, head.position + 1 as position,
        ${new Date(at)}::timestamptz as time, ${accountId}::int as account_id, ${apiKeyId}::int as api_key_id,
        ${ipAddress}::text as ip_address, ${source}::text as source, ${operation}::text as operation,
        ${resource}::text as resource, ${objectId}::text as object_id, ${jsonOf(record.before)}::jsonb as before,
        ${jsonOf(record.after)}::jsonb as after
      from head
    ),
    added as (
      insert into audit_log (id, covers_id, ${columns}, hash) overriding system value
      select id, true, ${columns}, audit_digest(previous, id, ${columns}) from entry
      returning position, hash
    )
    update audit_chains chain set position = added.position, hash = added.hash from added
    where chain.owner_id = ${ownerId}`
}

/** Adds a record. Call it last in the transaction of the change: others of the same owner wait for its end. */
export async function appendAudit(transaction: Executor, record: AuditRecord): Promise<void> {
  if ((await transaction.execute(appending(record), 'append_audit')) > 0) return
  await transaction.execute(
    sql`insert into audit_chains (owner_id) values (${record.ownerId}) on conflict (owner_id) do nothing`,
  )
  await transaction.execute(appending(record), 'append_audit')
}

const ownersOf = {
  service_id: sql`select owner_id from services where id =`,
  group_id: sql`select owner_id from groups where id =`,
  contact_id: sql`select owner_id from contacts where id =`,
  escalation_id: sql`select owner_id from escalations where id =`,
  status_page_id: sql`select owner_id from status_pages where id =`,
} as const

/** The owner of a part of something, by the field that names the whole; null if none is named. */
export async function ownerOfWhole(executor: Executor, row: Readonly<Record<string, unknown>>): Promise<number | null> {
  for (const [field, select] of Object.entries(ownersOf)) {
    const id = row[field]
    if (typeof id !== 'number') continue
    const [found] = await executor.query<{ owner_id: number }>(sql`${select} ${id}`)
    if (found !== undefined) return found.owner_id
  }
  return null
}

/** Records of one transaction of the retention. */
const batch = 5000

/** Deletes the older records and moves the anchors, so that the chains stay verifiable. Returns how many there were. */
export async function pruneAudit(database: Database, beforeAt: number): Promise<number> {
  const owners = await database.query<{ owner_id: number }>(
    sql`select distinct owner_id from audit_log where time < ${new Date(beforeAt)}`,
  )
  let total = 0
  for (const { owner_id: ownerId } of owners) {
    for (let count = batch; count > 0; total += count) {
      count = await database.transaction((transaction) => pruneBatch(transaction, ownerId, beforeAt))
    }
  }
  return total
}

/** A clock that was set back may leave younger records before older ones: only a whole beginning of a chain goes. */
async function pruneBatch(transaction: Executor, ownerId: number, beforeAt: number): Promise<number> {
  await transaction.execute(sql`select from audit_chains where owner_id = ${ownerId} for update`)
  const [last] = await transaction.query<{ position: number; hash: Buffer }>(sql`
    select position, hash from (
      select position, hash, bool_and(time < ${new Date(beforeAt)}) over (order by position) as is_old
      from audit_log where owner_id = ${ownerId} order by position limit ${batch}
    ) beginning where is_old order by position desc limit 1`)
  if (last === undefined) return 0
  await transaction.execute(sql`select set_config('latarnik.audit_retention', 'on', true)`)
  const count = await transaction.execute(
    sql`delete from audit_log where owner_id = ${ownerId} and position <= ${last.position}`,
  )
  await transaction.execute(sql`select set_config('latarnik.audit_retention', 'off', true)`)
  await transaction.execute(sql`
    update audit_chains set anchor_position = ${last.position}, anchor_hash = ${last.hash} where owner_id = ${ownerId}`)
  return count
}

export interface BrokenRecord {
  readonly owner_id: number
  readonly position: number
  readonly id: number | null
}

/** The values that the digest of a record covers; digests of earlier versions leave out its number. */
const ofLinked = raw(
  ['case when k.covers_id then k.id end', ...columns.text.split(', ').map((name) => `k.${name}`)].join(', '),
)

/** A later record of the chain has the digest of this one as it is since its values were masked. */
const isMasked = sql`exists (
  select from audit_log mask where mask.owner_id = k.owner_id and mask.position > k.position
    and mask.operation = 'audit.mask' and mask.after ->> 'position' = k.position::text
    and mask.after ->> 'digest' = encode(audit_digest(k.hash, ${ofLinked}), 'hex'))`

/** Masks addresses of subscribers in records of earlier versions, which an import brings. Returns their number. */
export async function maskSubscribers(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ count: number }>(sql`select mask_subscribers_in_audit()::int as count`)
  return row?.count ?? 0
}

/**
 * Null: all chains are whole. Otherwise the first record that is missing, that is not as it was written, or whose chain
 * has lost its head.
 */
export async function findBrokenAudit(executor: Executor): Promise<BrokenRecord | null> {
  const [broken] = await executor.query<BrokenRecord>(sql`
    with linked as (
      select l.*, lag(l.hash) over chain as previous_hash, lag(l.position) over chain as previous_position
      from audit_log l window chain as (partition by l.owner_id order by l.position)
    )
    select owner_id, position, id from (
      select k.owner_id, coalesce(k.previous_position, c.anchor_position, 0) + 1 as position, k.id
      from linked k left join audit_chains c on c.owner_id = k.owner_id
      where c.owner_id is null or k.position <> coalesce(k.previous_position, c.anchor_position, 0) + 1
        or (k.hash <> audit_digest(coalesce(k.previous_hash, c.anchor_hash, ''), ${ofLinked}) and not ${isMasked})
      union all
      select c.owner_id, coalesce(last.position, c.anchor_position) + 1, null
      from audit_chains c left join lateral (
        select position, hash from audit_log l where l.owner_id = c.owner_id order by position desc limit 1) last on true
      where c.position <> coalesce(last.position, c.anchor_position) or c.hash <> coalesce(last.hash, c.anchor_hash)
    ) broken order by owner_id, position limit 1`)
  return broken ?? null
}

/** False: somebody switched off or removed what refuses changes of the records. */
export async function isAuditProtected(executor: Executor): Promise<boolean> {
  const triggers = await executor.query(sql`
    select from pg_trigger where tgrelid = 'audit_log'::regclass and tgenabled in ('O', 'A')
      and tgname in ('audit_log_append_only', 'audit_log_whole')`)
  return triggers.length === 2
}

export async function countAudit(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ count: number }>(sql`select count(*)::int as count from audit_log`)
  return row?.count ?? 0
}
