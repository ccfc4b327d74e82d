/** Planned stops of services that status pages show as maintenance. Moments in Unix milliseconds. */

import type { Period } from '../calendars/suspension.ts'
import type { NoticeKind } from './incident-notice.ts'
import type { IncidentStatus } from './status-page.ts'

export interface PlannedStop extends Period {
  /** Unique on its page, forever. */
  readonly id: string
  /** It comes again: the same each time; null: it happens once. */
  readonly series: string | null
  readonly componentIds: readonly number[]
}

/** A stop as its page told of it last. */
export interface AnnouncedStop extends PlannedStop {
  readonly status: 'scheduled' | 'in_progress'
}

/** The key of a stop among those of its page: the times of one series follow each other. */
export function stopKey({ id, series }: Pick<PlannedStop, 'id' | 'series'>): string {
  return series ?? id
}

/** One message about stops that begin and end together. */
export interface StopNews {
  readonly kind: NoticeKind
  readonly status: IncidentStatus | 'cancelled'
  /** For several stops: that of the first, and the components of all. */
  readonly stop: PlannedStop
}

export interface StopDecision {
  readonly news: readonly StopNews[]
  /** New or changed. */
  readonly kept: readonly AnnouncedStop[]
  /** Their keys. */
  readonly forgotten: readonly string[]
}

interface StopFacts {
  readonly now: number
  /** False for a stop that the page does not show any more, whether it is still planned or not. */
  readonly mayBeShown: (stop: PlannedStop) => boolean
  /** The number of next ones that are told; later ones wait. */
  readonly most: number
}

/**
 * The messages due now. Each stop is told when it is planned, moved, begun and over, or called off. Of a series the
 * plan is told once, and then the beginning and the end of each time. A page that stops showing a stop says nothing.
 *
 * @param shown those of the page that are not over, in order, of a series the next time
 * @param told those that the page has told of
 */
export function followStops(
  shown: readonly PlannedStop[],
  told: readonly AnnouncedStop[],
  { now, mayBeShown, most }: StopFacts,
): StopDecision {
  const before = new Map(told.map((stop) => [stopKey(stop), stop]))
  const present = new Set(shown.map(stopKey))
  const steps = shown.flatMap((stop, place) => {
    const known = before.get(stopKey(stop))
    return known === undefined && place >= most ? [] : [stepOf(stop, known, now)]
  })
  const gone = told.filter((stop) => !present.has(stopKey(stop)))
  return {
    news: merged([...gone.filter(mayBeShown).map((stop) => endOf(stop, now)), ...steps.flatMap(({ news }) => news)]),
    kept: steps.flatMap(({ kept }) => kept ?? []),
    forgotten: gone.map(stopKey),
  }
}

interface Step {
  readonly news: readonly StopNews[]
  /** Null: nothing changes. */
  readonly kept: AnnouncedStop | null
}

function stepOf(stop: PlannedStop, before: AnnouncedStop | undefined, now: number): Step {
  const status = now < stop.startAt ? 'scheduled' : 'in_progress'
  const kept = { ...stop, status } as const
  const news = (kind: NoticeKind): StopNews => ({ kind, status, stop })
  const first = status === 'scheduled' ? 'scheduled' : 'started'
  if (before === undefined) return { news: [news(first)], kept }
  const isMoved = before.startAt !== stop.startAt || before.endAt !== stop.endAt
  if (stop.series !== null && isMoved && before.endAt <= now) {
    // A time of which nobody saw the beginning is history.
    const end = before.status === 'in_progress' ? [endOf(before, now)] : []
    return { news: status === 'in_progress' ? [...end, news('started')] : end, kept }
  }
  if (before.status === 'scheduled' && status === 'in_progress') return { news: [news('started')], kept }
  if (isMoved) return { news: stop.series === null ? [news('updated')] : [], kept }
  const isSame = before.id === stop.id && before.componentIds.join() === stop.componentIds.join()
  return { news: [], kept: isSame ? null : kept }
}

/** It is over, or somebody removed it before its end. */
function endOf(stop: AnnouncedStop, now: number): StopNews {
  const isCalledOff = stop.status === 'scheduled' && now < stop.startAt
  return isCalledOff
    ? { kind: 'cancelled', status: 'cancelled', stop }
    : { kind: 'completed', status: 'completed', stop }
}

function merged(news: readonly StopNews[]): readonly StopNews[] {
  const together = new Map<string, StopNews>()
  for (const one of news) {
    const key = `${one.kind} ${one.stop.series === null} ${one.stop.startAt} ${one.stop.endAt}`
    together.set(key, { ...one, stop: joined(together.get(key)?.stop, one.stop) })
  }
  return [...together.values()]
}

function joined(first: PlannedStop | undefined, stop: PlannedStop): PlannedStop {
  if (first === undefined) return stop
  return { ...first, componentIds: [...new Set([...first.componentIds, ...stop.componentIds])] }
}

/** One-off stops that begin and end together are one; each keeps its place and its id if it is the first of them. */
export function joinedStops(stops: readonly PlannedStop[]): readonly PlannedStop[] {
  const together = new Map<string, PlannedStop>()
  for (const stop of stops) {
    const key = stop.series === null ? `${stop.startAt} ${stop.endAt}` : stop.id
    together.set(key, joined(together.get(key), stop))
  }
  return [...together.values()]
}
