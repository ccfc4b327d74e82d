/** What compiles in a moment and is run by a station without a second thought about its memory. */
export const largestPattern = 5000
/** Groups in groups; compiling goes down into each. */
const deepestNesting = 50

/** Escapes, classes and repetitions as wholes, else single characters. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^{}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/gu

/**
 * About how many instructions a pattern becomes, rather more than fewer: what may come a thousand times is there a thousand times. Told
 * from the text, because compiling what is too large is the harm.
 */
export function patternSize(pattern: string): number {
  const enclosing: number[] = []
  let sum = 0
  let last = 0
  for (const [token] of pattern.matchAll(tokens)) {
    if (token === '(') {
      enclosing.push(sum)
      if (enclosing.length > deepestNesting) return Number.POSITIVE_INFINITY
      sum = 2
      last = 0
    } else if (token === ')') {
      last = sum
      sum += enclosing.pop() ?? 0
    } else if (/^\{\d/.test(token)) {
      const more = (last + 1) * mostTimes(token)
      sum += more
      last += more
    } else {
      last = token.startsWith('\\Q') ? token.length : 1 + ('*+?|'.includes(token) ? last : 0)
      sum += token.startsWith('\\Q') ? token.length : 1
    }
  }
  return enclosing.reduce((all, one) => all + one, sum)
}

function mostTimes(repetition: string): number {
  return Math.max(...repetition.slice(1, -1).split(',').map(Number))
}
