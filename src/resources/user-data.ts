import sql from 'sql-template-tag'
import { isAddressWithin, parseAddressRange } from '../auth/address-filter.ts'
import { cancelPasswordLinks, writeFarewell, writeLetter } from '../auth/letters.ts'
import type { Executor } from '../database/connect.ts'
import { optionalMailboxPattern } from '../domain/mailbox.ts'
import { userDataPermissions, userDataVisible } from '../domain/permissions.ts'
import type { Problem } from '../domain/problem.ts'
import { resource, table, type Writing } from '../rest/declare.ts'
import { boolean, identifier, integer, json, list, moment, object, text } from '../rest/fields.ts'
import { userSettings } from './user-settings.ts'

interface UserData extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly email_address: string
  readonly ip_whitelist: readonly string[]
  readonly ip_whitelist_enabled: boolean
}

interface Facts {
  /** The address that the caller's own filter must let in; null for the data of somebody else. */
  readonly ownAddress: string | null
}

/** `place` is the pointer to the list. */
export function whitelistProblems(entries: readonly string[], place = 'data.ip_whitelist'): readonly Problem[] {
  return entries.flatMap((entry, index) =>
    parseAddressRange(entry) === undefined
      ? [{ error: 'incorrect_value', field: `${place}[${index}]`, facts: { detail: 'address_range' } }]
      : [],
  )
}

function rules(row: Partial<UserData>, { ownAddress }: Facts, before: UserData | null): readonly Problem[] {
  const { ip_whitelist: entries = [], ip_whitelist_enabled: isEnabled } = row
  const wrong = whitelistProblems(entries)
  const isChanged = isEnabled !== before?.ip_whitelist_enabled || String(entries) !== String(before?.ip_whitelist)
  const isLockOut = isChanged && isEnabled === true && ownAddress !== null && !isAddressWithin(ownAddress, entries)
  return isLockOut ? [...wrong, lockOut] : wrong
}

const lockOut: Problem = {
  error: 'incorrect_value',
  field: 'data.ip_whitelist',
  facts: { detail: 'whitelist_without_caller' },
}

const write: Writing<UserData, Facts> = {
  facts: async (_transaction, { caller, ipAddress }, _given, before) => ({
    ownAddress: before?.id === caller.account_id ? ipAddress : null,
  }),
  rules,
  async changed(transaction, { nowAt }, { email_address }, before) {
    if (email_address !== before.email_address) await moveLetters(transaction, before, nowAt)
  },
}

/**
 * Links that went to the old mailbox work no more, and it is told so, since whoever has taken the account would change it. Who still has no
 * password is invited at the new one; the old one may never have been theirs.
 */
export async function moveLetters(
  transaction: Executor,
  { id: accountId, email_address: address }: { readonly id: number; readonly email_address: string },
  now: number,
): Promise<void> {
  await cancelPasswordLinks(transaction, accountId)
  const waiting = await transaction.query(sql`select 1 from accounts where id = ${accountId} and password_hash is null`)
  if (waiting.length > 0) await writeLetter(transaction, { accountId, kind: 'invitation', now })
  else await writeFarewell(transaction, { accountId, address, now })
}

const userDataRows = table(
  'user_data',
  () => sql`select u.*, a.parent_account_id from user_data u join accounts a on a.id = u.id`,
)

const postalAddress = {
  street: text({ nullable: true, maximumLength: 200 }),
  postal_code: text({ nullable: true, maximumLength: 20 }),
  city: text({ nullable: true, maximumLength: 100 }),
  country: text({ nullable: true, maximumLength: 100 }),
}

/** What a person says of themselves; also given when an account is made. */
export const personalFields = {
  contact_person: text({ maximumLength: 200, example: 'Alicja Nowak' }),
  phone_number: text({ maximumLength: 50, example: '+48 600 000 000' }),
  address: object(postalAddress, { nullable: true, example: null }),
  tax_identification_number: text({ nullable: true, maximumLength: 50, example: null }),
}

const emailOptions = {
  maximumLength: 254,
  // Empty while none is known, as for the first account.
  pattern: optionalMailboxPattern,
  detail: 'email_address',
  example: 'alice@example.com',
} as const

/** From where the API may be used. */
const filterFields = {
  ip_whitelist: list(text({ maximumLength: 50 }), {
    about: 'Addresses or CIDR ranges from which the API may be used.',
    maximumLength: 200,
    example: ['192.0.2.0/24'],
  }),
  ip_whitelist_enabled: boolean({ example: false }),
}

const newFields = { email_address: text({ ...emailOptions, required: true }), ...personalFields }

const newOptions = {
  about: 'Private data of the new account; the e-mail address is required.',
  required: true,
  writeOnly: true,
  immutable: true,
  example: { email_address: 'alice@example.com' },
} as const

/** `user_data` of an account that somebody registers. */
export const registeredUserData = object(newFields, newOptions)

/** `user_data` of a sub-account that its parent makes. */
export const newUserData = object({ ...newFields, ...filterFields }, newOptions)

const userSetting = object({ key: text({ required: true }), value: json({ required: true, about: 'Any JSON.' }) }, {})

/** What is private of an account, whoever may read it. */
export const userDataFields = {
  contact_person: personalFields.contact_person,
  email_address: text(emailOptions),
  phone_number: personalFields.phone_number,
  address: personalFields.address,
  tax_identification_number: personalFields.tax_identification_number,
  settings: list(userSetting, {
    about: 'Key-value pairs of the user.',
    readOnly: true,
    example: [{ key: 'console.theme', value: 'dark' }],
    column: ({ alias }) => sql`(
      select coalesce(jsonb_agg(jsonb_build_object('key', s.key, 'value', s.value) order by s.key), '[]')
      from user_settings s where s.account_id = ${alias}.id)`,
  }),
  ...filterFields,
  has_2fa_enabled: boolean({ readOnly: true, example: false }),
}

export const userData = resource('user_data', {
  about: 'Private data of an account, readable by its owner and by the primary account.',
  singular: 'user_data',
  source: userDataRows,
  alias: { my_user_data: ({ caller }) => caller.account_id },
  fields: {
    id: identifier(),
    ...userDataFields,
    created_at: moment({ readOnly: true }),
    parent_account_id: integer({ internal: true, nullable: true }),
  },
  visible: userDataVisible,
  permissions: userDataPermissions,
  operations: ['read', 'update', 'permissions'],
  write,
  actions: userSettings,
})
