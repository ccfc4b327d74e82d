import type { WeekMinute } from '../parts/week-minute-field.tsx'

/** Quiet hours as the API has them: a character for each hour of the day, of which `1` is quiet. */

export const noQuietHours = '0'.repeat(24)

export const hoursOfDay: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** Hours of the clock [from, to), over midnight if `to` is not the later one; the same twice is the whole day. */
export interface QuietRange {
  readonly from: number
  readonly to: number
}

export function isQuietAt(hours: string, hour: number): boolean {
  return hours[(hour + 24) % 24] === '1'
}

export function withHour(hours: string, changed: number, isQuiet: boolean): string {
  return hoursOfDay.map((hour) => ((hour === changed ? isQuiet : isQuietAt(hours, hour)) ? '1' : '0')).join('')
}

export function quietRanges(hours: string): readonly QuietRange[] {
  if (hoursOfDay.every((hour) => isQuietAt(hours, hour))) return [{ from: 0, to: 0 }]
  const starts = hoursOfDay.filter((hour) => isQuietAt(hours, hour) && !isQuietAt(hours, hour - 1))
  return starts.map((from) => {
    let to = from
    while (isQuietAt(hours, to)) to += 1
    return { from, to: to % 24 }
  })
}

/** `22:00` */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** `12:00–13:00, 22:00–06:00`; empty if no hour is quiet. */
export function quietText(hours: string): string {
  return quietRanges(hours)
    .map(({ from, to }) => `${hourText(from)}–${hourText(to === 0 ? 24 : to)}`)
    .join(', ')
}

/** The same hours as ranges of a week; those of Sunday may end on Monday. */
export function quietWeek(hours: string): readonly { readonly start: WeekMinute; readonly end: WeekMinute }[] {
  return [1, 2, 3, 4, 5, 6, 7].flatMap((day) =>
    quietRanges(hours).map(({ from, to }) => ({
      start: { day_of_week: day, hour: from, minute: 0 },
      end: { day_of_week: from < to ? day : (day % 7) + 1, hour: to, minute: 0 },
    })),
  )
}
