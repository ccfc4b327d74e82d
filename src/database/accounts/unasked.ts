import sql from 'sql-template-tag'
import { mailboxOf } from '../../domain/notification/mailbox.ts'
import { unaskedLimit } from '../../domain/notification/unasked.ts'
import type { Executor } from '../connect.ts'
import { countAttempt } from './counted-windows.ts'

/**
 * Counts a message that the destination has not asked for, and says until when there is no room for it, in Unix
 * milliseconds; null: there is. Counted over all processes. `destination`: the same text for one destination in any
 * spelling (`destinationOf` of the channels). Call it in the transaction that orders the message.
 */
export async function countUnasked(executor: Executor, destination: string, now: number): Promise<number | null> {
  const { most, windowMs } = unaskedLimit
  const { attempts, endsAt } = await countAttempt(executor, `unasked ${destination}`, { now, windowMs })
  return attempts > most ? endsAt : null
}

/** The destination of mails to the mailbox, as the channels of e-mail name it. */
export function mailDestination(address: string): string {
  return `email:${mailboxOf(address)}`
}

/**
 * Whether the mailbox belongs to the account: it was activated from there, or an administrator named it. The mailbox of
 * a sub-account was named by its parent, which proves nothing.
 */
async function isHolders(executor: Executor, accountId: number, address: string): Promise<boolean> {
  const [holder] = await executor.query<{ email_address: string }>(sql`
    select email_address from user_data join accounts account using (id)
    where id = ${accountId} and account.is_activated and account.parent_account_id is null`)
  return holder !== undefined && mailboxOf(holder.email_address) === mailboxOf(address)
}

/** Whether a mail about the account may be written to the mailbox; it is counted unless the holder's. */
export async function takesMail(
  transaction: Executor,
  { accountId, address, now }: { readonly accountId: number; readonly address: string; readonly now: number },
): Promise<boolean> {
  if (await isHolders(transaction, accountId, address)) return true
  return (await countUnasked(transaction, mailDestination(address), now)) === null
}
