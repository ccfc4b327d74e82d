import sql from 'sql-template-tag'
import { findLogin } from '../auth/callers.ts'
import { noOwner } from '../database/accounts/audit-log.ts'
import type { Database, Executor } from '../database/connect.ts'
import { CannotStart } from '../program/cannot-start.ts'

/** A record of the audit log, as `latarnik audit show` prints it. */
export interface ShownRecord {
  readonly id: number
  readonly position: number
  /** RFC 3339. */
  readonly time: string
  readonly account_id: number | null
  /** Null for the operator, the program, and accounts that are gone. */
  readonly username: string | null
  readonly api_key_id: number | null
  readonly ip_address: string
  readonly source: string
  readonly operation: string
  readonly resource: string
  readonly object_id: string | null
  readonly before: unknown
  readonly after: unknown
}

/** The owner of a log by a username, or by the number of an account, which may be gone. */
async function ownerNamed(executor: Executor, named: string | undefined): Promise<number> {
  if (named === undefined) return noOwner
  const login = await findLogin(executor, named)
  if (login?.scope === 'administrator') return noOwner
  if (login !== undefined) return login.parent_account_id ?? login.account_id
  if (/^\d{1,9}$/.test(named)) return Number(named)
  throw new CannotStart(`Nobody has the username ${named}. An account that is gone is named by its number.`)
}

export interface ShowOptions {
  /** Undefined: the installation. */
  readonly account: string | undefined
  /** Unix milliseconds; undefined: from the beginning. */
  readonly from: number | undefined
  /** The operation, or its beginning, such as `services.`. */
  readonly operation: string | undefined
  readonly limit: number
}

/** The latest records of one log, the oldest of them first. */
export async function showAudit(database: Database, options: ShowOptions): Promise<ShownRecord[]> {
  const ownerId = await ownerNamed(database, options.account)
  const { from = 0, operation = '', limit } = options
  const records = await database.query<Omit<ShownRecord, 'time'> & { readonly at: number }>(sql`
    select l.id, l.position, l.time as at, l.account_id, coalesce(a.username, b.username) as username, l.api_key_id,
      l.ip_address, l.source, l.operation, l.resource, l.object_id, l.before, l.after
    from audit_log l left join accounts a on a.id = l.account_id left join administrators b on b.id = l.account_id
    where l.owner_id = ${ownerId} and l.time >= ${new Date(from)} and starts_with(l.operation, ${operation})
    order by l.position desc limit ${limit}`)
  return records.toReversed().map(({ at, ...record }) => ({ ...record, time: new Date(at).toISOString() }))
}
