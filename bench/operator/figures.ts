/** Numbers about numbers. */

/** NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export interface Course {
  readonly middle: number
  /** By which it rises from the first to the last. */
  readonly rise: number
  /** It rises by less than a twentieth, or than 8. */
  readonly isFlat: boolean
}

const flatShare = 0.05
const flatAmount = 8

/**
 * The line through points at equal distances: the median of all slopes between two of them (Theil and Sen), which a
 * peak does not bend.
 */
export function courseOf(values: readonly number[]): Course {
  const slopes = values.flatMap((value, index) =>
    values.slice(index + 1).map((later, distance) => (later - value) / (distance + 1)),
  )
  const middle = quantile(values, 0.5)
  const rise = slopes.length === 0 ? 0 : quantile(slopes, 0.5) * (values.length - 1)
  return { middle, rise, isFlat: rise < Math.max(flatAmount, middle * flatShare) }
}

/** The least of each so many neighbours: what is left of a sawtooth after each sweep of the garbage. */
export function troughsOf(values: readonly number[], neighbours: number): number[] {
  const count = Math.max(1, Math.floor(values.length / neighbours))
  return Array.from({ length: count }, (_, place) => {
    const to = place === count - 1 ? values.length : (place + 1) * neighbours
    return Math.min(...values.slice(place * neighbours, to))
  })
}
