import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { findLoginOf, type Login } from './callers.ts'

type Verified = Pick<Login, 'scope' | 'account_id' | 'password_hash' | 'has_2fa_enabled'>

/**
 * The current login; undefined if its password or second factor differs from the verified one. Verifying takes long
 * enough for a change in between.
 */
export async function findCurrentLogin(executor: Executor, verified: Verified): Promise<Login | undefined> {
  const login = await findLoginOf(executor, verified)
  const isCurrent =
    login?.password_hash === verified.password_hash && login.has_2fa_enabled === verified.has_2fa_enabled
  return isCurrent ? login : undefined
}

/**
 * Like `findCurrentLogin`, and locks the credentials until the transaction ends. If a change came first, it is awaited.
 * So anything that this transaction stores is either refused here, or found and ended by the change.
 */
export async function lockCurrentLogin(transaction: Executor, verified: Verified): Promise<Login | undefined> {
  const { account_id: id } = verified
  await transaction.execute(
    verified.scope === 'customer'
      ? sql`select from accounts where id = ${id} for share`
      : sql`select from administrators where id = ${id} for share`,
  )
  return findCurrentLogin(transaction, verified)
}

/** Makes new sessions of the account wait until the transaction ends. */
export async function lockCredentials(transaction: Executor, accountId: number): Promise<void> {
  await transaction.execute(sql`select from accounts where id = ${accountId} for no key update`)
}
