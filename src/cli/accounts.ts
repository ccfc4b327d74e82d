import sql from 'sql-template-tag'
import { blockAccount, unblockAccount } from '../auth/block-account.ts'
import { findLogin, isUsernameFree } from '../auth/callers.ts'
import { createAccount, setPassword } from '../auth/create-account.ts'
import { makeLoginLink } from '../auth/login-links.ts'
import { generatePassword, hashPassword } from '../auth/password.ts'
import { recordLoginChange, recordNewAccount } from '../auth/recorded-change.ts'
import { disableSecondFactor } from '../auth/second-factor.ts'
import type { Database } from '../database/connect.ts'
import { CannotStart } from '../program/cannot-start.ts'

export interface CreateOptions {
  readonly username: string
  readonly name: string | undefined
  readonly emailAddress: string
  readonly packageName: string
  readonly languageId: 'pl' | 'en'
  readonly timeZoneId: string
  /** Undefined: generate one. */
  readonly password: string | undefined
  readonly now: number
}

/** Makes a primary account. Returns its id and password. */
export async function createPrimaryAccount(
  database: Database,
  options: CreateOptions,
): Promise<{ readonly id: number; readonly password: string }> {
  const password = options.password ?? generatePassword()
  const passwordHash = await hashPassword(password)
  const id = await database.transaction(async (transaction) => {
    const [chosen] = await transaction.query<{ id: number; distribution_id: number }>(sql`
      select id, distribution_id from packages where name = ${options.packageName} and create_accounts order by id limit 1`)
    if (chosen === undefined)
      throw new CannotStart(
        `There is no package ${options.packageName} for accounts. The first start of the program makes the packages.`,
      )
    if (!(await isUsernameFree(transaction, options.username))) {
      throw new CannotStart(`The username ${options.username} is taken.`)
    }
    const made = await createAccount(transaction, {
      distributionId: chosen.distribution_id,
      packageId: chosen.id,
      parentAccountId: null,
      username: options.username,
      name: options.name ?? options.username,
      emailAddress: options.emailAddress,
      passwordHash,
      languageId: options.languageId,
      timeZoneId: options.timeZoneId,
      canShareGroups: true,
      canCreateSubaccounts: true,
      now: options.now,
    })
    await recordNewAccount(transaction, made, { source: 'cli', now: options.now })
    return made
  })
  return { id, password }
}

/**
 * Sets the password of an account or an administrator; all its sessions end. A lost second factor is removed on
 * request. Returns the password.
 */
export async function changePassword(
  database: Database,
  username: string,
  options: { readonly given: string | undefined; readonly withoutSecondFactor: boolean; readonly now: number },
): Promise<{ readonly password: string }> {
  const login = await findLogin(database, username)
  if (login === undefined) throw new CannotStart(`Nobody has the username ${username}.`)
  const password = options.given ?? generatePassword()
  const passwordHash = await hashPassword(password)
  await database.transaction(async (transaction) => {
    await setPassword(transaction, login, passwordHash)
    const isWithout = options.withoutSecondFactor && login.scope === 'customer'
    if (isWithout) await disableSecondFactor(transaction, login.account_id)
    const change = { login, source: 'cli', now: options.now } as const
    await recordLoginChange(transaction, { ...change, action: 'change_password' })
    if (isWithout && login.has_2fa_enabled) await recordLoginChange(transaction, { ...change, action: 'disable_2fa' })
  })
  return { password }
}

/** Blocks or unblocks an account; false: it was so already. */
export async function setBlocked(
  database: Database,
  username: string,
  isBlocked: boolean,
  now: number,
): Promise<boolean> {
  const login = await findLogin(database, username)
  if (login === undefined) throw new CannotStart(`Nobody has the username ${username}.`)
  if (login.scope === 'administrator')
    throw new CannotStart(`${username} is an administrator; only accounts are blocked.`)
  return database.transaction(async (transaction) => {
    const [account] = await transaction.query<{ is_blocked: boolean; blocked_by_operator: boolean }>(
      sql`select is_blocked, blocked_by_operator from accounts where id = ${login.account_id} for update`,
    )
    // A block by a customer becomes the operator's.
    const isSo = isBlocked ? account?.blocked_by_operator === true : account?.is_blocked === false
    if (isSo) return false
    if (isBlocked) await blockAccount(transaction, { accountId: login.account_id, by: 'operator', now })
    else await unblockAccount(transaction, login.account_id, now)
    await recordLoginChange(transaction, {
      ...{ login, source: 'cli', action: isBlocked ? 'block' : 'unblock', now },
      ...(account?.is_blocked === isBlocked
        ? {}
        : { before: { is_blocked: !isBlocked }, after: { is_blocked: isBlocked } }),
    })
    return true
  })
}

/** The token of a login link. */
export async function loginToken(database: Database, username: string, now: number): Promise<string> {
  const link = await makeLoginLink(database, username, now)
  if ('token' in link) return link.token
  const reasons = {
    nobody: `Nobody has the username ${username}.`,
    administrator: `${username} is an administrator; links are for accounts.`,
    second_factor: `${username} logs in in two steps, which a link does not replace.`,
  }
  throw new CannotStart(reasons[link.refused])
}

export interface ListedAccount {
  readonly id: number
  readonly username: string
  readonly kind: string
  readonly package: string
  readonly state: string
}

/** All accounts and administrators that can log in. */
export function listAccounts(database: Database): Promise<ListedAccount[]> {
  return database.query<ListedAccount>(sql`
    select a.id, a.username, coalesce('sub-account of ' || parent.username, 'account') as kind, p.name as package,
      case when a.is_blocked then 'blocked' when not a.is_activated then 'not activated'
        when a.is_read_only then 'read-only' else 'active' end as state
    from accounts a join packages p on p.id = a.package_id left join accounts parent on parent.id = a.parent_account_id
    union all select id, username, 'administrator', '', 'active' from administrators order by id`)
}
