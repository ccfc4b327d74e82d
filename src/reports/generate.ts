import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { readReach } from '../database/reports/report-reach.ts'
import type { ReportOrder } from '../database/reports/reports.ts'
import { formatMoment, shownSecond } from '../domain/calendars/time.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { pointsOf, type ReportAccess, type ReportPoint, servicesOf } from '../domain/reports/report-scope.ts'
import { countedRanges, localPieces } from '../domain/reports/report-time.ts'
import { type ChartRange, divideByCalendar } from '../domain/service-level/chart.ts'
import type { ReportDocument, ReportHead, ReportResult, ReportScope } from './document.ts'
import { measureServices, type ReportTime } from './measure.ts'
import { type Measures, measuresTogether } from './measures.ts'
import { checksSummary } from './sections/checks-summary.ts'
import { averageResponseTime, performanceByHour, performanceByWeekDay } from './sections/performance.ts'
import { failuresShown, serviceLevelSummary } from './sections/service-level-summary.ts'

/** The number of parts of the timeline: as many as a page can show apart. */
const mostParts = 100
/** A point is a page of a document; the process that makes one with so many takes 1.4 GB, this process 0.4. */
export const mostPoints = 10_000

/** There are more points than one document can have. */
export class ReportTooLarge extends Error {}

interface Owner {
  readonly id: number
  readonly name: string
  readonly language_id: string
  readonly time_zone_id: string
}

/** Null if the account is gone. */
export async function readOwner(executor: Executor, accountId: number): Promise<Owner | null> {
  const [owner] = await executor.query<Owner>(sql`
    select id, name, language_id, time_zone_id from accounts where id = ${accountId}`)
  return owner ?? null
}

function wholeSecond(at: number): number {
  return shownSecond(at) * 1000
}

/** The range ends at the report's creation, and begins no earlier than the oldest service. */
async function rangeOf(executor: Executor, order: ReportOrder, serviceIds: readonly number[]): Promise<ChartRange> {
  const [oldest] = await executor.query<{ created_at: number | null }>(sql`
    select min(created_at) as created_at from services where id = any(${serviceIds}::int[])`)
  const toAt = Math.min(order.to_time, wholeSecond(order.created_at))
  const firstAt = oldest?.created_at ?? toAt
  return { fromAt: Math.min(Math.max(order.from_time, wholeSecond(firstAt)), toAt), toAt }
}

function timeOf(range: ChartRange, order: ReportOrder, zone: string): ReportTime {
  const counted = countedRanges(range, order.weekly_suspensions, zone)
  const readsChecks = order.section_ids.some((id) => id !== 'service_level_summary')
  const pieces = readsChecks ? localPieces(counted, zone) : []
  return { range, counted, parts: divideByCalendar(range, zone, mostParts), pieces }
}

function headOf(order: ReportOrder, { id, name, language_id }: Owner, zone: string): ReportHead {
  return {
    id: order.id,
    template_id: order.template_id,
    name: order.name,
    description: order.description,
    owner: { id, name },
    from: formatMoment(order.from_time),
    to: formatMoment(order.to_time),
    created_at: formatMoment(order.created_at),
    time_zone: zone,
    language_id,
    section_ids: order.section_ids,
    summary: order.summary,
    archived_services: order.archived_services,
    weekly_suspensions: order.weekly_suspensions,
  }
}

/** Names the parents of a point, too. */
function scopeShown(point: ReportPoint, known: ReadonlyMap<string, { id: number; name: string }>): ReportScope {
  const named = ({ id, name }: { id: number; name: string }) => ({ id, name })
  const account = (id: number) => named(known.get(`account ${id}`) ?? { id, name: '' })
  const group = (id: number) => named(known.get(`group ${id}`) ?? { id, name: '' })
  switch (point.type) {
    case 'summary':
      return { type: point.type }
    case 'account':
      return { type: point.type, account: named(point.account) }
    case 'group':
      return { type: point.type, group: named(point.group), account: account(point.group.owner_id) }
    case 'service': {
      const { service } = point
      const above = { group: group(service.group_id), account: account(service.owner_id) }
      return { type: point.type, service: named(service), ...above }
    }
  }
}

function namesOf({ accounts, groups }: ReportAccess): ReadonlyMap<string, { id: number; name: string }> {
  return new Map([
    ...accounts.map((account) => [`account ${account.id}`, account] as const),
    ...groups.map((group) => [`group ${group.id}`, group] as const),
  ])
}

function sectionsOf(measures: Measures, order: ReportOrder, time: ReportTime, hasFailures: boolean) {
  const has = (id: string) => order.section_ids.includes(id)
  const level = () => ({
    ...serviceLevelSummary(measures, time.parts),
    ...(hasFailures ? { failures: failuresShown(measures), last_status: measures.level.lastStatus } : {}),
  })
  return {
    ...(has('checks_summary') ? { checks_summary: checksSummary(measures) } : {}),
    ...(has('service_level_summary') ? { service_level_summary: level() } : {}),
    ...(has('performance_by_hour') || has('performance_by_week_day')
      ? { average_response_time: averageResponseTime(measures) }
      : {}),
    ...(has('performance_by_hour') ? { performance_by_hour: performanceByHour(measures) } : {}),
    ...(has('performance_by_week_day') ? { performance_by_week_day: performanceByWeekDay(measures) } : {}),
  }
}

/** Reports how much of the whole is done. */
export type TellProgress = (done: number, total: number) => Promise<void>

/**
 * Phase one: computes the content of the report from the database alone. Null if the owner is gone. Rejects with
 * `ReportTooLarge`.
 */
export async function generate(
  executor: Executor,
  order: ReportOrder,
  tell: TellProgress,
): Promise<ReportDocument | null> {
  const owner = await readOwner(executor, order.owner_id)
  if (owner === null) return null
  const zone = timeZoneName(owner.time_zone_id) ?? 'UTC'
  const access = { accountId: order.owner_id, services: 'all', hasArchived: order.archived_services } as const
  const reach = await readReach(executor, access)
  const points = pointsOf(order.requested_scope, reach, order.summary)
  if (points.length > mostPoints) throw new ReportTooLarge()
  const ids = servicesOf(points).map(({ id }) => id)
  const time = timeOf(await rangeOf(executor, order, ids), order, zone)
  const measures = await measureServices(executor, ids, time, (done) => tell(done, ids.length))
  const names = namesOf(reach)
  const results = points.map((point): ReportResult => {
    const [first, ...others] = point.services.map(({ id }) => measures.get(id)).filter((known) => known !== undefined)
    const isOne = point.type === 'service' && first !== undefined
    const sums = isOne ? first : measuresTogether(first === undefined ? [] : [first, ...others])
    return { scope: scopeShown(point, names), ...sectionsOf(sums, order, time, point.type === 'service') }
  })
  return { report: headOf(order, owner, zone), results }
}
