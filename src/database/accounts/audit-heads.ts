import sql, { type Sql } from 'sql-template-tag'
import { dayLength, hourLength } from '../../domain/calendars/durations.ts'
import type { Database, Executor } from '../connect.ts'
import { appendAudit, noOwner } from './audit-log.ts'

/** The last record of a chain at a moment. Kept elsewhere, it shows later whether the chain still has that record. */
export interface AuditHead {
  readonly owner_id: number
  readonly position: number
  /** Hexadecimal. */
  readonly digest: string
  /** RFC 3339. */
  readonly time: string
}

async function headsWhere(executor: Executor, condition: Sql): Promise<AuditHead[]> {
  const heads = await executor.query<Omit<AuditHead, 'time'> & { readonly at: number }>(sql`
    select c.owner_id, c.position, encode(c.hash, 'hex') as digest, l.time as at
    from audit_chains c join audit_log l on l.owner_id = c.owner_id and l.position = c.position
    where ${condition} order by c.owner_id`)
  return heads.map(({ at, ...head }) => ({ ...head, time: new Date(at).toISOString() }))
}

/** Chains whose records were all dropped by the retention have none. */
export function auditHeads(executor: Executor): Promise<AuditHead[]> {
  return headsWhere(executor, sql`true`)
}

const anchorOperation = 'audit.anchor'
/** A chain that moved between two anchors is in the later one, whichever of several processes writes it. */
const anchorPeriod = 20 * hourLength
/** Longer than any transaction: what was written before an anchor, and committed after it, is in the next one. */
const overlap = hourLength
/** Heads of one record. */
const headsOfRecord = 500

const ofAnchors = sql`owner_id = ${noOwner} and operation = ${anchorOperation}`

/**
 * Adds the heads that moved since the last anchor to the log of the installation, once a day. So the removal of a whole
 * chain shows as long as that log is there. Returns the head of that log, to keep outside of the database; null: not
 * yet due.
 */
export function anchorHeads(database: Database, now: number): Promise<AuditHead | null> {
  return database.transaction(async (transaction) => {
    await transaction.execute(
      sql`insert into audit_chains (owner_id) values (${noOwner}) on conflict (owner_id) do nothing`,
    )
    await transaction.execute(sql`select from audit_chains where owner_id = ${noOwner} for update`)
    const [last = { id: 0, at: 0 }] = await transaction.query<{ id: number; at: number }>(sql`
      select id, time as at from audit_log where ${ofAnchors} order by position desc limit 1`)
    if (Math.abs(now - last.at) < anchorPeriod) return null
    const heads = await headsWhere(
      transaction,
      sql`c.owner_id <> ${noOwner} and (l.id > ${last.id} or l.time > ${new Date(last.at - overlap)})`,
    )
    for (let first = 0; first < heads.length; first += headsOfRecord) {
      await appendAudit(transaction, {
        ...{ ownerId: noOwner, at: now, accountId: null, apiKeyId: null, ipAddress: '', source: 'cli' },
        ...{ operation: anchorOperation, resource: 'audit', objectId: null, before: null },
        after: { heads: heads.slice(first, first + headsOfRecord) },
      })
    }
    const [own] = heads.length === 0 ? [] : await headsWhere(transaction, sql`c.owner_id = ${noOwner}`)
    return own ?? null
  })
}

/** The last head of each chain that `anchorHeads` added. */
export function anchoredHeads(executor: Executor): Promise<AuditHead[]> {
  return executor.query<AuditHead>(sql`
    select distinct on ((head ->> 'owner_id')::int) (head ->> 'owner_id')::int as owner_id,
      (head ->> 'position')::bigint as position, head ->> 'digest' as digest, head ->> 'time' as time
    from audit_log l cross join jsonb_array_elements(l.after -> 'heads') head
    where ${ofAnchors} order by (head ->> 'owner_id')::int, l.position desc`)
}

/**
 * The first head whose record is gone or another; null: all are there. A record that the retention may have dropped
 * counts as there if the anchor of its chain is behind it.
 */
export async function findLostHead(
  executor: Executor,
  heads: readonly AuditHead[],
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): Promise<AuditHead | null> {
  for (const head of heads) {
    const isOld = Date.parse(head.time) < now - retentionDays * dayLength
    const [found] = await executor.query(sql`
      select 1 from audit_chains c where c.owner_id = ${head.owner_id} and c.position >= ${head.position} and (
        exists (select from audit_log l where l.owner_id = c.owner_id and l.position = ${head.position}
          and l.hash = decode(${head.digest}, 'hex'))
        or (c.anchor_position = ${head.position} and c.anchor_hash = decode(${head.digest}, 'hex'))
        or (${isOld}::boolean and c.anchor_position > ${head.position}))`)
    if (found === undefined) return head
  }
  return null
}
