import sql from 'sql-template-tag'
import { isUsernameFree } from '../../auth/callers.ts'
import { createAccount, type PersonalData } from '../../auth/create-account.ts'
import { writeLetter } from '../../auth/letters.ts'
import { hashPassword } from '../../auth/password.ts'
import { removeBelongings } from '../../auth/remove-account.ts'
import type { Executor } from '../../database/connect.ts'
import { lacksAccountRight } from '../../domain/access/lacking-right.ts'
import { mayWrite } from '../../domain/access/permissions.ts'
import { timeZoneId } from '../../domain/calendars/time-zones.ts'
import type { LanguageId } from '../../domain/dictionaries.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, always } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import type { Writing } from '../../rest/declare.ts'
import { plannedServices } from '../../service-state/calendars.ts'
import { calendarsChanged, hearCalendars } from '../../service-state/pauses.ts'
import { whitelistProblems } from './user-data.ts'

export interface Account extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly language_id: LanguageId
  readonly time_zone_id: string
  readonly parent_account_id: number | null
  readonly family_parent_id?: number | null
  readonly is_read_only: boolean
  readonly disable_legacy_notifications?: boolean
  readonly storm_threshold?: number | null
  readonly password?: string
  readonly user_data: PersonalData & { readonly email_address: string }
}

interface Facts {
  readonly isUsernameFree: boolean
  /** The caller's account is the parent of this one. */
  readonly isParents: boolean
}

async function facts(
  transaction: Executor,
  { caller, nowAt }: Call,
  given: Partial<Account>,
  before: Account | null,
): Promise<Facts> {
  const { username } = given
  if (before !== null && given.time_zone_id !== undefined) {
    await hearCalendars(transaction, await plannedServices(transaction, before.id), nowAt)
  }
  return {
    isUsernameFree: username === undefined || (await isUsernameFree(transaction, username)),
    isParents: before === null || before.parent_account_id === caller.account_id,
  }
}

function complete(
  given: Partial<Account>,
  before: Account | null,
  _known: Facts,
  { caller, askedLanguage }: Call,
): { row: Partial<Account>; problems: Problem[] } {
  const defaults = {
    name: given.username,
    language_id: askedLanguage ?? caller.language_id,
    time_zone_id: timeZoneId(caller.time_zone_id),
    parent_account_id: caller.account_id,
  }
  return { row: before === null ? ({ ...defaults, ...given } as Partial<Account>) : given, problems: [] }
}

function rules(row: Partial<Account>, known: Facts, before: Account | null): readonly Problem[] {
  const problems: Problem[] = []
  if (!known.isUsernameFree) problems.push({ error: 'value_is_not_unique', field: 'data.username' })
  problems.push(...whitelistProblems(row.user_data?.ip_whitelist ?? [], 'data.user_data.ip_whitelist'))
  if (before !== null && row.is_read_only !== before.is_read_only && !known.isParents) {
    problems.push({ error: 'field_is_immutable', field: 'data.is_read_only', facts: { name: 'is_read_only' } })
  }
  return problems
}

/** A sub-account has the package of sub-accounts: no services of its own (specification: Account). */
async function subAccountPackage(transaction: Executor, parentId: number) {
  const [found] = await transaction.query<{ id: number; distribution_id: number }>(sql`
    select p.id, p.distribution_id from packages p join accounts a on a.distribution_id = p.distribution_id
    where a.id = ${parentId} and p.is_for_sub_accounts order by p.id limit 1`)
  if (found === undefined) throw new Error('the distribution has no package for sub-accounts')
  return found
}

async function insert(transaction: Executor, { caller, nowAt }: Call, row: Account): Promise<{ id: number }> {
  const limits = await subAccountPackage(transaction, caller.account_id)
  const { email_address: emailAddress, ...personalData } = row.user_data
  const id = await createAccount(transaction, {
    distributionId: limits.distribution_id,
    packageId: limits.id,
    parentAccountId: caller.account_id,
    username: row.username,
    name: row.name,
    emailAddress,
    personalData,
    passwordHash: row.password === undefined ? null : await hashPassword(row.password),
    languageId: row.language_id,
    timeZoneId: row.time_zone_id,
    canShareGroups: false,
    canCreateSubaccounts: false,
    isReadOnly: row.is_read_only,
    disableLegacyNotifications: row.disable_legacy_notifications,
    stormThreshold: row.storm_threshold,
    now: nowAt,
  })
  if (row.password === undefined) await writeLetter(transaction, { accountId: id, kind: 'invitation', now: nowAt })
  return { id }
}

/** Sub-accounts are made, changed and deleted by their parent (specification: Account; answers §4). */
export const accountWrite: Writing<Account, Facts> = {
  countLimit: { count: countLimits.accounts, per: 'parent_account_id' },
  allowed: ({ caller }) => all(always(caller.can_create_subaccounts && !caller.is_sub_account), mayWrite(caller)),
  explain: (_row, flag, { caller }) =>
    flag === 'create' && !caller.can_create_subaccounts ? [lacksAccountRight('can_create_subaccounts')] : [],
  facts,
  complete,
  rules,
  insert,
  async changed(transaction, { nowAt }, row, before) {
    if (row.time_zone_id === before.time_zone_id) return
    await calendarsChanged(transaction, await plannedServices(transaction, row.id), nowAt)
  },
  async removing(transaction, _call, { id }) {
    await removeBelongings(transaction, id)
    return []
  },
}
