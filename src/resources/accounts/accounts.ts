import sql from 'sql-template-tag'
import { usernamePattern } from '../../domain/access/credentials.ts'
import { accountPermissions, accountVisible } from '../../domain/access/permissions.ts'
import { timeZoneIds } from '../../domain/calendars/time-zones.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import type { Operation } from '../../rest/call.ts'
import { by, one, resource, table } from '../../rest/declare.ts'
import { boolean, identifier, integer, moment, text } from '../../rest/fields.ts'
import { availableSensors } from '../dictionaries/sensors.ts'
import { availableServiceTypesOf } from '../services/available-service-types.ts'
import { accountStats, categoryStats } from './account-stats.ts'
import { accountWrite } from './account-write.ts'
import { newPassword } from './credential-fields.ts'
import { newUserData } from './user-data.ts'

const accountRows = table(
  'accounts',
  () =>
    sql`select a.*, (select g.id from groups g where g.is_default and g.owner_id = a.id) as default_group_id from accounts a`,
)

/** The fields of an account for every reader. */
export const accountFields = {
  username: text({
    about: 'Login: 3 to 64 of `a-z A-Z 0-9 . _ @ -`, unique without regard to case.',
    required: true,
    immutable: true,
    unique: true,
    pattern: usernamePattern,
    detail: 'username',
    maximumLength: 64,
    filter: true,
    contains: true,
    sort: true,
    example: 'eva',
  }),
  name: text({
    about: 'Name shown to people; default: the username.',
    minimumLength: 1,
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'Alice',
  }),
  language_id: text({
    about:
      'Language of notifications and reports. Default: the language that `Accept-Language` prefers, else that of the parent account or of the installation.',
    oneOf: languageIds,
    filter: true,
    sort: true,
    example: 'pl',
  }),
  time_zone_id: text({
    about:
      'Element of the dictionary time_zones: weekly schedules, quiet hours, reporting plans. Default: that of the parent account or of the installation.',
    oneOf: timeZoneIds,
    filter: true,
    sort: true,
    example: 'europe_warsaw',
  }),
}

/** The account's own objects. */
const owned = {
  groups: by('groups', 'owner_id', 'Groups owned by an account'),
  services: by('services', 'owner_id', 'Services owned by an account'),
  notification_addresses: by('notification_addresses', 'owner_id', 'Notification addresses of an account'),
  templates: by('templates', 'owner_id', 'Notification templates of an account'),
  contacts: by('contacts', 'owner_id', 'Contacts of an account'),
  contact_groups: by('contact_groups', 'owner_id', 'Contact groups of an account'),
  periodic_report_addresses: by('periodic_report_addresses', 'owner_id', 'Report addresses of an account'),
  report_templates: by('report_templates', 'owner_id', 'Report templates of an account'),
  reports: by('reports', 'owner_id', 'Reports of an account'),
  group_shares: by('shares', 'account_id', 'Shares of groups that others gave to an account'),
  available_sensors: availableSensors('Sensors that an account can use'),
}

const contactsAlone = boolean({
  about:
    'True: failures of its services are told to contacts and by escalations alone, not to the notification addresses of groups.',
  filter: true,
  example: false,
})

const stormThreshold = integer({
  about:
    'When more services than this tell the same within a minute, their messages to people go as one digest for each address. Null: every message goes by itself. Default: 100.',
  minimum: 1,
  maximum: 10_000,
  nullable: true,
  example: 100,
})

const parentAccountId = integer({
  about: 'The account of which this is a sub-account, or which made it for a customer; null for any other.',
  nullable: true,
  readOnly: true,
  filter: true,
  sort: true,
  column: ({ alias }) => sql`coalesce(${alias}.parent_account_id, ${alias}.maker_account_id)`,
})

/** The columns on which the permissions depend. */
const reach = {
  family_parent_id: integer({ internal: true, nullable: true, column: ({ alias }) => sql`${alias}.parent_account_id` }),
  maker_account_id: integer({ internal: true, nullable: true }),
  maker_may_edit: boolean({ internal: true }),
  maker_may_block: boolean({ internal: true }),
  blocked_by_operator: boolean({ internal: true }),
}

/** How the account hears of its services. */
const notificationFields = { disable_legacy_notifications: contactsAlone, storm_threshold: stormThreshold }

const relations = {
  package: one('packages', 'package_id'),
  default_group: one('groups', 'default_group_id'),
  user_data: one('user_data', 'id'),
  language: one('dictionaries/languages', 'language_id'),
  time_zone: one('dictionaries/time_zones', 'time_zone_id'),
}

/** `actions` need what is outside the database. */
export const accounts = (actions: readonly Operation[]) =>
  resource('accounts', {
    about: 'Logins: the account itself, its parent and the sub-accounts of either.',
    singular: 'account',
    source: accountRows,
    alias: { my_account: ({ caller }) => caller.account_id },
    fields: {
      id: identifier(),
      ...accountFields,
      package_id: integer({ about: 'The set of limits of this account.', readOnly: true, filter: true, sort: true }),
      parent_account_id: parentAccountId,
      is_activated: boolean({ readOnly: true, filter: true, sort: true }),
      is_blocked: boolean({ readOnly: true, filter: true, sort: true, example: false }),
      is_read_only: boolean({
        about: 'A read-only user modifies nothing. Set by the parent account for its sub-accounts.',
        filter: true,
        sort: true,
        example: false,
      }),
      ...notificationFields,
      created_at: moment({ readOnly: true, filter: true, sort: true }),
      password: text({ ...newPassword, writeOnly: true, immutable: true }),
      user_data: newUserData,
      default_group_id: integer({ internal: true, nullable: true }),
      ...reach,
    },
    relations,
    embed: ['package', 'user_data', 'permissions'],
    subresources: ['package', 'default_group', 'language', 'time_zone'],
    search: ['id', 'username', 'name'],
    scope: 'account',
    visible: accountVisible,
    permissions: accountPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    beforeSecondFactor: ['read'],
    children: owned,
    write: accountWrite,
    actions: [availableServiceTypesOf('accounts', 'id'), accountStats, categoryStats, ...actions],
  })
