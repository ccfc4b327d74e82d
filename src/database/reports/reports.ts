import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { ByteRange } from '../../domain/queries/byte-range.ts'
import type { ReportFileKind } from '../../domain/reports/report-file.ts'
import { phaseAdvanced, type ReportProgress } from '../../domain/reports/report-progress.ts'
import type { ReportSummary, RequestedScope } from '../../domain/reports/report-scope.ts'
import type { LeftOut } from '../../domain/reports/report-time.ts'
import { monthOf } from '../accounts/usage.ts'
import type { Executor } from '../connect.ts'
import { enqueue } from '../enqueue.ts'

/** The order for a report; values that the report lacks come from its template. */
export interface ReportOrder {
  readonly id: number
  readonly template_id: number
  readonly owner_id: number
  readonly from_time: number
  readonly to_time: number
  readonly name: string
  readonly description: string
  readonly email_addresses: readonly string[]
  readonly section_ids: readonly string[]
  readonly summary: ReportSummary
  readonly archived_services: boolean
  readonly weekly_suspensions: readonly LeftOut[]
  readonly requested_scope: RequestedScope
  readonly reporting_plan_id: string | null
  readonly created_at: number
}

/** A report that this process works on. `claim_no` is the fencing token: a newer one means that the lease was lost. */
export interface ClaimedReport extends ReportOrder, ReportProgress {
  readonly claim_no: number
  /** The number of claims of this phase, this one included. */
  readonly attempts: number
}

/** Milliseconds; far more than the time between two renewals. */
export const reportLease = 60_000

export interface ReportHold {
  readonly now: number
  /** The session that holds the report (holders.ts); null: only the lease does. */
  readonly heldBy: string | null
}

function holdColumns({ now, heldBy }: ReportHold): Sql {
  return sql`leased_until = ${new Date(now + reportLease)}, held_by = ${heldBy}`
}

/**
 * Claims the oldest free report of the account whose last turn is longest ago. Many reports of one account delay
 * another account's report by one turn each.
 */
export async function claimReport(executor: Executor, hold: ReportHold): Promise<ClaimedReport | null> {
  const [report] = await executor.query<ClaimedReport>(sql`
    with turns as materialized (
      select waiting.owner_id,
        (select max(earlier.turn) from reports earlier where earlier.owner_id = waiting.owner_id) as last_turn
      from (select distinct owner_id from reports where status in ('pending', 'in_progress')) waiting)
    update reports set claim_no = claim_no + 1, attempts = attempts + 1, ${holdColumns(hold)}, status = 'in_progress',
      turn = nextval('report_turns')
    where id = (
      select waiting.id from reports waiting join turns on turns.owner_id = waiting.owner_id
      where waiting.status in ('pending', 'in_progress')
        and (waiting.leased_until is null or waiting.leased_until < ${new Date(hold.now)})
      order by turns.last_turn nulls first, waiting.id limit 1 for update of waiting skip locked)
    returning *`)
  return report === undefined ? null : { ...report, ...phaseAdvanced(report, 0, 1) }
}

function progressColumns(progress: ReportProgress): Sql {
  return sql`generating_status = ${progress.generating_status}, generating_progress = ${progress.generating_progress},
    rendering_status = ${progress.rendering_status}, rendering_progress = ${progress.rendering_progress},
    status = ${progress.status}, progress = ${progress.progress}`
}

/** Stores the progress and renews the lease. False if the report was claimed by another process, or deleted. */
export async function saveProgress(
  executor: Executor,
  { id, claim_no }: ClaimedReport,
  progress: ReportProgress,
  hold: ReportHold,
): Promise<boolean> {
  const saved = await executor.execute(sql`
    update reports set ${progressColumns(progress)}, ${holdColumns(hold)}
    where id = ${id} and claim_no = ${claim_no}`)
  return saved === 1
}

/** Ends the claim; the next phase is free for any process at once. False if the claim had ended before. */
export async function endClaim(
  executor: Executor,
  { id, claim_no }: ClaimedReport,
  progress: ReportProgress,
  errorMessage: string | null = null,
): Promise<boolean> {
  const ended = await executor.query(sql`
    with ended as (
      update reports set ${progressColumns(progress)}, error_message = ${errorMessage}, leased_until = null,
        claim_no = claim_no + 1, attempts = 0
      where id = ${id} and claim_no = ${claim_no} returning id, owner_id, status
    ), told as (
      insert into stream_events (kind, owner_id, subject_id)
      select 'report', owner_id, id from ended where status in ('completed', 'failed')
    )
    select id from ended`)
  return ended.length === 1
}

/** Releases a report unchanged, so that any process may claim it at once; this claim does not count as an attempt. */
export async function releaseReport(executor: Executor, { id, claim_no }: ClaimedReport): Promise<void> {
  await executor.execute(sql`
    update reports set leased_until = null, claim_no = claim_no + 1, attempts = attempts - 1
    where id = ${id} and claim_no = ${claim_no}`)
}

/** Stores the file of a phase. A repeated phase overwrites it. */
export async function storeReportFile(
  transaction: Executor,
  reportId: number,
  kind: ReportFileKind,
  content: Uint8Array,
): Promise<void> {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 32)
  await transaction.execute(sql`
    insert into report_files (report_id, kind, content, size, digest)
    values (${reportId}, ${kind}, ${content}, ${content.length}, ${digest})
    on conflict (report_id, kind) do update
    set content = excluded.content, size = excluded.size, digest = excluded.digest`)
}

export interface StoredReportFile {
  readonly size: number
  readonly digest: string
}

export async function findReportFile(
  executor: Executor,
  reportId: number,
  kind: ReportFileKind,
): Promise<StoredReportFile | null> {
  const [file] = await executor.query<StoredReportFile>(sql`
    select size, digest from report_files where report_id = ${reportId} and kind = ${kind}`)
  return file ?? null
}

/** Null if it is gone. */
export async function readReportFile(
  executor: Executor,
  reportId: number,
  kind: ReportFileKind,
): Promise<Buffer | null> {
  const [file] = await executor.query<{ content: Buffer }>(sql`
    select content from report_files where report_id = ${reportId} and kind = ${kind}`)
  return file?.content ?? null
}

/** Only the bytes [start, end); null if the file is gone. */
export async function openReportFile(
  executor: Executor,
  reportId: number,
  kind: ReportFileKind,
  { start, end }: ByteRange,
): Promise<Readable | null> {
  const [file] = await executor.query<{ part: Buffer }>(sql`
    select substring(content from ${start + 1}::int for ${end - start}::int) as part
    from report_files where report_id = ${reportId} and kind = ${kind}`)
  return file === undefined ? null : Readable.from([file.part])
}

/**
 * The number of reports that the account made this month, and its limit (null: none). Nobody else adds one before the
 * transaction ends.
 */
export interface MonthlyReports {
  readonly made: number
  readonly limit: number | null
}

/** Months are UTC months, as in all counts of usage. */
export async function lockMonthlyReports(
  transaction: Executor,
  accountId: number,
  now: number,
): Promise<MonthlyReports> {
  await transaction.execute(sql`select 1 from accounts where id = ${accountId} for no key update`)
  const [counts] = await transaction.query<MonthlyReports>(sql`
    select p.monthly_reports_limit as limit, coalesce(c.made, 0) as made
    from accounts a join packages p on p.id = a.package_id
    left join report_counters c on c.account_id = a.id and c.month = ${monthOf(now)}::date
    where a.id = ${accountId}`)
  return counts ?? { made: 0, limit: 0 }
}

/** Counts a new report and starts work on it soon. Deleted reports still count. */
export async function reportMade(transaction: Executor, accountId: number, now: number): Promise<void> {
  await transaction.execute(sql`
    insert into report_counters as known (account_id, month, made) values (${accountId}, ${monthOf(now)}::date, 1)
    on conflict (account_id, month) do update set made = known.made + 1`)
  await transaction.execute(raw(`select pg_notify('reports', '')`))
}

/** Writes a mail to each recipient of the finished document. Each gets it once, however often the phase is repeated. */
export async function writeReportMails(transaction: Executor, report: ClaimedReport, now: number): Promise<void> {
  const addresses = [...new Set(report.email_addresses)]
  const mails = addresses.map((address) => ({ kind: 'report' as const, report_id: report.id, address }))
  await enqueue(transaction, mails, now)
}
