import { expect, test } from 'vitest'
import { createFormat } from './format.ts'

const [en, pl] = (['en', 'pl'] as const).map((language) => createFormat(language, 'UTC').percent)

/** As src/wording/moments.test.ts has it of reports and status pages. */
test.each([
  [0, '0%', '0\u00a0%'],
  [0.000_004, '0.000%', '0,000\u00a0%'],
  [0.5, '50.000%', '50,000\u00a0%'],
  [0.9995, '99.950%', '99,950\u00a0%'],
  [0.999_999, '99.999%', '99,999\u00a0%'],
  [1, '100%', '100\u00a0%'],
])('the share %s is %s, or %s', (share, english, polish) => {
  expect([en?.(share), pl?.(share)]).toEqual([english, polish])
})
