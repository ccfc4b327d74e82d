import sql from 'sql-template-tag'
import { plannedServices } from '../database/calendars.ts'
import { calendarsChanged } from '../database/pauses.ts'
import { languageIds } from '../domain/dictionaries.ts'
import { accountPermissions, accountVisible } from '../domain/permissions.ts'
import { timeZoneIds } from '../domain/time-zones.ts'
import { by, one, resource, table } from '../rest/declare.ts'
import { boolean, identifier, integer, moment, text } from '../rest/fields.ts'
import { availableServiceTypesOf } from './available-service-types.ts'

const accountRows = table(
  'accounts',
  () =>
    sql`select a.*, (select g.id from groups g where g.is_default and g.owner_id = a.id) as default_group_id from accounts a`,
)

export const accounts = resource('accounts', {
  about: 'Logins: the account itself, its parent and the sub-accounts of either.',
  singular: 'account',
  source: accountRows,
  alias: { my_account: ({ caller }) => caller.account_id },
  fields: {
    id: identifier(),
    username: text({
      about: 'Login, unique without regard to case.',
      readOnly: true,
      filter: true,
      contains: true,
      sort: true,
      example: 'alice',
    }),
    name: text({
      about: 'Name shown to people.',
      minimumLength: 1,
      maximumLength: 200,
      filter: true,
      contains: true,
      sort: true,
      example: 'Alice',
    }),
    language_id: text({
      about: 'Language of notifications and reports.',
      oneOf: languageIds,
      filter: true,
      sort: true,
      example: 'pl',
    }),
    time_zone_id: text({
      about: 'Element of the dictionary time_zones: weekly schedules, quiet hours, reporting plans.',
      oneOf: timeZoneIds,
      filter: true,
      sort: true,
      example: 'europe_warsaw',
    }),
    package_id: integer({ about: 'The set of limits of this account.', readOnly: true, filter: true, sort: true }),
    parent_account_id: integer({
      about: 'Null for a primary account.',
      nullable: true,
      readOnly: true,
      filter: true,
      sort: true,
    }),
    is_activated: boolean({ readOnly: true, filter: true, sort: true }),
    is_blocked: boolean({ readOnly: true, filter: true, sort: true, example: false }),
    is_read_only: boolean({
      about: 'A read-only user modifies nothing.',
      readOnly: true,
      filter: true,
      sort: true,
      example: false,
    }),
    created_at: moment({ readOnly: true, filter: true, sort: true }),
    default_group_id: integer({ internal: true, nullable: true }),
  },
  relations: {
    package: one('packages', 'package_id'),
    default_group: one('groups', 'default_group_id'),
    user_data: one('user_data', 'id'),
  },
  embed: ['package', 'user_data', 'permissions'],
  subresources: ['package', 'default_group'],
  search: ['id', 'username', 'name'],
  visible: accountVisible,
  permissions: accountPermissions,
  operations: ['list', 'search', 'read', 'update', 'permissions'],
  write: {
    async changed(transaction, { nowAt }, row, before) {
      if (row['time_zone_id'] === before['time_zone_id']) return
      await calendarsChanged(transaction, await plannedServices(transaction, Number(row['id'])), nowAt)
    },
  },
  children: {
    groups: by('groups', 'owner_id', 'Groups owned by an account'),
    services: by('services', 'owner_id', 'Services owned by an account'),
    notification_addresses: by('notification_addresses', 'owner_id', 'Notification addresses of an account'),
    periodic_report_addresses: by('periodic_report_addresses', 'owner_id', 'Report addresses of an account'),
  },
  actions: [availableServiceTypesOf('accounts', 'id')],
})
