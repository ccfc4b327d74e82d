/** The history of a service's operating state (specification: Service operating state). */

/** A state of the machine; a new service has none until its first verdict or stop. */
export type State = 'ok' | 'failure' | 'paused'
/** The cause of a stop: a person, one of the three calendars, or a change of the service or its owner. */
export type PauseReason =
  | 'user'
  | 'suspension'
  | 'weekly_suspension'
  | 'suspension_hours'
  | 'archived'
  | 'account_blocked'

/** The open period; null before a new service's first verdict. Moments in Unix milliseconds. */
export interface OpenChange {
  readonly changeId: number
  readonly state: State
  readonly startedAt: number
}

/** The triggers of state changes. `at` in Unix milliseconds. */
export type StateTrigger =
  | { readonly kind: 'verdict'; readonly verdict: 'ok' | 'failure'; readonly analysisId: number; readonly at: number }
  | { readonly kind: 'stop'; readonly reason: PauseReason; readonly at: number }

/** Closes the open period at `startedAt` and opens this one. */
export interface NewChange extends OpenChange {
  readonly pauseReason: PauseReason | null
  readonly firstAnalysisId: number | null
}

/**
 * The period that a trigger opens, or null if the state stays; neighbours always touch and differ. If a clock was set
 * back, a period still never ends before it began. Ids grow within a service.
 */
export function changeFor(open: OpenChange | null, trigger: StateTrigger): NewChange | null {
  const state: State = trigger.kind === 'stop' ? 'paused' : trigger.verdict
  if (open?.state === state) return null
  const startedAt = Math.max(trigger.at, open?.startedAt ?? trigger.at)
  return {
    changeId: Math.max(startedAt * 100, (open?.changeId ?? 0) + 1),
    state,
    startedAt,
    pauseReason: trigger.kind === 'stop' ? trigger.reason : null,
    firstAnalysisId: trigger.kind === 'verdict' ? trigger.analysisId : null,
  }
}

/** Stops by a user read as off, those by a calendar as suspended (answers §9). */
export function monitoringStatusFor(reason: PauseReason): 'off' | 'suspended' {
  return reason === 'user' || reason === 'archived' || reason === 'account_blocked' ? 'off' : 'suspended'
}
