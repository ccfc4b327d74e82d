import type { Stretch } from '../script.ts'

/**
 * The model's calendars: what is planned for a service, minute by minute on the clocks of its owner's zone.
 * Specification: "Suspensions and weekly suspensions", "Service" (suspension_hours, silent_hours); answers §9 and §15.
 */

const minute = 60_000
const minutesOfWeek = 7 * 24 * 60

const zoneNames: Readonly<Record<string, string>> = {
  europe_warsaw: 'Europe/Warsaw',
  america_new_york: 'America/New_York',
  australia_lord_howe: 'Australia/Lord_Howe',
  asia_kathmandu: 'Asia/Kathmandu',
}

const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** For each minute of the story: the minute since Monday 00:00 that the clocks of a zone show. */
export interface LocalTime {
  readonly from: number
  readonly minutes: Uint16Array
}

/** Asks the runtime every quarter of an hour: no clock changes in between. */
export function localTime(zoneId: string, { from, to }: Stretch): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zoneNames[zoneId] ?? zoneId, hourCycle: 'h23' },
    ...{ weekday: 'short', hour: '2-digit', minute: '2-digit' },
  })
  const minutes = new Uint16Array(Math.ceil((to - from) / minute))
  for (let first = 0; first < minutes.length; first += 15) {
    const parts = new Map(format.formatToParts(from + first * minute).map(({ type, value }) => [type, value]))
    const day = weekDays.indexOf(parts.get('weekday') ?? '')
    const start = (day * 24 + Number(parts.get('hour'))) * 60 + Number(parts.get('minute'))
    for (let next = 0; next < 15; next++) minutes[first + next] = (start + next) % minutesOfWeek
  }
  return { from, minutes }
}

export type PlanReason = 'suspension' | 'weekly_suspension' | 'suspension_hours'

interface Once extends Stretch {
  readonly quiet: boolean
}

interface Weekly {
  readonly start: number
  readonly end: number
  readonly quiet: boolean
}

/**
 * The state of each minute of the week: a reason, and whether it is quiet. It is rewritten thousands of times, hence
 * numbers.
 */
type Week = Uint8Array
const said = { hours: 1, weekly: 2, quiet: 4 } as const

export class ModelCalendar {
  readonly once = new Map<string, Once>()
  readonly weekly = new Map<string, Weekly>()
  suspensionHours: string
  silentHours: string
  local: LocalTime
  readonly #week: Week = new Uint8Array(minutesOfWeek)
  #weekEdgeAt = Number.NEGATIVE_INFINITY

  constructor(local: LocalTime, hours: { readonly suspensionHours: string; readonly silentHours: string }) {
    this.local = local
    this.suspensionHours = hours.suspensionHours
    this.silentHours = hours.silentHours
    this.changed()
  }

  /** To call after every change of the plans. */
  changed(): void {
    for (let hour = 0; hour < minutesOfWeek / 60; hour++) {
      this.#week.fill(this.#sayOfHour(hour), hour * 60, hour * 60 + 60)
    }
    for (const range of this.weekly.values()) lay(range, this.#week)
    this.#weekEdgeAt = Number.NEGATIVE_INFINITY
  }

  /** `1` means suspended, silent. */
  #sayOfHour(hour: number): number {
    const isSuspended = this.suspensionHours[hour] === '1'
    const isQuiet = this.silentHours[hour % 24] === '1'
    return (isSuspended ? said.hours : 0) | (isQuiet ? said.quiet : 0)
  }

  #weekAt(at: number): number {
    return this.#week[this.local.minutes[Math.floor((at - this.local.from) / minute)] ?? 0] ?? 0
  }

  #isOnce(at: number, quiet: boolean): boolean {
    return [...this.once.values()].some((one) => one.quiet === quiet && one.from <= at && at < one.to)
  }

  /** "It suffices that one of them says suspended." The first of them gives the reason. */
  reasonAt(at: number): PlanReason | null {
    if (this.#isOnce(at, false)) return 'suspension'
    const week = this.#weekAt(at)
    if ((week & said.weekly) !== 0) return 'weekly_suspension'
    return (week & said.hours) !== 0 ? 'suspension_hours' : null
  }

  isQuietAt(at: number): boolean {
    return this.#isOnce(at, true) || (this.#weekAt(at) & said.quiet) !== 0
  }

  /** A moment after `at` before which nothing changes. */
  nextEdgeAt(at: number): number {
    const edges = [...this.once.values()].flatMap(({ from, to }) => [from, to]).filter((edge) => edge > at)
    return Math.min(this.#nextWeekEdge(at), ...edges)
  }

  #nextWeekEdge(at: number): number {
    if (this.#weekEdgeAt > at) return this.#weekEdgeAt
    const { from, minutes } = this.local
    const now = this.#weekAt(at)
    let next = Math.floor((at - from) / minute) + 1
    while (next < minutes.length && this.#week[minutes[next] ?? 0] === now) next++
    this.#weekEdgeAt = next < minutes.length ? from + next * minute : Number.POSITIVE_INFINITY
    return this.#weekEdgeAt
  }
}

/** The end is exclusive; a range may wrap past Sunday. */
function lay({ start, end, quiet }: Weekly, week: Week): void {
  let at = start
  do {
    const before = week[at] ?? 0
    week[at] = quiet ? before | said.quiet : (before & ~said.hours) | said.weekly
    at = (at + 1) % minutesOfWeek
  } while (at !== end)
}
