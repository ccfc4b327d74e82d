/** The stored status of a service and its summary (specification: Service status, Service summary derivation). */

export type CheckStatus = 'ok' | 'failure'
export type MonitoringStatus = 'on' | 'off' | 'suspended'
export type Summary = 'failure' | 'ok' | 'paused' | 'suspended' | 'unknown'

/** How long a verdict stays valid: two intervals and a minute (choices §8). Moments in Unix milliseconds. */
export function validUntil(lastVerdictAt: number, intervalSeconds: number): number {
  return lastVerdictAt + (2 * intervalSeconds + 60) * 1000
}

/** `validUntilAt` is null before the first verdict and after monitoring was stopped. */
export function isUpToDate(validUntilAt: number | null, now: number): boolean {
  return validUntilAt !== null && now < validUntilAt
}

interface SummaryRow {
  readonly summary: Summary
  readonly applies: (monitoring: MonitoringStatus, check: CheckStatus, isUpToDate: boolean) => boolean
}

/** The specification's table; exactly one row applies to every combination. */
export const summaryTable: readonly SummaryRow[] = [
  { summary: 'failure', applies: (monitoring, check, fresh) => monitoring === 'on' && check === 'failure' && fresh },
  { summary: 'ok', applies: (monitoring, check, fresh) => monitoring === 'on' && check === 'ok' && fresh },
  { summary: 'paused', applies: (monitoring) => monitoring === 'off' },
  { summary: 'suspended', applies: (monitoring) => monitoring === 'suspended' },
  { summary: 'unknown', applies: (monitoring, _check, fresh) => monitoring === 'on' && !fresh },
]

/** The word shown for a service's condition. */
export function summaryOf(monitoring: MonitoringStatus, check: CheckStatus, isUpToDate: boolean): Summary {
  return summaryTable.find(({ applies }) => applies(monitoring, check, isUpToDate))?.summary ?? 'unknown'
}

export interface StatusMemory {
  readonly checkStatus: CheckStatus
  readonly lastChangeAt: number | null
  readonly lastAnalysis: AnalysisMark | null
  readonly lastOkAnalysis: AnalysisMark | null
  readonly lastFailureAnalysis: AnalysisMark | null
}

export interface AnalysisMark {
  readonly analysisId: number
  readonly at: number
}

/** What a verdict does to the stored status. The first verdict counts as a change. */
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
