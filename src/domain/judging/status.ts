/** The stored status of a service and its summary (specification: Service status, Service summary derivation). */

export type CheckStatus = 'ok' | 'failure'
export type MonitoringStatus = 'on' | 'off' | 'suspended'
export const summaries = ['failure', 'ok', 'paused', 'suspended', 'unknown'] as const
export type Summary = (typeof summaries)[number]

/** How long a verdict stays valid: two intervals and a minute (answers §8). Moments in Unix milliseconds. */
export function validUntil(lastVerdictAt: number, intervalSeconds: number): number {
  return lastVerdictAt + (2 * intervalSeconds + 60) * 1000
}

/** The conditions of a row; an absent one matches anything. */
interface SummaryRow {
  readonly summary: Summary
  readonly monitoring: MonitoringStatus
  readonly check?: CheckStatus
  /** True while the last verdict is valid. */
  readonly isUpToDate?: boolean
}

/** The specification's table; exactly one row applies to every combination. */
export const summaryTable: readonly SummaryRow[] = [
  { summary: 'failure', monitoring: 'on', check: 'failure', isUpToDate: true },
  { summary: 'ok', monitoring: 'on', check: 'ok', isUpToDate: true },
  { summary: 'paused', monitoring: 'off' },
  { summary: 'suspended', monitoring: 'suspended' },
  { summary: 'unknown', monitoring: 'on', isUpToDate: false },
]

/** The summary by the row of `summaryTable` that applies. */
export function summaryOf(monitoring: string, check: string, isUpToDate: boolean): string {
  const row = summaryTable.find(
    (one) =>
      one.monitoring === monitoring &&
      (one.check === undefined || one.check === check) &&
      (one.isUpToDate === undefined || one.isUpToDate === isUpToDate),
  )
  return row?.summary ?? 'unknown'
}

/**
 * The row of service_statuses that verdicts write; null for events that have not happened. Moments in Unix
 * milliseconds.
 */
export interface StatusMemory {
  readonly checkStatus: CheckStatus
  readonly lastChangeAt: number | null
  readonly lastAnalysis: AnalysisMark | null
  readonly lastOkAnalysis: AnalysisMark | null
  readonly lastFailureAnalysis: AnalysisMark | null
}

/** The analysis and the moment of its decision. */
export interface AnalysisMark {
  readonly analysisId: number
  readonly at: number
}

/** Applies a verdict to the stored status. The first verdict counts as a change. */
export function statusAfter(memory: StatusMemory, verdict: CheckStatus, mark: AnalysisMark): StatusMemory {
  const isChange = memory.lastAnalysis === null || memory.checkStatus !== verdict
  return {
    checkStatus: verdict,
    lastChangeAt: isChange ? mark.at : memory.lastChangeAt,
    lastAnalysis: mark,
    lastOkAnalysis: verdict === 'ok' ? mark : memory.lastOkAnalysis,
    lastFailureAnalysis: verdict === 'failure' ? mark : memory.lastFailureAnalysis,
  }
}
