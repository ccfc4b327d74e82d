import type { Executor } from '../../database/connect.ts'
import { type Naming, ownIds } from '../../database/on-call.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Call } from '../../rest/call.ts'
import { integer, list, text } from '../../rest/fields.ts'

/** What escalations and rotations have in common: an owner, and objects of that owner that they name. */

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

/** What others name stays: nobody is left without somebody to wake. */
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

/** Whether the owner of a service or of a group has the escalation that it is to get, and the caller is on the owner's side. */
export async function isEscalationAllowed(
  transaction: Executor,
  { caller }: Call,
  ownerId: number,
  change: { readonly given: number | null | undefined; readonly before: number | null | undefined },
): Promise<boolean> {
  const { given, before } = change
  if (given == null || given === before) return true
  if (!caller.account_ids.includes(ownerId)) return false
  return (await ownIds(transaction, 'escalations', [given], ownerId)).has(given)
}

/** Of a service or a group. */
export const strangeEscalation: Problem = {
  error: 'incorrect_value',
  field: 'data.escalation_id',
  facts: { detail: 'escalation_of_owner' },
}

export const escalationField = integer({
  about: 'Who is told next while nobody acknowledges a failure.',
  nullable: true,
  minimum: 1,
  filter: true,
  example: null,
})

export const ownerField = integer({
  about: 'Whose it is. Default: the main account.',
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

/** @param maximumLength of the list */
export function ids(about: string, maximumLength: number) {
  return list(integer({ minimum: 1 }), { about, maximumLength, example: [] })
}
