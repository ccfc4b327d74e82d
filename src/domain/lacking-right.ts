import type { Caller } from './caller.ts'
import type { Problem } from './problem.ts'

/** Rights that administrators give to an account as a whole. */
export type AccountRight = 'can_share_groups' | 'can_create_subaccounts'

/** The refusal of a caller whose account lacks a right that administrators give. */
export function lacksAccountRight(right: AccountRight): Problem {
  return { error: 'forbidden', facts: { right } }
}

/** The refusal of a caller who may see an object without the named permission to it; null: no single one is lacking. */
export function lacksPermission({ is_read_only: isReadOnly }: Caller, permission: string | null): Problem {
  if (isReadOnly) return { error: 'forbidden', facts: { flag: 'is_read_only' } }
  return permission === null ? { error: 'forbidden' } : { error: 'forbidden', facts: { permission } }
}
