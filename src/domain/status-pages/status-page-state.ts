/** The public states of a page's components, from the history of their services. Moments in Unix milliseconds. */
import type { DegradedPeriod } from '../judging/degraded.ts'
import type { State } from '../judging/status-change.ts'
import type { LevelChange } from '../service-level/service-level.ts'
import type { ComponentStatus, IncidentImpact, IncidentStatus } from './status-page.ts'

/** A state as the public sees it. */
export interface PublicState {
  /** Null: nothing is known yet. */
  readonly state: State | null
  /** When it became public; null: never. */
  readonly since: number | null
  /** The failure behind it, as the start of its period; null without one. */
  readonly failureAt: number | null
}

/** When the state of a service becomes public. */
export interface Publicity {
  readonly delayMs: number
  readonly now: number
  /** When a person last confirmed that it fails; null: nobody did. */
  readonly confirmedAt?: number | null
}

/**
 * A failure becomes public once it has lasted for the delay or a person confirms it, and the recovery from a public
 * failure once it has lasted for the delay. So shorter ones never appear, and the page does not flap. Pauses are
 * people's acts, which are public at once.
 * @param changes ordered by start; neighbours touch
 */
export function publicState(
  changes: readonly LevelChange[],
  { delayMs, now, confirmedAt = null }: Publicity,
): PublicState {
  let shown: PublicState = { state: null, since: null, failureAt: null }
  for (const { status, startedAt, endedAt } of changes) {
    if (startedAt > now) break
    const isWaiting = status === 'failure' || (status === 'ok' && shown.state === 'failure')
    const lastsTo = endedAt ?? Number.POSITIVE_INFINITY
    const isConfirmed =
      status === 'failure' && confirmedAt !== null && startedAt <= confirmedAt && confirmedAt < lastsTo
    const waitedTo = isWaiting ? startedAt + delayMs : startedAt
    const at = isConfirmed ? Math.min(waitedTo, confirmedAt) : waitedTo
    if (status === shown.state || at > now || at >= lastsTo) continue
    shown = { state: status, since: at, failureAt: status === 'failure' ? startedAt : null }
  }
  return shown
}

/**
 * A degraded service becomes public as a failure does, and so does the end of it.
 * @param periods in order, without overlaps
 */
export function publicDegraded(
  periods: readonly DegradedPeriod[],
  publicity: Publicity,
): { readonly isDegraded: boolean; readonly since: number | null } {
  const changes = periods.flatMap(({ startedAt, endedAt }, index): LevelChange[] => {
    const next = periods[index + 1]?.startedAt ?? null
    const good: LevelChange[] = endedAt === null ? [] : [{ status: 'ok', startedAt: endedAt, endedAt: next }]
    return [{ status: 'failure', startedAt, endedAt }, ...good]
  })
  const { state, since } = publicState(changes, publicity)
  return { isDegraded: state === 'failure', since }
}

/** The status of a component before its incidents; `unknown`: nothing watches it now. */
export type ShownStatus = ComponentStatus | 'unknown'

const severity: Readonly<Record<ShownStatus, number>> = {
  unknown: 0,
  operational: 1,
  under_maintenance: 2,
  degraded_performance: 3,
  partial_outage: 4,
  major_outage: 5,
}

export function worstStatus(statuses: readonly ShownStatus[]): ShownStatus {
  return statuses.reduce<ShownStatus>(
    (worst, status) => (severity[status] > severity[worst] ? status : worst),
    'unknown',
  )
}

/** A service behind a component. */
export interface WatchedState extends PublicState {
  /** A calendar stops its monitoring now. */
  readonly isSuspended: boolean
  /** Its last verdict is too old to count. */
  readonly isStale: boolean
  /** It works, but visitors notice that it does not work well. */
  readonly isDegraded: boolean
}

/** All of its services failing is a major outage, some of them a partial one. A degraded one counts without these. */
export function statusOfServices(services: readonly WatchedState[]): ShownStatus {
  const judged = services.filter(({ state, isStale }) => state === 'failure' || (state === 'ok' && !isStale))
  const failing = judged.filter(({ state }) => state === 'failure').length
  if (failing > 0) return failing === judged.length ? 'major_outage' : 'partial_outage'
  if (judged.some(({ isDegraded }) => isDegraded)) return 'degraded_performance'
  if (judged.length > 0) return 'operational'
  return services.some(({ state, isSuspended }) => state === 'paused' && isSuspended) ? 'under_maintenance' : 'unknown'
}

/** An incident as far as it decides statuses. */
export interface ShownIncident {
  readonly status: IncidentStatus
  readonly impact: IncidentImpact
  readonly isMaintenance: boolean
  readonly componentIds: readonly number[]
  readonly updates: readonly {
    readonly affected_components: readonly { readonly component_id: number; readonly status: ComponentStatus }[]
  }[]
}

/** The status in the last update that names the component. */
function saidOf(id: number, { updates }: ShownIncident): ComponentStatus | null {
  const said = updates.flatMap(({ affected_components: affected }) => affected.filter((one) => one.component_id === id))
  return said.at(-1)?.status ?? null
}

/**
 * Maintenance under way covers everything else. Otherwise people may say worse than the checks do, and never better.
 * @param incidents published ones that are not over
 */
export function statusWithIncidents(
  id: number,
  watched: ShownStatus,
  incidents: readonly ShownIncident[],
): ShownStatus {
  const isWorkedOn = incidents.some(
    ({ isMaintenance, status, componentIds }) => isMaintenance && status !== 'scheduled' && componentIds.includes(id),
  )
  if (isWorkedOn) return 'under_maintenance'
  const said = incidents.map(
    (incident): ShownStatus => (incident.isMaintenance ? 'unknown' : (saidOf(id, incident) ?? 'unknown')),
  )
  return worstStatus([watched, ...said])
}

/** Maintenance begins and ends by its times, unless people have said more. */
export function statusAt(
  { status, scheduled_for: from, scheduled_until: until }: Scheduled,
  now: number,
): { readonly status: IncidentStatus; readonly at: number | null } {
  const isDone = until !== null && now >= until && (status === 'scheduled' || status === 'in_progress')
  if (isDone) return { status: 'completed', at: until }
  return status === 'scheduled' && from !== null && now >= from
    ? { status: 'in_progress', at: from }
    : { status, at: null }
}

interface Scheduled {
  readonly status: IncidentStatus
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
}

export type PageIndicator = IncidentImpact | 'maintenance'

const ranks: readonly PageIndicator[] = ['none', 'maintenance', 'minor', 'major', 'critical']

/** Incidents are as bad as their impact; maintenance counts while it is under way. */
function toldBy({ isMaintenance, status, impact }: ShownIncident): PageIndicator {
  if (!isMaintenance) return impact
  return status === 'scheduled' ? 'none' : 'maintenance'
}

/**
 * @param statuses of the components that are no groups
 * @param incidents published ones that are not over
 */
export function pageIndicator(statuses: readonly ShownStatus[], incidents: readonly ShownIncident[]): PageIndicator {
  const known = statuses.filter((status) => status !== 'unknown')
  const worst = worstStatus(known)
  const byStatus: Readonly<Record<ShownStatus, PageIndicator>> = {
    unknown: 'none',
    operational: 'none',
    under_maintenance: 'maintenance',
    degraded_performance: 'minor',
    partial_outage: 'major',
    major_outage: known.every((status) => status === 'major_outage') ? 'critical' : 'major',
  }
  return [byStatus[worst], ...incidents.map(toldBy)].reduce<PageIndicator>(
    (most, one) => (ranks.indexOf(one) > ranks.indexOf(most) ? one : most),
    'none',
  )
}
