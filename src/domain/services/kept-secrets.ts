import { isObject } from '../input/json.ts'
import type { Problem } from '../input/problem.ts'
import { effectiveSettings, type StoredSettings } from './extended-settings.ts'
import type { ServiceType } from './service-types.ts'

/** A stored service, or the written fields of one. */
export interface Guarded extends Readonly<Record<string, unknown>> {
  readonly extended_settings?: StoredSettings
}

/** These settings affect judging and scheduling alone; no request and no answer depends on them. */
const harmlessSettings: readonly string[] = ['error_tolerance', 'sensors_failover', 'disable_breakdown_checks']

/** These fields affect names, schedules and notifications alone; `path_steps` follows from the settings. */
const harmlessFields: readonly string[] = [
  'name',
  'description',
  'interval',
  'is_active',
  'notification_channel_ids',
  'notification_condition_ids',
  'notification_mode_id',
  'recovery_notification_mode_id',
  'silent_hours',
  'suspension_hours',
  'path_steps',
]

export interface GuardedChange {
  readonly before: Guarded
  /** The changed fields with their new values. */
  readonly written: Guarded
  /** The settings as the client sent them. */
  readonly input: unknown
}

/**
 * Secrets are never shown. Yet a person who may edit a shared service could still learn one. They could send it to
 * their own server, use a header that leads elsewhere, or probe the answer with one expression after another. So their
 * change keeps a secret only if it touches nothing but the fields listed as harmless. A new field or setting is guarded
 * until it is listed. Problems: incorrect_value with a detail, at the secret.
 */
export function keptSecretProblems(type: ServiceType, change: GuardedChange, pointer: string): readonly Problem[] {
  const { before, written } = change
  const isHarmless = Object.keys(written).every((name) => {
    if (name === 'extended_settings') return isSame(guardedOf(type, before), guardedOf(type, written))
    return harmlessFields.includes(name) || isSame(before[name], written[name])
  })
  if (isHarmless) return []
  const given = isObject(change.input) ? change.input : {}
  const kept = type.settings.filter(({ setting_id: id, isSecret }) => {
    return isSecret && (given[id] ?? null) === null && (before.extended_settings?.[id] ?? null) !== null
  })
  const facts = { detail: 'kept_secret' } as const
  return kept.map(({ setting_id: id }) => ({ error: 'incorrect_value', field: `${pointer}.${id}`, facts }))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The effective settings on which a request, or the report of its answer, depends. */
function guardedOf(type: ServiceType, { extended_settings: settings = {} }: Guarded): readonly unknown[] {
  const others = type.settings.filter(({ setting_id: id, isSecret }) => !isSecret && !harmlessSettings.includes(id))
  const effective = effectiveSettings(type, settings)
  return others.map(({ setting_id: id }) => effective[id] ?? null)
}
