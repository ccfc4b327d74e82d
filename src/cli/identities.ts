import sql from 'sql-template-tag'
import { findLogin } from '../auth/callers.ts'
import { endSessionsOf } from '../auth/sessions.ts'
import type { Database, Executor } from '../database/connect.ts'
import { CannotStart } from '../program/cannot-start.ts'

/** An identity that logs in to an account. */
export interface ListedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly created_at: string
  readonly last_login_at: string
}

async function accountNamed(executor: Executor, username: string): Promise<number> {
  const login = await findLogin(executor, username)
  if (login === undefined) throw new CannotStart(`Nobody has the username ${username}.`)
  if (login.scope === 'administrator')
    throw new CannotStart(`${username} is an administrator; only accounts have identities.`)
  return login.account_id
}

/** Links that still wait for a proof are none. */
export async function listIdentities(database: Database, username: string): Promise<ListedIdentity[]> {
  const id = await accountNamed(database, username)
  const found = await database.query<Record<'issuer' | 'subject', string> & Record<'made' | 'used', number>>(sql`
    select issuer, subject, created_at as made, last_login_at as used from oidc_identities
    where account_id = ${id} and proof_digest is null order by issuer, subject`)
  return found.map(({ issuer, subject, made, used }) => ({
    issuer,
    subject,
    created_at: new Date(made).toISOString(),
    last_login_at: new Date(used).toISOString(),
  }))
}

/** Removes every identity of an account, and ends its sessions. Returns how many there were. */
export function removeIdentities(database: Database, username: string): Promise<number> {
  return database.transaction(async (transaction) => {
    const id = await accountNamed(transaction, username)
    const removed = await transaction.query<{ is_proven: boolean }>(sql`
      delete from oidc_identities where account_id = ${id} returning proof_digest is null as is_proven`)
    await endSessionsOf(transaction, id)
    return removed.filter(({ is_proven: isProven }) => isProven).length
  })
}
