import sql from 'sql-template-tag'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { contactAddressPermissions, mayWrite, ownOrParents } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { holds } from '../../domain/queries/condition.ts'
import { one, type Resource, resource, table } from '../../rest/declare.ts'
import { integer } from '../../rest/fields.ts'
import { type AddressActionOptions, addressActions } from '../notifications/address-actions.ts'
import { addressFields, configuredAddress } from '../notifications/address-fields.ts'
import { addressWriting, type ParentOf } from '../notifications/address-write.ts'

const noContact = { error: 'incorrect_value', field: 'data.contact_id', facts: { detail: 'object_of_owner' } } as const

/** A new address is of a contact of the caller's side; an old one stays where it is. */
const parentOf: ParentOf = async (transaction, { caller }, given, before) => {
  const contactId = before?.['contact_id'] ?? given['contact_id']
  // A missing contact_id was told before.
  if (typeof contactId !== 'number') return { ownerId: null, row: {}, problems: [] }
  const [contact] = await transaction.query<{ owner_id: number }>(sql`
    select owner_id from contacts where id = ${contactId} for key share`)
  if (contact === undefined || !holds(ownOrParents(caller), { ...contact })) {
    return { ownerId: null, row: {}, problems: [noContact] }
  }
  return { ownerId: contact.owner_id, row: { contact_id: contactId }, problems: [] }
}

const { id, address, description, ...others } = addressFields
const fields = {
  id,
  contact_id: integer({ required: true, immutable: true, filter: true, sort: true, example: 1 }),
  ...{ address, description },
  ...others,
  owner_id: integer({ internal: true }),
}

export function contactAddresses(options: AddressActionOptions): Resource {
  return resource('contact_addresses', {
    about:
      'Where a contact is told, by whichever channel: all that are switched on and confirmed, whatever channels a service has chosen for the addresses of its group.',
    making:
      'Where customers register themselves (`REGISTRATION=on`), a code goes to the new address at once; bring it to `POST /contact_addresses/{_id}/confirm`. Elsewhere the address is confirmed from the beginning.',
    singular: 'contact address',
    source: table(
      'notification_addresses',
      () => sql`
        select a.id, a.address, a.description, a.notification_channel_id, a.settings, a.is_enabled, a.disabled_reason,
          a.managed_key, a.managed_by, a.managed_state,
          a.confirmed_at is not null as is_confirmed, c.id as contact_id, c.owner_id
        from notification_addresses a join contacts c on c.id = a.contact_id`,
    ),
    fields,
    relations: {
      contact: one('contacts', 'contact_id'),
      channel: one('dictionaries/notification_channels', 'notification_channel_id'),
    },
    embed: ['contact', 'permissions'],
    subresources: ['contact', 'channel'],
    search: ['id', 'address', 'description'],
    scope: 'notifications',
    visible: ownOrParents,
    permissions: contactAddressPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: {
      ...configuredAddress,
      within: { resource: 'contacts', member: 'addresses', field: 'contact_id' },
      ownerOf: { table: 'contacts', field: 'contact_id' },
    },
    write: {
      ...addressWriting(parentOf, options),
      allowed: ({ caller }) => mayWrite(caller),
      explain: (_row, flag, { caller }) => (flag === 'create' ? [lacksPermission(caller, 'update')] : []),
      countLimit: { count: countLimits.contactAddresses, per: 'contact_id' },
    },
    actions: addressActions('contact_addresses', fields, options),
  })
}
