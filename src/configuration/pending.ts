import { isObject } from '../domain/input/json.ts'
import type { Definition } from './definitions.ts'
import { isPending } from './references.ts'

/** Replaces each placeholder of an object that the plan has yet to make, however deep in the value it is. */
export function mapValues(value: unknown, change: (pending: Definition) => unknown): unknown {
  if (isPending(value)) return change(value.pending)
  if (Array.isArray(value)) return value.map((element: unknown) => mapValues(element, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapValues(member, change)]))
}
