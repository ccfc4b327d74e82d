import { isObject } from '../domain/json.ts'

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
    return JSON.parse(value) as unknown
  } catch {
    return null
  }
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

/** A list of any length is not spread: each of its elements would take a place on the stack. */
export function append<T>(into: T[], more: readonly T[]): void {
  for (const one of more) into.push(one)
}
