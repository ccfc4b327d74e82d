import sql from 'sql-template-tag'
import { forgetContact, namingContact } from '../../database/accounts/on-call.ts'
import type { Executor } from '../../database/connect.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { timeZoneIds } from '../../domain/calendars/time-zones.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, text } from '../../rest/fields.ts'
import { nameField, type OwnerFacts, ownerFacts, ownerField, ownerProblem, refuseWhileNamed } from './references.ts'

interface Contact extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly account_id: number | null
}

interface Facts extends OwnerFacts {
  /** The defaults of the owner's account. */
  readonly defaults: { readonly language_id?: string; readonly time_zone_id?: string }
  /** The login is the owner's, or of one of its sub-accounts. */
  readonly isAccountAllowed: boolean
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Contact>,
  before: Contact | null,
): Promise<Facts> {
  const owner = ownerFacts(call, given, before)
  const [defaults = {}] = await transaction.query<Facts['defaults']>(sql`
    select language_id, time_zone_id from accounts where id = ${owner.ownerId}`)
  const { account_id: accountId } = given
  if (accountId == null || accountId === before?.account_id) return { ...owner, defaults, isAccountAllowed: true }
  const found = await transaction.query(sql`
    select from accounts where id = ${accountId} and ${owner.ownerId} in (id, parent_account_id) for key share`)
  return { ...owner, defaults, isAccountAllowed: found.length > 0 }
}

const write: Writing<Contact, Facts> = {
  countLimit: { count: countLimits.contacts, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId, defaults }) => ({
    row: before === null ? { ...defaults, ...given, owner_id: ownerId } : given,
    problems: [],
  }),
  rules: (_row, known) => [
    ...ownerProblem(known),
    ...(known.isAccountAllowed
      ? []
      : [{ error: 'incorrect_value', field: 'data.account_id', facts: { detail: 'account_of_owner' } } as const]),
  ],
  async removing(transaction, call, row) {
    const problems = await refuseWhileNamed(namingContact)(transaction, call, row)
    if (problems.length === 0) await forgetContact(transaction, row.id, row.owner_id)
    return problems
  },
}

export const contacts = resource('contacts', {
  about:
    'People who are told: each with addresses, a language, a time zone and times of being off duty. Services, groups, contact groups, rotations and escalations name them.',
  singular: 'contact',
  making:
    'Then it gets addresses (`POST /contact_addresses`), and services or groups name it in `contact_ids`, or steps of an escalation do.',
  source: table('contacts'),
  fields: {
    id: identifier(),
    owner_id: ownerField,
    name: { ...nameField, example: 'Anna' },
    language_id: text({
      about: "The language of its messages. Default: the owner's.",
      oneOf: languageIds,
      filter: true,
      sort: true,
      example: 'pl',
    }),
    time_zone_id: text({
      about: "The time zone of the times in its messages and of its weekly suspensions. Default: the owner's.",
      oneOf: timeZoneIds,
      filter: true,
      example: 'europe_warsaw',
    }),
    account_id: integer({
      about: "The login of the person: the owner's, or of one of its sub-accounts. Null: the person has none.",
      nullable: true,
      filter: true,
      example: null,
    }),
  },
  relations: { owner: one('accounts', 'owner_id'), account: one('accounts', 'account_id') },
  embed: ['owner', 'account', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'name'],
  scope: 'notifications',
  visible: ownOrParents,
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: {},
  children: {
    addresses: by('contact_addresses', 'contact_id', 'Addresses of a contact'),
    suspensions: by('contact_suspensions', 'contact_id', 'One-off suspensions of a contact'),
    weekly_suspensions: by('contact_weekly_suspensions', 'contact_id', 'Weekly suspensions of a contact'),
  },
  write,
})
