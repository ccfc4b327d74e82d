import { type Naming, ownIds } from '../../database/accounts/on-call.ts'
import type { Executor } from '../../database/connect.ts'
import { isNarrowed } from '../../domain/access/narrowing.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import { integer, list, text } from '../../rest/fields.ts'

/** The common facts of escalations and rotations: an owner, and the owner's objects to which they refer. */

export interface OwnerFacts {
  readonly ownerId: number
  /** False: the caller cannot make anything for that account. */
  readonly isOwnerAllowed: boolean
}

export function ownerFacts(
  { caller }: Call,
  given: { readonly owner_id?: number },
  before: { readonly owner_id: number } | null,
): OwnerFacts {
  const possible = [caller.primary_account_id, ...caller.account_ids]
  const wanted = before?.owner_id ?? given.owner_id ?? caller.primary_account_id
  const isOwnerAllowed = before !== null || possible.includes(wanted)
  return { ownerId: isOwnerAllowed ? wanted : caller.primary_account_id, isOwnerAllowed }
}

export function ownerProblem({ isOwnerAllowed }: OwnerFacts): readonly Problem[] {
  return isOwnerAllowed ? [] : [{ error: 'incorrect_value', field: 'data.owner_id', facts: { detail: 'owner' } }]
}

/** Ids that are none of the owner's: incorrect_value at each. */
export function foreignIds(ids: readonly number[], own: ReadonlySet<number>, pointer: string): readonly Problem[] {
  return ids.flatMap((id, index) =>
    own.has(id)
      ? []
      : [{ error: 'incorrect_value', field: `${pointer}[${index}]`, facts: { detail: 'object_of_owner' } }],
  )
}

/** An object that others refer to stays, so that nobody is left without somebody to wake. */
export function inUse(naming: Naming | undefined): readonly Problem[] {
  return naming === undefined ? [] : [{ error: 'object_is_in_use', facts: { ...naming } }]
}

export type FindNaming = (executor: Executor, id: number, ownerId: number) => Promise<Naming | undefined>

/** For `Writing.removing`. */
export function refuseWhileNamed(find: FindNaming) {
  return async (
    transaction: Executor,
    _call: Call,
    { id, owner_id }: { readonly id: number; readonly owner_id: number },
  ) => inUse(await find(transaction, id, owner_id))
}

/** The people whom a service or a group notifies beside the addresses of its group. */
export interface NotifiedPeople {
  readonly escalation_id: number | null
  readonly contact_ids: readonly number[]
  readonly contact_group_ids: readonly number[]
}

const lists = [
  ['contact_ids', 'contacts'],
  ['contact_group_ids', 'contact_groups'],
] as const

/**
 * Problems of the people whom a service or a group of that owner is to notify. Only the owner's side may choose them,
 * because a share or a narrowed key does not reveal the owner's people. Unchanged values are never wrong.
 */
export async function peopleProblems(
  transaction: Executor,
  { caller }: Call,
  ownerId: number,
  { given, before }: { readonly given: Partial<NotifiedPeople>; readonly before: NotifiedPeople | null },
): Promise<readonly Problem[]> {
  const isOwnersSide = caller.account_ids.includes(ownerId) && !isNarrowed(caller)
  const own = async (table: 'contacts' | 'contact_groups' | 'escalations', ids: readonly number[]) =>
    isOwnersSide ? ownIds(transaction, table, ids, ownerId) : new Set<number>()
  const problems: Problem[] = []
  const { escalation_id: escalationId } = given
  if (escalationId != null && escalationId !== before?.escalation_id) {
    if (!(await own('escalations', [escalationId])).has(escalationId)) problems.push(strangeEscalation)
  }
  for (const [field, table] of lists) {
    const ids = given[field] ?? []
    const added = ids.filter((id) => before?.[field].includes(id) !== true)
    const allowed = new Set([...(before?.[field] ?? []), ...(await own(table, added))])
    problems.push(...foreignIds(ids, allowed, `data.${field}`))
  }
  return problems
}

const strangeEscalation: Problem = {
  error: 'incorrect_value',
  field: 'data.escalation_id',
  facts: { detail: 'escalation_of_owner' },
}

/** Fields of services and groups. */
export const contactFields = {
  contact_ids: list(integer({ minimum: 1 }), {
    about: "The owner's contacts that are told, whatever channels are chosen for the addresses of the group.",
    maximumLength: 200,
    filter: true,
    example: [],
  }),
  contact_group_ids: list(integer({ minimum: 1 }), {
    about: "The owner's groups of contacts that are told.",
    maximumLength: 200,
    filter: true,
    example: [],
  }),
}

export const escalationField = integer({
  about: 'The escalation that tells further people while nobody acknowledges a failure.',
  nullable: true,
  minimum: 1,
  filter: true,
  example: null,
})

/** How files of configuration as code name the people to tell. */
export const peopleReferences = {
  contact_ids: { to: 'contacts' },
  contact_group_ids: { to: 'contact_groups' },
  escalation_id: { to: 'escalations' },
} as const

export const ownerField = integer({
  about: 'The account that owns it. Default: the main account.',
  immutable: true,
  filter: true,
  sort: true,
})

export const nameField = text({
  required: true,
  minimumLength: 1,
  maximumLength: 200,
  filter: true,
  contains: true,
  sort: true,
  example: 'Night duty',
})

export function ids(about: string, maximumLength: number) {
  return list(integer({ minimum: 1 }), { about, maximumLength, example: [] })
}
