import { recordPattern } from './dns-records.ts'
import type { Item } from './draft.ts'
import { readDuration } from './durations.ts'
import { ownOf } from './row.ts'
import { patternOf } from './texts.ts'
import { everyStatus, jsonPathOf, statusRanges } from './web.ts'

/** The conditions of Gatus as settings: `[STATUS] == 200`, `[BODY].status == UP`. */

type Settings = Readonly<Record<string, unknown>>

interface Condition {
  readonly text: string
  readonly left: string
  readonly operator: string
  readonly right: string
}

export interface ConditionSettings {
  readonly settings: Settings
  /** The domain must last longer than so many days; null: it is not looked at. */
  readonly domainDays: number | null
}

function readCondition(text: string): Condition | null {
  const { index, 0: operator = '' } = /[=!<>]=|[<>]/.exec(text) ?? { index: 0 }
  const [left, right] = [text.slice(0, index).trim(), text.slice(index + operator.length).trim()]
  return operator === '' || left === '' ? null : { text, left, operator, right: right.replace(/^"(.*)"$/s, '$1') }
}

/** `any(a, b)` → its elements; another text is the only one. */
function alternativesOf(right: string): readonly string[] {
  const inner = /^any\((.*)\)$/s.exec(right)?.[1]
  return inner === undefined ? [right] : inner.split(',').map((one) => one.trim())
}

const glob = /^pat\((.*)\)$/s

/** `pat(*UP*)` or a plain text as a pattern. */
function patternOfOne(one: string, anything = String.raw`[\s\S]*`): string {
  const parts = glob.exec(one)?.[1]?.split('*') ?? [one]
  return parts.map((part) => patternOf(part)).join(anything)
}

/** `pat(*UP*)` and plain texts as one pattern of the whole text. */
function wholePattern(right: string): string {
  const each = alternativesOf(right).map((one) => patternOfOne(one))
  return each.length === 1 ? `^${each[0]}$` : `^(?:${each.join('|')})$`
}

/** The pattern for the address or the name of a record; names end with a dot there. Null: there is none. */
function answerPattern(type: string, right: string): string | null {
  const each = alternativesOf(right).map((one) => {
    const [, before, port = '', after = ''] = /^(.*):(\d+)(\)?)$/s.exec(one) ?? []
    if (type === 'SRV' && before === undefined) return null
    const name = (type === 'SRV' ? `${before}${after}` : one).replace(/\.(?=\)?$)/, '')
    const pattern = patternOfOne(name, '.*')
    return recordPattern(type, type === 'SRV' ? `${port} ${pattern}` : pattern)
  })
  return each.includes(null) ? null : each.join('|')
}

function isPattern(right: string): boolean {
  return /^(any|pat)\(/.test(right)
}

const compare: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
}

type Compared = { readonly comparison: string; readonly value?: string | number }

/** Null: no comparison of Latarnik means the same. Whole numbers turn `<=` into `<`. */
function comparedTo({ operator, right }: Condition): Compared | null {
  const isEqual = operator === '=='
  if (isEqual || operator === '!=') {
    if (isPattern(right)) return { comparison: isEqual ? 'matches' : 'not_matches', value: wholePattern(right) }
    return { comparison: isEqual ? 'equals' : 'not_equals', value: right }
  }
  const number = Number(right)
  if (right === '' || !Number.isFinite(number)) return null
  if (operator === '<' || operator === '>') return { comparison: operator === '<' ? 'less' : 'greater', value: number }
  if (!Number.isInteger(number)) return null
  return operator === '<=' ? { comparison: 'less', value: number + 1 } : { comparison: 'greater', value: number - 1 }
}

/** The assertion of a condition on the body; null: there is none that means the same. */
function bodyAssertion(condition: Condition): Settings | null {
  const { left, operator, right } = condition
  const [, call = '', inner = left] = /^(len|has)\((.*)\)$/.exec(left) ?? []
  const path = jsonPathOf(inner.replace(/^\[BODY\]/, ''))
  if (path === null) return null
  const at = path === '$' && call !== 'has' ? { source: 'body' } : { source: 'json', path }
  if (call === 'has') return { ...at, comparison: (right === 'true') === (operator === '==') ? 'exists' : 'not_exists' }
  if (call === 'len') {
    const isAny =
      (operator === '>' && right === '0') ||
      (operator === '>=' && right === '1') ||
      (operator === '!=' && right === '0')
    const isNone = operator === '==' && right === '0'
    return isAny || isNone ? { ...at, comparison: isAny ? 'is_not_empty' : 'is_empty' } : null
  }
  const compared = comparedTo(condition)
  if (compared === null || (path === '$' && (compared.comparison === 'less' || compared.comparison === 'greater')))
    return null
  return { ...at, ...compared }
}

interface Gathering {
  readonly item: Item
  readonly isWeb: boolean
  readonly typeId: string
  /** The type of the records that are asked for. */
  readonly recordType: string
  readonly settings: Record<string, unknown>
  readonly assertions: Settings[]
  statuses: ReadonlySet<number>
  domainDays: number | null
}

const day = 86_400_000

/** Days before the end at which a condition like `> 48h` fails. */
function daysOf({ right }: Condition): number | null {
  const length = readDuration(right)
  return length === null ? null : Math.max(1, Math.ceil(length / day))
}

type Reader = (condition: Condition, into: Gathering) => boolean

/** Each returns false for a condition that it cannot carry. */
const readers: Readonly<Record<string, Reader>> = {
  STATUS: (condition, into) => {
    const holds = compare[condition.operator]
    const codes = alternativesOf(condition.right).map(Number)
    if (!into.isWeb || holds === undefined || codes.some((code) => !Number.isInteger(code))) return false
    const isMet = (status: number) =>
      condition.operator === '!=' ? codes.every((code) => status !== code) : codes.some((code) => holds(status, code))
    into.statuses = new Set([...into.statuses].filter(isMet))
    return true
  },
  BODY: (condition, into) => {
    if (!into.isWeb) {
      // The check of gRPC asks for that alone.
      if (into.typeId === 'grpc') return /^\[BODY\]\.status == "?SERVING"?$/.test(condition.text.trim())
      const takesAnswer = !['tcp_connect', 'ping', 'domain'].includes(into.typeId)
      if (!takesAnswer || condition.left !== '[BODY]' || condition.operator !== '==') return false
      const isDns = into.typeId === 'dns'
      const pattern = isDns ? answerPattern(into.recordType, condition.right) : wholePattern(condition.right)
      if (pattern !== null) into.settings['expected_answer_regex'] = pattern
      return pattern !== null
    }
    const assertion = bodyAssertion(condition)
    if (assertion !== null) into.assertions.push(assertion)
    return assertion !== null
  },
  RESPONSE_TIME: (condition, into) => {
    const compared = comparedTo(condition)
    if (compared === null || typeof compared.value !== 'number') return false
    if (into.isWeb) into.assertions.push({ source: 'time', ...compared })
    else if (compared.comparison === 'less') {
      into.settings['degraded_response_time'] = compared.value
      into.item.change('A slow answer counts as degraded, not as a failure.')
    } else return false
    return true
  },
  CERTIFICATE_EXPIRATION: (condition, into) => {
    const days = daysOf(condition)
    if (days === null || !condition.operator.startsWith('>')) return false
    into.settings['certificate_days'] = days
    if (days * day !== readDuration(condition.right))
      into.item.change(`A certificate must last ${days} days: whole days only.`)
    return true
  },
  DOMAIN_EXPIRATION: (condition, into) => {
    into.domainDays = condition.operator.startsWith('>') ? daysOf(condition) : null
    return into.domainDays !== null
  },
  IP: (condition, into) => {
    const compared = comparedTo(condition)
    if (!into.isWeb || compared === null) return false
    into.assertions.push({ source: 'ip', ...compared })
    return true
  },
  CONNECTED: ({ operator, right }) => operator === '==' && right === 'true',
  DNS_RCODE: (condition, into) => {
    if (condition.operator !== '==' || into.typeId !== 'dns') return false
    into.settings['expected_rcode'] = condition.right
    return true
  },
}

export function conditionSettings(
  item: Item,
  { typeId, recordType }: Pick<Gathering, 'typeId' | 'recordType'>,
  conditions: readonly string[],
): ConditionSettings {
  const isWeb = typeId === 'http' || typeId === 'https'
  const into: Gathering = {
    ...{ item, isWeb, typeId, recordType, settings: {}, assertions: [] },
    ...{ statuses: new Set(everyStatus), domainDays: null },
  }
  for (const text of conditions) {
    const condition = readCondition(text)
    const placeholder = /^(?:\w+\()?\[(\w+)\]/.exec(condition?.left ?? '')?.[1] ?? ''
    const reader = ownOf(readers, placeholder)
    if (condition === null || reader?.(condition, into) !== true) item.change(`The condition ${text} is left out.`)
  }
  const accepted = isWeb ? { accepted_statuses: statusRanges(into.statuses) } : {}
  const asserted = into.assertions.length === 0 ? {} : { assertions: into.assertions }
  return { settings: { ...into.settings, ...accepted, ...asserted }, domainDays: into.domainDays }
}
