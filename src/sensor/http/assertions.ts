import { JSONPathEnvironment } from 'json-p3'
import type { ErrorTypeSymbol } from '../../domain/judging/error-types.ts'
import {
  type Assertion,
  expectation,
  type FoundValue,
  type FoundValues,
  foundNothing,
  foundNumber,
  foundText,
  judgeAssertion,
} from '../../domain/services/assertion.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import { findInJson, type PathAnswer } from '../path-values.ts'
import { type Asker, findPaths, matchesEach } from '../pattern.ts'
import type { Settings } from '../protocol.ts'
import { readOptionalText } from '../settings.ts'
import type { CertificateProperties } from './certificate-properties.ts'
import { headerValue } from './headers.ts'
import { bodyCapBytes, type ResponseHead } from './received.ts'

/** A response, as far as assertions read it. */
export interface AssertedResponse {
  readonly head: ResponseHead
  readonly bodyText: () => string
  /** The body is only the beginning of what was sent. */
  readonly isCut: boolean
  /** Null without TLS. */
  readonly certificate: CertificateProperties | null
  readonly ip: string | null
  readonly tookMs: number
  /** The time in which this station did not run. */
  readonly missedMs: number
}

interface AssertionDemands {
  readonly assertions: readonly Assertion[]
  readonly asker: Asker
  /** Hides the secrets of the settings in a text. */
  readonly hide: (text: string) => string
  /** Tells what each assertion said, also about a good response. */
  readonly tellsAll: boolean
}

/** failed: with the failure's symbol. unknown: this station could not tell. */
interface Saying {
  readonly assertion: Assertion
  readonly result: 'ok' | 'failed' | 'unknown'
  readonly symbol: ErrorTypeSymbol | null
  readonly came: string
}

const longestCame = 200
const longestExpectation = 300

/** The core has validated the list; a station of another version must not crash on it. */
export function readAssertions(settings: Settings): readonly Assertion[] {
  const json = readOptionalText(settings, 'assertions')
  if (json === null) return []
  try {
    const list: unknown = JSON.parse(json)
    if (Array.isArray(list)) return list as readonly Assertion[]
  } catch {
    // As below.
  }
  throw new Failure('setting_invalid', 'setting assertions is not a list')
}

/**
 * Judges all assertions. Rejects with the first failure; otherwise with the first one that could not be evaluated. A
 * failed assertion of severity `degraded` leaves its reason and its sentence at the attempt.
 */
export async function judgeAssertions(
  attempt: Attempt,
  response: AssertedResponse,
  given: AssertionDemands,
): Promise<void> {
  const { assertions } = given
  if (assertions.length === 0) return
  const demands = { ...given, hide: remembering(given.hide) }
  const findIn = await readDocuments(response, demands)
  const sayings: Saying[] = []
  for (const [index, assertion] of assertions.entries()) {
    sayings.push(await judgeOne({ assertion, index, findIn, ...response }, demands))
  }
  tell(attempt, sayings, demands)
  const serious = sayings.filter(({ assertion }) => assertion.severity !== 'degraded')
  for (const wanted of ['failed', 'unknown'] as const) {
    const all = serious.filter(({ result }) => result === wanted)
    // A failure that this station's clock cannot have caused says more.
    const first = all.find((one) => !isByClock(one)) ?? all[0]
    if (first?.symbol === undefined || first.symbol === null) continue
    if (isByClock(first)) attempt.facts['failed_by_clock'] = true
    const more = all.length > 1 ? `; ${all.length - 1} more of ${assertions.length}` : ''
    throw new Failure(first.symbol, `${sentence(first, sayings.indexOf(first), demands)}${more}`)
  }
  if (sayings.some(({ result }) => result === 'failed')) attempt.degraded.push('assertion')
}

/** Twenty assertions may tell of the same megabyte. */
function remembering(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const made = known.get(text) ?? make(text)
    known.set(text, made)
    return made
  }
}

function isByClock({ assertion: { source, path } }: Saying): boolean {
  return source === 'certificate' && path === 'days_left'
}

type Documents = Readonly<Record<'json' | 'xml', (path: string) => FoundValues | Failure>>

/** Each document is read once for all of its paths. */
async function readDocuments(response: AssertedResponse, demands: AssertionDemands): Promise<Documents> {
  return { json: await readDocument('json', response, demands), xml: await readDocument('xml', response, demands) }
}

const malformed = { json: 'body_not_json', xml: 'body_not_xml' } as const

async function readDocument(
  kind: 'json' | 'xml',
  { bodyText, isCut }: AssertedResponse,
  { assertions, asker }: AssertionDemands,
): Promise<(path: string) => FoundValues | Failure> {
  const all = assertions.filter(({ source }) => source === kind).map(({ path }) => path ?? '')
  const paths = [...new Set(all)]
  if (paths.length === 0) return () => foundNothing
  const unevaluated = (why: string) => new Failure('assertion_not_evaluated', why)
  if (isCut) return () => unevaluated(`the body is longer than the ${bodyCapBytes} bytes that a check reads`)
  const text = bodyText()
  const answer = await answerOf({ kind, text, paths }, asker).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  if (answer instanceof Failure) return () => answer
  if ('malformed' in answer) {
    const why = text.trim() === '' ? 'the body is empty' : answer.malformed
    return () => new Failure(malformed[kind], why)
  }
  if ('refused' in answer) return () => unevaluated('the document declares entities of its own, which are not read')
  const found = new Map(paths.map((path, index) => [path, answer.found[index] ?? null]))
  return (path) => found.get(path) ?? unevaluated('the path could not be followed; the document may be nested too deep')
}

/** Longer texts and other paths may take long, so they are read outside the loop. */
const mostInline = 65_536
/** Names, places and wildcards: time in line with the text. */
const plainPath = /^\$(\.[A-Za-z_][\w]*|\['[^'\\]*'\]|\["[^"\\]*"\]|\[-?\d{1,9}\]|\[\*\]|\.\*){0,20}$/

async function answerOf(
  work: { readonly kind: 'json' | 'xml'; readonly text: string; readonly paths: readonly string[] },
  asker: Asker,
): Promise<PathAnswer> {
  const isPlain =
    work.kind === 'json' && work.text.length <= mostInline && work.paths.every((path) => plainPath.test(path))
  return isPlain ? findInJson(work, { JSONPathEnvironment }) : await findPaths(work, asker)
}

interface Asserted extends AssertedResponse {
  readonly assertion: Assertion
  readonly index: number
  readonly findIn: Documents
}

async function judgeOne(asserted: Asserted, demands: AssertionDemands): Promise<Saying> {
  const { assertion } = asserted
  const found = findFor(asserted)
  if (found instanceof Failure) return failedToRead(assertion, found)
  try {
    const isMatch = await matcherOf(asserted, found, demands.asker)
    const { verdict, offender } = judgeAssertion(assertion, found, isMatch)
    const came = offender === null ? 'nothing' : cameOf(offender, demands.hide)
    if (verdict === 'holds') return { assertion, result: 'ok', symbol: null, came }
    if (verdict === 'fails' && isOwnDelay(asserted)) {
      const came = `this station did not run for ${Math.round(asserted.missedMs)} ms of ${Math.round(asserted.tookMs)} ms`
      return { assertion, result: 'unknown', symbol: 'sensor_held', came }
    }
    if (verdict === 'fails') return { assertion, result: 'failed', symbol: 'assertion_failed', came }
    if (verdict === 'missing') return { assertion, result: 'failed', symbol: 'assertion_value_missing', came }
    return { assertion, result: 'unknown', symbol: 'assertion_not_evaluated', came: 'more than a check reads' }
  } catch (error) {
    if (error instanceof Failure) return failedToRead(assertion, error)
    throw error
  }
}

/** As the truth guard does: a shorter stall is no excuse. */
const shortestTellingMs = 50

/** Whether the answer would have been in time if this station had run all the time. */
function isOwnDelay({ assertion: { source, comparison, value }, tookMs, missedMs }: Asserted): boolean {
  if (source !== 'time' || comparison !== 'less') return false
  return missedMs >= Math.max(shortestTellingMs, tookMs - Number(value))
}

const faultsOfBody: ReadonlySet<ErrorTypeSymbol> = new Set<ErrorTypeSymbol>(Object.values(malformed))

function failedToRead(assertion: Assertion, { symbol, message }: Failure): Saying {
  return { assertion, result: faultsOfBody.has(symbol) ? 'failed' : 'unknown', symbol, came: message }
}

function findFor({
  assertion,
  findIn,
  head,
  bodyText,
  isCut,
  certificate,
  ip,
  tookMs,
}: Asserted): FoundValues | Failure {
  const path = assertion.path ?? ''
  switch (assertion.source) {
    case 'status':
      return foundNumber(head.status)
    case 'header': {
      const value = headerValue(head, path.toLowerCase())
      return value === null ? foundNothing : foundText(value)
    }
    case 'body':
      return foundText(bodyText(), isCut)
    case 'time':
      return foundNumber(Math.round(tookMs))
    case 'ip':
      return ip === null ? foundNothing : foundText(ip)
    case 'certificate': {
      const value = certificate?.[path]
      if (value === undefined) return foundNothing
      return typeof value === 'number' ? foundNumber(value) : foundText(value)
    }
    case 'json':
    case 'xml':
      return findIn[assertion.source](path)
    default:
      return new Failure('setting_invalid', 'setting assertions names a source that this station does not know')
  }
}

/** Searches all values for the pattern at once. */
async function matcherOf(
  { assertion: { comparison, value }, index }: Asserted,
  { values }: FoundValues,
  asker: Asker,
): Promise<(value: FoundValue) => boolean | null> {
  if (comparison !== 'matches' && comparison !== 'not_matches') return () => null
  const wanted = { setting: `assertions[${index}].value`, pattern: String(value) }
  const texts = values.map(({ text }) => text)
  const areFound = await matchesEach(wanted, texts, asker)
  const known = new Map(values.map((one, place) => [one, areFound[place] === true || (one.isCut ? null : false)]))
  return (one) => known.get(one) ?? null
}

/** The value without secrets, on one line, cut. Secrets are hidden before the cut, which could halve them. */
function cameOf({ text, kind }: FoundValue, hide: (text: string) => string): string {
  const hidden = hide(text)
  const shown = hidden.length > longestCame ? `${hidden.slice(0, longestCame)}…` : hidden
  return kind === 'text' ? JSON.stringify(shown) : oneLine(shown, longestCame + 1)
}

/** Cut after its secrets are hidden. */
function expected(assertion: Assertion, hide: (text: string) => string): string {
  const hidden = hide(expectation(assertion))
  return hidden.length > longestExpectation ? `${hidden.slice(0, longestExpectation)}…` : hidden
}

function sentence({ assertion, result, came }: Saying, index: number, { hide }: AssertionDemands): string {
  const end = result === 'unknown' ? `could not be evaluated: ${hide(came)}` : `came ${hide(came)}`
  return `assertion ${index + 1}: expected ${expected(assertion, hide)}, ${end}`
}

function tell(attempt: Attempt, sayings: readonly Saying[], demands: AssertionDemands): void {
  const { facts } = attempt
  const faulty = sayings.map((saying, index) => ({ saying, index })).filter(({ saying }) => saying.result !== 'ok')
  if (faulty.length > 0) {
    facts['failed_assertions'] = faulty.map(({ saying, index }) => sentence(saying, index, demands)).join('\n')
    attempt.tellsFacts = true
  }
  if (!demands.tellsAll) return
  attempt.tellsFacts = true
  for (const [index, { assertion, result, came }] of sayings.entries()) {
    facts[`assertion_${index + 1}_result`] = result === 'failed' ? assertion.severity : result
    facts[`assertion_${index + 1}_expected`] = expected(assertion, demands.hide)
    facts[`assertion_${index + 1}_came`] = demands.hide(came)
  }
}
