import { isObject } from '../input/json.ts'
import type { Caller } from './caller.ts'

/** Programs from which a change may come. A caller says it by itself, so it is a label and proves nothing. */
export const auditSources = ['api', 'console', 'cli', 'apply', 'mcp'] as const
export type AuditSource = (typeof auditSources)[number]

/** The source of a change by the header `Latarnik-Source`; only a session can be that of the console. */
export function auditSource(named: string | null, { session_id: session }: Pick<Caller, 'session_id'>): AuditSource {
  const source = auditSources.find((one) => one === named?.toLowerCase()) ?? 'api'
  return source === 'console' && session === null ? 'api' : source
}

const secretMark = '***'
const newSecretMark = '*** (new)'

const secretNames =
  /password|passphrase|secret|token|(^|_)(key|pwd|pass|jwt|sig|bearer|credentials?)$|^sessionid$|ping_url|calendar_url/i

/** The user and the password of an address, `https://user:password@host`; the password may be all of it. */
const addressPassword = /(^|\/\/)([^\s/?#@:]*):([^\s/?#]+)@/g

/** Secrets by their names within a text: in the query of an address, in the body of a form, in JSON and in XML. */
const [around, within] = [
  '[\\w-]{0,40}',
  '(?:password|passwd|passphrase|secret|token|signature|credential|jwt|bearer|session_?id)',
]
const named = `(?:${around}(?:${within}|(?:api|access|private)[_-]?key)${around}|(?:[\\w-]{0,40}[_-])?(?:pwd|pass|sig)|code)`
const inQuery = new RegExp(`(^|[?&;])(${named})=([^&#\\s]+)`, 'gi')
const inJson = new RegExp(`("${named}"\\s*:\\s*)"((?:[^"\\\\]|\\\\.)+)"`, 'gi')

const inJsonNumber = new RegExp(`("${named}"\\s*:\\s*)(-?\\d[\\d.eE+-]{0,60})`, 'gi')
/** A short number under `code` is the code of an answer, not of a login. */
const answerCode = /^"code"\s*:\s*\d{1,3}$/i

const inXml = new RegExp(`(<(?:[\\w-]{1,40}:)?${named}(?:\\s[^<>]{0,500})?>)(<!\\[CDATA\\[[^\\]]{0,2000}|[^<]+)`, 'gi')

/** Lines of headers that are credentials, in settings that hold headers. */
const headerNames = /headers$/i
const secretHeader =
  /^([ \t]*[\w-]*(?:authorization|cookie|token|secret|password|api[_-]?key|-key|auth|session|credential|signature|x-access)[\w-]*[ \t]*):(.*)$/gim

/** The secrets within a text are marks: of what is replaced, the old mark if they are the same. */
function withoutInnerSecrets(name: string, text: string, other: unknown): string {
  const known = typeof other === 'string' ? other : null
  const markOf = (secret: string) => (known === null || known.includes(secret) ? secretMark : newSecretMark)
  const address = text.replace(
    addressPassword,
    (_all, start: string, user: string, secret: string) => `${start}${user}:${markOf(secret)}@`,
  )
  const body = address
    .replace(inQuery, (_all, start: string, key: string, secret: string) => `${start}${key}=${markOf(secret)}`)
    .replace(inJson, (_all, start: string, secret: string) => `${start}"${markOf(secret)}"`)
    .replace(inJsonNumber, (all, start: string, secret: string) =>
      answerCode.test(all) ? all : `${start}"${markOf(secret)}"`,
    )
    .replace(inXml, (_all, start: string, secret: string) => {
      const [, opening = '', value = ''] = /^(<!\[CDATA\[)?([\s\S]*)$/.exec(secret) ?? []
      return value.trim() === '' ? _all : `${start}${opening}${markOf(value)}`
    })
  if (!headerNames.test(name)) return body
  return body.replace(secretHeader, (_all, header: string, secret: string) => `${header}: ${markOf(secret)}`)
}

type Values = Readonly<Record<string, unknown>>

/** Equal as JSON, whatever the order of the members. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((element, place) => isSame(element, other[place]))
  }
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** The stored and the displayed form of a value. The display hides secrets. */
export interface AuditedValue {
  readonly stored: unknown
  readonly shown: unknown
}

/** A displayed value with marks in place of secrets; `other` is the stored value that it replaces. */
export function marked(name: string, { stored, shown }: AuditedValue, other?: unknown): unknown {
  const isHidden = isEmpty(shown) && !isEmpty(stored)
  const isSecret = secretNames.test(name) && (typeof shown === 'number' || (typeof shown === 'string' && shown !== ''))
  // The digests of configuration as code are made of values, of secrets too.
  const isDigests = name === 'managed_state' && isObject(shown)
  if (isHidden || isSecret || isDigests) {
    return isEmpty(other) || isSame(stored, other) ? secretMark : newSecretMark
  }
  if (typeof shown === 'string') return withoutInnerSecrets(name, shown, other)
  if (isObject(shown)) {
    const [storedOf, otherOf] = [isObject(stored) ? stored : {}, isObject(other) ? other : {}]
    const entries = Object.entries(shown).map(([key, value]) => {
      const told = { stored: Object.hasOwn(storedOf, key) ? storedOf[key] : value, shown: value }
      return [key, marked(key, told, otherOf[key])] as const
    })
    return Object.fromEntries(entries)
  }
  return Array.isArray(shown) ? markedList(name, shown, { stored, other }) : shown
}

function markedList(name: string, shown: readonly unknown[], lists: { stored: unknown; other: unknown }): unknown {
  const at = (list: unknown, place: number): unknown => (Array.isArray(list) ? list[place] : undefined)
  return shown.map((value, place) => {
    const stored = Array.isArray(lists.stored) ? at(lists.stored, place) : value
    return marked(name, { stored, shown: value }, at(lists.other, place))
  })
}

/** Characters of one value that a record keeps. */
const longest = 20_000

function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longest ? value : `${text.slice(0, 200)}… (${text.length} characters)`
}

/** Both sides with the members that differ. Of two objects, only the members of these that differ. */
export function difference(before: Values, after: Values): { readonly before: Values; readonly after: Values } {
  const sides = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [before[name] ?? null, after[name] ?? null]
    if (isSame(one, other)) continue
    const inner = isObject(one) && isObject(other) ? difference(one, other) : { before: one, after: other }
    sides.before[name] = bounded(inner.before)
    sides.after[name] = bounded(inner.after)
  }
  return sides
}

/** The whole of an object, for its creation and its removal. */
export function whole(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bounded(value)]))
}
