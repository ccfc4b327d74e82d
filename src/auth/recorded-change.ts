import sql from 'sql-template-tag'
import { appendAudit, noOwner } from '../database/accounts/audit-log.ts'
import type { Executor } from '../database/connect.ts'
import type { AuditSource } from '../domain/access/audit.ts'
import type { Login } from './callers.ts'

/** A change of a login that no operation of the API makes: a command, a mailed link, or a login makes it. */
export interface LoginChange {
  readonly login: Pick<Login, 'scope' | 'account_id'>
  readonly source: AuditSource
  /** As operations of the API are called: `block` stands for `accounts.block`. */
  readonly action: string
  /** The account that proved who it is; null for the operator and for the program. */
  readonly byAccountId?: number | null
  /** Empty for a command. */
  readonly ipAddress?: string
  readonly before?: Readonly<Record<string, unknown>> | null
  readonly after?: Readonly<Record<string, unknown>> | null
  /** Unix milliseconds. */
  readonly now: number
}

/** The log of a sub-account is that of its parent; an administrator's is the installation's. */
async function ownerOf(transaction: Executor, { scope, account_id: id }: LoginChange['login']): Promise<number> {
  if (scope === 'administrator') return noOwner
  const [account] = await transaction.query<{ owner_id: number }>(
    sql`select coalesce(parent_account_id, id) as owner_id from accounts where id = ${id}`,
  )
  return account?.owner_id ?? id
}

/** Adds the change to the audit log. Call it last in the transaction of the change. */
export async function recordLoginChange(transaction: Executor, change: LoginChange): Promise<void> {
  const { login, source, action, byAccountId = null, ipAddress = '', before = {}, after = {}, now } = change
  const resource = login.scope === 'administrator' ? 'administrators' : 'accounts'
  await appendAudit(transaction, {
    ownerId: await ownerOf(transaction, login),
    at: now,
    accountId: byAccountId,
    apiKeyId: null,
    ...{ ipAddress, source, resource, before, after },
    operation: `${resource}.${action}`,
    objectId: String(login.account_id),
  })
}

/** Records an account that was made just now, as the log shows those that the API made. */
export async function recordNewAccount(
  transaction: Executor,
  accountId: number,
  of: Pick<LoginChange, 'source' | 'ipAddress' | 'now'>,
): Promise<void> {
  const [after] = await transaction.query<Readonly<Record<string, unknown>>>(sql`
    select id, username, name, language_id, time_zone_id, package_id, parent_account_id, is_read_only
    from accounts where id = ${accountId}`)
  const login = { scope: 'customer', account_id: accountId } as const
  await recordLoginChange(transaction, { ...of, login, action: 'create', before: null, after: after ?? null })
}
