import type { Person } from '../support/people.ts'

/** The events of a simulation, fixed in advance: the program lives through them, and the model computes the result. */

/** Unix milliseconds, [from, to). */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface SensorScript {
  readonly id: number
  readonly country: string
  readonly categoryIds: readonly string[]
  /** When it is not connected. */
  readonly losses: readonly Stretch[]
}

/** While it lasts, the target answers these sensors so; all of them when none are named. */
export interface Trouble extends Stretch {
  readonly result: 'error' | 'unknown'
  readonly sensorIds: readonly number[]
}

/** Fields of a service as the interface has them. */
export interface ServiceFields {
  readonly interval: number
  readonly is_active: boolean
  readonly group_id: number
  readonly notification_mode_id: string
  readonly recovery_notification_mode_id: string
  readonly notification_condition_ids: readonly string[]
  readonly suspension_hours: string
  readonly silent_hours: string
  readonly sensor_ids: readonly number[]
  readonly extended_settings: Readonly<Partial<ServiceSettings>>
}

export interface ServiceSettings {
  readonly error_tolerance: number
  readonly sensors_failover: boolean
  readonly disable_breakdown_checks: boolean
}

/** `key` names a plan within its service. Minutes since Monday 00:00 in the owner's zone. */
export type Act =
  | { readonly kind: 'set'; readonly values: Partial<ServiceFields> }
  | { readonly kind: 'force' }
  | { readonly kind: 'archive' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'plan'; readonly key: string; readonly once: Stretch; readonly quiet: boolean }
  | { readonly kind: 'move'; readonly key: string; readonly once: Stretch }
  | {
      readonly kind: 'plan_weekly'
      readonly key: string
      readonly start: number
      readonly end: number
      readonly quiet: boolean
    }
  | { readonly kind: 'drop'; readonly key: string }

export type Happening = Act & { readonly at: number }

export interface ServiceScript {
  readonly id: number
  /** Its grid of interval I: the moments t with t mod I = grid mod I, in milliseconds. */
  readonly grid: number
  readonly owner: Person
  readonly createdAt: number
  readonly fields: ServiceFields
  readonly troubles: readonly Trouble[]
  /** In the order of their moments. */
  readonly happenings: readonly Happening[]
  readonly corrections: readonly (Stretch & { readonly status: 'ok' | 'failure' | 'paused' })[]
}

export interface OwnerScript {
  readonly name: Person
  readonly zoneId: string
  /** When the administrator blocks the account. */
  readonly blocks: readonly Stretch[]
  readonly zoneChanges: readonly { readonly at: number; readonly zoneId: string }[]
}

export interface GroupScript {
  readonly id: number
  readonly owner: Person
  readonly sensorIds: readonly number[]
}

/** The whole story. */
export interface Script {
  readonly from: number
  readonly to: number
  readonly sensors: readonly SensorScript[]
  readonly owners: readonly OwnerScript[]
  readonly groups: readonly GroupScript[]
  readonly services: readonly ServiceScript[]
  /** When the monitoring program is not running. */
  readonly downtimes: readonly Stretch[]
}

export function isWithin(stretches: readonly Stretch[], at: number): boolean {
  return stretches.some(({ from, to }) => from <= at && at < to)
}

/** The target's answer to a sensor. */
export function answerOf({ troubles }: ServiceScript, sensorId: number, at: number): 'ok' | 'error' | 'unknown' {
  const trouble = troubles.find(
    ({ from, to, sensorIds }) => from <= at && at < to && (sensorIds.length === 0 || sensorIds.includes(sensorId)),
  )
  return trouble?.result ?? 'ok'
}
