/** Assertions of http and https services: a condition that a response must meet. */

export const assertionSources = ['status', 'header', 'body', 'json', 'xml', 'time', 'certificate', 'ip'] as const
export type AssertionSource = (typeof assertionSources)[number]

const equality = ['equals', 'not_equals'] as const
const order = ['less', 'greater'] as const
const texts = ['contains', 'not_contains', 'matches', 'not_matches'] as const
const presence = ['exists', 'not_exists'] as const
const emptiness = ['is_empty', 'is_not_empty'] as const

export const assertionComparisons = [...equality, ...order, ...texts, ...presence, ...emptiness] as const
export type AssertionComparison = (typeof assertionComparisons)[number]

/** failure: the check fails. degraded: the check succeeds, and the service counts as degraded. */
export const assertionSeverities = ['failure', 'degraded'] as const

export type AssertionValue = string | number | boolean

export interface Assertion {
  readonly source: AssertionSource
  /** A header's name, a JSONPath, an XPath, or a property of the certificate; null for the other sources. */
  readonly path: string | null
  readonly comparison: AssertionComparison
  /** Null for comparisons that need none. */
  readonly value: AssertionValue | null
  readonly severity: (typeof assertionSeverities)[number]
}

export const mostAssertions = 20

/** The comparisons that fit each source. */
const fittingComparisons: Readonly<Record<AssertionSource, readonly AssertionComparison[]>> = {
  status: [...equality, ...order],
  header: assertionComparisons,
  body: [...equality, ...texts, ...emptiness],
  json: assertionComparisons,
  xml: assertionComparisons,
  time: order,
  certificate: [...equality, ...order, ...texts],
  ip: [...equality, ...texts],
}

export const certificateProperties = [
  'days_left',
  'subject',
  'issuer',
  'names',
  'valid_from',
  'valid_to',
  'serial_number',
  'fingerprint',
] as const

/** The comparisons that fit the source and, for a certificate, its property. */
export function comparisonsFor(source: AssertionSource, path: string | null): readonly AssertionComparison[] {
  if (source !== 'certificate') return fittingComparisons[source]
  return path === 'days_left' ? [...equality, ...order] : [...equality, ...texts]
}

export function needsPath(source: AssertionSource): boolean {
  return source === 'header' || source === 'json' || source === 'xml' || source === 'certificate'
}

export function needsValue(comparison: AssertionComparison): boolean {
  return ![...presence, ...emptiness].some((one) => one === comparison)
}

/** Whether the value of the definition must be a number. */
export function needsNumber({ source, path, comparison }: Pick<Assertion, 'source' | 'path' | 'comparison'>): boolean {
  const isCount = source === 'status' || source === 'time' || (source === 'certificate' && path === 'days_left')
  return comparison === 'less' || comparison === 'greater' || (isCount && needsValue(comparison))
}

/** One value that came. */
export interface FoundValue {
  readonly text: string
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object'
  /** Only the beginning of the text is known. */
  readonly isCut: boolean
}

/** The values that the path finds. */
export interface FoundValues {
  readonly values: readonly FoundValue[]
  /** There are more values than these. */
  readonly isCut: boolean
}

export const foundNothing: FoundValues = { values: [], isCut: false }

export function foundText(text: string, isCut = false): FoundValues {
  return { values: [{ text, kind: 'text', isCut }], isCut: false }
}

export function foundNumber(number: number): FoundValues {
  return { values: [{ text: String(number), kind: 'number', isCut: false }], isCut: false }
}

/** unknown: what was read is not enough to tell. */
export type AssertionVerdict = 'holds' | 'fails' | 'missing' | 'unknown'

/** Null if the beginning of the text is not enough to tell. */
export type IsMatch = (value: FoundValue) => boolean | null

const negations: Readonly<Partial<Record<AssertionComparison, AssertionComparison>>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  not_matches: 'matches',
}

/**
 * A positive comparison needs at least one value, and every value must meet it. A negative one is met if no value meets
 * its opposite. `isMatch` decides about patterns.
 */
export function judgeAssertion(assertion: Assertion, found: FoundValues, isMatch: IsMatch): JudgedAssertion {
  const { comparison } = assertion
  const [first] = found.values
  if (comparison === 'exists') return { verdict: first === undefined ? 'missing' : 'holds', offender: null }
  if (comparison === 'not_exists') {
    return first === undefined ? { verdict: 'holds', offender: null } : { verdict: 'fails', offender: first }
  }
  const opposite = negations[comparison]
  const isNegative = opposite !== undefined || comparison === 'is_empty'
  if (first === undefined) return { verdict: isNegative ? 'holds' : 'missing', offender: null }
  let isOpen = found.isCut
  for (const value of found.values) {
    const isMet = meets(opposite ?? comparison, value, assertion.value, isMatch)
    if (isMet === null) isOpen = true
    else if (isMet === (opposite !== undefined)) return { verdict: 'fails', offender: value }
  }
  return { verdict: isOpen ? 'unknown' : 'holds', offender: first }
}

export interface JudgedAssertion {
  readonly verdict: AssertionVerdict
  /** The value that decided, or the first one. */
  readonly offender: FoundValue | null
}

function meets(
  comparison: AssertionComparison,
  found: FoundValue,
  wanted: AssertionValue | null,
  isMatch: IsMatch,
): boolean | null {
  const expected = String(wanted ?? '')
  switch (comparison) {
    case 'equals':
      return isEqual(found, wanted ?? '')
    case 'less':
    case 'greater':
      return isInOrder(comparison, found, expected)
    case 'contains':
      return found.text.includes(expected) || (found.isCut ? null : false)
    case 'matches':
      return isMatch(found)
    case 'is_empty':
      return isEmpty(found)
    case 'is_not_empty':
      return !isEmpty(found)
    default:
      return null
  }
}

const decimal = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i

function isEqual(found: FoundValue, wanted: AssertionValue): boolean | null {
  const expected = String(wanted)
  const isNumeric = found.kind === 'number' || typeof wanted === 'number'
  if (isNumeric && decimal.test(found.text.trim()) && decimal.test(expected.trim())) {
    return Number(found.text) === Number(expected)
  }
  // A text of which more than the expected one is known differs, however it goes on.
  if (found.isCut && found.text.length <= expected.length) return null
  return found.text === expected
}

function isInOrder(comparison: 'less' | 'greater', { text, isCut }: FoundValue, expected: string): boolean {
  if (isCut || !decimal.test(text.trim()) || !decimal.test(expected.trim())) return false
  return comparison === 'less' ? Number(text) < Number(expected) : Number(text) > Number(expected)
}

function isEmpty({ text, kind }: FoundValue): boolean {
  if (kind === 'list') return text === '[]'
  if (kind === 'object') return text === '{}'
  return kind === 'null' || text.trim() === ''
}

const subjects: Readonly<Record<AssertionSource, string>> = {
  status: 'status',
  header: 'header',
  body: 'body',
  json: 'json',
  xml: 'xml',
  time: 'time in ms',
  certificate: 'certificate',
  ip: 'address',
}

/** The condition as one technical phrase in English: `json $.status equals "ok"`. */
export function expectation({ source, path, comparison, value }: Assertion): string {
  const subject = [subjects[source], path].filter((part) => part !== null).join(' ')
  return `${subject} ${comparison}${value === null ? '' : ` ${JSON.stringify(value)}`}`
}
