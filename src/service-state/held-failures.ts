import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { State } from '../domain/judging/status-change.ts'
import type { HeldFailure, NoticeCheck } from '../domain/notification/notice.ts'
import { type DecidedNotice, writeIntents } from '../outbox/intents.ts'

/** Failures that quiet hours hold back until they end (specification: Events; answers §10). */

export interface HeldBack {
  readonly serviceId: number
  readonly changeId: number
  readonly analysisId: number
  readonly checks: readonly NoticeCheck[]
}

/** Keeps failures for the end of the quiet hours; the analysis that would have told one first stays. */
export async function holdFailures(transaction: Executor, held: readonly HeldBack[]): Promise<void> {
  if (held.length === 0) return
  await transaction.execute(
    sql`
    insert into held_failures (service_id, change_id, analysis_id, checks)
    select * from unnest(${held.map(({ serviceId }) => serviceId)}::int[], ${held.map(({ changeId }) => changeId)}::bigint[],
      ${held.map(({ analysisId }) => analysisId)}::bigint[], ${held.map(({ checks }) => JSON.stringify(checks))}::jsonb[])
    on conflict do nothing`,
    'hold-failures',
  )
}

export async function dropHeldFailures(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  await transaction.execute(sql`delete from held_failures where service_id = any(${serviceIds}::int[])`)
}

export interface QuietEnd {
  readonly serviceId: number
  readonly at: number
  readonly modeId: string
}

interface TakenRow {
  service_id: number
  change_id: number
  analysis_id: number
  checks: readonly NoticeCheck[]
  status: State
  start_time: number
  end_time: number | null
}

/**
 * Notifies the suppressed failures, one notice per service. The last failure counts as notified if nothing good
 * followed: it is not notified again, and its recovery is. A service without silent-failure notices gets one about a
 * lasting failure after its next bad analysis. Expects the statuses locked.
 */
export async function tellHeldFailures(transaction: Executor, ends: readonly QuietEnd[], now: number): Promise<void> {
  if (ends.length === 0) return
  const serviceIds = ends.map(({ serviceId }) => serviceId)
  const taken = await transaction.query<TakenRow>(
    sql`
    with taken as (delete from held_failures where service_id = any(${serviceIds}::int[]) returning *)
    select taken.*, status, start_time, end_time
    from taken join status_changes using (service_id, change_id) order by change_id`,
    'take-held-failures',
  )
  const notices = ends.flatMap((end) => {
    const failures = taken.filter((row) => row.service_id === end.serviceId)
    const last = failures.at(-1)
    return last === undefined || end.modeId === 'off' ? [] : [noticeOf(end, failures, last)]
  })
  await countAsTold(transaction, notices)
  await writeIntents(transaction, notices, now)
}

function noticeOf({ serviceId, at }: QuietEnd, failures: readonly TakenRow[], last: TakenRow): DecidedNotice {
  const told = failures.map((row): HeldFailure => ({ startedAt: row.start_time, endedAt: row.end_time }))
  return {
    serviceId,
    event: { condition: 'silent_failure', eventId: `silent_failure:${at}` },
    decidedAt: at,
    change: { changeId: last.change_id, state: last.status, startedAt: last.start_time },
    analysisId: last.analysis_id,
    checks: last.checks,
    pauseReason: null,
    failures: told,
  }
}

async function countAsTold(transaction: Executor, notices: readonly DecidedNotice[]): Promise<void> {
  if (notices.length === 0) return
  await transaction.execute(sql`
    update service_statuses set failure_notified = true, continuations_sent = 0, last_notice_at = to_timestamp(told.at / 1000)
    from unnest(${notices.map(({ serviceId }) => serviceId)}::int[], ${notices.map(({ change }) => change.changeId)}::bigint[],
      ${notices.map(({ decidedAt }) => decidedAt)}::float8[]) as told (service_id, change_id, at)
    join services on services.id = told.service_id
    where service_statuses.service_id = told.service_id and 'silent_failure' = any(services.notification_condition_ids)
      and not exists (select from status_changes later where later.service_id = told.service_id
        and later.change_id > told.change_id and later.status = 'ok')`)
}
