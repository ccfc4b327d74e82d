import { offsetAt } from '../../format/zone.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const steps = [
  ...[1, 5, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 7, 14, 30, 90].map((count) => count * day),
]

/** The first moment from `from` on at which clocks of the zone show a multiple of the step. */
function roundFrom(from: number, step: number, zone: string): number {
  const at = Math.ceil((from + offsetAt(from, zone)) / step) * step - offsetAt(from, zone)
  // Clocks may have changed on the way.
  return at + offsetAt(from, zone) - offsetAt(at, zone)
}

function momentsEvery(step: number, from: number, to: number, zone: string): readonly number[] {
  const moments: number[] = []
  for (let at = roundFrom(from, step, zone); at <= to; at = roundFrom(at + step / 2, step, zone)) moments.push(at)
  return moments
}

/** Evenly spaced moments of a range, at most `most`, at which clocks of the zone show round times. */
export function roundMoments(from: number, to: number, most: number, zone: string): readonly number[] {
  const step = steps.find((one) => (to - from) / one <= most) ?? 90 * day
  const moments = momentsEvery(step, from, to, zone)
  // The range may hold no round time of a step that is nearly as long as itself.
  return moments.length > most ? moments.slice(0, most) : moments
}

/** Whether clocks of the zone show the beginning of a day. */
export function isMidnight(at: number, zone: string): boolean {
  return (at + offsetAt(at, zone)) % day === 0
}
