import { effectiveSettings, type StoredSettings } from './extended-settings.ts'
import { isObject } from './json-shape.ts'
import type { Problem } from './problem.ts'
import type { ServiceType } from './service-types.ts'

/** A service as it is stored, or the fields of one that are written. */
export interface Guarded extends Readonly<Record<string, unknown>> {
  readonly extended_settings?: StoredSettings
}

/** They decide how a round is judged and when the next one comes; no request and no answer depends on them. */
const harmlessSettings: readonly string[] = ['error_tolerance', 'sensors_failover', 'disable_breakdown_checks']

/** What people call a service, when it is checked and what they are told; `path_steps` follows from the settings. */
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
  /** Fields with their values after the change. */
  readonly written: Guarded
  /** The settings as they were sent. */
  readonly input: unknown
}

/**
 * Nobody is shown a secret. Somebody who has the service by a share could still learn it: from a server of their own, from a header
 * that leads elsewhere, or by asking about the answer, one expression after another. So a change of theirs keeps a secret only while
 * nothing changes but what is listed as harmless: a new field or setting is guarded until it is listed. Problems: incorrect_value
 * with a detail, at the secret.
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

/** The settings in effect that a request or what is told of its answer depends on. */
function guardedOf(type: ServiceType, { extended_settings: settings = {} }: Guarded): readonly unknown[] {
  const others = type.settings.filter(({ setting_id: id, isSecret }) => !isSecret && !harmlessSettings.includes(id))
  const effective = effectiveSettings(type, settings)
  return others.map(({ setting_id: id }) => effective[id] ?? null)
}
