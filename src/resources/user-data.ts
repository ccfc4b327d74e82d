import sql from 'sql-template-tag'
import { parseAddressRange } from '../auth/address-filter.ts'
import { userDataPermissions, userDataVisible } from '../domain/permissions.ts'
import type { Problem } from '../domain/problem.ts'
import { resource, table } from '../rest/declare.ts'
import { boolean, identifier, integer, json, list, moment, object, text } from '../rest/fields.ts'

interface UserData extends Readonly<Record<string, unknown>> {
  readonly ip_whitelist: readonly string[]
}

function whitelistProblems({ ip_whitelist: entries = [] }: Partial<UserData>): readonly Problem[] {
  return entries.flatMap((entry, index) =>
    parseAddressRange(entry) === undefined ? [{ error: 'incorrect_value', field: `data.ip_whitelist[${index}]` }] : [],
  )
}

const userDataRows = table(
  'user_data',
  () => sql`select u.*, a.parent_account_id from user_data u join accounts a on a.id = u.id`,
)

/** Empty while none is known, as for the first account. */
const emailAddress = /^([^\s@<>"]+@[^\s@<>"]+)?$/

const postalAddress = {
  street: text({ nullable: true, maximumLength: 200 }),
  postal_code: text({ nullable: true, maximumLength: 20 }),
  city: text({ nullable: true, maximumLength: 100 }),
  country: text({ nullable: true, maximumLength: 100 }),
}

export const userData = resource('user_data', {
  about: 'Private data of an account, readable by its owner and by the primary account.',
  singular: 'user_data',
  source: userDataRows,
  alias: { my_user_data: ({ caller }) => caller.account_id },
  fields: {
    id: identifier(),
    contact_person: text({ maximumLength: 200, example: 'Alicja Nowak' }),
    email_address: text({ maximumLength: 254, pattern: emailAddress, example: 'alice@example.com' }),
    phone_number: text({ maximumLength: 50, example: '+48 600 000 000' }),
    address: object(postalAddress, { nullable: true, example: null }),
    tax_identification_number: text({ nullable: true, maximumLength: 50, example: null }),
    settings: json({
      about: 'Key-value pairs of the user, each `{key, value}`.',
      readOnly: true,
      example: [{ key: 'console.theme', value: 'dark' }],
      column: ({ alias }) => sql`(
        select coalesce(jsonb_agg(jsonb_build_object('key', s.key, 'value', s.value) order by s.key), '[]')
        from user_settings s where s.account_id = ${alias}.id)`,
    }),
    ip_whitelist: list(text({ maximumLength: 50 }), {
      about: 'Addresses or CIDR ranges from which the API may be used.',
      maximumLength: 200,
      example: ['192.0.2.0/24'],
    }),
    ip_whitelist_enabled: boolean({ example: false }),
    has_2fa_enabled: boolean({ readOnly: true, example: false }),
    created_at: moment({ readOnly: true }),
    parent_account_id: integer({ internal: true, nullable: true }),
  },
  visible: userDataVisible,
  permissions: userDataPermissions,
  operations: ['read', 'update', 'permissions'],
  write: { rules: whitelistProblems },
})
