import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { setPassword } from './create-account.ts'
import { accountOfLink } from './letters.ts'
import { hashPassword } from './password.ts'
import { type LoginChange, recordLoginChange } from './recorded-change.ts'
import { digestOf } from './tokens.ts'

/** The actions behind the links in mails. Links are given as their tokens. */
const passwordKinds = ['password_reset', 'invitation'] as const

/** The username whose password the link sets; null if the link does not work. */
export async function usernameOfLink(database: Database, token: string, now: number): Promise<string | null> {
  const accountId = await accountOfLink(database, token, { kinds: passwordKinds, now, use: false })
  return accountId === null ? null : usernameOf(database, accountId)
}

/**
 * Sets the password of the link's account. All its sessions end, and the link stops working. Returns the username, or
 * null if the link does not work. Reading the account's mail also activates it.
 */
export async function setPasswordByLink(
  database: Database,
  link: { readonly token: string; readonly password: string } & Pick<LoginChange, 'source' | 'ipAddress' | 'now'>,
): Promise<string | null> {
  const { token, password, ...origin } = link
  const { now } = origin
  // Made-up tokens of strangers are not worth the cost of a password hash.
  if ((await usernameOfLink(database, token, now)) === null) return null
  const passwordHash = await hashPassword(password)
  return database.transaction(async (transaction) => {
    const accountId = await accountOfLink(transaction, token, { kinds: passwordKinds, now, use: true })
    if (accountId === null) return null
    await activate(transaction, accountId, now)
    const login = { scope: 'customer', account_id: accountId } as const
    await setPassword(transaction, login, passwordHash)
    await recordLoginChange(transaction, { ...origin, login, byAccountId: accountId, action: 'change_password' })
    return usernameOf(transaction, accountId)
  })
}

/** The link of a registration. */
export interface ActivationLink {
  readonly token: string
  /** If absent, the link works for any account. */
  readonly accountId?: number
  readonly now: number
}

interface FoundActivation {
  readonly accountId: number
  readonly isUsed: boolean
}

async function findActivation(
  executor: Executor,
  { token, accountId, now }: ActivationLink,
  lock = sql``,
): Promise<FoundActivation | undefined> {
  const [found] = await executor.query<FoundActivation>(sql`
    select account_id as "accountId", used_at is not null as "isUsed" from account_tokens
    where token_hash = ${digestOf(token)} and purpose = 'activation' and expires_at > ${new Date(now)} ${lock}`)
  return accountId === undefined || found?.accountId === accountId ? found : undefined
}

/**
 * The account that the link activates, and whether that has happened; null if the link does not work. Changes nothing.
 */
export async function readActivation(
  database: Database,
  link: ActivationLink,
): Promise<{ readonly username: string; readonly isUsed: boolean } | null> {
  const found = await findActivation(database, link)
  const username = found === undefined ? null : await usernameOf(database, found.accountId)
  return found === undefined || username === null ? null : { username, isUsed: found.isUsed }
}

/** Activates the account; repeating it changes nothing. Returns the username, or null if the link does not work. */
export async function activateByLink(database: Database, link: ActivationLink): Promise<string | null> {
  return database.transaction(async (transaction) => {
    const found = await findActivation(transaction, link, sql`for update`)
    if (found === undefined) return null
    if (!found.isUsed) await activate(transaction, found.accountId, link.now)
    return usernameOf(transaction, found.accountId)
  })
}

async function activate(transaction: Executor, accountId: number, now: number): Promise<void> {
  await transaction.execute(sql`update accounts set is_activated = true where id = ${accountId}`)
  await transaction.execute(sql`
    update account_tokens set used_at = ${new Date(now)}
    where account_id = ${accountId} and purpose = 'activation' and used_at is null`)
}

export async function usernameOf(executor: Executor, accountId: number): Promise<string | null> {
  const [account] = await executor.query<{ username: string }>(
    sql`select username from accounts where id = ${accountId}`,
  )
  return account?.username ?? null
}

/** Deletes registrations whose link expired unused: their names are free again, and they own nothing. */
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
