import { expect, test } from 'vitest'
import type { CheckOutcome } from './attempt.ts'
import { isSlow } from './truth-guard.ts'

const outcome = (result: CheckOutcome['result'], responseTime: number | null): CheckOutcome => ({
  ...{ result, responseTime, dataSize: null, errorTypeId: null, errorMessage: null },
  ...{ phases: null, steps: null, evidence: null },
})
const stallMeter = (heldMs: number, starvedMs = 0) => ({ whole: () => ({ elapsedMs: 2000, heldMs, starvedMs }) })

test.each([
  ['slower than the limit', outcome('ok', 1200), stallMeter(0), 1000, true],
  ['as slow as the limit', outcome('ok', 1000), stallMeter(0), 1000, false],
  ['no limit', outcome('ok', 90_000), stallMeter(0), null, false],
  ['a failure is no slow answer', outcome('error', 1200), stallMeter(0), 1000, false],
  ['nothing was measured', outcome('ok', null), stallMeter(0), 1000, false],
  ['our own stall explains the excess', outcome('ok', 1200), stallMeter(250), 1000, false],
  ['our own wait for a CPU explains it', outcome('ok', 1200), stallMeter(0, 200), 1000, false],
  ['our own stall explains a part of it', outcome('ok', 1800), stallMeter(250), 1000, true],
  ['a stall of less than the clock can tell', outcome('ok', 1001), stallMeter(40), 1000, true],
] as const)('%s', (_case, given, seen, limit, expected) => {
  expect(isSlow(given, seen, limit)).toBe(expected)
})
