import { timeZoneIds } from './calendars/time-zones.ts'
import { failureStages } from './judging/error-types.ts'
import { sensorCategories } from './services/service-types.ts'

/** Elements of the dictionaries, in the order of the lists (specification: Dictionaries; answers §10, §11). */

export const languageIds = ['pl', 'en'] as const
export type LanguageId = (typeof languageIds)[number]

export const reportSectionIds = [
  'checks_summary',
  'service_level_summary',
  'performance_by_hour',
  'performance_by_week_day',
] as const

export const reportingPlanIds = ['daily', 'weekly', 'monthly'] as const

/** The events that can be notified (specification: Events). */
export const notificationConditionIds = [
  'failure',
  'failure_continuation',
  'pause',
  'recovery',
  'silent_failure',
  'degraded',
  'degraded_end',
] as const

/** Their meanings are in `notification.ts`. */
export const notificationModeIds = [
  'off',
  'default',
  'after_30_seconds_failure',
  'after_1_minute_failure',
  'after_5_minutes_failure',
  'after_10_minutes_failure',
  'after_15_minutes_failure',
  'after_30_minutes_failure',
] as const

export const recoveryNotificationModeIds = [
  'off',
  'default',
  'after_30_seconds',
  'after_1_minute',
  'after_5_minutes',
  'after_10_minutes',
  'after_15_minutes',
  'after_30_minutes',
] as const

export const artifactTypeIds = ['content', 'har', 'screenshot'] as const
export type ArtifactTypeId = (typeof artifactTypeIds)[number]

/** The files of a report. */
export const reportAttachmentTypeIds = ['json', 'pdf'] as const

/** The measures of a check: milliseconds, and the bytes of the answer. */
const metricTypeIds = ['response_time', 'dns', 'connect', 'tls', 'sent', 'first_byte', 'transfer', 'data_size'] as const

/** Dictionary name → ids of its elements. */
export const dictionaries = {
  languages: languageIds,
  time_zones: timeZoneIds,
  report_sections: reportSectionIds,
  reporting_plans: reportingPlanIds,
  notification_conditions: notificationConditionIds,
  notification_modes: notificationModeIds,
  recovery_notification_modes: recoveryNotificationModeIds,
  artifact_types: artifactTypeIds,
  report_attachment_types: reportAttachmentTypeIds,
  metric_types: metricTypeIds,
  error_type_categories: failureStages,
  service_type_categories: sensorCategories,
} as const satisfies Record<string, readonly string[]>

export type DictionaryName = keyof typeof dictionaries
