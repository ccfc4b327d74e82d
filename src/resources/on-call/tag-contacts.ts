import { ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { always } from '../../domain/queries/condition.ts'
import { resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, text } from '../../rest/fields.ts'
import { taggedContacts } from '../services/tags.ts'
import { type NotifiedPeople, peopleProblems } from './references.ts'

interface TagContacts extends Readonly<Record<string, unknown>>, Omit<NotifiedPeople, 'escalation_id'> {
  readonly id: number
  readonly owner_id: number
}

interface Facts {
  readonly problems: readonly Problem[]
}

const write: Writing<TagContacts, Facts> = {
  async facts(transaction, call, given, before) {
    if (before === null) return { problems: [] }
    const told = { given, before: { ...before, escalation_id: null } }
    return { problems: await peopleProblems(transaction, call, before.owner_id, told) }
  },
  rules: (_row, { problems }) => problems,
}

/** Each tag by the people who are told of its services. */
export const tagContacts = resource('tag_contacts', {
  about:
    'The contacts that are told of every service with a tag, beside those that the service and its group name. There is one of each tag, with its number.',
  singular: 'list of the contacts of a tag',
  source: table('tags'),
  fields: {
    id: identifier(),
    owner_id: integer({ about: 'The owner of the tag.', readOnly: true, computed: true, filter: true, example: 1 }),
    name: text({
      about: 'The name of the tag.',
      readOnly: true,
      computed: true,
      filter: true,
      sort: true,
      example: 'web',
    }),
    ...taggedContacts,
  },
  embed: ['permissions'],
  search: ['id', 'name'],
  visible: (caller) => ownOrParents(caller),
  // They go with their tag.
  permissions: (caller) => ({ ...tagPermissions(caller), delete: always(false) }),
  operations: ['list', 'search', 'read', 'update', 'permissions'],
  write,
})
