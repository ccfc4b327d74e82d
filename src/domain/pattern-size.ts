const repetition = /(.)\{(\d{1,4})(?:,(\d{0,4}))?\}/gsu
const maximumSize = 3000
const maximumDepth = 50

/** How often what stands before is written out at most; a repetition of a group writes out all of the pattern, as far as we know. */
function writtenOut(pattern: string): number {
  let [ofSigns, ofGroups] = [0, 0]
  for (const [, before, least, most] of pattern.matchAll(repetition)) {
    const times = Number(most === undefined || most === '' ? least : most)
    if (before === ')') ofGroups += times
    else ofSigns += times
  }
  return (pattern.length + ofSigns) * (1 + ofGroups)
}

function depthOf(pattern: string): number {
  let [depth, deepest] = [0, 0]
  for (const sign of pattern) {
    if (sign === '(') deepest = Math.max(deepest, ++depth)
    else if (sign === ')') depth -= 1
  }
  return deepest
}

/**
 * Whether compiling the pattern costs next to nothing. RE2 matches in linear time, but writes repetitions out beforehand: seven hundred
 * characters can keep a core busy for seconds. May take a pattern for larger than it is.
 */
export function isModestPattern(pattern: string): boolean {
  return writtenOut(pattern) <= maximumSize && depthOf(pattern) <= maximumDepth
}
