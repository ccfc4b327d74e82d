import sql from 'sql-template-tag'
import { takesMail } from '../database/accounts/unasked.ts'
import type { Database } from '../database/connect.ts'
import { enqueue } from '../database/enqueue.ts'
import type { AddressOffFacts } from '../domain/notification/letter.ts'
import type { ClaimedIntent } from './intents.ts'

type Address = Pick<ClaimedIntent, 'address_id' | 'account_id' | 'address' | 'notification_channel_id'>

/** Sends nothing more to an address whose far end is gone, and tells the account by a letter, once. */
export function switchOff(database: Database, intent: Address, reason: string, now: number): Promise<void> {
  const { address_id: id, account_id: accountId, address, notification_channel_id: channelId } = intent
  return database.transaction(async (transaction) => {
    const switched = await transaction.execute(sql`
      update notification_addresses set is_enabled = false, disabled_reason = ${reason}
      where id = ${id} and is_enabled and address = ${address} and notification_channel_id = ${channelId}`)
    if (switched === 0) return
    const facts: AddressOffFacts = { address, channelId, reason }
    const readers = await transaction.query<{ address: string }>(
      sql`select email_address as address from user_data where id = ${accountId} and email_address <> ''`,
    )
    for (const reader of readers) {
      if (!(await takesMail(transaction, { accountId, now, ...reader }))) continue
      await enqueue(transaction, [{ kind: 'address_switched_off', account_id: accountId, facts, ...reader }], now)
    }
  })
}
