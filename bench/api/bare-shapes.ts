/** The JSON of the measured requests, put together by hand. */

import { serviceTypeOf, serviceTypes } from '../../src/checks/index.ts'
import { presentSettings, type StoredSettings } from '../../src/domain/services/extended-settings.ts'

type Row = Readonly<Record<string, unknown>>
export type Shape = (row: Row) => Row

export function serviceOf(row: Row): Record<string, unknown> {
  const type = serviceTypeOf(row.type_id as string)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type_id: row.type_id,
    address: row.address,
    interval: row.interval,
    group_id: row.group_id,
    owner_id: row.owner_id,
    is_active: row.is_active,
    is_archived: row.is_archived,
    extended_settings: type === undefined ? {} : presentSettings(type, row.extended_settings as StoredSettings),
    notification_channel_ids: row.notification_channel_ids,
    notification_condition_ids: row.notification_condition_ids,
    notification_mode_id: row.notification_mode_id,
    recovery_notification_mode_id: row.recovery_notification_mode_id,
    silent_hours: row.silent_hours,
    suspension_hours: row.suspension_hours,
    sensor_ids: row.sensor_ids,
    path_steps: row.path_steps,
    created_at: row.created_at,
  }
}

function statusOf(row: Row) {
  return {
    id: row.id,
    check_status: row.check_status,
    check_status_is_up_to_date: row.is_up_to_date,
    monitoring_status: row.monitoring_status,
    notifications_status: row.notifications_status,
    summary: row.summary,
    last_check_status_change_time: row.last_check_status_change_time,
    last_analysis_id: row.last_analysis_id,
    last_ok_analysis_id: row.last_ok_analysis_id,
    last_failure_analysis_id: row.last_failure_analysis_id,
    last_analysis_time: row.last_analysis_time,
    last_ok_analysis_time: row.last_ok_analysis_time,
    last_failure_analysis_time: row.last_failure_analysis_time,
  }
}

function permissionsOf(row: Row) {
  return {
    own: row.may_own,
    read: row.may_read,
    update: row.may_update,
    delete: row.may_delete,
    archive: row.may_archive,
    restore: row.may_restore,
    force_analyses: row.may_force,
    create_suspensions: row.may_suspend,
    send_test_sms_notifications: row.may_send_sms,
  }
}

function groupOf(row: Row) {
  const { default: first, ipv6, mobile, webappcheck } = row.assigned_sensor_ids as Row
  return {
    id: row.group_id,
    name: row.group_name,
    owner_id: row.group_owner_id,
    is_default: row.is_default,
    periodic_daily_reports: row.periodic_daily_reports,
    periodic_weekly_reports: row.periodic_weekly_reports,
    periodic_monthly_reports: row.periodic_monthly_reports,
    archived_services_in_periodic_reports: row.archived_services_in_periodic_reports,
    assigned_sensor_ids: { default: first, ipv6, mobile, webappcheck },
    sensor_ids: first,
  }
}

const shownTypes: ReadonlyMap<string, Row> = new Map(
  serviceTypes.map((type) => [
    type.id,
    {
      id: type.id,
      name: type.name.en,
      address_prefix: type.addressPrefix,
      category_id: type.category,
    },
  ]),
)

// Assigned, not spread: a spread object with more members is twice as slow to make and to write as JSON.
export function serviceWithStatus(row: Row): Row {
  const shown = serviceOf(row)
  shown.status = statusOf(row)
  shown.permissions = permissionsOf(row)
  return shown
}

export function serviceWithAll(row: Row): Row {
  const shown = serviceOf(row)
  shown.group = groupOf(row)
  shown.type = shownTypes.get(String(row.type_id))
  shown.status = statusOf(row)
  shown.permissions = permissionsOf(row)
  return shown
}
