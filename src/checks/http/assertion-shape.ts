import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { compile } from 'json-p3'
import * as z from 'zod'
import { type JsonFault, list, noOthers } from '../../domain/input/json.ts'
import type { ProblemDetail } from '../../domain/input/problem-codes.ts'
import { isStorable } from '../../domain/input/storable.ts'
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
} from '../../domain/services/assertion.ts'
import { patternFault } from '../../domain/services/setting-grammars.ts'

/** The definition of an assertion as people write it. */

const longestPath = 500
const longestValue = 1000

const members = ['source', 'path', 'comparison', 'value', 'severity'] as const

const outline = z
  .object({
    source: z.enum(assertionSources),
    path: z.unknown().optional(),
    comparison: z.enum(assertionComparisons),
    value: z.unknown().optional(),
    severity: z.enum(assertionSeverities).default('failure'),
  })
  .catchall(noOthers(members))

type Outline = z.output<typeof outline>

/** The value is looked at only if the rest is right. */
function checkMembers(given: Outline, context: z.core.$RefinementCtx<Outline>): void {
  const refuse = (member: string, fault: JsonFault | undefined) => {
    if (fault !== undefined) context.addIssue({ code: 'custom', path: [member], params: { fault } })
    return fault !== undefined
  }
  const { source, comparison } = given
  const isPathFaulty = refuse('path', pathFault(source, given.path ?? null))
  const path = isPathFaulty ? null : pathOf(given)
  const allowed = comparisonsFor(source, path)
  const isUnfit = refuse('comparison', allowed.includes(comparison) ? undefined : oneOf(allowed))
  if (!isPathFaulty && !isUnfit) refuse('value', valueFault({ source, comparison, path }, given.value ?? null))
}

const assertion = outline.superRefine(checkMembers).transform((given): Assertion => {
  const { source, comparison, severity } = given
  const path = pathOf(given)
  return { source, path, comparison, value: comparedValue({ source, comparison, path }, given.value), severity }
})

/** At most twenty assertions. Problems point at the faulty member: `assertions[2].path`. */
export const assertionList = list(assertion, { maximum: mostAssertions })

function oneOf(allowed: readonly string[]): JsonFault {
  return { error: 'incorrect_value', facts: { allowed: allowed.join(', ') } }
}

function detailed(detail: ProblemDetail): JsonFault {
  return { error: 'incorrect_value', facts: { detail } }
}

function wrongType(expected: string): JsonFault {
  return { error: 'incorrect_type', facts: { expected } }
}

function textFault(text: string, maximum: number): JsonFault | undefined {
  if (text.length > maximum) return { error: 'value_too_long', facts: { maximum } }
  return isStorable(text) ? undefined : detailed('forbidden_characters')
}

function pathOf({ source, path }: Outline): string | null {
  return needsPath(source) && typeof path === 'string' ? path : null
}

function pathFault(source: AssertionSource, given: unknown): JsonFault | undefined {
  if (!needsPath(source)) return given === null || given === '' ? undefined : detailed('assertion_path')
  if (given === null || given === '') return { error: 'missing_value' }
  if (typeof given !== 'string') return wrongType('string')
  return textFault(given, longestPath) ?? grammarFault(source, given)
}

function grammarFault(source: AssertionSource, path: string): JsonFault | undefined {
  switch (source) {
    case 'json':
      return isJsonPath(path) ? undefined : detailed('json_path')
    case 'xml':
      return isXPath(path) ? undefined : detailed('xpath')
    case 'header':
      return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(path) ? undefined : detailed('header_name')
    default:
      return certificateProperties.some((one) => one === path) ? undefined : oneOf(certificateProperties)
  }
}

type Comparing = Pick<Assertion, 'source' | 'path' | 'comparison'>

/** @param given a value without a fault */
function comparedValue(comparing: Comparing, given: unknown): AssertionValue | null {
  if (!needsValue(comparing.comparison)) return null
  if (needsNumber(comparing)) return numberOf(given) ?? null
  return typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? given : null
}

function valueFault(comparing: Comparing, given: unknown): JsonFault | undefined {
  const { comparison } = comparing
  if (!needsValue(comparison)) return given === null || given === '' ? undefined : detailed('assertion_value')
  if (given === null) return { error: 'missing_value' }
  if (needsNumber(comparing)) return numberOf(given) === undefined ? wrongType('number') : undefined
  const isPattern = comparison === 'matches' || comparison === 'not_matches'
  if (typeof given === 'string') return textFault(given, longestValue) ?? comparedFault(comparing, given, isPattern)
  return !isPattern && (typeof given === 'number' || typeof given === 'boolean') ? undefined : wrongType('string')
}

function numberOf(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(given.trim()) ? Number(given) : given
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function comparedFault({ source, comparison }: Comparing, text: string, isPattern: boolean): JsonFault | undefined {
  const detail = isPattern ? patternFault(text) : undefined
  if (detail !== undefined) return detailed(detail)
  if (isAlways(comparison, text)) return { error: 'missing_value' }
  const isAddress = source === 'ip' && (comparison === 'equals' || comparison === 'not_equals')
  return isAddress && isIP(text) === 0 ? detailed('ip_address') : undefined
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
