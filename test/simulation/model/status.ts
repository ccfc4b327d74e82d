/** The model's status. Specification: "Service status", "Service summary derivation"; answers §8. */

export interface Status {
  readonly check_status: 'ok' | 'failure'
  readonly check_status_is_up_to_date: boolean
  readonly monitoring_status: 'on' | 'off' | 'suspended'
  readonly notifications_status: 'on' | 'silent'
  readonly summary: 'failure' | 'ok' | 'paused' | 'suspended' | 'unknown'
}

export interface StatusFacts {
  readonly now: number
  readonly interval: number
  readonly isOff: boolean
  readonly isSuspended: boolean
  readonly isQuiet: boolean
  readonly verdict: { readonly status: 'ok' | 'failure'; readonly at: number } | null
  /** Since the verdict. */
  readonly wasStopped: boolean
}

export function statusOf({ now, interval, isOff, isSuspended, isQuiet, verdict, wasStopped }: StatusFacts): Status {
  // "The last verdict is younger than 2 × interval + 60 s and monitoring was not stopped since."
  const isUpToDate = verdict !== null && !wasStopped && now - verdict.at < (2 * interval + 60) * 1000
  // "off wins over suspended"
  const monitoring = isOff ? 'off' : isSuspended ? 'suspended' : 'on'
  // The project's choice: ok before the first verdict.
  const check = verdict?.status ?? 'ok'
  return {
    check_status: check,
    check_status_is_up_to_date: isUpToDate,
    monitoring_status: monitoring,
    notifications_status: isQuiet ? 'silent' : 'on',
    summary: summaryOf(monitoring, check, isUpToDate),
  }
}

function summaryOf(monitoring: Status['monitoring_status'], check: 'ok' | 'failure', isUpToDate: boolean) {
  if (monitoring === 'off') return 'paused'
  if (monitoring === 'suspended') return 'suspended'
  return isUpToDate ? check : 'unknown'
}
