import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { enqueue } from '../database/enqueue.ts'
import { lockKeys } from '../database/locks.ts'
import { dayLength } from '../domain/durations.ts'
import { type FarewellKind, type LetterKind, letterKinds, linkLifeSeconds } from '../domain/letter.ts'
import { digestOf, newToken } from './tokens.ts'

/** More than this many open links of one kind are not sent to anybody's mailbox. */
const maximumOpenLinks = 3
/** Letters to one mailbox in a day, of all accounts: whoever makes accounts must not fill a stranger's. */
const maximumDailyLetters = 100
/** Of one account in a day, to all mailboxes that it left: whoever changes the address for ever must not write to the world. */
const maximumDailyFarewells = 10

export interface NewLetter {
  readonly accountId: number
  readonly kind: LetterKind
  /** Default: the address of the account. */
  readonly address?: string
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Writes a letter with a fresh link to the account's e-mail address, or to the given one; to be called in the transaction of its cause. Without an address,
 * or with enough links open or letters to the mailbox already, nothing is written. The token itself stands only in the letter, until it is sent.
 */
export async function writeLetter(transaction: Executor, { accountId, kind, address, now }: NewLetter): Promise<void> {
  const [reader] = await transaction.query<{ email_address: string }>(
    sql`select email_address from user_data where id = ${accountId} for update`,
  )
  if (reader === undefined) return
  const mailbox = address ?? reader.email_address
  if (mailbox === '') return
  await sweep(transaction, now)
  if ((await openLinks(transaction, accountId, kind, now)) >= maximumOpenLinks) return
  if ((await lettersTo(transaction, mailbox, letterKinds, now)) >= maximumDailyLetters) return
  const token = newToken()
  const expiresAt = new Date(now + linkLifeSeconds[kind] * 1000)
  await transaction.execute(sql`
    insert into account_tokens (token_hash, account_id, purpose, created_at, expires_at)
    values (${digestOf(token)}, ${accountId}, ${kind}, ${new Date(now)}, ${expiresAt})`)
  const message = { kind, account_id: accountId, address: mailbox, token, expires_at: expiresAt }
  await enqueue(transaction, [message], now)
}

async function openLinks(transaction: Executor, accountId: number, kind: LetterKind, now: number): Promise<number> {
  const [open] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from account_tokens
    where account_id = ${accountId} and purpose = ${kind} and used_at is null and expires_at > ${new Date(now)}`)
  return open?.count ?? 0
}

/**
 * Tells the mailbox that the account had until now that it has another. Counted apart from messages with links: who fills a mailbox with
 * those must not keep this one from it; nor who fills it with these, by accounts of the same day. To be called in the transaction of the change.
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
  if (!isFirst && (await lettersTo(transaction, address, [kind], now)) >= maximumDailyLetters) return
  await enqueue(transaction, [{ kind, account_id: accountId, address }], now)
}

/** Whatever stands behind a name and a `+`, most mail servers put it into the mailbox of that name. */
function mailboxOf(address: Sql): Sql {
  return sql`lower(regexp_replace(${address}, '^([^+@]+)[+][^@]*@', '\\1@'))`
}

/** Until the transaction ends nobody else counts letters to the mailbox: many at once write no more than one after another. */
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

/** The account of a link that still works; null for any other text. With `use` it works no more. */
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

/** Of links to a password and to another e-mail address. */
const credentialKinds: readonly LetterKind[] = ['password_reset', 'invitation', 'email_change']

/**
 * Links of these kinds that are still open, and letters that would bring them. Default: those that somebody else may have asked for; for an
 * account whose password or address was just set.
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
 * Of accounts that go: what is not sent yet goes too; what was sent is nobody's any more and counts against its mailbox for a day, or whoever
 * makes and removes accounts would fill it.
 */
export async function releaseLetters(transaction: Executor, accountIds: readonly number[]): Promise<void> {
  const theirs = sql`account_id = any(${[...accountIds]}::int[])`
  await transaction.execute(sql`
    delete from messages where ${theirs} and status = 'pending' and handed_over_at is null`)
  await transaction.execute(sql`
    update messages set account_id = null, token = null, expires_at = created_at where ${theirs}`)
}

/** Sweeps away links that expired more than a day ago, with their letters; who never followed theirs is another matter (links.ts). */
async function sweep(transaction: Executor, now: number): Promise<void> {
  const before = new Date(now - dayLength)
  await transaction.execute(sql`
    delete from account_tokens where expires_at < ${before} and (purpose <> 'activation' or used_at is not null)`)
  await transaction.execute(sql`delete from messages where expires_at < ${before} and status <> 'pending'`)
}
