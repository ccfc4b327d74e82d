import { forgetContactGroup, namingContactGroup, ownIds } from '../../database/accounts/on-call.ts'
import type { Executor } from '../../database/connect.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { oneOf } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier } from '../../rest/fields.ts'
import {
  foreignIds,
  ids,
  nameField,
  type OwnerFacts,
  ownerFacts,
  ownerField,
  ownerProblem,
  refuseWhileNamed,
} from './references.ts'

interface ContactGroup extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly contact_ids: readonly number[]
}

interface Facts extends OwnerFacts {
  readonly contacts: ReadonlySet<number>
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<ContactGroup>,
  before: ContactGroup | null,
): Promise<Facts> {
  const owner = ownerFacts(call, given, before)
  return { ...owner, contacts: await ownIds(transaction, 'contacts', given.contact_ids ?? [], owner.ownerId) }
}

const write: Writing<ContactGroup, Facts> = {
  countLimit: { count: countLimits.contactGroups, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId }) => ({
    row: before === null ? { contact_ids: [], ...given, owner_id: ownerId } : given,
    problems: [],
  }),
  rules: (row, known, before) => [
    ...ownerProblem(known),
    ...(row.contact_ids === before?.contact_ids
      ? []
      : foreignIds(row.contact_ids ?? [], known.contacts, 'data.contact_ids')),
  ],
  async removing(transaction, call, row) {
    const problems = await refuseWhileNamed(namingContactGroup)(transaction, call, row)
    if (problems.length === 0) await forgetContactGroup(transaction, row.id, row.owner_id)
    return problems
  },
}

export const contactGroups = resource('contact_groups', {
  about: 'Contacts that are told together: services, groups and steps of escalations name them by one number.',
  singular: 'contact group',
  source: table('contact_groups'),
  fields: {
    id: identifier(),
    owner_id: ownerField,
    name: { ...nameField, example: 'Operations' },
    contact_ids: ids("The owner's contacts; the whole list replaces the old one.", 500),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'name'],
  scope: 'notifications',
  visible: ownOrParents,
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: { references: { contact_ids: { to: 'contacts' } } },
  children: {
    contacts: {
      list: 'contacts',
      summary: 'Contacts in a contact group',
      where: (group) => oneOf('id', (group as ContactGroup).contact_ids),
    },
  },
  write,
})
