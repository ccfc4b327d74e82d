import type { LeftOut } from '../domain/reports/report-time.ts'
import type { checksSummary } from './sections/checks-summary.ts'
import type { performanceByHour, performanceByWeekDay } from './sections/performance.ts'
import type { failuresShown, serviceLevelSummary } from './sections/service-level-summary.ts'

/** The data of a report: the answer of `GET /reports/{_id}/json`, and the source of the document. */

interface Named {
  readonly id: number
  readonly name: string
}

export interface ReportScope {
  readonly type: 'summary' | 'account' | 'group' | 'service'
  readonly account?: Named
  readonly group?: Named
  readonly service?: Named
}

export interface ReportResult {
  readonly scope: ReportScope
  readonly checks_summary?: ReturnType<typeof checksSummary>
  readonly service_level_summary?: ReturnType<typeof serviceLevelSummary> & {
    readonly failures?: ReturnType<typeof failuresShown>
    readonly last_status?: 'ok' | 'failure' | 'paused' | null
  }
  readonly average_response_time?: number | null
  readonly performance_by_hour?: ReturnType<typeof performanceByHour>
  readonly performance_by_week_day?: ReturnType<typeof performanceByWeekDay>
}

export interface ReportHead {
  readonly id: number
  readonly template_id: number
  readonly name: string
  readonly description: string
  readonly owner: Named
  readonly from: string
  readonly to: string
  readonly created_at: string
  /** IANA name. */
  readonly time_zone: string
  readonly language_id: string
  readonly section_ids: readonly string[]
  readonly summary: string
  readonly archived_services: boolean
  readonly weekly_suspensions: readonly LeftOut[]
}

export interface ReportDocument {
  readonly report: ReportHead
  readonly results: readonly ReportResult[]
}
