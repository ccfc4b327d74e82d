import type { Expiry } from '../domain/expiry/expiry.ts'
import { storable } from '../domain/input/storable.ts'
import { type DegradedReason, degradedReasons } from '../domain/judging/degraded.ts'
import { largest, longest } from './bounds.ts'

/**
 * Reads the parts of a result that show a degraded service. Nothing is refused: a newer station may know more, and the
 * rest of its result counts.
 */

export function readReasons(given: unknown): readonly DegradedReason[] {
  return Array.isArray(given) ? degradedReasons.filter((reason) => given.includes(reason)) : []
}

/** Null for anything that is no end of validity. */
export function readExpiry(given: {
  readonly kind: unknown
  readonly id: unknown
  readonly name: unknown
  readonly endsAt: unknown
}): Expiry | null {
  const { kind, id, name, endsAt } = given
  if (kind !== 'certificate' && kind !== 'domain') return null
  if (typeof id !== 'string' || id === '' || typeof name !== 'string') return null
  if (typeof endsAt !== 'number' || !(endsAt >= 0 && endsAt <= largest.moment)) return null
  return { kind, id: bounded(id), name: bounded(name), endsAt }
}

function bounded(text: string): string {
  return storable(text.slice(0, longest.name))
}
