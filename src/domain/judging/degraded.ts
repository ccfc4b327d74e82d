import type { CheckResultValue } from './analysis.ts'

/**
 * The degraded state: a service works, but not as well as it should. It lies beside the states of the specification and
 * changes none of them. A state machine with hysteresis: a reason needs several rounds in a row to begin and to end, so
 * that a value around a limit does not flap.
 */

export const degradedReasons = ['slow', 'certificate', 'domain', 'assertion', 'minority'] as const
export type DegradedReason = (typeof degradedReasons)[number]

/** The reasons that visitors of a service can notice; the others warn its owner of an end to come. */
const noticeableReasons: readonly DegradedReason[] = ['slow', 'assertion', 'minority']

export function isNoticeable(reasons: readonly string[]): boolean {
  return noticeableReasons.some((reason) => reasons.includes(reason))
}

/** Rounds in a row with the reason before it holds. An end of validity is no measurement, so once is enough. */
export const roundsToBegin: Readonly<Record<DegradedReason, number>> = {
  ...{ slow: 2, assertion: 2, minority: 2 },
  ...{ certificate: 1, domain: 1 },
}
/** Rounds in a row without the reason before it is over. */
export const roundsToEnd = 3

/** A check as far as it can show a degraded service. */
export interface DegradedCheck {
  readonly result: CheckResultValue
  readonly degraded?: readonly DegradedReason[] | undefined
}

/**
 * The reasons that one good round shows. A slow answer or an assertion needs the share of stations that a failure would
 * need. One station is enough to see an end of validity. A failure that too few stations see is a minority.
 */
export function reasonsSeen(
  checks: readonly DegradedCheck[],
  errorTolerancePercent: number,
): readonly DegradedReason[] {
  const told = checks.filter(({ result }) => result !== 'unknown')
  const seenBy = (reason: DegradedReason) =>
    told.filter(({ result, degraded }) =>
      reason === 'minority' ? result === 'error' : result === 'ok' && degraded?.includes(reason) === true,
    ).length
  return degradedReasons.filter((reason) => {
    const count = seenBy(reason)
    const isShareEnough = reason === 'slow' || reason === 'assertion'
    return count > 0 && (!isShareEnough || 100 * count >= errorTolerancePercent * told.length)
  })
}

/** A reason that holds, or may soon. */
export interface DegradedSign {
  readonly reason: DegradedReason
  readonly holds: boolean
  /** Rounds in a row that speak for a change: with the reason before it holds, without it afterwards. */
  readonly rounds: number
}

/** Kept between rounds. Moments in Unix milliseconds. */
export interface DegradedMemory {
  readonly signs: readonly DegradedSign[]
  /** The beginning of the period; null: the service is not degraded. */
  readonly sinceAt: number | null
  /** The beginning of the period that was notified last and whose end was not; null: none. */
  readonly toldSinceAt: number | null
}

export interface DegradedFacts {
  readonly verdict: 'ok' | 'failure'
  readonly now: number
  /** The reasons that the round shows. */
  readonly seen: readonly DegradedReason[]
  /** The service chose the event `degraded`, and notifies at all. */
  readonly isWanted: boolean
  /** Quiet hours: nothing is notified now. */
  readonly isQuiet: boolean
  /** A warning about an end of validity is due that was not notified yet. */
  readonly isWarningDue?: boolean
}

export interface DegradedDecision {
  readonly memory: DegradedMemory
  /** In the order of `degradedReasons`; empty: the service is not degraded. */
  readonly reasons: readonly DegradedReason[]
  readonly event: 'degraded' | 'degraded_end' | null
}

/** The reasons that hold, in the order of `degradedReasons`. */
function reasonsHolding(signs: readonly DegradedSign[]): readonly DegradedReason[] {
  return degradedReasons.filter((reason) => signs.some((sign) => sign.reason === reason && sign.holds))
}

/**
 * Applies a verdict. A failure ends the period and forgets the signs: it says more. The two events alternate, also over
 * failures and pauses, but for warnings about an end of validity. Quiet hours put an event off. The end is notified
 * when nothing speaks for another period.
 */
export function degradedAfter(before: DegradedMemory, facts: DegradedFacts): DegradedDecision {
  const { verdict, now, seen, isQuiet, isWanted } = facts
  const signs = verdict === 'failure' ? [] : signsAfter(before.signs, seen)
  const reasons = reasonsHolding(signs)
  const sinceAt = reasons.length === 0 ? null : (before.sinceAt ?? now)
  const memory = { signs, sinceAt, toldSinceAt: before.toldSinceAt }
  if (!isWanted) return { memory: { ...memory, toldSinceAt: null }, reasons, event: null }
  if (isQuiet || verdict === 'failure') return { memory, reasons, event: null }
  if (sinceAt !== null && (before.toldSinceAt === null || facts.isWarningDue === true)) {
    return { memory: { ...memory, toldSinceAt: before.toldSinceAt ?? sinceAt }, reasons, event: 'degraded' }
  }
  if (before.toldSinceAt !== null && signs.length === 0) {
    return { memory: { ...memory, toldSinceAt: null }, reasons, event: 'degraded_end' }
  }
  return { memory, reasons, event: null }
}

function signsAfter(before: readonly DegradedSign[], seen: readonly DegradedReason[]): readonly DegradedSign[] {
  return degradedReasons.flatMap((reason) => {
    const sign = before.find((one) => one.reason === reason) ?? { reason, holds: false, rounds: 0 }
    const after = signAfter(sign, seen.includes(reason))
    return after === null ? [] : [after]
  })
}

/** Null when nothing is left of the sign. */
function signAfter({ reason, holds, rounds }: DegradedSign, isSeen: boolean): DegradedSign | null {
  if (isSeen === holds) return holds ? { reason, holds, rounds: 0 } : null
  if (isSeen) {
    const begins = rounds + 1 >= roundsToBegin[reason]
    return { reason, holds: begins, rounds: begins ? 0 : rounds + 1 }
  }
  return rounds + 1 >= roundsToEnd ? null : { reason, holds, rounds: rounds + 1 }
}

/** A range of Unix milliseconds; the open one has no end. */
export interface DegradedPeriod {
  readonly startedAt: number
  readonly endedAt: number | null
}
