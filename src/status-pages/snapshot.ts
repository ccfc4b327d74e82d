import type { LogoRow } from '../database/page-logos.ts'
import type { PageRow } from '../database/status-page-rows.ts'
import type { DayBar } from '../domain/history-bars.ts'
import type { IncidentImpact, IncidentStatus, IncidentUpdate } from '../domain/status-page.ts'
import type { PageIndicator, ShownStatus } from '../domain/status-page-state.ts'
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
