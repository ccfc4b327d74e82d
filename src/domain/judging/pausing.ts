import {
  isInEffect,
  nextBoundary,
  type ServiceCalendar,
  type SuspensionReason,
  suspensionAt,
} from '../calendars/suspension.ts'
import type { MonitoringStatus } from './status.ts'

/**
 * How a service's calendar stops and resumes its monitoring and its notices (specification: States and transitions).
 */

/** The state of a service's monitoring and notices at one moment. */
export interface PauseState {
  /** `off` overrides every calendar. */
  readonly monitoring: MonitoringStatus
  readonly isSilent: boolean
}

/** The outcome of a range of time. Moments in Unix milliseconds. */
export interface Pausing extends PauseState {
  /** The first stop by a calendar. */
  readonly stopped: { readonly at: number; readonly reason: SuspensionReason } | null
  /** Monitoring runs at the end but did not run the whole time. */
  readonly isResumed: boolean
  /** When quiet hours first ended. */
  readonly quietEndedAt: number | null
  /** The next change by the calendar; Infinity for never. */
  readonly boundaryAt: number
}

/** More boundaries than ten years of hourly ones have. */
const mostBoundaries = 200_000

/**
 * Walks every boundary from `fromAt` to `toAt`, both included. There is usually one, and more after a standstill.
 * @param from the state before `fromAt`
 */
export function pausingBetween(calendar: ServiceCalendar, from: PauseState, fromAt: number, toAt: number): Pausing {
  let at = fromAt
  let now = step(calendar, { ...from, stopped: null, isResumed: false, quietEndedAt: null, boundaryAt: at }, at)
  for (let passed = 0; passed < mostBoundaries && now.boundaryAt <= toAt; passed++) {
    at = now.boundaryAt
    now = step(calendar, now, at)
  }
  return now
}

function step(calendar: ServiceCalendar, before: Pausing, at: number): Pausing {
  const reason = before.monitoring === 'off' ? null : suspensionAt(calendar, at)
  const isSilent = isInEffect(calendar.quiet, at)
  const isStopping = reason !== null && before.monitoring === 'on'
  const isResuming = reason === null && before.monitoring === 'suspended'
  return {
    monitoring: before.monitoring === 'off' ? 'off' : reason === null ? 'on' : 'suspended',
    isSilent,
    stopped: isStopping ? (before.stopped ?? { at, reason }) : before.stopped,
    isResumed: isResuming || (before.isResumed && reason === null),
    quietEndedAt: before.isSilent && !isSilent ? (before.quietEndedAt ?? at) : before.quietEndedAt,
    boundaryAt: Math.min(nextBoundary(calendar.stop, at), nextBoundary(calendar.quiet, at)),
  }
}
