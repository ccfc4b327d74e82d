/**
 * Phases of a check are kept to three significant digits and to no less than 10 µs: more of them is noise of the measuring
 * machine, and most of what a packed day would weigh.
 */

/** Microseconds of one step of the number within each power of ten. */
function stepAt(microseconds: number): number {
  let step = 10
  while (microseconds >= step * 1000) step *= 10
  return step
}

/** Whole microseconds, rounded; below zero (not reached) as it is. */
export function rounded(microseconds: number): number {
  if (microseconds < 0) return microseconds
  const step = stepAt(microseconds)
  return Math.round(microseconds / step) * step
}

const stepsOfADecade = 900

/** The rounded durations counted through from 0; undefined for one that is not rounded. */
export function codeOf(microseconds: number): number | undefined {
  const step = stepAt(microseconds)
  const count = microseconds / step
  if (microseconds < 0 || !Number.isInteger(count)) return undefined
  let decades = 0
  for (let power = 10; power < step; power *= 10) decades++
  return count + decades * stepsOfADecade
}

function durationOf(code: number): number {
  let [count, step] = [code, 10]
  while (count >= 100 + stepsOfADecade) {
    count -= stepsOfADecade
    step *= 10
  }
  return count * step
}

/** Those up to three hours: a day has 26 thousand to look up. */
const usual = Float64Array.from({ length: 100 + 7 * stepsOfADecade }, (_none, code) => durationOf(code))

/** What `codeOf` made of it, taken back. */
export function microsecondsOf(code: number): number {
  return usual[code] ?? durationOf(code)
}
