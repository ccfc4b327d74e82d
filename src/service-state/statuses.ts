import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { tell, tellStatuses } from '../database/services/stream-events.ts'
import type { CheckStatus, MonitoringStatus } from '../domain/judging/status.ts'
import type { NewChange, OpenChange, State } from '../domain/judging/status-change.ts'
import { endEscalations } from '../outbox/escalations.ts'
import { type DegradedRow, endDegraded } from './degraded.ts'
import { wakeHeld } from './dependencies.ts'

/** A service's status with what its decisions need. Moments are Unix milliseconds. */
export interface StatusRow extends DegradedRow {
  readonly service_id: number
  readonly check_status: CheckStatus
  readonly monitoring_status: MonitoringStatus
  readonly notifications_status: 'on' | 'silent'
  readonly last_check_status_change_time: number | null
  readonly last_analysis_id: number | null
  readonly last_ok_analysis_id: number | null
  readonly last_failure_analysis_id: number | null
  readonly last_analysis_time: number | null
  readonly last_ok_analysis_time: number | null
  readonly last_failure_analysis_time: number | null
  /** Milliseconds. */
  readonly last_response_time: number | null
  readonly state: State | null
  readonly state_change_id: number | null
  readonly state_since: number | null
  /** `state_since` by the clock as it is set now. */
  readonly delays_from: number | null
  readonly failure_notified: boolean
  readonly continuations_sent: number
  readonly last_notice_at: number | null
  /** The last failure that was told began an escalation. */
  readonly is_escalated: boolean
  /** The failed service on which this one depends, and which holds its notifications. */
  readonly held_by_service_id: number | null
  /** Somebody knows of the present failure. */
  readonly is_acknowledged: boolean
  /** Null after a verdict (domain/judging/unknown-reason.ts). */
  readonly unknown_reason: string | null
  readonly unknown_since: number | null
  readonly parent_ids: readonly number[]
  readonly degraded_reasons: readonly string[]
  readonly type_id: string
  readonly interval: number
  readonly disable_breakdown_checks: boolean
  readonly notification_mode_id: string
  readonly notification_condition_ids: readonly string[]
  readonly recovery_notification_mode_id: string
}

/**
 * A plan is the lock for everything about its service: its row, its status, its planned stops. These may lie on several
 * machines, where rows cannot be locked one by one; plans never do. Writers lock several plans in the order of ids, so
 * nobody waits in a circle.
 */
export interface PlanRow {
  readonly service_id: number
  readonly claim_no: number
  readonly due_at: number
  readonly reason: 'interval' | 'confirmation' | 'forced'
  /** When the service's calendar speaks next; Infinity for never. */
  readonly boundary_at: number
}

export async function lockPlans(transaction: Executor, serviceIds: readonly number[]): Promise<PlanRow[]> {
  return transaction.query<PlanRow>(
    sql`select service_id, claim_no, due_at, reason, boundary_at from schedule where service_id = any(${serviceIds}::int[])
      order by service_id for update`,
    'lock-plans',
  )
}

/** For whoever holds the plans: what is read stays so until the transaction ends. */
export async function readStatuses(transaction: Executor, serviceIds: readonly number[]): Promise<StatusRow[]> {
  return transaction.query<StatusRow>(
    sql`select status.service_id, check_status, monitoring_status, notifications_status, last_check_status_change_time,
        last_analysis_id, last_ok_analysis_id, last_failure_analysis_id,
        last_analysis_time, last_ok_analysis_time, last_failure_analysis_time, last_response_time,
        state, state_change_id, state_since, coalesce(delays_from, state_since) as delays_from,
        failure_notified, continuations_sent, last_notice_at, is_escalated, held_by_service_id,
        coalesce(acknowledged_change_id = state_change_id, false) as is_acknowledged, unknown_reason, unknown_since,
        degraded_reasons, degraded_signs, degraded_since, degraded_told_since, expiry, expiry_told,
        domain_expiry, domain_told,
        services.parent_ids, services.type_id, services.interval, services.notification_condition_ids, services.notification_mode_id, services.recovery_notification_mode_id,
        coalesce((services.extended_settings->>'disable_breakdown_checks')::boolean, false) as disable_breakdown_checks
      from service_statuses status join services on services.id = status.service_id
      where status.service_id = any(${serviceIds}::int[]) order by status.service_id`,
    'read-statuses',
  )
}

export function openChangeOf(row: StatusRow): OpenChange | null {
  if (row.state === null || row.state_change_id === null || row.state_since === null) return null
  return { changeId: row.state_change_id, state: row.state, startedAt: row.state_since }
}

/** The status after a verdict; the rest of the row stays. */
export type StatusWrite = Omit<
  StatusRow,
  | 'monitoring_status'
  | 'is_acknowledged'
  | 'is_escalated'
  | 'unknown_reason'
  | 'unknown_since'
  | 'degraded_reasons'
  | keyof DegradedRow
  | 'notifications_status'
  | 'parent_ids'
  | 'type_id'
  | 'interval'
  | 'disable_breakdown_checks'
  | 'notification_mode_id'
  | 'notification_condition_ids'
  | 'recovery_notification_mode_id'
> & { readonly valid_until: number; readonly last_due_at: number }

function column<Key extends keyof StatusWrite>(rows: readonly StatusWrite[], key: Key): StatusWrite[Key][] {
  return rows.map((row) => row[key])
}

/** Expects the plans locked in this transaction. */
export async function writeStatuses(transaction: Executor, rows: readonly StatusWrite[]): Promise<void> {
  if (rows.length === 0) return
  await transaction.execute(
    sql`update service_statuses set
        check_status = new.check_status, valid_until = to_timestamp(new.valid_until / 1000),
        last_check_status_change_time = to_timestamp(new.last_change / 1000),
        last_analysis_id = new.last_id, last_analysis_time = to_timestamp(new.last_time / 1000),
        last_ok_analysis_id = new.ok_id, last_ok_analysis_time = to_timestamp(new.ok_time / 1000),
        last_failure_analysis_id = new.failure_id, last_failure_analysis_time = to_timestamp(new.failure_time / 1000),
        last_response_time = new.response_time,
        state = new.state, state_change_id = new.change_id, state_since = to_timestamp(new.since / 1000),
        delays_from = to_timestamp(new.delays_from / 1000), failure_notified = new.notified, continuations_sent = new.continuations,
        last_notice_at = to_timestamp(new.notice_at / 1000),
        held_by_service_id = new.held_by, last_due_at = to_timestamp(new.last_due_at / 1000),
        unknown_reason = null, unknown_since = null, unknown_told_at = null
      from unnest(
        ${column(rows, 'service_id')}::int[], ${column(rows, 'check_status')}::text[],
        ${column(rows, 'valid_until')}::float8[], ${column(rows, 'last_check_status_change_time')}::float8[],
        ${column(rows, 'last_analysis_id')}::bigint[], ${column(rows, 'last_analysis_time')}::float8[],
        ${column(rows, 'last_ok_analysis_id')}::bigint[], ${column(rows, 'last_ok_analysis_time')}::float8[],
        ${column(rows, 'last_failure_analysis_id')}::bigint[], ${column(rows, 'last_failure_analysis_time')}::float8[],
        ${column(rows, 'last_response_time')}::integer[],
        ${column(rows, 'state')}::text[], ${column(rows, 'state_change_id')}::bigint[],
        ${column(rows, 'state_since')}::float8[], ${column(rows, 'delays_from')}::float8[],
        ${column(rows, 'failure_notified')}::boolean[],
        ${column(rows, 'continuations_sent')}::smallint[], ${column(rows, 'last_notice_at')}::float8[],
        ${column(rows, 'held_by_service_id')}::int[], ${column(rows, 'last_due_at')}::float8[])
        as new (service_id, check_status, valid_until, last_change, last_id, last_time, ok_id, ok_time, failure_id,
          failure_time, response_time, state, change_id, since, delays_from, notified, continuations, notice_at, held_by, last_due_at)
      where service_statuses.service_id = new.service_id`,
    'write-statuses',
  )
}

/** A round that ended without a verdict. */
export interface UnknownWrite {
  readonly serviceId: number
  readonly reason: string
  /** Since when nothing is known. */
  readonly sinceAt: number
}

/** Keeps why nothing is known; the next verdict takes it away. Expects the plans locked in this transaction. */
export async function writeUnknowns(transaction: Executor, unknowns: readonly UnknownWrite[]): Promise<void> {
  if (unknowns.length === 0) return
  await transaction.execute(
    sql`update service_statuses set unknown_reason = new.reason, unknown_since = to_timestamp(new.since / 1000)
      from unnest(${unknowns.map(({ serviceId }) => serviceId)}::int[], ${unknowns.map(({ reason }) => reason)}::text[],
        ${unknowns.map(({ sinceAt }) => sinceAt)}::float8[]) as new (service_id, reason, since)
      where service_statuses.service_id = new.service_id`,
    'write-unknowns',
  )
}

export interface ChangeWrite {
  readonly serviceId: number
  readonly change: NewChange
}

/** Closes the open periods where the new ones begin, with the escalations of failures, and tells of the new ones. */
export async function writeChanges(transaction: Executor, changes: readonly ChangeWrite[]): Promise<void> {
  if (changes.length === 0) return
  const serviceIds = changes.map(({ serviceId }) => serviceId)
  const starts = changes.map(({ change }) => change.startedAt)
  await transaction.execute(
    sql`
    update status_changes set end_time = to_timestamp(new.start / 1000)
    from unnest(${serviceIds}::int[], ${starts}::float8[]) as new (service_id, start)
    where status_changes.service_id = new.service_id and end_time is null`,
    'close-changes',
  )
  await transaction.execute(
    sql`
    insert into status_changes (service_id, change_id, status, pause_reason, first_analysis_id, start_time)
    select service_id, change_id, status, pause_reason, first_analysis_id, to_timestamp(start / 1000)
    from unnest(${serviceIds}::int[], ${changes.map(({ change }) => change.changeId)}::bigint[],
      ${changes.map(({ change }) => change.state)}::text[], ${changes.map(({ change }) => change.pauseReason)}::text[],
      ${changes.map(({ change }) => change.firstAnalysisId)}::bigint[], ${starts}::float8[])
      as new (service_id, change_id, status, pause_reason, first_analysis_id, start)`,
    'open-changes',
  )
  await endEscalations(transaction, serviceIds)
  await tell(
    transaction,
    changes.map(({ serviceId, change }) => ({ kind: 'status_change', serviceId, subjectId: change.changeId })),
  )
  await tellStatuses(transaction, serviceIds)
}

/** Opens periods that no verdict opens, and tells the statuses so. A paused service holds nobody's notifications. */
export async function openChanges(transaction: Executor, changes: readonly ChangeWrite[]): Promise<void> {
  if (changes.length === 0) return
  await writeChanges(transaction, changes)
  const ends = changes.map(({ serviceId, change }) => ({ serviceId, at: change.startedAt }))
  await endDegraded(transaction, ends)
  await transaction.execute(
    sql`
    update service_statuses set state = new.state, state_change_id = new.change_id,
      state_since = to_timestamp(new.start / 1000), held_by_service_id = null
    from unnest(${changes.map(({ serviceId }) => serviceId)}::int[], ${changes.map(({ change }) => change.state)}::text[],
      ${changes.map(({ change }) => change.changeId)}::bigint[], ${changes.map(({ change }) => change.startedAt)}::float8[])
      as new (service_id, state, change_id, start)
    where service_statuses.service_id = new.service_id`,
    'show-changes',
  )
  await wakeHeld(
    transaction,
    changes.map(({ serviceId }) => serviceId),
    Math.max(...changes.map(({ change }) => change.startedAt)),
  )
}
