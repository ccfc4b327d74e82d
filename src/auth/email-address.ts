import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { lockCredentials } from './current-login.ts'
import { accountOfLink, cancelLinks, writeFarewell, writeLetter } from './letters.ts'
import { usernameOf } from './links.ts'

/**
 * The daily limit of confirmation mails per account. Changing the address again and again must not send mail to
 * everybody.
 */
const maximumDailyConfirmations = 10

const kinds = ['email_change'] as const

/**
 * Cancels links that went to the old mailbox, and notifies it, because a thief of the account would change the address.
 * An account without a password is invited at the new mailbox; the old one may never have been its holder's.
 */
export async function moveLetters(
  transaction: Executor,
  { id: accountId, email_address: address }: { readonly id: number; readonly email_address: string },
  now: number,
): Promise<void> {
  await cancelLinks(transaction, accountId)
  if (await hasPassword(transaction, accountId)) await writeFarewell(transaction, { accountId, address, now })
  else await writeLetter(transaction, { accountId, kind: 'invitation', now })
}

/** False: the account is invited, and its holder has not logged in yet. */
export async function hasPassword(executor: Executor, accountId: number): Promise<boolean> {
  const found = await executor.query(sql`
    select 1 from accounts where id = ${accountId} and password_hash is not null`)
  return found.length > 0
}

/**
 * Sends a confirmation link to the new mailbox and cancels the previous one. Call it with the credentials locked.
 * Returns the limit that was reached, or null if the mail is on its way.
 */
export async function askNewMailbox(
  transaction: Executor,
  { accountId, address, now }: { readonly accountId: number; readonly address: string; readonly now: number },
): Promise<number | null> {
  const [asked] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from messages
    where account_id = ${accountId} and kind = 'email_change' and created_at > ${new Date(now - dayLength)}`)
  if (asked !== undefined && asked.count >= maximumDailyConfirmations) return maximumDailyConfirmations
  await cancelLinks(transaction, accountId, kinds)
  await transaction.execute(sql`update user_data set pending_email_address = ${address} where id = ${accountId}`)
  await writeLetter(transaction, { accountId, kind: 'email_change', address, now })
  return null
}

/** The change that the link of such a mail makes. */
export interface NewMailbox {
  readonly username: string
  readonly address: string
}

/** Null if the link does not work. Changes nothing. */
export async function newMailboxOf(database: Database, token: string, now: number): Promise<NewMailbox | null> {
  const accountId = await accountOfLink(database, token, { kinds, now, use: false })
  return accountId === null ? null : describe(database, accountId)
}

async function describe(executor: Executor, accountId: number): Promise<NewMailbox | null> {
  const username = await usernameOf(executor, accountId)
  const [wanted] = await executor.query<{ address: string | null }>(sql`
    select pending_email_address as address from user_data where id = ${accountId}`)
  return username === null || typeof wanted?.address !== 'string' ? null : { username, address: wanted.address }
}

/** Makes the confirmed mailbox the account's. Null if the link does not work. */
export async function confirmMailbox(database: Database, token: string, now: number): Promise<NewMailbox | null> {
  const accountId = await accountOfLink(database, token, { kinds, now, use: false })
  if (accountId === null) return null
  return database.transaction(async (transaction) => {
    // Locks before the link is read again, because a new password cancels it.
    await lockCredentials(transaction, accountId)
    if ((await accountOfLink(transaction, token, { kinds, now, use: true })) === null) return null
    const wanted = await describe(transaction, accountId)
    if (wanted === null) return null
    const [before] = await transaction.query<{ id: number; email_address: string }>(sql`
      select id, email_address from user_data where id = ${accountId} for update`)
    await transaction.execute(sql`
      update user_data set email_address = ${wanted.address}, pending_email_address = null where id = ${accountId}`)
    if (before !== undefined) await moveLetters(transaction, before, now)
    return wanted
  })
}
