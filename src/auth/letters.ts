import sql, { type Sql } from 'sql-template-tag'
import { takesMail } from '../database/accounts/unasked.ts'
import type { Executor } from '../database/connect.ts'
import { enqueue } from '../database/enqueue.ts'
import { lockKeys } from '../database/locks.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import {
  type FarewellKind,
  type LetterKind,
  letterKinds,
  linkLifeSeconds,
  type SecurityFacts,
  type SecurityKind,
} from '../domain/notification/letter.ts'
import { unaskedLimit } from '../domain/notification/unasked.ts'
import { digestOf, newToken } from './tokens.ts'

/** No more links of one kind are sent while this many are open. */
const maximumOpenLinks = 3
/**
 * The daily limit of mails to one mailbox, over all accounts, for mailboxes of holders too. Others take fewer
 * (domain/notification/unasked.ts).
 */
const maximumDailyLetters = 100
/**
 * The daily limit of farewell mails per account, to all its old mailboxes. Changing the address again and again must
 * not send mail to everybody.
 */
const maximumDailyFarewells = 10

export interface NewLetter {
  readonly accountId: number
  readonly kind: LetterKind
  /** Default: the account's address. */
  readonly address?: string
  /** The page that the link leads to, without its query. Default: our own. */
  readonly page?: string | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Writes a mail with a fresh link to the account's e-mail address, or to the given one. Call it in the transaction of
 * its cause. Nothing is written without an address, or beyond the limits of open links and mails. The token itself is
 * stored only in the mail, until that is sent.
 */
export async function writeLetter(
  transaction: Executor,
  { accountId, kind, address, page, now }: NewLetter,
): Promise<void> {
  const [reader] = await transaction.query<{ email_address: string }>(
    sql`select email_address from user_data where id = ${accountId} for update`,
  )
  if (reader === undefined) return
  const mailbox = address ?? reader.email_address
  if (mailbox === '') return
  await sweep(transaction, now)
  if ((await openLinks(transaction, accountId, kind, now)) >= maximumOpenLinks) return
  if (!(await hasRoom(transaction, accountId, mailbox, now))) return
  const token = newToken()
  const expiresAt = new Date(now + linkLifeSeconds[kind] * 1000)
  await transaction.execute(sql`
    insert into account_tokens (token_hash, account_id, purpose, created_at, expires_at)
    values (${digestOf(token)}, ${accountId}, ${kind}, ${new Date(now)}, ${expiresAt})`)
  const facts = page === undefined ? {} : { facts: { page } }
  const message = { kind, account_id: accountId, address: mailbox, token, expires_at: expiresAt, ...facts }
  await enqueue(transaction, [message], now)
}

/** False: the mailbox has had enough mails today. Strangers cannot use up the room of an account's holder. */
async function hasRoom(transaction: Executor, accountId: number, address: string, now: number): Promise<boolean> {
  if (!(await takesMail(transaction, { accountId, address, now }))) return false
  return (await lettersTo(transaction, address, letterKinds, now)) < maximumDailyLetters
}

async function openLinks(transaction: Executor, accountId: number, kind: LetterKind, now: number): Promise<number> {
  const [open] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from account_tokens
    where account_id = ${accountId} and purpose = ${kind} and used_at is null and expires_at > ${new Date(now)}`)
  return open?.count ?? 0
}

/**
 * Notifies the account's previous mailbox that the address has changed. These mails are counted apart from mails with
 * links, so filling a mailbox with those does not suppress this one. The first such mail of an account older than a day
 * is always sent, so new accounts cannot suppress it either. Call it in the transaction of the change.
 */
export async function writeFarewell(
  transaction: Executor,
  { accountId, address, now }: { readonly accountId: number; readonly address: string; readonly now: number },
): Promise<void> {
  const kind: FarewellKind = 'address_changed'
  if (address === '') return
  const since = new Date(now - dayLength)
  const [own] = await transaction.query<{ everywhere: number; there: number; is_old: boolean }>(sql`
    select count(*)::int as everywhere, count(*) filter (where lower(address) = lower(${address}))::int as there,
      exists (select from accounts where id = ${accountId} and created_at < ${since}) as is_old
    from messages where account_id = ${accountId} and kind = ${kind} and created_at > ${since}`)
  if (own === undefined || own.everywhere >= maximumDailyFarewells) return
  const isFirst = own.is_old && own.there === 0
  if (!isFirst && (await lettersTo(transaction, address, [kind], now)) >= unaskedLimit.most) return
  await enqueue(transaction, [{ kind, account_id: accountId, address }], now)
}

/** The daily limit of mails about credentials per account. */
const maximumDailySecurityLetters = 20

/** Tells the account's mailbox of a change of its credentials. Call it in the transaction of the change. */
export async function writeSecurityLetter(
  transaction: Executor,
  letter: {
    readonly accountId: number
    readonly kind: SecurityKind
    readonly facts: SecurityFacts
    readonly now: number
  },
): Promise<void> {
  const { accountId, kind, facts, now } = letter
  const [reader] = await transaction.query<{ email_address: string; written: number }>(sql`
    select email_address, (select count(*)::int from messages where account_id = ${accountId} and kind = ${kind}
      and created_at > ${new Date(now - dayLength)}) as written
    from user_data where id = ${accountId}`)
  if (reader === undefined || reader.email_address === '' || reader.written >= maximumDailySecurityLetters) return
  const { email_address: address } = reader
  if (!(await takesMail(transaction, { accountId, address, now }))) return
  await enqueue(transaction, [{ kind, account_id: accountId, address, facts }], now)
}

/** Most mail servers deliver `name+anything` to the mailbox `name`. */
function mailboxOf(address: Sql): Sql {
  return sql`lower(regexp_replace(${address}, '^([^+@]+)[+][^@]*@', '\\1@'))`
}

/** Locks the mailbox's count until the transaction ends, so that parallel mails keep the limit. */
async function lettersTo(
  transaction: Executor,
  address: string,
  kinds: readonly (LetterKind | FarewellKind)[],
  now: number,
): Promise<number> {
  const mailbox = mailboxOf(sql`${address}::text`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.mailboxes}, hashtext(${mailbox}))`)
  const [written] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from messages
    where ${mailboxOf(sql`address`)} = ${mailbox} and kind = any(${[...kinds]})
      and created_at > ${new Date(now - dayLength)}`)
  return written?.count ?? 0
}

/** The account of a valid link; null for any other text. With `use` the link stops working. */
export async function accountOfLink(
  executor: Executor,
  token: string,
  options: { readonly kinds: readonly LetterKind[]; readonly now: number; readonly use: boolean },
): Promise<number | null> {
  const at = new Date(options.now)
  const works = sql`token_hash = ${digestOf(token)} and purpose = any(${[...options.kinds]}) and expires_at > ${at}
    and used_at is null`
  const [link] = await executor.query<{ account_id: number }>(
    options.use
      ? sql`update account_tokens set used_at = ${at} where ${works} returning account_id`
      : sql`select account_id from account_tokens where ${works}`,
  )
  return link?.account_id ?? null
}

/** Kinds of links to a password and to another e-mail address. */
const credentialKinds: readonly LetterKind[] = ['password_reset', 'invitation', 'email_change']

/**
 * Cancels open links of these kinds, and mails that would bring them. Default: the kinds that somebody else may have
 * requested. For an account whose password or address was just set.
 */
export async function cancelLinks(
  transaction: Executor,
  accountId: number,
  kinds: readonly LetterKind[] = credentialKinds,
): Promise<void> {
  await transaction.execute(sql`
    delete from account_tokens where account_id = ${accountId} and purpose = any(${[...kinds]})`)
  await transaction.execute(sql`
    delete from messages where account_id = ${accountId} and kind = any(${[...kinds]}) and status = 'pending'
      and handed_over_at is null`)
}

/**
 * For deleted accounts. Unsent mails are deleted; sent ones lose their account and still count against their mailbox
 * for a day. Otherwise making and deleting accounts could fill it.
 */
export async function releaseLetters(transaction: Executor, accountIds: readonly number[]): Promise<void> {
  const theirs = sql`account_id = any(${[...accountIds]}::int[])`
  await transaction.execute(sql`
    delete from messages where ${theirs} and status = 'pending' and handed_over_at is null`)
  await transaction.execute(sql`
    update messages set account_id = null, token = null, expires_at = created_at where ${theirs}`)
}

/**
 * Deletes links that expired more than a day ago, with their mails. Accounts that were never activated are handled in
 * links.ts.
 */
async function sweep(transaction: Executor, now: number): Promise<void> {
  const before = new Date(now - dayLength)
  await transaction.execute(sql`
    delete from account_tokens where expires_at < ${before} and (purpose <> 'activation' or used_at is not null)`)
  await transaction.execute(sql`delete from messages where expires_at < ${before} and status <> 'pending'`)
}
