import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { compile } from 'json-p3'
import {
  type Assertion,
  type AssertionSource,
  type AssertionValue,
  assertionComparisons,
  assertionSeverities,
  assertionSources,
  certificateProperties,
  comparisonsFor,
  mostAssertions,
  needsNumber,
  needsPath,
  needsValue,
} from '../../domain/assertion.ts'
import { anyObject, choice, incorrect, list, optional, record, type Shape } from '../../domain/json-shape.ts'
import { type Problem, unknownField } from '../../domain/problem.ts'
import { patternFault } from '../../domain/setting-grammars.ts'
import { isStorable } from '../../domain/storable.ts'

/** The definition of an assertion as people write it. */

const longestPath = 500
const longestValue = 1000

const members = ['source', 'path', 'comparison', 'value', 'severity'] as const

const outline = record({
  source: choice(assertionSources),
  comparison: choice(assertionComparisons),
  severity: optional(choice(assertionSeverities), 'failure'),
})

const assertion: Shape<Assertion> = {
  read(given, field, problems) {
    const before = problems.length
    const object = anyObject.read(given, field, problems)
    if (object === undefined) return undefined
    for (const name of Object.keys(object).filter((one) => !members.some((known) => known === one))) {
      problems.push({ error: 'unknown_field', field: `${field}.${name}`, facts: unknownField(name, members) })
    }
    const read = outline.read(object, field, problems)
    if (read === undefined) return undefined
    const path = readPath(read.source, object['path'] ?? null, `${field}.path`, problems)
    const allowed = comparisonsFor(read.source, path ?? null)
    if (!allowed.includes(read.comparison)) {
      const facts = { allowed: allowed.join(', ') }
      problems.push({ error: 'incorrect_value', field: `${field}.comparison`, facts })
    }
    if (problems.length > before || path === undefined) return undefined
    const value = readValue({ ...read, path }, object['value'] ?? null, `${field}.value`, problems)
    return value === undefined ? undefined : { ...read, path, value }
  },
}

/** At most twenty assertions. Problems point at the faulty member: `assertions[2].path`. */
export const assertionList = list(assertion, { maximum: mostAssertions })

/** Undefined after a problem. */
function readPath(
  source: AssertionSource,
  given: unknown,
  field: string,
  problems: Problem[],
): string | null | undefined {
  const refuse = (problem: Problem) => {
    problems.push(problem)
    return undefined
  }
  if (!needsPath(source)) return given === null || given === '' ? null : refuse(incorrect(field, 'assertion_path'))
  if (given === null || given === '') return refuse({ error: 'missing_value', field })
  if (typeof given !== 'string') return refuse({ error: 'incorrect_type', field, facts: { expected: 'string' } })
  if (given.length > longestPath) return refuse({ error: 'value_too_long', field, facts: { maximum: longestPath } })
  if (!isStorable(given)) return refuse(incorrect(field, 'forbidden_characters'))
  switch (source) {
    case 'json':
      return isJsonPath(given) ? given : refuse(incorrect(field, 'json_path'))
    case 'xml':
      return isXPath(given) ? given : refuse(incorrect(field, 'xpath'))
    case 'header':
      return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(given) ? given : refuse(incorrect(field, 'header_name'))
    default:
      return choice(certificateProperties).read(given, field, problems)
  }
}

function readValue(
  wanted: Omit<Assertion, 'value'>,
  given: unknown,
  field: string,
  problems: Problem[],
): AssertionValue | null | undefined {
  const refuse = (problem: Problem) => {
    problems.push(problem)
    return undefined
  }
  const { source, comparison } = wanted
  if (!needsValue(comparison)) {
    return given === null || given === '' ? null : refuse(incorrect(field, 'assertion_value'))
  }
  if (given === null) return refuse({ error: 'missing_value', field })
  if (needsNumber(wanted)) {
    const number =
      typeof given === 'string' && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(given.trim()) ? Number(given) : given
    if (typeof number === 'number' && Number.isFinite(number)) return number
    return refuse({ error: 'incorrect_type', field, facts: { expected: 'number' } })
  }
  const isPattern = comparison === 'matches' || comparison === 'not_matches'
  const isText = typeof given === 'string'
  if (!isText && (isPattern || (typeof given !== 'number' && typeof given !== 'boolean'))) {
    return refuse({ error: 'incorrect_type', field, facts: { expected: 'string' } })
  }
  if (!isText) return given
  if (given.length > longestValue) return refuse({ error: 'value_too_long', field, facts: { maximum: longestValue } })
  if (!isStorable(given)) return refuse(incorrect(field, 'forbidden_characters'))
  const fault = isPattern ? patternFault(given) : undefined
  if (fault !== undefined) return refuse(incorrect(field, fault))
  if (isAlways(comparison, given)) return refuse({ error: 'missing_value', field })
  const isAddress = source === 'ip' && (comparison === 'equals' || comparison === 'not_equals')
  return isAddress && isIP(given) === 0 ? refuse(incorrect(field, 'ip_address')) : given
}

/** Every text contains and matches the empty one, so it would say nothing. */
function isAlways(comparison: Assertion['comparison'], value: string): boolean {
  return value === '' && comparison !== 'equals' && comparison !== 'not_equals'
}

function isJsonPath(text: string): boolean {
  try {
    compile(text)
    return true
  } catch {
    return false
  }
}

/** A node of a parsed XPath; the library types only the whole. */
type XPathNode = Readonly<Record<string, unknown>>

interface XPathLibrary {
  readonly parse: (text: string) => { readonly expression: XPathNode }
}

let library: XPathLibrary | null = null

/** Loaded when the first XPath is written, because few services have any. */
function xpath(): XPathLibrary {
  library ??= createRequire(import.meta.url)('xpath') as XPathLibrary
  return library
}

const deepestXPath = 200

/** The functions of XPath 1.0 without `id` and `lang`, which need a DTD. */
const functions =
  /^(last|position|count|local-name|namespace-uri|name|string|concat|starts-with|contains|substring-before|substring-after|substring|string-length|normalize-space|translate|boolean|not|true|false|number|sum|floor|ceiling|round)$/

function isXPath(text: string): boolean {
  try {
    return hasOnlyKnown(xpath().parse(text).expression)
  } catch {
    return false
  }
}

/** The parser takes any function and variable; an unknown one would fail only at the check. */
function hasOnlyKnown(node: unknown, depth = 0): boolean {
  if (typeof node !== 'object' || node === null) return true
  if (depth > deepestXPath) return false
  const kind = node.constructor?.name
  if (kind === 'VariableReference') return false
  if (kind === 'FunctionCall' && !functions.test(String(Reflect.get(node, 'functionName')))) return false
  return Object.values(node).every((part) => hasOnlyKnown(part, depth + 1))
}
