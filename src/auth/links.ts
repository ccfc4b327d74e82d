import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { setPassword } from './create-account.ts'
import { accountOfLink } from './letters.ts'
import { hashPassword } from './password.ts'
import { digestOf } from './tokens.ts'

/** What following the link of a letter does. Links are given as their tokens. */
const passwordKinds = ['password_reset', 'invitation'] as const

/** Whose password the link sets; null when it does not work. */
export async function usernameOfLink(database: Database, token: string, now: number): Promise<string | null> {
  const accountId = await accountOfLink(database, token, { kinds: passwordKinds, now, use: false })
  return accountId === null ? null : usernameOf(database, accountId)
}

/**
 * Sets the password of the link's account; all its sessions end, and the link works no more. Returns the username, or null when the link
 * does not work. Who reads the account's mail has proved what activation asks for.
 */
export async function setPasswordByLink(
  database: Database,
  link: { readonly token: string; readonly password: string; readonly now: number },
): Promise<string | null> {
  const { token, now } = link
  // Strangers with made-up tokens are not worth the cost of a digest.
  if ((await usernameOfLink(database, token, now)) === null) return null
  const passwordHash = await hashPassword(link.password)
  return database.transaction(async (transaction) => {
    const accountId = await accountOfLink(transaction, token, { kinds: passwordKinds, now, use: true })
    if (accountId === null) return null
    await activate(transaction, accountId, now)
    await setPassword(transaction, { scope: 'customer', account_id: accountId }, passwordHash)
    return usernameOf(transaction, accountId)
  })
}

/** Activates the account; following the link again changes nothing. Returns the username, or null when the link is not the account's. */
export async function activateByLink(
  database: Database,
  link: { readonly accountId: number; readonly token: string; readonly now: number },
): Promise<string | null> {
  return database.transaction(async (transaction) => {
    const [found] = await transaction.query<{ used_at: number | null }>(sql`
      select used_at from account_tokens
      where token_hash = ${digestOf(link.token)} and account_id = ${link.accountId} and purpose = 'activation'
        and expires_at > ${new Date(link.now)} for update`)
    if (found === undefined) return null
    if (found.used_at === null) await activate(transaction, link.accountId, link.now)
    return usernameOf(transaction, link.accountId)
  })
}

async function activate(transaction: Executor, accountId: number, now: number): Promise<void> {
  await transaction.execute(sql`update accounts set is_activated = true where id = ${accountId}`)
  await transaction.execute(sql`
    update account_tokens set used_at = ${new Date(now)}
    where account_id = ${accountId} and purpose = 'activation' and used_at is null`)
}

async function usernameOf(executor: Executor, accountId: number): Promise<string | null> {
  const [account] = await executor.query<{ username: string }>(
    sql`select username from accounts where id = ${accountId}`,
  )
  return account?.username ?? null
}

/** Forgets registrations whose link ran out without being followed: their names are free again, and they own nothing. */
export async function forgetUnactivated(transaction: Executor, now: number): Promise<void> {
  await transaction.execute(sql`
    with stale as (
      select account_id from account_tokens where purpose = 'activation'
      group by account_id having max(expires_at) <= ${new Date(now)} and bool_and(used_at is null)
    ), forgotten as (
      delete from accounts where not is_activated and id in (select account_id from stale) returning id
    )
    delete from account_tokens where account_id in (select id from forgotten)`)
}
