/**
 * The smallest value that at least this share of the values does not exceed (nearest rank); NaN for no values.
 *
 * @param sorted ascending
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.ceil(share * sorted.length)
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN
}
