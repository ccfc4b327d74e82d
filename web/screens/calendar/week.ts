import type { Suspension, WeeklySuspension, WideSuspension, WideWeeklySuspension } from '../../api/answers.ts'
import { weeklyTimesIn } from '../../format/weekly-times.ts'
import { dateAfter, iso, localDate, localText, momentOf, offsetAt, startOfDay } from '../../format/zone.ts'
import type { Managed } from '../../parts/managed.tsx'
import type { WeekMinute } from '../../parts/week-minute-field.tsx'

/** Suspensions that say the same of several services. */
export interface Plan {
  readonly key: string
  readonly kind: 'once' | 'weekly'
  readonly ids: readonly number[]
  readonly serviceIds: readonly number[]
  readonly onlyNotifications: boolean
  readonly description: string
  readonly mayChange: boolean
  /** The first of them that files manage. */
  readonly managed: Managed | null
  /** For a wide suspension: null asks for nothing, so without both all services of the account are covered. */
  readonly wide: { readonly group: string | null; readonly tag: string | null } | null
  /** For a weekly suspension. */
  readonly week: { readonly start: WeekMinute; readonly end: WeekMinute; readonly zone: string } | null
}

/** When a plan holds. Unix milliseconds. */
export interface Occurrence {
  readonly plan: Plan
  readonly from: number
  readonly to: number
}

export interface Day {
  readonly date: string
  readonly start: number
  readonly end: number
  /** When clocks change, and by how many milliseconds. */
  readonly shift: { readonly at: number; readonly by: number } | null
}

const quarter = 900_000

/** The seven days of a week in a zone; a day at which clocks change has 23 or 25 hours. */
export function daysOf(monday: string, zone: string): readonly Day[] {
  return Array.from({ length: 7 }, (_, index) => {
    const date = dateAfter(monday, index)
    const [start, end] = [startOfDay(date, zone), startOfDay(dateAfter(date, 1), zone)]
    return { date, start, end, shift: shiftIn(start, end, zone) }
  })
}

function shiftIn(start: number, end: number, zone: string): Day['shift'] {
  const [before, after] = [offsetAt(start, zone), offsetAt(end, zone)]
  if (before === after) return null
  let at = start
  while (at < end && offsetAt(at, zone) === before) at += quarter
  return { at, by: after - before }
}

interface Row extends Managed {
  readonly id: number
  readonly service_id: number
  readonly only_notifications: boolean
  readonly description: string
  readonly permissions?: { readonly update: boolean }
}

function planOf(kind: Plan['kind'], key: string, rows: readonly Row[], week: Plan['week']): Plan | null {
  const [first] = rows
  if (first === undefined) return null
  return {
    key,
    kind,
    week,
    wide: null,
    ids: rows.map(({ id }) => id),
    serviceIds: rows.map(({ service_id }) => service_id),
    onlyNotifications: first.only_notifications,
    description: first.description,
    mayChange: rows.every(({ permissions }) => permissions?.update === true),
    managed: rows.find(({ managed_by: by }) => by != null) ?? null,
  }
}

function together<One extends Row>(
  rows: readonly One[],
  keyOf: (row: One) => string,
): ReadonlyMap<string, readonly One[]> {
  const found = new Map<string, One[]>()
  for (const row of rows) {
    const key = `${keyOf(row)} ${row.only_notifications} ${row.permissions?.update} ${row.description}`
    const those = found.get(key)
    if (those === undefined) found.set(key, [row])
    else those.push(row)
  }
  return found
}

/** One-off suspensions; those that were made together are one. */
export function onceIn(rows: readonly Suspension[]): readonly Occurrence[] {
  const groups = together(rows, ({ start_time, end_time }) => `once ${start_time} ${end_time}`)
  return [...groups].flatMap(([key, those]) => {
    const plan = planOf('once', key, those, null)
    const [first] = those
    if (plan === null || first === undefined) return []
    return [{ plan, from: Date.parse(first.start_time), to: Date.parse(first.end_time) }]
  })
}

const minutes = ({ day_of_week, hour, minute }: WeekMinute) => (day_of_week - 1) * 1440 + hour * 60 + minute
/** The weekly suspensions between two moments; `zoneOf` is the zone of the service's owner. */
export function weeklyIn(
  rows: readonly WeeklySuspension[],
  range: { readonly from: number; readonly to: number },
  zoneOf: (serviceId: number) => string,
): readonly Occurrence[] {
  const keyOf = ({ start_minute, end_minute, service_id }: WeeklySuspension) =>
    `weekly ${minutes(start_minute)} ${minutes(end_minute)} ${zoneOf(service_id)}`
  const times = weeklyTimesIn(range)
  return [...together(rows, keyOf)].flatMap(([key, those]) => {
    const [first] = those
    if (first === undefined) return []
    const { start_minute: start, end_minute: end, service_id } = first
    const zone = zoneOf(service_id)
    const plan = planOf('weekly', key, those, { start, end, zone })
    return plan === null ? [] : times(start, end, zone).map((time) => ({ plan, ...time }))
  })
}

/** A wide suspension as the calendar reads it. */
export interface Wide {
  readonly group: { readonly name: string } | null
  /** IANA name of the account's zone; null: not visible to the reader. */
  readonly zone: string | null
  readonly permissions?: { readonly update: boolean }
}

function widePlan(
  kind: Plan['kind'],
  row: Wide & Omit<WideSuspension | WideWeeklySuspension, 'group' | 'owner' | 'permissions'>,
  week: Plan['week'],
): Plan {
  const { id, group_id: groupId, tag, group } = row
  return {
    ...{ key: `wide ${kind} ${id}`, kind, week, ids: [id], serviceIds: [] },
    wide: { group: groupId === null ? null : (group?.name ?? `#${groupId}`), tag },
    onlyNotifications: row.only_notifications,
    description: row.description,
    mayChange: row.permissions?.update === true,
    managed: row,
  }
}

export function wideOnceIn(
  rows: readonly (Omit<WideSuspension, 'group' | 'owner' | 'permissions'> & Wide)[],
): readonly Occurrence[] {
  return rows.map((row) => ({
    plan: widePlan('once', row, null),
    from: Date.parse(row.start_time),
    to: Date.parse(row.end_time),
  }))
}

export function wideWeeklyIn(
  rows: readonly (Omit<WideWeeklySuspension, 'group' | 'owner' | 'permissions'> & Wide)[],
  range: { readonly from: number; readonly to: number },
  readersZone: string,
): readonly Occurrence[] {
  const times = weeklyTimesIn(range)
  return rows.flatMap((row) => {
    const { start_minute: start, end_minute: end } = row
    const zone = row.zone ?? readersZone
    const plan = widePlan('weekly', row, { start, end, zone })
    return times(start, end, zone).map((time) => ({ plan, ...time }))
  })
}

/** The part of an occurrence within a day, and the number of others beside it. */
export interface Block extends Occurrence {
  readonly lane: number
  readonly lanes: number
}

/** The blocks of a day, side by side where they overlap. */
export function blocksOf(occurrences: readonly Occurrence[], day: Day): readonly Block[] {
  const within = occurrences
    .filter(({ from, to }) => to > day.start && from < day.end)
    .map((one) => ({ ...one, from: Math.max(one.from, day.start), to: Math.min(one.to, day.end) }))
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const blocks: Block[] = []
  let cluster: (Occurrence & { readonly lane: number })[] = []
  let ends: number[] = []
  const close = () => {
    blocks.push(...cluster.map((one) => ({ ...one, lanes: ends.length })))
    cluster = []
    ends = []
  }
  for (const one of within) {
    if (ends.every((end) => end <= one.from)) close()
    const free = ends.findIndex((end) => end <= one.from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = one.to
    cluster.push({ ...one, lane })
  }
  close()
  return blocks
}

/** `14:30` of a moment in the zone. */
export function clockOf(at: number, zone: string): string {
  return localText(at, zone).slice(11, 16)
}

/** The next 8:00 of the zone. */
export function nextMorning(now: number, zone: string): number {
  const today = momentOf(`${localDate(now, zone)}T08:00:00`, zone) ?? now
  if (today > now) return today
  return momentOf(`${dateAfter(localDate(now, zone), 1)}T08:00:00`, zone) ?? now
}

export function rangeText({ from, to }: { readonly from: number; readonly to: number }): string {
  return `from=${iso(from)}&to=${iso(to)}`
}
