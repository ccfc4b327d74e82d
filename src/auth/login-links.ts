import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { findLogin, findLoginOf, type Login } from './callers.ts'
import { lockCredentials } from './current-login.ts'
import { digestOf, newToken } from './tokens.ts'

/** The life of a login link, in minutes. */
export const loginLinkLifeMinutes = 60

export type LoginLink = { readonly token: string } | { readonly refused: 'nobody' | 'administrator' | 'second_factor' }

/**
 * A link that logs the account in to the console once, without its password, for the operator of this machine. A new
 * link replaces the previous one. It does not bypass a second factor.
 */
export async function makeLoginLink(database: Database, username: string, now: number): Promise<LoginLink> {
  const login = await findLogin(database, username)
  if (login === undefined) return { refused: 'nobody' }
  if (login.scope !== 'customer') return { refused: 'administrator' }
  if (login.has_2fa_enabled) return { refused: 'second_factor' }
  const token = newToken()
  const expiresAt = new Date(now + loginLinkLifeMinutes * 60_000)
  await database.transaction(async (transaction) => {
    await lockCredentials(transaction, login.account_id)
    await transaction.execute(
      sql`delete from account_tokens where account_id = ${login.account_id} and purpose = 'login'`,
    )
    await transaction.execute(sql`
      insert into account_tokens (token_hash, account_id, purpose, created_at, expires_at)
      values (${digestOf(token)}, ${login.account_id}, 'login', ${new Date(now)}, ${expiresAt})`)
  })
  return { token }
}

/** The login of the link; undefined if the link does not work. */
export async function loginOfLink(database: Database, token: string, now: number): Promise<Login | undefined> {
  const [link] = await database.query<{ account_id: number }>(sql`
    select account_id from account_tokens where ${working(token, now)}`)
  return link === undefined ? undefined : findLoginOf(database, { scope: 'customer', account_id: link.account_id })
}

/** Uses up the link; of several simultaneous uses one succeeds. */
export async function takeLoginLink(database: Database, token: string, now: number): Promise<Login | undefined> {
  const [link] = await database.query<{ account_id: number }>(sql`
    update account_tokens set used_at = ${new Date(now)} where ${working(token, now)} returning account_id`)
  return link === undefined ? undefined : findLoginOf(database, { scope: 'customer', account_id: link.account_id })
}

function working(token: string, now: number) {
  return sql`token_hash = ${digestOf(token)} and purpose = 'login' and used_at is null and expires_at > ${new Date(now)}`
}
