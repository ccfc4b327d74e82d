import type { Dice } from './dice.ts'
import type { GroupScript, ServiceFields, ServiceSettings } from './script.ts'

/** How services are set up and what is changed about them. */

export interface SettingsGround {
  readonly groups: readonly GroupScript[]
  readonly sensorIds: readonly number[]
}

const failureModes = [
  'default',
  'default',
  'default',
  'after_30_seconds_failure',
  'after_1_minute_failure',
  'after_5_minutes_failure',
  'after_10_minutes_failure',
  'after_15_minutes_failure',
  'after_30_minutes_failure',
  'off',
] as const

const recoveryModes = [
  'default',
  'default',
  'default',
  'after_30_seconds',
  'after_1_minute',
  'after_5_minutes',
  'after_10_minutes',
  'after_15_minutes',
  'after_30_minutes',
  'off',
] as const

const conditions = ['failure', 'failure_continuation', 'pause', 'recovery', 'silent_failure'] as const

/** Of a quiet life, the shortest first. While a failure lasts the interval is a minute anyway. */
export const intervals = [3600, 3600, 3600, 7200, 7200, 7200, 21_600, 21_600, 21_600] as const

/** For minutes: a whole one, parts of one, and one that no other grid meets. */
const shortIntervals = [30, 45, 60, 60, 90, 120] as const

export function firstFields(dice: Dice, { groups, sensorIds }: SettingsGround): ServiceFields {
  const [group] = dice.some(groups, 1)
  return {
    interval: dice.pick(intervals),
    is_active: dice.chance(0.95),
    group_id: group?.id ?? 0,
    notification_mode_id: dice.pick(failureModes),
    recovery_notification_mode_id: dice.pick(recoveryModes),
    notification_condition_ids: conditionsOf(dice),
    suspension_hours: dice.chance(0.1) ? hoursOf(dice, 168, 0.05) : '0'.repeat(168),
    silent_hours: dice.chance(0.5) ? hoursOf(dice, 24, 0.4) : '0'.repeat(24),
    sensor_ids: dice.chance(0.2) ? dice.some(sensorIds, dice.whole(1, 4)) : [],
    extended_settings: settingsOf(dice),
  }
}

function conditionsOf(dice: Dice): readonly string[] {
  return dice.chance(0.7) ? conditions : dice.some(conditions, dice.whole(0, 4))
}

function settingsOf(dice: Dice): ServiceSettings {
  return {
    error_tolerance: dice.pick([51, 51, 51, 1, 33, 34, 50, 67, 100]),
    sensors_failover: dice.chance(0.8),
    disable_breakdown_checks: dice.chance(0.25),
  }
}

/** Three hours each: what many services have in common settles together. */
function hoursOf(dice: Dice, length: number, share: number): string {
  return Array.from({ length: length / 3 }, () => (dice.chance(share) ? '111' : '000')).join('')
}

export function changeOf(dice: Dice, { groups, sensorIds }: SettingsGround): Partial<ServiceFields> {
  const [group] = dice.some(groups, 1)
  return dice.pick<Partial<ServiceFields>>([
    { notification_mode_id: dice.pick(failureModes) },
    { notification_mode_id: dice.pick(failureModes), recovery_notification_mode_id: dice.pick(recoveryModes) },
    { recovery_notification_mode_id: dice.pick(recoveryModes) },
    { notification_condition_ids: conditionsOf(dice) },
    { interval: dice.pick(intervals) },
    { interval: dice.pick(shortIntervals) },
    { extended_settings: settingsOf(dice) },
    { sensor_ids: dice.chance(0.5) ? [] : dice.some(sensorIds, dice.whole(1, 4)) },
    { group_id: group?.id ?? 0 },
    { silent_hours: dice.chance(0.5) ? '0'.repeat(24) : hoursOf(dice, 24, 0.4) },
    { suspension_hours: dice.chance(0.7) ? '0'.repeat(168) : hoursOf(dice, 168, 0.05) },
  ])
}
