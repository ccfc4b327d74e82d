import { readOnlyPermissions } from '../../domain/access/permissions.ts'
import { resource, table } from '../../rest/declare.ts'
import { boolean, integer } from '../../rest/fields.ts'
import { packageFields } from '../accounts/packages.ts'
import { ofDistribution } from './distribution.ts'

const flag = { readOnly: true, filter: true, sort: true } as const

export const adminPackages = resource('admin/packages', {
  about: 'All packages of the distribution, also those that nobody chooses by themselves.',
  tag: 'admin',
  singular: 'package',
  source: table('packages'),
  access: 'administrator',
  fields: {
    ...packageFields,
    create_accounts: boolean({ ...flag, about: 'Accounts can be created with it by POST /admin/accounts.' }),
    distribution_id: integer({ internal: true }),
  },
  embed: ['permissions'],
  search: ['id', 'name'],
  visible: ofDistribution,
  permissions: readOnlyPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
})
