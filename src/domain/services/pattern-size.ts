/** The largest pattern that compiles at once and that a station can run without memory trouble. */
export const largestPattern = 5000
/** The deepest nesting of groups; compilation recurses into each. */
const deepestNesting = 50

/** Escapes, classes and repetitions as wholes, otherwise single characters. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^{}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/gu

/**
 * An upper estimate of the instructions that a pattern compiles to; a repetition of up to a thousand counts a thousand
 * times. It reads the text alone, because compiling a pattern that is too large does the harm.
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
