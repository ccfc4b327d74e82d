import { localText } from '../../format/zone.ts'
import type { WeekMinute } from '../../parts/week-minute-field.tsx'
import type { Scope } from './scope-field.tsx'
import type { Times } from './time-fields.tsx'
import type { Occurrence, Plan } from './week.ts'

/** A new suspension of a time, or one that is there. */
export type Asked =
  | { readonly kind: 'new'; readonly from: number; readonly to: number; readonly scope: Partial<Scope> }
  | { readonly kind: 'edit'; readonly occurrence: Occurrence }

export interface Draft extends Times {
  readonly kind: Plan['kind']
  readonly start: WeekMinute
  readonly end: WeekMinute
  /** Whether the minutes were chosen; until then they follow the moments. */
  readonly isWeekChosen: boolean
  readonly onlyNotifications: boolean
  readonly description: string
  readonly scope: Scope
}

const nowhere: Scope = { kind: 'services', services: new Map(), groupId: null, tag: null, isFollowing: false }

function minuteOf(at: number, zone: string): WeekMinute {
  const text = localText(at, zone)
  const day = new Date(`${text}Z`).getUTCDay()
  return { day_of_week: day === 0 ? 7 : day, hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) }
}

export function draftOf(asked: Asked, zone: string): Draft {
  if (asked.kind === 'new') {
    const { from, to, scope } = asked
    const minutes = { start: minuteOf(from, zone), end: minuteOf(to, zone) }
    const empty = { isWeekChosen: false, onlyNotifications: false, description: '', scope: { ...nowhere, ...scope } }
    return { kind: 'once', from, to, ...minutes, ...empty }
  }
  const { plan, from, to } = asked.occurrence
  const { kind, onlyNotifications, description } = plan
  const minutes = plan.week ?? { start: minuteOf(from, zone), end: minuteOf(to, zone) }
  const said = { isWeekChosen: true, onlyNotifications, description, scope: nowhere }
  return { kind, from, to, start: minutes.start, end: minutes.end, ...said }
}

/** The moments as minutes of the week in the zone in which they will hold. */
export function inZoneOf(draft: Draft, zones: readonly string[]): Draft {
  const { from, to, isWeekChosen } = draft
  const [zone] = zones
  if (isWeekChosen || zone === undefined || zones.length > 1 || from === null || to === null) return draft
  return { ...draft, start: minuteOf(from, zone), end: minuteOf(to, zone) }
}

export function isWhole({ kind, from, to }: Draft): boolean {
  return kind === 'weekly' || (from !== null && to !== null)
}
