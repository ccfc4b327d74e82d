import type { Dice } from './dice.ts'
import type { Stretch } from './script.ts'

/**
 * Most events happen in one hour of every third day: then many services fail, change and are checked minute by minute
 * together. That lets 90 days pass in minutes.
 */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const half = hour / 2

/** Nights in which clocks change somewhere: 01:00 UTC in Europe, later in America, earlier in Australia. */
const clockChanges = [
  Date.UTC(2026, 9, 3, 15, 30),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 10, 1, 6),
  Date.UTC(2027, 2, 14, 7),
  Date.UTC(2027, 2, 28, 1),
  Date.UTC(2027, 3, 3, 15),
]

/** Every third day, and around each clock change; often where silent hours begin and end in Warsaw or New York. */
export function busyHours(dice: Dice, begin: number, to: number): Stretch[] {
  const hours: Stretch[] = []
  for (let midnight = begin; midnight < to; midnight += day) {
    const change = clockChanges.find((at) => at >= midnight && at < midnight + day)
    const isQuiet = hours.length > 0 && midnight - (hours.at(-1)?.from ?? 0) < 2 * day
    if (isQuiet && change === undefined) continue
    const start = midnight + dice.whole(0, 91) * 15 * minute
    const edge = midnight + (dice.whole(0, 6) * 3 + dice.pick([1, 2])) * hour
    const usual = dice.chance(0.5) ? start : edge - half
    const from = change === undefined ? usual : change - half
    if (from + hour < to) hours.push({ from, to: from + hour })
  }
  return hours
}

/** The moments at which people do something. */
export function slotsOf(busy: readonly Stretch[]): number[] {
  return busy.flatMap(({ from, to }) => {
    const slots: number[] = []
    for (let at = from + 25_000; at < to; at += 6 * minute) slots.push(at)
    return slots
  })
}
