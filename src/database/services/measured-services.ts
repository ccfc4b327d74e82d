import sql, { type Sql } from 'sql-template-tag'
import { dayLength } from '../../domain/calendars/durations.ts'
import { summaryOf } from '../../domain/judging/status.ts'
import type { MeasuredService } from '../../domain/service-level/open-metrics.ts'
import type { CountedChecks, MeasuredCheck } from '../../domain/service-level/service-measures.ts'
import type { Executor } from '../connect.ts'

/** Main accounts by their usernames; null: all of them. */
export type Accounts = readonly string[] | null

export interface ServicesAsked {
  readonly accounts: Accounts
  /** The services behind this one, in the order of their ids. */
  readonly afterId: number
  readonly limit: number
  readonly now: number
}

export interface ServicePage {
  readonly services: readonly MeasuredService[]
  /** The checks of their last analyses that measured a time. */
  readonly checks: readonly MeasuredCheck[]
  /** Sums of the checks of today and yesterday, by service and day. */
  readonly counted: readonly CountedChecks[]
}

interface Row extends Omit<MeasuredService, 'summary' | 'is_degraded'> {
  readonly monitoring_status: string
  readonly check_status: string
  readonly is_up_to_date: boolean
  readonly has_degraded: boolean
  readonly last_analysis_id: number | null
}

function accountsAsked(accounts: Accounts): Sql {
  if (accounts === null) return sql`true`
  const names = accounts.map((name) => name.toLowerCase())
  return sql`s.owner_id in (select id from accounts where lower(username) = any (${names}::text[]))`
}

/** A page of the services that are not archived, with what is known of them. */
export async function readServicePage(executor: Executor, asked: ServicesAsked): Promise<ServicePage> {
  const { accounts, afterId, limit, now } = asked
  const rows = await executor.query<Row>(sql`
    select s.id, s.name, s.type_id as type, s.group_id, st.monitoring_status, st.check_status,
      coalesce(st.valid_until > ${new Date(now)}, false) as is_up_to_date, st.degraded_since is not null as has_degraded,
      coalesce(st.state = 'failure' and st.acknowledged_change_id = st.state_change_id, false) as is_acknowledged,
      st.last_response_time as response_time, st.last_analysis_id,
      extract(epoch from st.last_analysis_time)::float8 as last_analysis_at,
      extract(epoch from s.expires_at)::float8 as expires_at
    from services s join service_statuses st on st.service_id = s.id
    where not s.is_archived and s.id > ${afterId} and ${accountsAsked(accounts)} order by s.id limit ${limit}`)
  const ids = rows.map(({ id }) => id)
  return {
    services: rows.map(serviceOf),
    checks: await readLastChecks(executor, rows),
    counted: await readCounts(executor, ids, Math.floor(now / dayLength) - 1),
  }
}

function serviceOf(row: Row): MeasuredService {
  const {
    monitoring_status: monitoring,
    check_status: check,
    is_up_to_date: isUpToDate,
    has_degraded: has,
    ...rest
  } = row
  const summary = summaryOf(monitoring, check, isUpToDate)
  return { ...rest, summary, is_degraded: has && summary === 'ok' }
}

/** Analyses of a day that is packed already are left out: their services are checked less than once a day. */
function readLastChecks(executor: Executor, rows: readonly Row[]): Promise<readonly MeasuredCheck[]> {
  const analysed = rows.flatMap(({ id, last_analysis_id: last }) => (last === null ? [] : [{ id, last }]))
  return executor.query<MeasuredCheck>(sql`
    select a.service_id, told.sensor_id, told.milliseconds
    from unnest(${analysed.map(({ id }) => id)}::int[], ${analysed.map(({ last }) => last)}::bigint[]) as asked (service_id, analysis_id)
      join analyses_hot a on a.service_id = asked.service_id and a.analysis_id = asked.analysis_id
      cross join lateral unnest(a.sensor_ids, a.response_times) as told (sensor_id, milliseconds)
    where told.milliseconds >= 0`)
}

function readCounts(executor: Executor, ids: readonly number[], fromDay: number): Promise<readonly CountedChecks[]> {
  return executor.query<CountedChecks>(sql`
    select service_id, day, sum(ok_checks)::int as ok, sum(error_checks)::int as error, sum(unknown_checks)::int as unknown
    from daily_performance where service_id = any (${[...ids]}::int[]) and day >= ${fromDay} group by 1, 2`)
}

/** The names of the stations. */
export async function readSensorNames(executor: Executor): Promise<ReadonlyMap<number, string>> {
  const rows = await executor.query<{ readonly id: number; readonly name: string }>(sql`select id, name from sensors`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The usernames that no main account has. */
export async function unknownAccounts(executor: Executor, accounts: Accounts): Promise<readonly string[]> {
  if (accounts === null) return []
  const rows = await executor.query<{ readonly name: string }>(sql`
    select name from unnest(${[...accounts]}::text[]) as asked (name) where not exists (
      select from accounts where lower(username) = lower(asked.name) and parent_account_id is null)`)
  return rows.map(({ name }) => name)
}

/** Stays the same for all processes of an installation, and after restarts. */
export async function readCoreId(executor: Executor): Promise<string | null> {
  const [row] = await executor.query<{ readonly id: string }>(sql`select id from core`)
  return row?.id ?? null
}
