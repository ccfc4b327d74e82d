import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { readKnownSensors } from '../database/services/sensors.ts'
import type { LanguageId } from '../domain/dictionaries.ts'
import { assignFirstSensors } from '../domain/judging/assigned-sensors.ts'
import { usualStormThreshold } from '../domain/notification/storm.ts'
import { defaultGroupNames } from '../wording/default-group.ts'
import type { Login } from './callers.ts'
import { cancelLinks } from './letters.ts'
import { endSessionsOf } from './sessions.ts'

/** The optional members of user_data beside the e-mail address. */
export interface PersonalData {
  readonly contact_person?: string
  readonly phone_number?: string
  readonly address?: object | null
  readonly tax_identification_number?: string | null
  readonly ip_whitelist?: readonly string[]
  readonly ip_whitelist_enabled?: boolean
}

/** The account that made another for a customer, and what it may do to it. */
export interface Maker {
  readonly accountId: number
  readonly mayEdit: boolean
  readonly mayBlock: boolean
}

export interface NewAccount {
  readonly distributionId: number
  readonly packageId: number
  readonly parentAccountId: number | null
  /** The account that makes it for a customer. Default: none. */
  readonly maker?: Maker
  /** Until it has a second factor it can do nothing else than set one up. Default: false. */
  readonly is2faSetupRequired?: boolean
  readonly username: string
  readonly name: string
  readonly emailAddress: string
  readonly personalData?: PersonalData
  /** Null: nobody can log in until a password is set. */
  readonly passwordHash: string | null
  readonly languageId: LanguageId
  readonly timeZoneId: string
  readonly canShareGroups: boolean
  readonly canCreateSubaccounts: boolean
  /** Default: true. */
  readonly isActivated?: boolean
  /** Default: false. */
  readonly isReadOnly?: boolean
  readonly disableLegacyNotifications?: boolean | undefined
  /** How many services may notify one by one within a minute; null: all. Default: the usual number. */
  readonly stormThreshold?: number | null | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** Inserts the account with its user_data and default group; returns its id. Call it in a transaction. */
export async function createAccount(transaction: Executor, account: NewAccount): Promise<number> {
  const createdAt = new Date(account.now)
  const [row] = await transaction.query<{ id: number }>(sql`
    insert into accounts (distribution_id, package_id, parent_account_id, username, name, password_hash, language_id,
      time_zone_id, can_share_groups, can_create_subaccounts, is_activated, is_read_only, disable_legacy_notifications,
      storm_threshold, maker_account_id, maker_may_edit, maker_may_block, is_2fa_setup_required, created_at)
    values (${account.distributionId}, ${account.packageId}, ${account.parentAccountId}, ${account.username},
      ${account.name}, ${account.passwordHash}, ${account.languageId}, ${account.timeZoneId},
      ${account.canShareGroups}, ${account.canCreateSubaccounts}, ${account.isActivated ?? true},
      ${account.isReadOnly ?? false},
      ${account.disableLegacyNotifications ?? false},
      ${account.stormThreshold === undefined ? usualStormThreshold : account.stormThreshold},
      ${account.maker?.accountId ?? null}, ${account.maker?.mayEdit ?? false}, ${account.maker?.mayBlock ?? false},
      ${account.is2faSetupRequired ?? false}, ${createdAt})
    returning id`)
  if (row === undefined) throw new Error('an inserted account has no id')
  await createUserData(transaction, row.id, account)
  await createDefaultGroup(transaction, row.id, account)
  return row.id
}

async function createUserData(transaction: Executor, accountId: number, account: NewAccount): Promise<void> {
  const { personalData: given = {}, emailAddress, now } = account
  const address = given.address === undefined || given.address === null ? null : JSON.stringify(given.address)
  await transaction.execute(sql`
    insert into user_data (id, email_address, contact_person, phone_number, address, tax_identification_number, ip_whitelist,
      ip_whitelist_enabled, created_at)
    values (${accountId}, ${emailAddress}, ${given.contact_person ?? ''}, ${given.phone_number ?? ''}, ${address},
      ${given.tax_identification_number ?? null}, ${[...(given.ip_whitelist ?? [])]}::text[],
      ${given.ip_whitelist_enabled ?? false}, ${new Date(now)})`)
}

async function createDefaultGroup(transaction: Executor, accountId: number, account: NewAccount): Promise<void> {
  const [limits] = await transaction.query<{ maximum_sensors: number | null }>(sql`
    select maximum_sensors from packages where id = ${account.packageId}`)
  const sensors = await readKnownSensors(transaction, account.now)
  const assigned = assignFirstSensors(sensors, limits?.maximum_sensors ?? null)
  await transaction.execute(sql`
    insert into groups (owner_id, name, is_default, assigned_sensor_ids)
    values (${accountId}, ${defaultGroupNames[account.languageId]}, true, ${JSON.stringify(assigned)})`)
}

/**
 * Sets a new password. Every session but the given one ends, and links to a password or another e-mail address stop
 * working. Call it in a transaction.
 */
export async function setPassword(
  transaction: Executor,
  login: Pick<Login, 'scope' | 'account_id'>,
  passwordHash: string,
  exceptSessionId?: string | null,
): Promise<void> {
  const statement =
    login.scope === 'customer'
      ? sql`update accounts set password_hash = ${passwordHash} where id = ${login.account_id}`
      : sql`update administrators set password_hash = ${passwordHash} where id = ${login.account_id}`
  await transaction.execute(statement)
  await endSessionsOf(transaction, login.account_id, exceptSessionId)
  await cancelLinks(transaction, login.account_id)
}
