import type { Problem } from './problem.ts'

/** The account that is to receive a group, as far as the owner's side may know it. */
export interface ShareTarget {
  readonly id: number
  readonly distribution_id: number
  readonly parent_account_id: number | null
}

/** Where the group belongs. */
export interface ShareOwner {
  readonly id: number
  readonly distribution_id: number
}

/**
 * A group goes to another primary account of the same distribution. Every other number gets one and the same answer, so that it
 * tells nothing of accounts elsewhere. Problems: incorrect_value (specification: Share).
 */
export function shareTargetProblems(owner: ShareOwner, target: ShareTarget | null): readonly Problem[] {
  const isFit =
    target !== null &&
    target.parent_account_id === null &&
    target.id !== owner.id &&
    target.distribution_id === owner.distribution_id
  return isFit ? [] : [{ error: 'incorrect_value', field: 'data.account_id', facts: { detail: 'share_target' } }]
}
