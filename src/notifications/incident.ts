import { createHash } from 'node:crypto'
import type { Incident } from '../channels/delivery.ts'
import { type IntentFacts, isNotice } from '../domain/notification/notice.ts'

/**
 * The message's part about the service's incident. All failures of a service share one key, so a late recovery closes
 * them all and nothing stays open. Two installations have different keys.
 */
export function incidentOf(facts: IntentFacts, serviceId: number, publicUrl: string): { readonly incident?: Incident } {
  const meaning = meaningOf(facts)
  if (meaning === null) return {}
  const installation = createHash('sha256').update(publicUrl).digest('hex').slice(0, 8)
  return { incident: { key: `latarnik-${installation}-${serviceId}`, ...meaning } }
}

/** The incident's state after this message. Null: the message is about no incident. */
function meaningOf(facts: IntentFacts): Omit<Incident, 'key'> | null {
  if (facts.condition === 'acknowledgement') return { isOver: false, isAcknowledged: true }
  if (!isNotice(facts)) return null
  switch (facts.condition) {
    case 'failure':
    case 'failure_continuation':
      return { isOver: false }
    case 'recovery':
      return { isOver: true }
    case 'silent_failure':
      return facts.failures?.at(-1)?.endedAt === null ? { isOver: false } : null
    case 'pause':
    case 'degraded':
    case 'degraded_end':
      return null
  }
}
