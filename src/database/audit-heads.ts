import sql from 'sql-template-tag'
import { dayLength } from '../domain/durations.ts'
import type { Executor } from './connect.ts'

/** The last record of a chain at a moment. Kept elsewhere, it shows later whether the chain still has that record. */
export interface AuditHead {
  readonly owner_id: number
  readonly position: number
  /** Hexadecimal. */
  readonly digest: string
  /** RFC 3339. */
  readonly time: string
}

/** Chains whose records were all dropped by the retention have none. */
export async function auditHeads(executor: Executor): Promise<AuditHead[]> {
  const heads = await executor.query<Omit<AuditHead, 'time'> & { readonly at: number }>(sql`
    select c.owner_id, c.position, encode(c.hash, 'hex') as digest, l.time as at
    from audit_chains c join audit_log l on l.owner_id = c.owner_id and l.position = c.position
    order by c.owner_id`)
  return heads.map(({ at, ...head }) => ({ ...head, time: new Date(at).toISOString() }))
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
