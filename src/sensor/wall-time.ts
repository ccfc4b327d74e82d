/** Fractions of a millisecond count only while the two clocks agree so well. Milliseconds. */
const agreement = 2

/**
 * Unix milliseconds with fractions, by the clock of this machine. `performance.timeOrigin` is read once, at the start
 * of the process, so it knows nothing of a clock that was set later, or of a machine that slept.
 */
export function wallTime(): number {
  const [precise, rough] = [performance.timeOrigin + performance.now(), Date.now()]
  return Math.abs(precise - rough) <= agreement ? precise : rough
}
