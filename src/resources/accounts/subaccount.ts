import sql from 'sql-template-tag'
import { isUsernameFree } from '../../auth/callers.ts'
import { createAccount } from '../../auth/create-account.ts'
import { writeLetter } from '../../auth/letters.ts'
import { hashPassword } from '../../auth/password.ts'
import type { Executor } from '../../database/connect.ts'
import { lacksAccountRight } from '../../domain/access/lacking-right.ts'
import { mayWrite } from '../../domain/access/permissions.ts'
import { timeZoneId } from '../../domain/calendars/time-zones.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { boolean, integer, type RowOf, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuseWrite } from '../../rest/operations/write.ts'
import { refuse, refuseWith } from '../../rest/problems.ts'
import { createdSchema } from '../../rest/routes.ts'
import type { Account } from './account-write.ts'
import { accountFields } from './accounts.ts'
import { newPassword } from './credential-fields.ts'
import { newUserData, whitelistProblems } from './user-data.ts'

const path = '/accounts/subaccount'

const flag = (about: string, usual: boolean) => boolean({ about: `${about} Default: ${usual}.`, example: usual })

const body = {
  ...accountFields,
  user_data: newUserData,
  password: text({ ...newPassword, about: 'Without one the account gets a mail with a link that sets it.' }),
  set_password_url: text({
    about:
      'The page that this link leads to, which sends its `token` to `POST /system/reset_password/confirm`. Default: our own page.',
    maximumLength: 500,
    pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s]*)?$/,
    example: 'https://portal.example.com/password',
  }),
  package_id: integer({ about: "Default: the caller's own; another one that new accounts can have.", example: 1 }),
  is_read_only: flag('It modifies nothing.', false),
  subaccount_edit: flag('The caller may change it.', true),
  subaccount_block: flag('The caller may block and unblock it.', true),
  is_2fa_setup_required: flag('Until it has a second factor it can do nothing else than set one up.', false),
  disable_legacy_notifications: flag('Its services tell contacts and escalations alone.', false),
}

type Wanted = RowOf<typeof body> & Pick<Account, 'language_id' | 'user_data'>

interface Facts {
  readonly isUsernameFree: boolean
  /** Null: there is no such package, or new accounts cannot have it. */
  readonly package: { readonly id: number; readonly distribution_id: number } | null
  readonly made: number
  /** The caller was made for a customer itself: it makes none, so that no chain of them grows. */
  readonly isDependent: boolean
}

interface MakerRow {
  readonly package_id: number
  readonly distribution_id: number
  readonly maker_account_id: number | null
}

async function factsOf(
  transaction: Executor,
  { caller }: Call,
  { username, package_id: wanted }: Wanted,
): Promise<Facts> {
  // The lock keeps parallel creations within the bound.
  const [maker] = await transaction.query<MakerRow>(sql`
    select package_id, distribution_id, maker_account_id from accounts where id = ${caller.account_id} for update`)
  const [found] = await transaction.query<{ id: number; distribution_id: number }>(sql`
    select id, distribution_id from packages
    where id = ${wanted ?? maker?.package_id ?? null} and distribution_id = ${maker?.distribution_id ?? null} and not is_for_sub_accounts
      and (id = ${maker?.package_id ?? null} or is_available_for_new_accounts)`)
  const [counted] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from accounts where maker_account_id = ${caller.account_id}`)
  return {
    isUsernameFree: await isUsernameFree(transaction, username),
    package: found ?? null,
    made: counted?.count ?? 0,
    isDependent: typeof maker?.maker_account_id === 'number',
  }
}

function problemsOf(wanted: Wanted, known: Facts): readonly Problem[] {
  const problems: Problem[] = [...whitelistProblems(wanted.user_data.ip_whitelist ?? [], 'data.user_data.ip_whitelist')]
  if (known.isDependent) problems.push(lacksAccountRight('can_create_subaccounts'))
  if (!known.isUsernameFree) problems.push({ error: 'value_is_not_unique', field: 'data.username' })
  if (known.package === null)
    problems.push({ error: 'incorrect_value', field: 'data.package_id', facts: { detail: 'package' } })
  if (known.made >= countLimits.accounts)
    problems.push({ error: 'limit_exceeded', facts: { limit: 'accounts', value: countLimits.accounts } })
  return problems
}

function refuseMaker({ caller }: Call): void {
  if (!caller.can_create_subaccounts || caller.is_sub_account) refuseWith(lacksAccountRight('can_create_subaccounts'))
  if (!holds(mayWrite(caller), {})) refuse('forbidden')
}

async function store(transaction: Executor, call: Call, wanted: Wanted, passwordHash: string | null): Promise<number> {
  const { caller, nowAt } = call
  const known = await factsOf(transaction, call, wanted)
  refuseWrite(problemsOf(wanted, known))
  const { email_address: emailAddress, ...personalData } = wanted.user_data
  const id = await createAccount(transaction, {
    distributionId: known.package?.distribution_id ?? 0,
    packageId: known.package?.id ?? 0,
    parentAccountId: null,
    maker: {
      accountId: caller.account_id,
      mayEdit: wanted.subaccount_edit ?? true,
      mayBlock: wanted.subaccount_block ?? true,
    },
    username: wanted.username,
    name: wanted.name ?? wanted.username,
    ...{ emailAddress, personalData, passwordHash },
    languageId: wanted.language_id ?? call.askedLanguage ?? (caller.language_id as Account['language_id']),
    timeZoneId: wanted.time_zone_id ?? timeZoneId(caller.time_zone_id),
    canShareGroups: caller.can_share_groups,
    canCreateSubaccounts: false,
    isReadOnly: wanted.is_read_only ?? false,
    is2faSetupRequired: wanted.is_2fa_setup_required ?? false,
    disableLegacyNotifications: wanted.disable_legacy_notifications,
    now: nowAt,
  })
  if (passwordHash === null)
    await writeLetter(transaction, { accountId: id, kind: 'invitation', page: wanted.set_password_url, now: nowAt })
  return id
}

/** `POST /accounts/subaccount` (extensions §6): an account for a customer, with groups and services of its own. */
export const subaccountCreation: Operation = {
  id: 'accounts.create_dependent',
  method: 'POST',
  path,
  tag: 'accounts',
  summary: 'Create a dependent account for a customer',
  about:
    'Unlike a sub-account it has groups, services and history of its own, and sees nothing of its maker but what is shared with it (`PUT /groups/{_id}/shares/{_account_id}`). The maker sees it and its numbers, and may change, block and close it as far as the flags say. It creates no accounts itself.',
  access: 'customer',
  body,
  answers: {
    201: { about: 'Created.', schema: createdSchema, headers: { Location: 'Address of the created object.' } },
  },
  async handle(call) {
    refuseMaker(call)
    const { values, problems } = readBody(body, call.body, call.nowAt)
    refuseWrite(problems)
    const wanted = values as Wanted
    const passwordHash = wanted.password === undefined ? null : await hashPassword(wanted.password)
    const id = await call.database.transaction((transaction) => store(transaction, call, wanted, passwordHash))
    return { status: 201, body: { id }, headers: { Location: `${call.baseUrl}/accounts/${id}` } }
  },
}
