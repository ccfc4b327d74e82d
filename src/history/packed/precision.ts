/**
 * Phases of a check are stored with three significant digits, and at least 10 µs. More precision is noise of the
 * measuring machine, and would be most of a packed day's size.
 */

/** Microseconds per step within each power of ten. */
function stepAt(microseconds: number): number {
  let step = 10
  while (microseconds >= step * 1000) step *= 10
  return step
}

/** Whole microseconds, rounded; values below zero (not reached) are unchanged. */
export function rounded(microseconds: number): number {
  if (microseconds < 0) return microseconds
  const step = stepAt(microseconds)
  return Math.round(microseconds / step) * step
}

const stepsOfADecade = 900

/** The index of a rounded duration, from 0; undefined if it is not rounded. */
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

/** A table of durations up to three hours, because a day has 26 thousand to look up. */
const usual = Float64Array.from({ length: 100 + 7 * stepsOfADecade }, (_none, code) => durationOf(code))

/** The inverse of `codeOf`. */
export function microsecondsOf(code: number): number {
  return usual[code] ?? durationOf(code)
}
