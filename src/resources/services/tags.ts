import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { addressWithTag, isTagNameTaken, lockTagsOf } from '../../database/services/tags.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import { resource, table, type Writing } from '../../rest/declare.ts'
import { type ColumnContext, identifier, integer, list, text } from '../../rest/fields.ts'
import { coverageChanged, hearCovered, lockCoverage } from '../../service-state/coverage.ts'
import { contactFields, inUse, type NotifiedPeople, peopleProblems } from '../on-call/references.ts'

interface Tag extends Readonly<Record<string, unknown>>, Omit<NotifiedPeople, 'escalation_id'> {
  readonly id: number
  readonly owner_id: number
  readonly name: string
}

interface Facts {
  readonly ownerId: number
  /** False: the caller cannot make anything for that account. */
  readonly isOwnerAllowed: boolean
  readonly isNameTaken: boolean
  /** Problems of the people who are told of its services. */
  readonly peopleProblems: readonly Problem[]
}

async function facts(transaction: Executor, call: Call, given: Partial<Tag>, before: Tag | null): Promise<Facts> {
  const { caller } = call
  const possible = [caller.primary_account_id, ...caller.account_ids]
  const wanted = before?.owner_id ?? given.owner_id ?? caller.primary_account_id
  const isOwnerAllowed = before !== null || possible.includes(wanted)
  const ownerId = isOwnerAllowed ? wanted : caller.primary_account_id
  await lockTagsOf(transaction, ownerId)
  const isNameTaken =
    given.name !== undefined && (await isTagNameTaken(transaction, ownerId, given.name, before?.id ?? null))
  const told = { given, before: before === null ? null : { ...before, escalation_id: null } }
  return {
    ownerId,
    isOwnerAllowed,
    isNameTaken,
    peopleProblems: await peopleProblems(transaction, call, ownerId, told),
  }
}

const write: Writing<Tag, Facts> = {
  countLimit: { count: countLimits.tags, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId }) => ({
    row: before === null ? { ...given, owner_id: ownerId } : given,
    problems: [],
  }),
  rules: (_row, { isOwnerAllowed, isNameTaken, peopleProblems: told }) => [
    ...(isOwnerAllowed
      ? []
      : [{ error: 'incorrect_value', field: 'data.owner_id', facts: { detail: 'owner' } } as const]),
    ...(isNameTaken ? [{ error: 'value_is_not_unique', field: 'data.name' }] : []),
    ...told,
  ],
  // The wide suspensions of the tag go with it.
  async removing(transaction, { nowAt }, { id, owner_id: ownerId }) {
    const naming = inUse(await addressWithTag(transaction, id))
    if (naming.length > 0) return naming
    await lockCoverage(transaction, ownerId)
    await hearCovered(transaction, { ownerId, groupId: null, tagId: id }, nowAt)
    return []
  },
  async removed(transaction, { nowAt }, { id, owner_id: ownerId }) {
    await coverageChanged(transaction, { ownerId, groupId: null, tagId: id }, nowAt)
  },
}

const nameLimits = { minimumLength: 1, maximumLength: 50 } as const

/** The people who are told of every service with the tag; also in `tag_contacts`. */
export const taggedContacts = {
  contact_ids: {
    ...contactFields.contact_ids,
    about: "The owner's contacts that are told of the services with the tag.",
  },
  contact_group_ids: {
    ...contactFields.contact_group_ids,
    about: "The owner's groups of contacts that are told of the services with the tag.",
  },
} as const

export const tags = resource('tags', {
  about: 'Labels of services. Services name them; a name that the account does not have yet is made.',
  singular: 'tag',
  source: table('tags'),
  fields: {
    id: identifier(),
    owner_id: integer({ about: 'Whose services have it. Default: the main account.', immutable: true, filter: true }),
    name: text({
      about: 'Unique in the account, without regard to case. Services follow a new name.',
      ...nameLimits,
      required: true,
      unique: true,
      filter: true,
      contains: true,
      example: 'backend',
    }),
    color: text({
      about: 'Red, green and blue, two hexadecimal digits each.',
      nullable: true,
      pattern: /^#[0-9a-f]{6}$/i,
      detail: 'color',
      example: '#1f6feb',
    }),
    ...taggedContacts,
  },
  embed: ['permissions'],
  search: ['id', 'name'],
  visible: (caller) => ownOrParents(caller),
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: { references: { contact_ids: { to: 'contacts' }, contact_group_ids: { to: 'contact_groups' } } },
  write,
})

/** The names in the order in which they were set. Most services have none. */
function namesOf({ alias }: ColumnContext): Sql {
  return sql`case when ${alias}.tag_ids = '{}' then '{}'::text[] else array(
    select named.name from unnest(${alias}.tag_ids) with ordinality chosen (id, place) join tags named on named.id = chosen.id
    order by chosen.place) end`
}

/** The field of a service. */
export const serviceTags = list(text(nameLimits), {
  about:
    "Names of tags of the service's owner, set as a whole. A name that the owner does not have yet becomes a tag. Names differ by more than case.",
  filter: true,
  maximumLength: 50,
  example: ['web'],
  elsewhere: true,
  column: namesOf,
})
