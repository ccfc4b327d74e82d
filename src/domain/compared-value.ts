export const comparisons = ['=', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof comparisons)[number]

const decimal = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i

/** Whether the value is as wanted: two numbers are compared as numbers, all else as texts, of which only equality is asked. */
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
