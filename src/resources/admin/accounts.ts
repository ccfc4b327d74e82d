import sql from 'sql-template-tag'
import { blockAccount, unblockAccount } from '../../auth/block-account.ts'
import type { Executor } from '../../database/connect.ts'
import type { AccountDefaults } from '../../domain/access/account-defaults.ts'
import { always } from '../../domain/queries/condition.ts'
import type { Operation } from '../../rest/call.ts'
import { one, resource, table } from '../../rest/declare.ts'
import { boolean, type Field, type Fields, identifier, integer, moment, object, text } from '../../rest/fields.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'
import { accountFields } from '../accounts/accounts.ts'
import { newPassword } from '../accounts/credential-fields.ts'
import { personalFields, userDataFields } from '../accounts/user-data.ts'
import { type AdminAccount, adminAccountWriteOf } from './account-write.ts'
import { ofDistribution } from './distribution.ts'

const rows = table(
  'accounts',
  () => sql`
    select a.*, u.contact_person, u.email_address, u.phone_number, u.address, u.tax_identification_number, u.ip_whitelist,
      u.ip_whitelist_enabled, u.has_2fa_enabled
    from accounts a join user_data u on u.id = a.id`,
)

/** Fields of user_data stand in the account itself. */
function flat(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]): [string, Field] => [name, { ...field, elsewhere: true }])
  return Object.fromEntries(entries)
}

const state = { filter: true, sort: true } as const
const path = '/admin/accounts/{_id}'

type Change = (transaction: Executor, accountId: number, now: number) => Promise<void>

function action(name: 'block' | 'unblock', summary: string, about: string, change: Change): Operation {
  return {
    id: `admin_accounts.${name}`,
    method: 'POST',
    path: `${path}/${name}`,
    tag: 'admin',
    summary,
    about,
    access: 'administrator',
    parameters: pathParameters(path),
    answers: noContent,
    async handle(call) {
      await call.database.transaction(async (transaction) => {
        const account = await lockForWrite(call.registry.get('admin/accounts'), transaction, call, 'update')
        const isBlocked = account['is_blocked'] === true
        // A block by a customer becomes the operator's.
        if (isBlocked || name === 'block') await change(transaction, Number(account['id']), call.nowAt)
      })
      return { status: 204 }
    },
  }
}

const fields: Fields = {
  id: identifier(),
  ...accountFields,
  package_id: integer({
    about: 'One with create_accounts. A new one holds for what is written from then on.',
    required: true,
    ...state,
    example: 1,
  }),
  parent_account_id: integer({ about: 'Null for a primary account.', nullable: true, readOnly: true, ...state }),
  is_activated: boolean({ about: 'Accounts made here are active.', readOnly: true, ...state }),
  is_blocked: boolean({ about: 'Set by block and unblock.', readOnly: true, ...state, example: false }),
  is_read_only: boolean({ about: 'A read-only user modifies nothing.', ...state, example: false }),
  can_share_groups: boolean({ about: 'May share its groups with other accounts.', ...state, example: true }),
  can_create_subaccounts: boolean({ about: 'May make sub-accounts.', ...state, example: true }),
  created_at: moment({ readOnly: true, ...state }),
  ...flat(userDataFields),
  // Required here or in user_data.
  email_address: {
    ...userDataFields.email_address,
    elsewhere: true,
    typical: true,
    filter: true,
    contains: true,
    sort: true,
  },
  password: text({
    ...newPassword,
    about: `${newPassword.about} Without one the account is invited by e-mail to set it.`,
    writeOnly: true,
    immutable: true,
  }),
  user_data: object(
    { email_address: userDataFields.email_address, ...personalFields },
    {
      about: 'Another way to give the private data of a new account.',
      writeOnly: true,
      immutable: true,
      example: { email_address: 'eva@example.com' },
    },
  ),
  distribution_id: integer({ internal: true }),
}

const actions: readonly Operation[] = [
  action(
    'block',
    'Block an account',
    'It and its sub-accounts cannot log in, their sessions end, monitoring of their services stops. Its parent or maker cannot unblock it.',
    (transaction, accountId, now) => blockAccount(transaction, { accountId, by: 'operator', now }),
  ),
  action('unblock', 'Unblock an account', 'Services that were monitored before are monitored again.', unblockAccount),
]

export const adminAccounts = (defaults: AccountDefaults) =>
  resource<Fields, AdminAccount>('admin/accounts', {
    about: 'Every account of the distribution with its private data and what it is allowed.',
    tag: 'admin',
    singular: 'account',
    source: rows,
    access: 'administrator',
    fields,
    relations: { package: one('admin/packages', 'package_id'), parent: one('admin/accounts', 'parent_account_id') },
    embed: ['package', 'permissions'],
    search: ['id', 'username', 'name', 'email_address', 'contact_person'],
    visible: ofDistribution,
    permissions: () => ({
      own: always(false),
      read: always(true),
      update: always(true),
      delete: always(true),
      block: always(true),
      unblock: always(true),
    }),
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    write: adminAccountWriteOf(defaults),
    actions,
  })
