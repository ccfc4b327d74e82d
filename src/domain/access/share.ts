import type { Problem } from '../input/problem.ts'

/** The account that is to receive a group, limited to what the owner's side may know. */
export interface ShareTarget {
  readonly id: number
  readonly distribution_id: number
  readonly parent_account_id: number | null
}

/** The owner of the group. */
export interface ShareOwner {
  readonly id: number
  readonly distribution_id: number
}

/**
 * A group can be shared with another primary account of the same distribution. Every other number gets the same answer,
 * which reveals nothing about accounts elsewhere. Problems: incorrect_value (specification: Share).
 */
export function shareTargetProblems(owner: ShareOwner, target: ShareTarget | null): readonly Problem[] {
  const isFit =
    target !== null &&
    target.parent_account_id === null &&
    target.id !== owner.id &&
    target.distribution_id === owner.distribution_id
  return isFit ? [] : [{ error: 'incorrect_value', field: 'data.account_id', facts: { detail: 'share_target' } }]
}
