import type { Executor } from '../../database/connect.ts'
import { dependingOn, lockDependenciesOf, readParents } from '../../database/services/dependencies.ts'
import { serviceVisible } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { integer, list } from '../../rest/fields.ts'

interface WithParents {
  readonly id?: number
  readonly parent_ids?: readonly number[]
}

/**
 * Problems of the `parent_ids` of a service. A new parent is an `incorrect_value` if the caller may not read it, if it
 * belongs to another owner, or if it depends on the service itself. Parents that the service has already are kept.
 */
export async function parentProblems(
  transaction: Executor,
  { caller }: Call,
  ownerId: number,
  { given, before }: { readonly given: WithParents; readonly before: Required<WithParents> | null },
): Promise<readonly Problem[]> {
  const { parent_ids: ids } = given
  const added = (ids ?? []).filter((id) => before?.parent_ids.includes(id) !== true)
  if (ids === undefined || added.length === 0) return []
  await lockDependenciesOf(transaction, ownerId)
  const found = await readParents(transaction, added, ownerId)
  const visible = new Set(found.filter((row) => holds(serviceVisible(caller), row)).map(({ id }) => id))
  const circular = before === null ? noIds : await dependingOn(transaction, found, { id: before.id, ownerId })
  return ids.flatMap((id, place): readonly Problem[] => {
    const field = `data.parent_ids[${place}]`
    if (!added.includes(id)) return []
    if (!visible.has(id)) return [{ error: 'incorrect_value', field, facts: { detail: 'object_of_owner' } }]
    if (circular.has(id)) return [{ error: 'incorrect_value', field, facts: { detail: 'dependency_cycle' } }]
    return []
  })
}

const noIds: ReadonlySet<number> = new Set()

/** The field of a service. */
export const parentIds = list(integer({ minimum: 1 }), {
  about:
    "The owner's services on which it depends. While one of them, or one on which that depends, has failed, the failures of the service are recorded and nobody is notified.",
  filter: true,
  maximumLength: 20,
  example: [],
})
