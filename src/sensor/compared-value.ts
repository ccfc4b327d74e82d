import { type Comparison, comparisons, isAsCompared } from '../domain/services/compared-value.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Settings } from './protocol.ts'
import { readOptionalText, readText } from './settings.ts'

const longestShown = 200

/**
 * Checks a value against the settings `comparison` and `expected_value`; null means there is none. Rejects with
 * `value_missing` or `value_differs`.
 */
export function expectValue(actual: string | null, settings: Settings): void {
  const expected = readOptionalText(settings, 'expected_value')
  if (expected === null) return
  if (actual === null) throw new Failure('value_missing', `no value, wanted ${expected}`)
  const given = readText(settings, 'comparison')
  const comparison = comparisons.find((one): one is Comparison => one === given)
  if (comparison === undefined) throw new Failure('setting_invalid', `setting comparison ${JSON.stringify(given)}`)
  if (isAsCompared(actual, comparison, expected)) return
  const shown = actual.length > longestShown ? `${actual.slice(0, longestShown)}…` : actual
  throw new Failure('value_differs', `${JSON.stringify(shown)}, wanted ${comparison} ${expected}`)
}
