import type { StatusPageComponent } from '../../api/answers.ts'

export const kinds = ['service', 'group', 'tag', 'status', 'heading'] as const
export type Kind = (typeof kinds)[number]

export const statuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const

type Given = Partial<Pick<StatusPageComponent, 'service_id' | 'group_id' | 'tag' | 'status'>>

/** Something that a component shows; the members besides `kind` are those of the API. */
export interface Source extends Required<Given> {
  readonly kind: Kind
}

const nothing = { service_id: null, group_id: null, tag: null, status: null } as const

export function kindOf({ service_id: service, group_id: group, tag, status }: Given): Kind {
  if (service != null) return 'service'
  if (group != null) return 'group'
  if (tag != null) return 'tag'
  return status == null ? 'heading' : 'status'
}

/** A new component shows a service. */
export function sourceOf(given: Given): Source {
  const kind = Object.keys(given).length === 0 ? 'service' : kindOf(given)
  const { service_id = null, group_id = null, tag = null, status = null } = given
  return { kind, service_id, group_id, tag, status }
}

/** Another kind begins without a choice. */
export function ofKind(kind: Kind): Source {
  return { kind, ...nothing, ...(kind === 'status' ? { status: 'operational' } : {}) }
}
