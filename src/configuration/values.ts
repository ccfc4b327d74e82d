import { createHash } from 'node:crypto'
import { parseMoment } from '../domain/calendars/time.ts'
import { isObject } from '../domain/input/json.ts'
import type { Field } from '../rest/fields.ts'
import type { Kind } from './model.ts'
import { isPending } from './references.ts'

/** Values as they are compared: whatever the API takes and shows in different words is the same here. */

const anything: Field = { kind: 'json' }

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/** Members in the order of the alphabet. An absent member of a shape is an empty one. */
function canonicalMembers(value: Readonly<Record<string, unknown>>, shape: Field['shape']): object {
  const names = Object.keys(value).toSorted()
  const members = names.map((name) => [name, canonical(shape?.[name] ?? anything, value[name])] as const)
  return Object.fromEntries(shape === undefined ? members : members.filter(([, member]) => !isEmpty(member)))
}

function canonical(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (isPending(value)) return { new: value.pending.pointer }
  if (field.kind === 'moment') {
    const at = parseMoment(value, 0)
    return typeof at === 'number' ? Math.floor(at / 1000) : value
  }
  if (Array.isArray(value)) return value.map((element: unknown) => canonical(field.of ?? anything, element))
  return isObject(value) ? canonicalMembers(value, field.shape) : value
}

/** Short, as one stands for each member: it tells values apart and protects nothing. */
export function digest(field: Field, value: unknown): string {
  const text = JSON.stringify(canonical(field, value))
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

/** One value that is compared and shown by itself. */
export interface Leaf {
  /** `interval`, `extended_settings.timeout` */
  readonly path: string
  readonly member: string
  readonly field: Field
  readonly value: unknown
}

/** The given members of an object; those whose own members are merged one by one come apart. */
export function leavesOf(kind: Kind, values: Readonly<Record<string, unknown>>): readonly Leaf[] {
  const { merged = [] } = kind.configuration
  return Object.entries(kind.members).flatMap(([member, field]) => {
    if (!Object.hasOwn(values, member)) return []
    const value = values[member]
    if (!merged.includes(member) || !isObject(value)) return [{ path: member, member, field, value }]
    return Object.entries(value).map(([name, own]) => ({
      ...{ path: `${member}.${name}`, member, field: anything, value: own },
    }))
  })
}

/** Members from leaves: the opposite of `leavesOf`. */
export function membersOf(leaves: readonly Pick<Leaf, 'path' | 'member' | 'value'>[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const { path, member, value } of leaves) {
    if (path === member) members[member] = value
    else members[member] = { ...(members[member] as object | undefined), [path.slice(member.length + 1)]: value }
  }
  return members
}

export function isEqual(field: Field, one: unknown, other: unknown): boolean {
  return JSON.stringify(canonical(field, one)) === JSON.stringify(canonical(field, other))
}

/** `settings.token` is the secret `token`. */
export function secretName(path: string): string {
  return path.slice(path.indexOf('.') + 1)
}
