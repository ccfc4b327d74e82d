import type { Caller } from '../../domain/access/caller.ts'
import { always, type Condition, oneOf } from '../../domain/queries/condition.ts'

/** An administrator sees and changes what belongs to one distribution and nothing else (answers §12). */
export function ofDistribution({ distribution_id: id }: Caller): Condition {
  return id === null ? always(false) : oneOf('distribution_id', [id])
}

/** The distribution of an administrator; no other caller comes this far. */
export function distributionOf({ distribution_id: id }: Caller): number {
  if (id === null) throw new Error('an administrator has a distribution')
  return id
}
