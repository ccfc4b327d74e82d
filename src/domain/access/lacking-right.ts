import type { Problem } from '../input/problem.ts'
import type { Caller } from './caller.ts'

/** Rights that administrators grant to a whole account. */
export type AccountRight = 'can_share_groups' | 'can_create_subaccounts'

/** The refusal when the account lacks a right that administrators grant. */
export function lacksAccountRight(right: AccountRight): Problem {
  return { error: 'forbidden', facts: { right } }
}

/**
 * The refusal when the caller may see an object but lacks the named permission. Null: no single permission is missing.
 */
export function lacksPermission({ is_read_only: isReadOnly }: Caller, permission: string | null): Problem {
  if (isReadOnly) return { error: 'forbidden', facts: { flag: 'is_read_only' } }
  return permission === null ? { error: 'forbidden' } : { error: 'forbidden', facts: { permission } }
}
