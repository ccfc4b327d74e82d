import { minimumInterval, type PackageLimits } from '../access/limits.ts'

const usualInterval = 600

/** The defaults of a new service of a type; null: the owner has no package. */
export interface ServiceDefaults {
  /** Seconds. */
  readonly interval: number
  readonly notification_channel_ids: readonly string[]
  readonly notification_condition_ids: readonly string[]
  readonly notification_mode_id: string
  readonly recovery_notification_mode_id: string
}

/**
 * The defaults for a type. `usualChannelIds` are the default channels, as far as the package offers them (answers §7).
 */
export function serviceDefaults(
  limits: PackageLimits | null,
  typeId: string,
  usualChannelIds: readonly string[],
): ServiceDefaults {
  return {
    interval: limits === null ? usualInterval : Math.max(usualInterval, minimumInterval(limits, typeId)),
    notification_channel_ids: (limits?.available_notification_channel_ids ?? []).filter((id) =>
      usualChannelIds.includes(id),
    ),
    notification_condition_ids: ['failure', 'recovery'],
    notification_mode_id: 'default',
    recovery_notification_mode_id: 'default',
  }
}
