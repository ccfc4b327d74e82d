import sql from 'sql-template-tag'
import { groupVisible, notificationAddressPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { one, type Resource, resource, table } from '../../rest/declare.ts'
import { integer } from '../../rest/fields.ts'
import { ownerOfGroup, ownerProblems, targetGroup, targetGroupProblems } from '../groups/target-group.ts'
import { type AddressActionOptions, addressActions } from './address-actions.ts'
import { addressFields, configuredAddress } from './address-fields.ts'
import { addressTags, withTags } from './address-tags.ts'
import { addressWriting, type ParentOf } from './address-write.ts'
import { webPushKey } from './web-push-key.ts'

const parentOf: ParentOf = async (transaction, call, given, before) => {
  const group = await targetGroup(transaction, call, { given, before }, 'can_modify_group')
  return {
    ownerId: group?.owner_id ?? null,
    row: group === null ? {} : { group_id: group.id },
    problems: [...targetGroupProblems(group, before), ...ownerProblems(group, given, before)],
  }
}

const { id, address, description, ...others } = addressFields
const fields = {
  ...{ id, address, description },
  group_id: integer({ about: 'Default: the default group.', filter: true, sort: true }),
  tags: addressTags,
  ...others,
  owner_id: ownerOfGroup,
}

export function notificationAddresses(options: AddressActionOptions): Resource {
  return resource('notification_addresses', {
    about: 'Where the services of a group notify. Only a confirmed address is told anything.',
    making:
      'Where customers register themselves (`REGISTRATION=on`), a code goes to the new address at once (with the warning `no_confirmation_code` it does not, as too many were sent); bring it to `POST /notification_addresses/{_id}/confirm`. Elsewhere the address is confirmed from the beginning.',
    singular: 'notification address',
    source: table(
      'notification_addresses',
      // Both sides of `visible` are columns of the group: only so can indexes find it.
      () => sql`
        select a.id, a.address, a.description, a.notification_channel_id, a.settings, a.is_enabled, a.tag_ids, a.disabled_reason,
          a.managed_key, a.managed_by, a.managed_state,
          a.confirmed_at is not null as is_confirmed,
          g.id as group_id, g.owner_id
        from notification_addresses a join groups g on g.id = a.group_id`,
    ),
    fields,
    relations: {
      group: one('groups', 'group_id'),
      owner: one('accounts', 'owner_id'),
      notification_channel: one('dictionaries/notification_channels', 'notification_channel_id'),
    },
    embed: ['group', 'owner', 'permissions'],
    subresources: ['group', 'owner', 'notification_channel'],
    search: ['id', 'address', 'description'],
    scope: 'notifications',
    forNarrowedKeys: true,
    visible: (caller) => groupVisible(caller, 'group_id'),
    permissions: notificationAddressPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: {
      ...configuredAddress,
      references: { group_id: { to: 'groups' }, tags: { to: 'tags', by: 'name', isOpen: true } },
      ownerOf: { table: 'groups', field: 'group_id' },
    },
    write: {
      ...withTags(addressWriting(parentOf, options)),
      countLimit: { count: countLimits.notificationAddresses, per: 'group_id' },
    },
    actions: [...addressActions('notification_addresses', fields, options), webPushKey],
  })
}
