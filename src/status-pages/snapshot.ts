import type { LogoRow } from '../database/status-pages/page-logos.ts'
import type { PageRow } from '../database/status-pages/status-page-rows.ts'
import type { DayBar } from '../domain/service-level/history-bars.ts'
import type { IncidentImpact, IncidentStatus, IncidentUpdate } from '../domain/status-pages/status-page.ts'
import type { PageIndicator, ShownStatus } from '../domain/status-pages/status-page-state.ts'
import type { Language } from '../wording/language.ts'

/** A page as the public sees it, at one moment. Moments in Unix milliseconds. */
export interface Snapshot {
  readonly page: PageRow
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly madeAt: number
  /** The last change of anything that it shows. */
  readonly updatedAt: number
  readonly indicator: PageIndicator
  /** In order; the parts of a group follow it. Hidden ones are left out. */
  readonly components: readonly ShownComponent[]
  /** The newest first. */
  readonly incidents: readonly PublishedIncident[]
  /** The newest first. */
  readonly maintenances: readonly PublishedIncident[]
  readonly serviceIds: readonly number[]
  readonly logos: ShownLogos
  /** The states of the services behind it. */
  readonly marks: string
}

/** The picture above the title, for either scheme; null: none. */
export interface ShownLogos {
  readonly light: LogoRow | null
  /** Null: that of the light scheme. */
  readonly dark: LogoRow | null
}

export interface ShownComponent {
  readonly id: number
  readonly parentId: number | null
  readonly isGroup: boolean
  readonly position: number
  readonly name: string
  readonly description: string
  readonly status: ShownStatus
  readonly isOnlyShownIfDegraded: boolean
  readonly startDate: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The seconds of all its services by day; empty without services. */
  readonly bars: readonly DayBar[]
  /** Over the bars, in percent; null: nothing was watched. */
  readonly uptime: number | null
}

export interface PublishedIncident {
  /** Unique on its page, forever. */
  readonly id: string
  /** It comes again: what is the same each time; null: it happens once. */
  readonly series: string | null
  readonly name: string
  readonly status: IncidentStatus
  readonly impact: IncidentImpact
  readonly isMaintenance: boolean
  /** Maintenance by a suspension, which may stop a part of a component: the services themselves say its status. */
  readonly isSuspension: boolean
  readonly startedAt: number
  readonly monitoringAt: number | null
  readonly resolvedAt: number | null
  readonly scheduledFor: number | null
  readonly scheduledUntil: number | null
  readonly componentIds: readonly number[]
  /** The oldest first. */
  readonly updates: readonly IncidentUpdate[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** The components that show something themselves. */
export function leavesOf({ components }: Pick<Snapshot, 'components'>): readonly ShownComponent[] {
  return components.filter(({ isGroup }) => !isGroup)
}

/** Bytes of a bar, an update's or a component's own members in memory, about. */
const barBytes = 112
const objectBytes = 400

/** Memory that the snapshot takes, about. Components with the same services share their bars. */
export function snapshotBytes({ components, incidents, maintenances }: Snapshot): number {
  const bars = new Set(components.map((one) => one.bars))
  const ofBars = [...bars].reduce((sum, { length }) => sum + length * barBytes, 0)
  const ofTexts = components.reduce((sum, { name, description }) => sum + name.length + description.length, 0)
  const ofIncidents = [...incidents, ...maintenances].reduce(
    (sum, { updates, componentIds }) =>
      sum + updates.reduce((bytes, { body }) => bytes + body.length, 0) + 8 * componentIds.length + objectBytes,
    0,
  )
  return ofBars + 2 * (ofTexts + ofIncidents) + objectBytes * components.length
}

/** Repeated maintenance once: the time that comes next. @param maintenances the newest first */
export function nextOfSeries(maintenances: readonly PublishedIncident[]): readonly PublishedIncident[] {
  const seen = new Set<string>()
  const nextFirst = maintenances.toReversed().filter(({ series }) => {
    if (series === null) return true
    const isFirst = !seen.has(series)
    seen.add(series)
    return isFirst
  })
  return nextFirst.toReversed()
}
