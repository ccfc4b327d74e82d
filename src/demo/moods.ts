import { offsetSpan } from '../domain/calendars/zone-offset.ts'
import { zone } from './weather.ts'

/** The parts of the targets; each can work or fail by itself. */
export type Part =
  | 'shop'
  | 'basket'
  | 'panel'
  | 'uk'
  | 'staging'
  | 'orders'
  | 'payments'
  | 'names'
  | 'mail'
  | 'imap'
  | 'warehouse'
  | 'router'
  | 'certificate'
  | 'intranet'
  | 'domain'

/** The state of a part at a moment: how many times slower than usual, and whether it fails. */
export interface Mood {
  readonly slowness: number
  readonly isFailing: boolean
}

const well: Mood = { slowness: 1, isFailing: false }
export const failing: Mood = { slowness: 1, isFailing: true }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Patterns that repeat by the clock, in the made month and afterwards. */
export function usualMood(part: Part, at: number): Mood {
  const ofHour = (at % hour) / minute
  // The accounts of the past hour are settled.
  if (part === 'payments' && ofHour >= 40 && ofHour < 45) return { slowness: 2.6, isFailing: false }
  const isThirdHour = Math.floor(at / hour) % 3 === 0
  // A new version is deployed there, and nobody minds.
  return part === 'staging' && isThirdHour && ofHour >= 10 && ofHour < 14 ? failing : well
}

/** A failure of the month. Moments are Unix milliseconds, the end exclusive. */
export interface Trouble {
  readonly parts: readonly Part[]
  readonly fromAt: number
  readonly toAt: number
  readonly mood: (at: number) => Mood
  /** The places of the stations that see it; absent: all of them. */
  readonly seenBy?: readonly number[]
}

/** A time without a station. */
export interface Absence {
  readonly station: number
  readonly fromAt: number
  readonly toAt: number
}

export interface Story {
  readonly troubles: readonly Trouble[]
  readonly absences: readonly Absence[]
}

/** A local time of the company, the given number of days ago. */
export function localMoment(toAt: number, daysAgo: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const today = Math.floor((toAt + offsetSpan(zone, toAt).offset) / day) * day
  const local = today - daysAgo * day + hours * hour + minutes * minute
  return local - offsetSpan(zone, local - offsetSpan(zone, local).offset).offset
}

/** The failures of the month that ends at the moment. */
export function storyUntil(toAt: number): Story {
  const ill = (parts: readonly Part[], fromAt: number, minutes: number, mood: Trouble['mood'] = () => failing) => ({
    ...{ parts, fromAt, toAt: fromAt + minutes * minute, mood },
  })
  const at = (daysAgo: number, time: string) => localMoment(toAt, daysAgo, time)
  const slow = (slowness: number) => () => ({ slowness, isFailing: false })
  const growing = at(15, '06:00')
  const mended = at(5, '10:15')
  return {
    troubles: [
      ill(['payments'], at(25, '03:12'), 9),
      ill(['mail'], at(22, '08:10'), 18),
      ill(['uk'], at(20, '12:03'), 4),
      ill(['payments'], at(19, '05:38'), 47),
      ill(['shop', 'basket', 'panel'], at(17, '14:20'), 42),
      ill(['orders'], at(13, '23:34'), 340, (now) => ((now - growing) % (23 * minute) < 4 * minute ? failing : well)),
      { ...ill(['orders', 'payments', 'shop'], at(9, '02:05'), 95), seenBy: [2] },
      ill(['panel'], at(8, '09:02'), 35),
      ill(['names'], at(4, '19:33'), 6),
      ill(['shop', 'basket'], at(3, '20:05'), 75, slow(3.4)),
      ill(['imap'], at(1, '16:45'), 12),
      ill(['shop', 'basket'], toAt - 5.4 * hour, 11),
      ill(['certificate'], toAt - 2 * day, 2 * 24 * 60),
      {
        ...{ parts: ['basket'], fromAt: growing, toAt: mended },
        mood: (now) => ({ slowness: 1 + (1.6 * (now - growing)) / (mended - growing), isFailing: false }),
      },
    ],
    absences: [{ station: 1, fromAt: at(14, '11:00'), toAt: at(14, '11:50') }],
  }
}

/** A part's state as seen by a station (by its place). */
export function moodIn(story: Story, part: Part, at: number, station: number): Mood {
  for (const { parts, fromAt, toAt, mood, seenBy } of story.troubles) {
    if (at < fromAt || at >= toAt || !parts.includes(part)) continue
    if (seenBy === undefined || seenBy.includes(station)) return mood(at)
  }
  return usualMood(part, at)
}
