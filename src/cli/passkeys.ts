import sql from 'sql-template-tag'
import { findLogin } from '../auth/callers.ts'
import { recordLoginChange } from '../auth/recorded-change.ts'
import { endSessionsOf } from '../auth/sessions.ts'
import type { Database, Executor } from '../database/connect.ts'
import { CannotStart } from '../program/cannot-start.ts'

/** A passkey that logs in to an account. */
export interface ListedPasskey {
  readonly name: string
  readonly rp_id: string
  readonly created_at: string
  readonly last_used_at: string | null
}

async function accountNamed(executor: Executor, username: string): Promise<number> {
  const login = await findLogin(executor, username)
  if (login === undefined) throw new CannotStart(`Nobody has the username ${username}.`)
  if (login.scope === 'administrator')
    throw new CannotStart(`${username} is an administrator; only accounts have passkeys.`)
  return login.account_id
}

export async function listPasskeys(database: Database, username: string): Promise<ListedPasskey[]> {
  const id = await accountNamed(database, username)
  const found = await database.query<{ name: string; rp_id: string; made: number; used: number | null }>(sql`
    select name, rp_id, created_at as made, last_used_at as used from passkeys where owner_id = ${id} order by id`)
  return found.map(({ name, rp_id, made, used }) => ({
    ...{ name, rp_id, created_at: new Date(made).toISOString() },
    last_used_at: used === null ? null : new Date(used).toISOString(),
  }))
}

/** Removes every passkey of an account, and ends its sessions. Returns how many there were. */
export function removePasskeys(database: Database, username: string, now: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const id = await accountNamed(transaction, username)
    await endSessionsOf(transaction, id)
    const removed = await transaction.query<{ name: string }>(
      sql`delete from passkeys where owner_id = ${id} returning name`,
    )
    if (removed.length > 0) {
      await recordLoginChange(transaction, {
        ...{ login: { scope: 'customer', account_id: id }, source: 'cli', action: 'remove_passkeys', now },
        ...{ before: { passkeys: removed.map(({ name }) => name) }, after: null },
      })
    }
    return removed.length
  })
}
