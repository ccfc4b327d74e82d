export const comparisons = ['=', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

const decimal = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i

/** True if the comparison holds. Two numbers are compared as numbers, everything else as texts, for equality only. */
export function isAsCompared(actual: string, comparison: Comparison, expected: string): boolean {
  const [one, other] = [actual.trim(), expected.trim()]
  const areNumbers = [one, other].every((text) => decimal.test(text))
  if (!areNumbers) return comparison === '!=' ? one !== other : ['=', '<=', '>='].includes(comparison) && one === other
  const difference = Number(one) - Number(other)
  switch (comparison) {
    case '=':
      return difference === 0
    case '!=':
      return difference !== 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
  }
}
