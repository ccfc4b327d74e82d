import sql from 'sql-template-tag'
import {
  type Addressed,
  completeAddress,
  destinationHost,
  keptSecretProblems,
  shownSettings,
} from '../channels/addressing.ts'
import { orderCode, unconfirm, withoutCodes } from '../channels/confirmation-codes.ts'
import { channelIds, destinationProblems, integrationOf, meteredChannelIds } from '../channels/index.ts'
import type { VendorPlaces } from '../channels/vendors.ts'
import type { Executor } from '../database/connect.ts'
import { loadPackage } from '../database/packages.ts'
import { bounds } from '../domain/bounds.ts'
import { holds } from '../domain/condition.ts'
import type { StoredSettings } from '../domain/extended-settings.ts'
import { isObject } from '../domain/json-shape.ts'
import { channelProblems, type PackageLimits } from '../domain/limits.ts'
import { smsProblems } from '../domain/notification-address.ts'
import { groupVisible, notificationAddressPermissions, ownOrParents } from '../domain/permissions.ts'
import type { Problem } from '../domain/problem.ts'
import type { Call } from '../rest/call.ts'
import { one, type Resource, resource, table, type Writing } from '../rest/declare.ts'
import { boolean, identifier, integer, json, list, text } from '../rest/fields.ts'
import { deliveryErrorText } from '../wording/delivery-errors.ts'
import { confirmationOperations } from './address-confirmation.ts'
import { addressTrial } from './address-trial.ts'
import { rotateSecretOf } from './secret-rotation.ts'
import { type GroupFacts, ownerOfGroup, ownerProblems, targetGroup, targetGroupProblems } from './target-group.ts'
import { sendTestNotification, sendTestSmsOf } from './test-messages.ts'
import { addressWarnings, warningOf } from './warnings.ts'
import { webPushKey } from './web-push-key.ts'

export interface Address extends Readonly<Record<string, unknown>>, Addressed {
  readonly id: number
  readonly group_id: number
  readonly owner_id: number
  readonly is_enabled: boolean
}

interface Facts {
  readonly group: GroupFacts | null
  readonly limits: PackageLimits | null
  /** Other SMS numbers of the account. */
  readonly smsNumbers: number
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Address>,
  before: Address | null,
): Promise<Facts> {
  const group = await targetGroup(transaction, call, { given, before }, 'can_modify_group')
  if (group === null) return { group, limits: null, smsNumbers: 0 }
  const limits = await loadPackage(transaction, group.owner_id, { lock: true })
  const [counted] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from notification_addresses a join groups g on g.id = a.group_id
    where g.owner_id = ${group.owner_id} and a.notification_channel_id = any(${[...meteredChannelIds]}::text[]) and a.id is distinct from ${before?.id ?? null}`)
  return { group, limits, smsNumbers: counted?.count ?? 0 }
}

function rules(
  row: Partial<Address>,
  { group, limits, smsNumbers }: Facts,
  before: Address | null,
): readonly Problem[] {
  const { notification_channel_id: channel, address } = row
  const refused = [...targetGroupProblems(group, before), ...ownerProblems(group, row, before)]
  if (group === null || limits === null || channel === undefined) return refused
  // A package that became stricter must not stop other changes.
  const isNewChannel = channel !== before?.notification_channel_id
  const allowed = isNewChannel ? channelProblems(limits, [channel], 'data.notification_channel_id') : []
  return [
    ...refused,
    ...allowed.map((problem) => ({ ...problem, field: 'data.notification_channel_id' })),
    ...(address === undefined ? [] : destinationProblems(channel, address)),
    ...(isNewChannel && meteredChannelIds.includes(channel) ? smsProblems(limits, smsNumbers) : []),
  ]
}

/** What follows from the fields of an address is kept beside them: each message asks for it. */
async function storeDestination(transaction: Executor, { id, notification_channel_id: channel, settings }: Address) {
  await transaction.execute(
    sql`update notification_addresses set destination = ${destinationHost(channel, settings)} where id = ${id}`,
  )
}

async function forgetReason(transaction: Executor, row: Address, before: Address): Promise<void> {
  if (!row.is_enabled || before.is_enabled) return
  await transaction.execute(sql`update notification_addresses set disabled_reason = null where id = ${row.id}`)
}

/** Nothing more is told to the address until its code was brought back. The code goes out at once; of one too many a warning tells. */
async function demandConfirmation(
  transaction: Executor,
  { nowAt }: Call,
  { id, address, notification_channel_id: channelId }: Address,
  { group, limits }: Facts,
): Promise<void> {
  // Whoever knows the address of an integration got it from its far end.
  if (integrationOf(channelId) !== undefined) return
  await unconfirm(transaction, id)
  // A package that became stricter has let the address stay on its channel, and sends nothing there.
  const isAvailable = limits?.available_notification_channel_ids.includes(channelId) === true
  if (group === null || !isAvailable) return
  await orderCode(transaction, { id, address, notification_channel_id: channelId, owner_id: group.owner_id }, nowAt)
}

/** Secrets that somebody has set stay until somebody removes them. */
async function keepSecrets(transaction: Executor, row: Address, before: Address): Promise<void> {
  if (row.settings['secret'] === before.settings['secret']) return
  await transaction.execute(sql`update notification_addresses set old_secret_until = null where id = ${row.id}`)
}

function isElsewhere(row: Address, before: Address): boolean {
  return row.address !== before.address || row.notification_channel_id !== before.notification_channel_id
}

/** @param mustConfirm whether a code has to come back from a new address before it is told anything */
function writing(mustConfirm: boolean, places: VendorPlaces): Writing<Address, Facts> {
  return {
    most: { count: bounds.notificationAddresses, per: 'group_id' },
    facts,
    complete(given, before, { group }, { caller, body }) {
      const isSent = (field: string) => isObject(body) && Object.hasOwn(body, field)
      const { row, problems } = completeAddress(given, before, { places, isSent })
      const isStranger = before !== null && !holds(ownOrParents(caller), before)
      return {
        row: { ...given, ...row, ...(before === null && group !== null ? { group_id: group.id } : {}) },
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
      await keepSecrets(transaction, row, before)
      if (mustConfirm && isElsewhere(row, before)) await demandConfirmation(transaction, call, row, known)
    },
    warnings: async (transaction, { language }, id) =>
      addressWarnings((await withoutCodes(transaction, [id])).has(id), language),
  }
}

const anyObject = { type: 'object', additionalProperties: true } as const
const anySettings = { written: anyObject, shown: anyObject } as const

const fields = {
  id: identifier(),
  address: text({
    about:
      'E-mail address, phone number or account, as the channel has it; needed by the channels that have no fields. The others make it from `settings`, or take a URL of theirs here, from which they read the settings (and, where `notification_channel_id` is left out, the channel).',
    typical: true,
    minimumLength: 1,
    maximumLength: 2048,
    filter: true,
    contains: true,
    sort: true,
    example: 'alice@example.com',
  }),
  description: text({
    about: 'For people.',
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'On call',
  }),
  group_id: integer({ about: 'Default: the default group.', filter: true, sort: true }),
  notification_channel_id: text({
    about: 'Element of the dictionary notification_channels; may be left out where `address` is a URL that tells it.',
    typical: true,
    oneOf: channelIds,
    filter: true,
    sort: true,
    example: 'email',
  }),
  settings: json({
    about:
      'By the `fields` of the channel in the dictionary notification_channels; empty for the channels that have none. A PUT merges; null resets to the default. Secrets are shown as null; null keeps a secret, an empty text removes it.',
    schema: anySettings,
    stored: 'json',
    example: {},
    needs: ['notification_channel_id'],
    shown: (value, row) => shownSettings(String(row['notification_channel_id']), value as StoredSettings),
  }),
  is_enabled: boolean({ about: 'False: nothing is sent there.', filter: true, sort: true, example: true }),
  disabled_reason: text({
    about: 'Why the program switched it off; null while it is on, or when a person did.',
    nullable: true,
    readOnly: true,
    computed: true,
    shown: (reason, _row, language) => (reason === null ? null : deliveryErrorText(String(reason), language)),
    example: null,
  }),
  owner_id: ownerOfGroup,
  is_confirmed: boolean({
    about:
      'False: the address is told nothing until its code comes back by `POST /notification_addresses/{_id}/confirm`. A change of `address` or `notification_channel_id` makes it false where addresses are confirmed.',
    readOnly: true,
    computed: true,
    filter: true,
    sort: true,
    example: true,
  }),
  warnings: list(warningOf(['no_confirmation_code']), {
    about: 'Why the address cannot be confirmed now; empty when nothing is in the way.',
    readOnly: true,
    computed: true,
    example: [],
    column: () => sql`null::jsonb`,
    attached: withoutCodes,
    shown: (isWithout, _row, language) => addressWarnings(isWithout === true, language),
  }),
}

export interface AddressOptions {
  /** Whether a code has to come back from a new address before it is told anything. */
  readonly mustConfirm: boolean
  readonly places: VendorPlaces
}

export function notificationAddresses({ mustConfirm, places }: AddressOptions): Resource {
  return resource('notification_addresses', {
    about: 'Where the services of a group notify. Only a confirmed address is told anything.',
    making:
      'Where customers register themselves (`REGISTRATION=on`), a code goes to the new address at once (with the warning `no_confirmation_code` it does not, as too many were sent); bring it to `POST /notification_addresses/{_id}/confirm`. Elsewhere the address is confirmed from the beginning.',
    singular: 'notification address',
    source: table(
      'notification_addresses',
      // Both sides of `visible` are columns of the group: only so can indexes find it.
      () => sql`
        select a.id, a.address, a.description, a.notification_channel_id, a.settings, a.is_enabled, a.disabled_reason,
          a.confirmed_at is not null as is_confirmed,
          g.id as group_id, g.owner_id
        from notification_addresses a join groups g on g.id = a.group_id`,
    ),
    fields,
    relations: { group: one('groups', 'group_id'), owner: one('accounts', 'owner_id') },
    embed: ['group', 'owner', 'permissions'],
    subresources: ['group', 'owner'],
    search: ['id', 'address', 'description'],
    visible: (caller) => groupVisible(caller, 'group_id'),
    permissions: notificationAddressPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    write: writing(mustConfirm, places),
    actions: [
      sendTestSmsOf('notification_addresses'),
      sendTestNotification,
      rotateSecretOf('notification_addresses'),
      addressTrial(fields, mustConfirm),
      ...confirmationOperations,
      webPushKey,
    ],
  })
}
