/** The statements of the measured reads, written by hand and put together once. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type Shape, serviceOf, serviceWithAll, serviceWithStatus } from './bare-shapes.ts'

export interface BareCaller {
  readonly accountId: number
  /** Groups shared with the caller. */
  readonly sharedIds: readonly number[]
  /** The groups whose services the caller may change. */
  readonly changeableIds: readonly number[]
  /** The clause by which names are sorted. */
  readonly collation: string
  readonly now: Date
}

export interface BareRead {
  readonly page: Sql
  /** Null: one object, not a list. */
  readonly count: Sql | null
  readonly shape: Shape
}

const serviceColumns = sql`s.id, s.name, s.description, s.type_id, s.address, s.interval, s.group_id, s.owner_id,
  s.is_active, s.is_archived, s.extended_settings, s.notification_channel_ids, s.notification_condition_ids,
  s.notification_mode_id, s.recovery_notification_mode_id, s.silent_hours, s.suspension_hours, s.sensor_ids,
  s.path_steps, s.created_at`

const groupColumns = sql`g.name as group_name, g.owner_id as group_owner_id, g.is_default, g.periodic_daily_reports,
  g.periodic_weekly_reports, g.periodic_monthly_reports, g.archived_services_in_periodic_reports, g.assigned_sensor_ids`

function summaryOf(now: Date): Sql {
  return sql`case when st.monitoring_status = 'off' then 'paused' when st.monitoring_status = 'suspended' then 'suspended'
    when not coalesce(st.valid_until > ${now}, false) then 'unknown' else st.check_status end`
}

function statusColumns(now: Date): Sql {
  return sql`st.check_status, coalesce(st.valid_until > ${now}, false) as is_up_to_date, st.monitoring_status,
    st.notifications_status, ${summaryOf(now)} as summary, st.last_check_status_change_time,
    st.last_analysis_id, st.last_ok_analysis_id, st.last_failure_analysis_id,
    st.last_analysis_time, st.last_ok_analysis_time, st.last_failure_analysis_time`
}

function permissionColumns(own: Sql, visible: Sql, changeable: Sql): Sql {
  return sql`${own} as may_own, ${visible} as may_read, ${changeable} as may_update, ${own} as may_delete,
    ${own} as may_archive, ${own} as may_restore, ${own} as may_force, ${changeable} as may_suspend,
    ${own} as may_send_sms`
}

/** Everything that the cases of the bench read, by the URL of the request. */
export function bareReads(caller: BareCaller, serviceId: number): ReadonlyMap<string, BareRead> {
  const { now } = caller
  const own = sql`s.owner_id = ${caller.accountId}`
  const visible = sql`(${own} or s.group_id = any (${caller.sharedIds}))`
  const changeable = sql`(${own} or s.group_id = any (${caller.changeableIds}))`
  const flags = permissionColumns(own, visible, changeable)
  const withStatus = sql`services s join service_statuses st on st.service_id = s.id`

  function list(where: Sql, options: { order?: Sql; from?: Sql; shape?: Shape; columns?: Sql; limit?: number } = {}) {
    const { order = sql`s.id`, from = sql`services s`, shape = serviceOf, columns = serviceColumns } = options
    const condition = sql`where ${visible} ${where}`
    const counted = where === empty ? sql`services s` : from
    return {
      page: sql`select ${columns} from ${from} ${condition} order by ${order} limit ${options.limit ?? 10}`,
      count: sql`select count(*)::int as total from ${counted} ${condition}`,
      shape,
    }
  }
  const holding = (column: string, word: string) => sql`strpos(fold(${raw(column)}), fold(${word})) > 0`
  const word = 'klient-77'
  return new Map<string, BareRead>([
    [
      `/v3/services/${serviceId}`,
      {
        page: sql`select ${serviceColumns} from services s where s.id = ${serviceId} and ${visible}`,
        count: null,
        shape: serviceOf,
      },
    ],
    ['/v3/services', list(empty)],
    [
      '/v3/services?limit=1000&embed=status,permissions',
      list(empty, {
        limit: 1000,
        columns: sql`${serviceColumns}, ${statusColumns(now)}, ${flags}`,
        from: withStatus,
        shape: serviceWithStatus,
      }),
    ],
    [
      '/v3/services?limit=1000&embed=group,type,status,permissions',
      list(empty, {
        limit: 1000,
        columns: sql`${serviceColumns}, ${groupColumns}, ${statusColumns(now)}, ${flags}`,
        from: sql`${withStatus} join groups g on g.id = s.group_id`,
        shape: serviceWithAll,
      }),
    ],
    ['/v3/services?status.summary=failure', list(sql`and ${summaryOf(now)} = 'failure'`, { from: withStatus })],
    ['/v3/services?name~=%C5%82%C3%B3d%C5%BA', list(sql`and ${holding('s.name', 'łódź')}`)],
    [
      '/v3/services?query=klient-77',
      list(sql`and (${holding('s.id::text', word)} or ${holding('s.name', word)}
        or ${holding('s.description', word)} or ${holding('s.address', word)})`),
    ],
    ['/v3/services?sort=name', list(empty, { order: sql`s.name ${raw(caller.collation)}, s.id` })],
  ])
}
