import { deepest } from '../configuration/yaml-bounds.ts'
import { isObject } from '../domain/input/json.ts'

/** An object of an export, read with patience: databases have 0 and 1, dumps have texts, versions lack members. */
export interface Row {
  readonly members: Readonly<Record<string, unknown>>
  /** Null for a missing or an empty one; numbers and truths become texts. */
  text(name: string): string | null
  number(name: string): number | null
  flag(name: string, otherwise?: boolean): boolean
  /** An object, or one written as JSON; empty otherwise. */
  row(name: string): Row
  /** The objects of a list, or of one written as JSON. */
  rows(name: string): readonly Row[]
  /** The texts and numbers of a list, or of one written as JSON. */
  texts(name: string): readonly string[]
  has(name: string): boolean
  /** The members with a value that nobody asked for. */
  unread(): readonly string[]
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return null
}

/** Any value as a text: an object of an export may have a `toString` of its own. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Each member as a text, with its name. */
export function textsOf({ members }: Row): readonly (readonly [string, string])[] {
  return Object.entries(members).map(([name, value]) => [name, textOf(value)] as const)
}

function asNumber(value: unknown): number | null {
  const text = asText(value)?.trim() ?? ''
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

const yes = new Set(['1', 'true', 'yes', 'on'])
const no = new Set(['0', 'false', 'no', 'off'])

function asFlag(value: unknown, otherwise: boolean): boolean {
  const text = asText(value)?.toLowerCase() ?? ''
  return yes.has(text) || (otherwise && !no.has(text))
}

/** The value, or the JSON that a text holds. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const found = JSON.parse(value) as unknown
    return isDeep(found) ? null : found
  } catch {
    return null
  }
}

/** True for more levels than any export has: functions that call themselves would take more room than there is. */
export function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const one of level) append(below, typeof one === 'object' && one !== null ? Object.values(one) : [])
    level = below
  }
  return level.length > 0
}

/** False for a member that is off or empty. */
function isSaid(value: unknown): boolean {
  return ![undefined, null, '', false, 0, '0'].includes(value as null) && !(Array.isArray(value) && value.length === 0)
}

export function rowOf(value: unknown): Row {
  const members = isObject(value) ? value : {}
  const asked = new Set<string>()
  const member = (name: string): unknown => {
    asked.add(name)
    return Object.hasOwn(members, name) ? members[name] : undefined
  }
  const list = (name: string): readonly unknown[] => {
    const found = opened(member(name))
    return Array.isArray(found) ? found : []
  }
  return {
    members,
    text: (name) => asText(member(name)),
    number: (name) => asNumber(member(name)),
    flag: (name, otherwise = false) => asFlag(member(name), otherwise),
    row: (name) => rowOf(opened(member(name))),
    rows: (name) => list(name).filter(isObject).map(rowOf),
    texts: (name) => list(name).flatMap((one) => asText(one) ?? []),
    has: (name) => (member(name) ?? '') !== '',
    unread: () => Object.keys(members).filter((name) => !asked.has(name) && isSaid(members[name])),
  }
}

/** The member of a table of our own that an export names; `constructor` and the like are none. */
export function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Elements of the same key, in their order. Exports link thousands to thousands, so nothing is searched for each. */
export function groupedBy<T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const found = new Map<K, T[]>()
  for (const one of all) {
    const known = found.get(keyOf(one))
    if (known === undefined) found.set(keyOf(one), [one])
    else known.push(one)
  }
  return found
}

/** A list of any length is not spread: each of its elements would take a place on the stack. */
export function append<T>(into: T[], more: readonly T[]): void {
  for (const one of more) into.push(one)
}
