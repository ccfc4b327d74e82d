import sql from 'sql-template-tag'
import { readOnlyPermissions } from '../../domain/access/permissions.ts'
import { always, any, is, oneOf } from '../../domain/queries/condition.ts'
import { type Resource, resource, table, view } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, object, text } from '../../rest/fields.ts'

const availableServiceType = {
  service_type_id: text({}),
  maximum_services: integer({ nullable: true }),
  minimum_interval: integer({ nullable: true, about: 'Seconds.' }),
}

const limit = { nullable: true, readOnly: true, filter: true, sort: true, example: null } as const

export const packageFields = {
  id: identifier(),
  name: text({ readOnly: true, filter: true, contains: true, sort: true, example: 'free' }),
  is_available_for_new_accounts: boolean({
    about: 'Can be chosen at registration.',
    readOnly: true,
    filter: true,
    sort: true,
  }),
  maximum_services: integer({ ...limit, about: 'Services of the account; archived ones do not count.' }),
  maximum_sensors: integer({ ...limit, about: 'Sensors of a group in each category, and of a service.' }),
  maximum_sms_numbers: integer(limit),
  minimum_interval: integer({ about: 'Seconds.', readOnly: true, filter: true, sort: true, example: 60 }),
  monthly_reports_limit: integer(limit),
  available_notification_channel_ids: list(text({}), { readOnly: true, filter: true, example: ['email', 'sms'] }),
  available_service_types: list(object(availableServiceType, {}), { readOnly: true, stored: 'json' }),
}

export const packages = resource('packages', {
  about: 'Sets of limits; null means no limit.',
  singular: 'package',
  source: table('packages'),
  alias: { my_package: ({ caller }) => caller.package_id },
  fields: packageFields,
  embed: ['permissions'],
  search: ['id', 'name'],
  forNarrowedKeys: true,
  visible: ({ package_id }) =>
    any(is('is_available_for_new_accounts', true), oneOf('id', package_id === null ? [] : [package_id])),
  permissions: readOnlyPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
  children: {
    available_notification_channels: {
      list: 'dictionaries/notification_channels',
      summary: 'Channels that a package allows',
      where: (row) => oneOf('id', row['available_notification_channel_ids'] as readonly string[]),
    },
  },
})

/**
 * The packages that a stranger chooses from; none if registration is closed. The rows are those that registration
 * accepts.
 */
export function packagesForNewAccounts(isRegistrationOpen: boolean): Resource {
  return resource('packages/available_for_new_accounts', {
    about: 'Packages that can be chosen at registration; none where registration is not open.',
    singular: 'package for new accounts',
    tag: 'packages',
    access: 'public',
    source: view(() => sql`select * from packages where is_available_for_new_accounts and not is_for_sub_accounts`),
    fields: packageFields,
    search: ['id', 'name'],
    forNarrowedKeys: true,
    visible: () => always(isRegistrationOpen),
    operations: ['list'],
  })
}
