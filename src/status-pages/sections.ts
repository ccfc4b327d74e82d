import { isOver } from '../domain/status-pages/status-page.ts'
import { nextOfSeries, type PublishedIncident, type Snapshot } from './snapshot.ts'

/** Days of the past incidents on the page; the history has more. */
export const pastDays = 14
const dayMs = 86_400_000

type Told = Pick<Snapshot, 'incidents' | 'maintenances' | 'madeAt'>

export function lastingOf({ incidents }: Told): readonly PublishedIncident[] {
  return incidents.filter(({ status }) => !isOver(status))
}

/** Maintenance under way. */
export function presentOf({ maintenances }: Told): readonly PublishedIncident[] {
  return maintenances.filter(({ status }) => status === 'in_progress' || status === 'verifying')
}

/** Maintenance to come, the next one first. */
export function comingOf({ maintenances }: Told): readonly PublishedIncident[] {
  return nextOfSeries(maintenances.filter(({ status }) => status === 'scheduled')).toReversed()
}

/** Incidents and maintenance that are over, the latest first. */
export function overOf({ incidents, maintenances }: Told): readonly PublishedIncident[] {
  return [...incidents, ...maintenances]
    .filter(({ status }) => isOver(status))
    .toSorted((one, other) => other.startedAt - one.startedAt)
}

/** Incidents and maintenance that ended within the last days. */
export function lateOf(told: Told): readonly PublishedIncident[] {
  return overOf(told).filter(({ resolvedAt, startedAt }) => (resolvedAt ?? startedAt) > told.madeAt - pastDays * dayMs)
}
