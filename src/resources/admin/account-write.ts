import sql from 'sql-template-tag'
import { isUsernameFree } from '../../auth/callers.ts'
import { createAccount, type PersonalData } from '../../auth/create-account.ts'
import { moveLetters } from '../../auth/email-address.ts'
import { writeLetter } from '../../auth/letters.ts'
import { hashPassword } from '../../auth/password.ts'
import { removeBelongings } from '../../auth/remove-account.ts'
import type { Executor } from '../../database/connect.ts'
import type { AccountDefaults } from '../../domain/access/account-defaults.ts'
import type { LanguageId } from '../../domain/dictionaries.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import type { Writing } from '../../rest/declare.ts'
import { updateRow } from '../../rest/operations/write.ts'
import { plannedServices } from '../../service-state/calendars.ts'
import { calendarsChanged, hearCalendars } from '../../service-state/pauses.ts'
import { userDataFields, whitelistProblems } from '../accounts/user-data.ts'
import { distributionOf } from './distribution.ts'

export interface AdminAccount extends PersonalData, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly language_id: LanguageId
  readonly time_zone_id: string
  readonly package_id: number
  readonly parent_account_id: number | null
  readonly email_address: string
  readonly ip_whitelist: readonly string[]
  readonly ip_whitelist_enabled: boolean
  readonly is_read_only: boolean
  readonly can_share_groups: boolean
  readonly can_create_subaccounts: boolean
  readonly password?: string
  readonly user_data?: PersonalData & { readonly email_address?: string }
}

interface Facts {
  readonly isUsernameFree: boolean
  /** Null: there is no such package in the distribution. */
  readonly package: { readonly create_accounts: boolean; readonly is_for_sub_accounts: boolean } | null
}

async function facts(
  transaction: Executor,
  { caller, nowAt }: Call,
  given: Partial<AdminAccount>,
  before: AdminAccount | null,
): Promise<Facts> {
  const { username, package_id: packageId } = given
  if (before !== null && given.time_zone_id !== undefined) {
    await hearCalendars(transaction, await plannedServices(transaction, before.id), nowAt)
  }
  const [wanted] = await transaction.query<NonNullable<Facts['package']>>(sql`
    select create_accounts, is_for_sub_accounts from packages
    where id = ${packageId ?? null} and distribution_id = ${distributionOf(caller)}`)
  return {
    isUsernameFree: username === undefined || (await isUsernameFree(transaction, username)),
    package: wanted ?? null,
  }
}

/** The flat form of what came in `user_data`; what is given twice counts as it stands in the object itself. */
function complete(
  given: Partial<AdminAccount>,
  before: AdminAccount | null,
  defaults: AccountDefaults,
): { row: Partial<AdminAccount>; problems: readonly Problem[] } {
  const { user_data: nested = {}, ...flat } = given
  if (before !== null) return { row: flat as Partial<AdminAccount>, problems: [] }
  const row = {
    language_id: defaults.languageId,
    time_zone_id: defaults.timeZoneId,
    ...(given.username === undefined ? {} : { name: given.username }),
    ...nested,
    ...flat,
  } as Partial<AdminAccount>
  const isMissing = row.email_address === undefined || row.email_address === ''
  const missing = { error: 'missing_value', field: 'data.email_address', facts: { name: 'email_address' } }
  return { row, problems: isMissing ? [missing] : [] }
}

/** A package of the distribution with which accounts, or sub-accounts, are made. */
function packageProblems({ package_id: id, parent_account_id: parentId }: Partial<AdminAccount>, known: Facts) {
  if (id === undefined) return []
  const isRight =
    known.package?.create_accounts === true || (typeof parentId === 'number' && known.package?.is_for_sub_accounts)
  return isRight ? [] : [{ error: 'incorrect_value', field: 'data.package_id', facts: { detail: 'package' } }]
}

function rules(row: Partial<AdminAccount>, known: Facts, before: AdminAccount | null): readonly Problem[] {
  return [
    ...(known.isUsernameFree ? [] : [{ error: 'value_is_not_unique', field: 'data.username' }]),
    ...(row.package_id === before?.package_id ? [] : packageProblems(row, known)),
    ...whitelistProblems(row.ip_whitelist ?? []),
  ]
}

const userDataNames = Object.keys(userDataFields)

/** The changed fields of the row that are stored in user_data. */
function userDataOf(row: AdminAccount, before: Partial<AdminAccount>): Readonly<Record<string, unknown>> {
  const changed = userDataNames.filter((name) => JSON.stringify(row[name]) !== JSON.stringify(before[name]))
  return Object.fromEntries(changed.map((name) => [name, row[name]]))
}

async function insert(transaction: Executor, call: Call, row: AdminAccount): Promise<{ id: number }> {
  const { nowAt } = call
  const id = await createAccount(transaction, {
    distributionId: distributionOf(call.caller),
    packageId: row.package_id,
    parentAccountId: null,
    username: row.username,
    name: row.name,
    emailAddress: row.email_address,
    passwordHash: row.password === undefined ? null : await hashPassword(row.password),
    languageId: row.language_id,
    timeZoneId: row.time_zone_id,
    canShareGroups: row.can_share_groups ?? false,
    canCreateSubaccounts: row.can_create_subaccounts ?? false,
    isReadOnly: row.is_read_only ?? false,
    now: nowAt,
  })
  const { email_address: _stored, ...others } = userDataOf(row, {})
  await updateRow(call.registry.get('user_data'), transaction, { id }, others)
  if (row.password === undefined) await writeLetter(transaction, { accountId: id, kind: 'invitation', now: nowAt })
  return { id }
}

async function changed(
  transaction: Executor,
  { registry, nowAt }: Call,
  row: AdminAccount,
  before: AdminAccount,
): Promise<void> {
  await updateRow(registry.get('user_data'), transaction, before, userDataOf(row, before))
  if (row.email_address !== before.email_address) await moveLetters(transaction, before, nowAt)
  if (row.time_zone_id === before.time_zone_id) return
  await calendarsChanged(transaction, await plannedServices(transaction, row.id), nowAt)
}

/**
 * Accounts as administrators make, change and delete them (answers §12, §15). A new package applies to later writes;
 * existing objects stay as they are.
 */
export const adminAccountWriteOf = (defaults: AccountDefaults): Writing<AdminAccount, Facts> => ({
  facts,
  complete: (given, before, _known, { askedLanguage }) =>
    complete(given, before, { ...defaults, languageId: askedLanguage ?? defaults.languageId }),
  rules,
  insert,
  changed,
  async removing(transaction, _call, { id }) {
    await removeBelongings(transaction, id)
    return []
  },
})
