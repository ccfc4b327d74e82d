/**
 * The progress of a report: its data are computed first, then the document is rendered (specification: Report
 * generation; answers §11).
 */

export const phaseStatuses = ['pending', 'in_progress', 'completed'] as const
export type PhaseStatus = (typeof phaseStatuses)[number]

export const reportStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Progress in whole percent. */
export interface ReportProgress {
  readonly generating_status: PhaseStatus
  readonly generating_progress: number
  readonly rendering_status: PhaseStatus
  readonly rendering_progress: number
  readonly status: ReportStatus
  readonly progress: number
}

/** In the order of the work. */
export const phases = ['generating', 'rendering'] as const
export type ReportPhase = (typeof phases)[number]

/** The next phase to work on; null if nothing is left. */
export function phaseOf({ status, generating_status }: ReportProgress): ReportPhase | null {
  if (status === 'completed' || status === 'failed') return null
  return generating_status === 'completed' ? 'rendering' : 'generating'
}

function together(report: Omit<ReportProgress, 'status' | 'progress'>): ReportProgress {
  const isDone = report.rendering_status === 'completed'
  const isStarted = report.generating_status !== 'pending'
  return {
    ...report,
    status: isDone ? 'completed' : isStarted ? 'in_progress' : 'pending',
    progress: Math.floor((report.generating_progress + report.rendering_progress) / 2),
  }
}

function phaseAt(report: ReportProgress, status: PhaseStatus, percent: number): ReportProgress {
  const phase = phaseOf(report)
  if (phase === null) return report
  if (phase === 'generating') return together({ ...report, generating_status: status, generating_progress: percent })
  return together({ ...report, rendering_status: status, rendering_progress: percent })
}

function percentOf(report: ReportProgress): number {
  return phaseOf(report) === 'rendering' ? report.rendering_progress : report.generating_progress
}

/**
 * Sets the current phase's progress. It never goes back, even when the work begins anew, and is not complete before
 * `phaseEnded`.
 */
export function phaseAdvanced(report: ReportProgress, done: number, total: number): ReportProgress {
  const percent = total <= 0 ? 0 : Math.floor((100 * done) / total)
  return phaseAt(report, 'in_progress', Math.min(99, Math.max(percentOf(report), percent)))
}

/** The first phase ends at 50 percent of the whole. */
export function phaseEnded(report: ReportProgress): ReportProgress {
  return phaseAt(report, 'completed', 100)
}

/** A failed phase keeps its progress. */
export function reportFailed(report: ReportProgress): ReportProgress {
  return phaseOf(report) === null ? report : { ...report, status: 'failed' }
}
