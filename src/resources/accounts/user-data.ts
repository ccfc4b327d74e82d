import sql from 'sql-template-tag'
import { isAddressWithin, parseAddressRange } from '../../auth/address-filter.ts'
import type { Authenticator } from '../../auth/authenticate.ts'
import type { Login } from '../../auth/callers.ts'
import { lockCredentials } from '../../auth/current-login.ts'
import { askNewMailbox, hasPassword, moveLetters } from '../../auth/email-address.ts'
import { hasJustLoggedIn } from '../../auth/sessions.ts'
import type { Executor } from '../../database/connect.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { userDataPermissions, userDataVisible } from '../../domain/access/permissions.ts'
import { isObject } from '../../domain/input/json.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { optionalMailboxPattern } from '../../domain/notification/mailbox.ts'
import type { Call } from '../../rest/call.ts'
import { type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, json, list, moment, object, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { refuse } from '../../rest/problems.ts'
import { password } from './credential-fields.ts'
import { missingPassword, refuseUnlessCurrent, verifyOwnPassword } from './own-password.ts'
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
  /** The caller's own e-mail address is to be another, and nobody has proved to be the caller. */
  readonly lacksPassword: boolean
  /** The mailbox that has to confirm before it is the account's; null: none has to. */
  readonly asked: string | null
}

/** `place` is the pointer to the list. */
export function whitelistProblems(entries: readonly string[], place = 'data.ip_whitelist'): readonly Problem[] {
  return entries.flatMap((entry, index) =>
    parseAddressRange(entry) === undefined
      ? [{ error: 'incorrect_value', field: `${place}[${index}]`, facts: { detail: 'address_range' } }]
      : [],
  )
}

function rules(row: Partial<UserData>, known: Facts, before: UserData | null): readonly Problem[] {
  const { ownAddress, lacksPassword } = known
  const { ip_whitelist: entries = [], ip_whitelist_enabled: isEnabled } = row
  const wrong = [...whitelistProblems(entries), ...(lacksPassword ? [missingPassword] : [])]
  const isChanged = isEnabled !== before?.ip_whitelist_enabled || String(entries) !== String(before?.ip_whitelist)
  const isLockOut = isChanged && isEnabled === true && ownAddress !== null && !isAddressWithin(ownAddress, entries)
  return isLockOut ? [...wrong, lockOut] : wrong
}

const lockOut: Problem = {
  error: 'incorrect_value',
  field: 'data.ip_whitelist',
  facts: { detail: 'whitelist_without_caller' },
}

/** Wrong passwords are counted, so they are not verified in the transaction that they refuse. */
function verifierOf(authenticator: Authenticator) {
  return async (call: Call): Promise<Login | null> => {
    const { email_address: address, current_password: password } = isObject(call.body) ? call.body : {}
    const isSent =
      typeof address === 'string' && typeof password === 'string' && password.length <= maximumPasswordLength
    if (!isSent) return null
    const { id } = await locatedRow(call.registry.get('user_data'), call, { flags: [], columns: ['id'] })
    return id === call.caller.account_id ? verifyOwnPassword(authenticator, call, password) : null
  }
}

/** A key proves nothing of the person. */
async function hasJustProvedWhoItIs(transaction: Executor, caller: Caller, nowAt: number): Promise<boolean> {
  return caller.key === null && (await hasJustLoggedIn(transaction, caller.session_id, nowAt))
}

function factsOf(mustConfirm: boolean) {
  return async (
    transaction: Executor,
    { caller, ipAddress, nowAt, verified }: Call,
    { email_address: wanted }: Partial<UserData>,
    before: UserData | null,
  ): Promise<Facts> => {
    const isOwn = before?.id === caller.account_id
    const isMoved = before !== null && wanted !== undefined && wanted !== before.email_address
    if (isOwn && verified !== null) await refuseUnlessCurrent(transaction, verified as Login)
    // An invited person confirms the mailbox by logging in; an empty mailbox has nothing to confirm.
    const isAsked = mustConfirm && isMoved && wanted !== '' && (await hasPassword(transaction, before.id))
    return {
      ownAddress: isOwn ? ipAddress : null,
      lacksPassword: isOwn && isMoved && verified === null && !(await hasJustProvedWhoItIs(transaction, caller, nowAt)),
      asked: isAsked ? wanted : null,
    }
  }
}

/**
 * An e-mail address decides who can set a new password. So changing one's own needs the present password, given
 * recently or now.
 */
function writeOf(authenticator: Authenticator, mustConfirm: boolean): Writing<UserData, Facts> {
  return {
    lockedBy: { field: 'id', lock: lockCredentials },
    verify: verifierOf(authenticator),
    facts: factsOf(mustConfirm),
    complete({ email_address, ...given }, before, { asked }) {
      const address = asked === null ? email_address : before?.email_address
      return { row: address === undefined ? given : { ...given, email_address: address }, problems: [] }
    },
    rules,
    async changed(transaction, { nowAt: now }, { email_address }, before, { asked }) {
      if (email_address !== before.email_address) await moveLetters(transaction, before, now)
      if (asked === null) return
      const limit = await askNewMailbox(transaction, { accountId: before.id, address: asked, now })
      if (limit !== null) refuse('confirmation_code_limit_exceeded', undefined, { value: limit, period: '24 h' })
    },
  }
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

/** A person's data about themselves; also accepted when an account is made. */
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

/** The private fields of an account, for readers with access. */
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

const maximumPasswordLength = 256

const changeFields = {
  // Another one than the caller's wants the password.
  email_address: { ...userDataFields.email_address, untypical: true },
  pending_email_address: text({
    about:
      'The new e-mail address that still has to be confirmed by the link in a letter to it; null: there is none. Only where addresses are confirmed.',
    readOnly: true,
    computed: true,
    nullable: true,
    example: null,
    column: ({ alias, nowAt }) => sql`(
      select ${alias}.pending_email_address from account_tokens link
      where link.account_id = ${alias}.id and link.purpose = 'email_change' and link.used_at is null
        and link.expires_at > ${new Date(nowAt)} limit 1)`,
  }),
  current_password: text({
    about:
      'The password of the caller; needed for another `email_address` of the caller’s own with a session whose log-in is more than ten minutes old.',
    writeOnly: true,
    multiline: true,
    maximumLength: maximumPasswordLength,
    example: password.example,
    untypical: true,
  }),
}

/** @param mustConfirm whether a new e-mail address counts only once its mailbox has confirmed it */
export function userData(authenticator: Authenticator, mustConfirm: boolean): Resource {
  return resource('user_data', {
    about: 'Private data of an account, readable by its owner and by the primary account.',
    singular: 'user_data',
    source: userDataRows,
    alias: { my_user_data: ({ caller }) => caller.account_id },
    fields: {
      id: identifier(),
      ...userDataFields,
      ...changeFields,
      created_at: moment({ readOnly: true }),
      parent_account_id: integer({ internal: true, nullable: true }),
    },
    scope: 'account',
    visible: userDataVisible,
    permissions: userDataPermissions,
    operations: ['read', 'update', 'permissions'],
    beforeSecondFactor: ['read'],
    write: writeOf(authenticator, mustConfirm),
    actions: userSettings,
  })
}
