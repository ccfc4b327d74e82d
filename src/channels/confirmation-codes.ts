import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import { countUnasked } from '../database/accounts/unasked.ts'
import type { Database, Executor } from '../database/connect.ts'
import { lockKeys } from '../database/locks.ts'
import {
  type CodeLimit,
  codeDigits,
  codeLife,
  codeLimit,
  codePeriod,
  crowdPeriod,
  maximumTries,
  type SentCodes,
} from '../domain/notification/confirmation-code.ts'
import { unaskedLimit } from '../domain/notification/unasked.ts'
import { noGroup, noService } from '../outbox/intents.ts'
import { destinationOf, lettersGateway } from './index.ts'

/**
 * Codes that confirm notification addresses. Only the newest code of an address is valid. It is made when it is sent,
 * so its text exists in the message alone; the table has a slow, salted digest.
 */

/** An address that waits for its confirmation. */
export interface WaitingAddress {
  readonly id: number
  readonly address: string
  readonly notification_channel_id: string
  readonly owner_id: number
}

const saltBytes = 16
const digestBytes = 32

/** About 50 ms of one core: trying all codes of eight digits takes weeks, and a code is valid for half an hour. */
function digestOf(code: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(code, salt, digestBytes, { N: 16_384, r: 8, p: 1 }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

async function saltedDigest(code: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes)
  return Buffer.concat([salt, await digestOf(code, salt)])
}

async function isCode(code: string, stored: Buffer): Promise<boolean> {
  return timingSafeEqual(await digestOf(code, stored.subarray(0, saltBytes)), stored.subarray(saltBytes))
}

interface Wanted {
  readonly destination: string
  readonly accountId: number
  readonly now: number
}

async function countCodes(transaction: Executor, { destination, accountId, now }: Wanted): Promise<SentCodes> {
  const [since, crowdSince] = [new Date(now - codePeriod), new Date(now - crowdPeriod)]
  const [counted] = await transaction.query<Omit<SentCodes, 'isOwnMailbox'>>(sql`
    select
      (select count(*)::int from address_codes
        where destination = ${destination} and account_id = ${accountId} and created_at > ${since}) as own,
      (select count(*)::int from address_codes where destination = ${destination} and created_at > ${crowdSince}) as crowd,
      (select count(*)::int from address_codes where account_id = ${accountId} and created_at > ${since}) as account`)
  // The mailbox of a sub-account is set by its parent.
  const [own] = await transaction.query<{ mailbox: string }>(sql`
    select u.email_address as mailbox from user_data u join accounts a on a.id = u.id
    where a.id = ${accountId} and a.parent_account_id is null and a.is_activated`)
  const isOwnMailbox = own !== undefined && destinationOf(lettersGateway.id, own.mailbox) === destination
  return { ...(counted ?? { own: 0, crowd: 0, account: 0 }), isOwnMailbox }
}

/** The limit that leaves no room for one more code, which is counted if there is room; null: there is. */
async function limitOf(transaction: Executor, wanted: Wanted): Promise<CodeLimit | null> {
  const sent = await countCodes(transaction, wanted)
  const limit = codeLimit(sent)
  if (limit !== null || sent.isOwnMailbox) return limit
  const until = await countUnasked(transaction, wanted.destination, wanted.now)
  return until === null ? null : { value: unaskedLimit.most, period: '24 h' }
}

/** True if a code for the current address waits to be sent; ordered again, it still arrives. */
async function isOnItsWay(transaction: Executor, address: WaitingAddress): Promise<boolean> {
  const [newest] = await transaction.query<{ id: number }>(sql`
    select id from address_codes where address_id = ${address.id} and expires_at is null order by id desc limit 1`)
  if (newest === undefined) return false
  const waiting = await transaction.query(sql`
    select 1 from notification_intents
    where service_id = ${noService} and event_id = ${eventOf(newest.id)} and address_id = ${address.id} and status = 'pending'
      and address = ${address.address} and notification_channel_id = ${address.notification_channel_id}`)
  return waiting.length > 0
}

function eventOf(codeId: number): string {
  return `confirmation:${codeId}`
}

/** Stops notifying the address until it is confirmed. */
export async function unconfirm(transaction: Executor, addressId: number): Promise<void> {
  await transaction.execute(sql`update notification_addresses set confirmed_at = null where id = ${addressId}`)
}

/**
 * Orders a new code for the address, which ends its older one; an unsent older one is not sent and does not count. The
 * caller locks the account's row, so that two orders never both take its last code. Returns the limit that was reached,
 * or null if the code is on its way.
 */
export async function orderCode(
  transaction: Executor,
  address: WaitingAddress,
  now: number,
): Promise<CodeLimit | null> {
  const { id, owner_id: accountId, notification_channel_id: channelId } = address
  const destination = destinationOf(channelId, address.address)
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.destinations}, hashtext(${destination}))`)
  if (await isOnItsWay(transaction, address)) return null
  await transaction.execute(sql`delete from address_codes where address_id = ${id} and expires_at is null`)
  const limit = await limitOf(transaction, { destination, accountId, now })
  if (limit !== null) return limit
  const [{ id: codeId = 0 } = {}] = await transaction.query<{ id?: number }>(sql`
    insert into address_codes (address_id, account_id, destination, tries_left, created_at)
    values (${id}, ${accountId}, ${destination}, ${maximumTries}, ${new Date(now)}) returning id`)
  await transaction.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, created_at, next_attempt_at, contact_id)
    select ${noService}, ${eventOf(codeId)}, target.id, ${accountId}, coalesce(target.group_id, ${noGroup}), target.notification_channel_id,
      'confirmation', target.address,
      jsonb_build_object('condition', 'confirmation', 'codeId', ${codeId}::bigint, 'decidedAt', ${now}::bigint),
      ${new Date(now)}, ${new Date(now)}, target.contact_id
    from notification_addresses target where target.id = ${id}`)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
  return null
}

export interface OrderedCode {
  readonly codeId: number
  readonly addressId: number
  /** The destination of the message. */
  readonly address: string
  readonly channelId: string
}

/**
 * Makes the code that is sent now. Null if nobody waits for it: the address was changed, deleted or confirmed, or a
 * newer code was ordered; such a code no longer counts. A retry of the message brings another code, with the same
 * number of tries left.
 */
export async function makeCode(database: Database, ordered: OrderedCode, now: number): Promise<string | null> {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  const digest = await saltedDigest(code)
  const stored = await database.execute(sql`
    update address_codes code set code_digest = ${digest}, expires_at = ${new Date(now + codeLife)}
    where code.id = ${ordered.codeId} and code.address_id = ${ordered.addressId}
      and not exists (select from address_codes newer where newer.address_id = code.address_id and newer.id > code.id)
      and exists (select from notification_addresses target where target.id = code.address_id and target.confirmed_at is null
        and target.address = ${ordered.address} and target.notification_channel_id = ${ordered.channelId})`)
  if (stored === 1) return code
  await database.execute(sql`delete from address_codes where id = ${ordered.codeId} and expires_at is null`)
  return null
}

interface StoredCode {
  readonly id: number
  readonly code_digest: Buffer | null
  readonly expires_at: number | null
  readonly tries_left: number
  readonly destination: string
}

/**
 * Confirms the address with its code. False: the code is wrong and one try is used up, so commit the transaction in
 * either case. The caller locks the address's row, so that guesses run one after another.
 */
export async function tryCode(
  transaction: Executor,
  address: WaitingAddress,
  code: string,
  now: number,
): Promise<boolean> {
  const [stored] = await transaction.query<StoredCode>(sql`
    select id, code_digest, expires_at, tries_left, destination from address_codes
    where address_id = ${address.id} order by id desc limit 1 for update`)
  if (stored === undefined || !isUsable(stored, address, now)) return false
  if (!(await isCode(code, stored.code_digest))) {
    await transaction.execute(sql`update address_codes set tries_left = tries_left - 1 where id = ${stored.id}`)
    return false
  }
  await transaction.execute(sql`update address_codes set code_digest = null where id = ${stored.id}`)
  await transaction.execute(sql`
    update notification_addresses set confirmed_at = ${new Date(now)} where id = ${address.id}`)
  return true
}

function isUsable(
  stored: StoredCode,
  { notification_channel_id: channelId, address }: WaitingAddress,
  now: number,
): stored is StoredCode & { readonly code_digest: Buffer } {
  const { code_digest: digest, expires_at: expiresAt, tries_left: triesLeft, destination } = stored
  const isAlive = digest !== null && expiresAt !== null && expiresAt > now && triesLeft > 0
  return isAlive && destination === destinationOf(channelId, address)
}

/** The mailboxes that are not confirmed notification addresses of the account. */
export async function unconfirmedMailboxes(
  executor: Executor,
  accountId: number,
  mailboxes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (mailboxes.length === 0) return new Set()
  const confirmed = await executor.query<{ mailbox: string }>(sql`
    select distinct lower(a.address) as mailbox from notification_addresses a
    left join groups g on g.id = a.group_id left join contacts c on c.id = a.contact_id
    where coalesce(g.owner_id, c.owner_id) = ${accountId} and a.confirmed_at is not null and a.notification_channel_id = any(${lettersGateway.channels.map(({ id }) => id)}::text[])
      and lower(a.address) = any(${mailboxes.map((mailbox) => mailbox.toLowerCase())}::text[])`)
  const known = new Set(confirmed.map(({ mailbox }) => mailbox))
  return new Set(mailboxes.filter((mailbox) => !known.has(mailbox.toLowerCase())))
}

/** Without strangers every address counts as confirmed. Returns how many were unconfirmed. */
export function confirmAll(database: Executor, now: number): Promise<number> {
  return database.execute(sql`
    update notification_addresses set confirmed_at = ${new Date(now)} where confirmed_at is null`)
}
