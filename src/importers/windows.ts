import type { Draft, Item } from './draft.ts'

/** Windows of maintenance that come back on days of the week. */

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

interface Window {
  /** `23:00` */
  readonly start: string
  readonly minutes: number
  /** Names of days, or their numbers with 1 for Monday; none: every day. */
  readonly days: readonly string[]
  /** Null: the export does not say. */
  readonly zone: string | null
  readonly more?: Readonly<Record<string, unknown>>
}

const minutesOfWeek = 7 * 1440

function numberOfDay(day: string): number {
  const number = Number(day)
  if (Number.isInteger(number) && number >= 0 && number <= 7) return number === 0 ? 7 : number
  return dayNames.findIndex((name) => name.startsWith(day.toLowerCase().slice(0, 3))) + 1
}

/** Weekly suspensions of each service. */
export function dailyMaintenance(draft: Draft, item: Item, services: readonly string[], window: Window): void {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})/.exec(window.start) ?? []
  const length = Math.round(window.minutes)
  if (hours === '' || length < 1 || length >= minutesOfWeek)
    return void item.leave('Its start or its length cannot be read.')
  const days =
    window.days.length === 0
      ? [1, 2, 3, 4, 5, 6, 7]
      : [...new Set(window.days.map(numberOfDay))].filter((day) => day > 0)
  if (days.length === 0) return void item.leave('Its days cannot be read.')
  if (services.length === 0) return void item.leave('It concerns no service that was carried.')
  item.change(
    `It keeps its clock times, but in the zone of the account; it was in ${window.zone ?? 'the zone of the other server'}.`,
  )
  const from = Number(hours) * 60 + Number(minutes)
  for (const service of services) {
    for (const day of days) draft.weekly(item, service, { day, from, minutes: length }, window.more)
  }
}
