import sql from 'sql-template-tag'
import { warningsOfAddresses } from '../../channels/address-warnings.ts'
import { type Addressed, completeAddress, destinationHost, keptSecretProblems } from '../../channels/addressing.ts'
import { orderCode, unconfirm } from '../../channels/confirmation-codes.ts'
import { destinationProblems, integrationOf, meteredChannelIds } from '../../channels/index.ts'
import type { VendorUrls } from '../../channels/vendors.ts'
import { loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { channelProblems, type PackageLimits } from '../../domain/access/limits.ts'
import { ownOrParents } from '../../domain/access/permissions.ts'
import { isObject } from '../../domain/input/json.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { smsProblems } from '../../domain/notification/notification-address.ts'
import { holds } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import type { Writing } from '../../rest/declare.ts'
import { addressWarnings } from '../services/warnings.ts'

export interface Address extends Readonly<Record<string, unknown>>, Addressed {
  readonly id: number
  readonly owner_id: number
  readonly is_enabled: boolean
}

/** The parent of an address: a group or a contact. */
export interface AddressParent {
  /** The account whose package counts; null: the caller knows no such parent. */
  readonly ownerId: number | null
  /** Values that follow from the parent, such as its number if none was given. */
  readonly row: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

/** Where a new address would go, or a changed one stays. It is held against deletion. */
export type ParentOf = (
  transaction: Executor,
  call: Call,
  given: Partial<Address>,
  before: Address | null,
) => Promise<AddressParent>

export interface AddressFacts {
  readonly parent: AddressParent
  readonly limits: PackageLimits | null
  /** Other SMS numbers of the account. */
  readonly smsNumbers: number
}

async function factsOf(transaction: Executor, parent: AddressParent, before: Address | null): Promise<AddressFacts> {
  const { ownerId } = parent
  if (ownerId === null) return { parent, limits: null, smsNumbers: 0 }
  const limits = await loadPackage(transaction, ownerId, { lock: true })
  const [counted] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from notification_addresses a
    left join groups g on g.id = a.group_id left join contacts c on c.id = a.contact_id
    where coalesce(g.owner_id, c.owner_id) = ${ownerId}
      and a.notification_channel_id = any(${[...meteredChannelIds]}::text[]) and a.id is distinct from ${before?.id ?? null}`)
  return { parent, limits, smsNumbers: counted?.count ?? 0 }
}

function rules(
  row: Partial<Address>,
  { parent, limits, smsNumbers }: AddressFacts,
  before: Address | null,
): readonly Problem[] {
  const { notification_channel_id: channel, address } = row
  if (limits === null || channel === undefined) return parent.problems
  // A package that became stricter must not stop other changes.
  const isNewChannel = channel !== before?.notification_channel_id
  const allowed = isNewChannel ? channelProblems(limits, [channel], 'data.notification_channel_id') : []
  return [
    ...parent.problems,
    ...allowed.map((problem) => ({ ...problem, field: 'data.notification_channel_id' })),
    ...(address === undefined ? [] : destinationProblems(channel, address)),
    ...(isNewChannel && meteredChannelIds.includes(channel) ? smsProblems(limits, smsNumbers) : []),
  ]
}

/** The destination follows from the address's fields and is stored beside them, because each message needs it. */
async function storeDestination(transaction: Executor, { id, notification_channel_id: channel, settings }: Address) {
  await transaction.execute(
    sql`update notification_addresses set destination = ${destinationHost(channel, settings)} where id = ${id}`,
  )
}

/** A user who writes secrets by hand decides which ones sign. */
async function forgetOldSecret(transaction: Executor, { id, settings }: Address, before: Address): Promise<void> {
  if (settings['secret'] === before.settings['secret']) return
  await transaction.execute(sql`update notification_addresses set old_secret_until = null where id = ${id}`)
}

async function forgetReason(transaction: Executor, row: Address, before: Address): Promise<void> {
  if (!row.is_enabled || before.is_enabled) return
  await transaction.execute(sql`update notification_addresses set disabled_reason = null where id = ${row.id}`)
}

/**
 * The address receives nothing more until its code is confirmed. The code is sent at once; if the limit is reached, a
 * warning says so.
 */
async function demandConfirmation(
  transaction: Executor,
  { nowAt }: Call,
  { id, address, notification_channel_id: channelId }: Address,
  { parent, limits }: AddressFacts,
): Promise<void> {
  // A user who knows an integration's address got it from the destination itself.
  if (integrationOf(channelId) !== undefined) return
  await unconfirm(transaction, id)
  // A package that became stricter has let the address stay on its channel, and sends nothing there.
  const isAvailable = limits?.available_notification_channel_ids.includes(channelId) === true
  if (parent.ownerId === null || !isAvailable) return
  await orderCode(transaction, { id, address, notification_channel_id: channelId, owner_id: parent.ownerId }, nowAt)
}

function isElsewhere(row: Address, before: Address): boolean {
  return row.address !== before.address || row.notification_channel_id !== before.notification_channel_id
}

export interface AddressOptions {
  /** Whether a code has to come back from a new address before it is told anything. */
  readonly mustConfirm: boolean
  readonly vendorUrls: VendorUrls
}

/** The rules for writing an address of a group or of a contact. */
export function addressWriting(
  parentOf: ParentOf,
  { mustConfirm, vendorUrls }: AddressOptions,
): Writing<Address, AddressFacts> {
  return {
    facts: async (transaction, call, given, before) =>
      factsOf(transaction, await parentOf(transaction, call, given, before), before),
    complete(given, before, { parent }, { caller, body }) {
      const isSent = (field: string) => isObject(body) && Object.hasOwn(body, field)
      const { row, problems } = completeAddress(given, before, { vendorUrls, isSent })
      const isStranger = before !== null && !holds(ownOrParents(caller), before)
      return {
        row: { ...given, ...row, ...(before === null ? parent.row : {}) },
        problems: [...problems, ...(isStranger ? keptSecretProblems(before, row, given.settings) : [])],
      }
    },
    rules,
    async created(transaction, call, row, known) {
      await storeDestination(transaction, row)
      if (mustConfirm) await demandConfirmation(transaction, call, row, known)
    },
    async changed(transaction, call, row, before, known) {
      await storeDestination(transaction, row)
      await forgetReason(transaction, row, before)
      await forgetOldSecret(transaction, row, before)
      if (mustConfirm && isElsewhere(row, before)) await demandConfirmation(transaction, call, row, known)
    },
    warnings: async (transaction, { language }, id) =>
      addressWarnings((await warningsOfAddresses(transaction, [id])).get(id) ?? [], language),
  }
}
