import sql from 'sql-template-tag'
import { orderCode, unconfirm } from '../database/address-codes.ts'
import type { Executor } from '../database/connect.ts'
import { loadPackage } from '../database/packages.ts'
import { bounds } from '../domain/bounds.ts'
import { notificationChannelIds } from '../domain/dictionaries.ts'
import { channelProblems, type PackageLimits } from '../domain/limits.ts'
import { destinationProblems, smsProblems } from '../domain/notification-address.ts'
import { groupVisible, notificationAddressPermissions } from '../domain/permissions.ts'
import type { Problem } from '../domain/problem.ts'
import type { Call } from '../rest/call.ts'
import { one, type Resource, resource, table, type Writing } from '../rest/declare.ts'
import { boolean, identifier, integer, text } from '../rest/fields.ts'
import { confirmationOperations } from './address-confirmation.ts'
import { type GroupFacts, ownerOfGroup, ownerProblems, targetGroup, targetGroupProblems } from './target-group.ts'
import { sendTestNotification, sendTestSmsOf } from './test-messages.ts'

interface Address extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly address: string
  readonly group_id: number
  readonly notification_channel_id: string
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
    where g.owner_id = ${group.owner_id} and a.notification_channel_id = 'sms' and a.id is distinct from ${before?.id ?? null}`)
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
    ...(isNewChannel && channel === 'sms' ? smsProblems(limits, smsNumbers) : []),
  ]
}

/** Nothing more is told to the address until its code was brought back. The code goes out at once, unless it is one too many. */
async function demandConfirmation(
  transaction: Executor,
  { nowAt }: Call,
  { id, address, notification_channel_id: channelId }: Address,
  { group, limits }: Facts,
): Promise<void> {
  await unconfirm(transaction, id)
  // A package that became stricter has let the address stay on its channel, and sends nothing there.
  const isAvailable = limits?.available_notification_channel_ids.includes(channelId) === true
  if (group === null || !isAvailable) return
  await orderCode(transaction, { id, address, notification_channel_id: channelId, owner_id: group.owner_id }, nowAt)
}

function isElsewhere(row: Address, before: Address): boolean {
  return row.address !== before.address || row.notification_channel_id !== before.notification_channel_id
}

const confirming: Pick<Writing<Address, Facts>, 'created' | 'changed'> = {
  created: demandConfirmation,
  async changed(transaction, call, row, before, facts) {
    if (isElsewhere(row, before)) await demandConfirmation(transaction, call, row, facts)
  },
}

const write: Writing<Address, Facts> = {
  most: { count: bounds.notificationAddresses, per: 'group_id' },
  facts,
  complete: (given, before, { group }) => ({
    row: before === null && group !== null ? { ...given, group_id: group.id } : given,
    problems: [],
  }),
  rules,
}

const fields = {
  id: identifier(),
  address: text({
    about: 'E-mail address, phone number or account, as the channel has it.',
    required: true,
    minimumLength: 1,
    maximumLength: 254,
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
    about: 'Element of the dictionary notification_channels.',
    required: true,
    oneOf: notificationChannelIds,
    filter: true,
    sort: true,
    example: 'email',
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
}

/** @param mustConfirm whether a code has to come back from a new address before it is told anything */
export function notificationAddresses(mustConfirm: boolean): Resource {
  return resource('notification_addresses', {
    about: 'Where the services of a group notify. Only a confirmed address is told anything.',
    making:
      'Where customers register themselves (`REGISTRATION=on`), a code goes to the new address at once; bring it to `POST /notification_addresses/{_id}/confirm`. Elsewhere the address is confirmed from the beginning.',
    singular: 'notification address',
    source: table(
      'notification_addresses',
      // Both sides of `visible` are columns of the group: only so can indexes find it.
      () => sql`
        select a.id, a.address, a.description, a.notification_channel_id, a.confirmed_at is not null as is_confirmed,
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
    write: mustConfirm ? { ...write, ...confirming } : write,
    actions: [sendTestSmsOf('notification_addresses'), sendTestNotification, ...confirmationOperations],
  })
}
