import { parseMoment } from '../domain/calendars/time.ts'
import { type Problem, unknownParameter } from '../domain/input/problem.ts'
import { isStorable } from '../domain/input/storable.ts'
import {
  all,
  always,
  any,
  before,
  type Condition,
  contains,
  from,
  is,
  type Scalar,
} from '../domain/queries/condition.ts'
import type { Call } from './call.ts'
import type { Resource } from './declare.ts'
import type { Field } from './fields.ts'
import { containedPath, containmentName } from './filter-names.ts'
import type { Value } from './parameters.ts'
import { refuseTooMany } from './problems.ts'

/** Alternatives of all filters of a request: enough for a whole page of identifiers. */
const maximumAlternatives = 1000
/** The limit of filters that search within texts, because no index helps them. */
const maximumContained = 100
/** Characters: as long as the longest text that is kept. */
const maximumText = 5000

/** Where the parameters of one request are read; their problems come together. */
export interface Reader {
  readonly resource: Resource
  readonly call: Call
  readonly problems: Problem[]
  /** Whether rows are shown, with fields and an order. Default: true. */
  readonly hasPages?: boolean
}

/** incorrect_value at the parameter. */
const unstorable = { detail: 'forbidden_characters' } as const

export function refuseValue(reader: Reader, { pointer }: Value, facts: NonNullable<Problem['facts']>): void {
  reader.problems.push({ error: 'incorrect_value', field: pointer, facts })
  refuseTooMany(reader.problems)
}

/** incorrect_type at the parameter. */
export function refuseType(reader: Reader, { pointer }: Value, expected: string): void {
  reader.problems.push({ error: 'incorrect_type', field: pointer, facts: { expected } })
  refuseTooMany(reader.problems)
}

/** The field at a path of this resource or of one it can embed; undefined when the caller may not use it. */
export function usableField({ resource, call }: Reader, path: string): Field | undefined {
  const own = fieldOf(resource, path)
  if (own !== undefined) return own.internal ? undefined : own
  const dot = path.indexOf('.')
  const head = path.slice(0, Math.max(dot, 0))
  const rest = path.slice(dot + 1)
  if (!resource.embed.includes(head)) return undefined
  if (head === 'permissions') {
    const isFlag = Object.hasOwn(resource.permissions(call.caller), rest)
    return isFlag ? { kind: 'boolean', filter: true, sort: true } : undefined
  }
  const relation = resource.relations[head]
  const field = relation === undefined ? undefined : fieldOf(call.registry.get(relation.to), rest)
  return field?.internal ? undefined : field
}

/** A name such as `constructor` is inherited by every object and no field. */
function fieldOf({ fields }: Resource, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A filter's text as a value of the field's kind; undefined when it is none. */
function filterValue(field: Field, written: string, nowAt: number): Scalar | undefined {
  if (written === 'null') return null
  switch (field.kind) {
    case 'integer':
      return /^-?\d{1,15}$/.test(written) ? Number(written) : undefined
    case 'decimal':
      return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined
    case 'boolean':
      return written === 'true' ? true : written === 'false' ? false : undefined
    case 'moment': {
      const at = parseMoment(written, nowAt)
      return typeof at === 'number' ? at : undefined
    }
    case 'list':
      return field.of === undefined ? undefined : filterValue(field.of, written, nowAt)
    default:
      return written
  }
}

function equalityFilter(reader: Reader, path: string, entry: Value): Condition {
  const field = usableField(reader, path)
  const written = String(entry.value)
  if (!isStorable(written)) {
    refuseValue(reader, entry, unstorable)
    return always(true)
  }
  const value = field === undefined ? undefined : filterValue(field, written, reader.call.nowAt)
  if (value === undefined) {
    refuseType(reader, entry, (field?.of ?? field)?.kind ?? 'text')
    return always(true)
  }
  if (value === null && path.startsWith('permissions.')) {
    refuseType(reader, entry, 'boolean')
    return always(true)
  }
  if (value === null) return field?.kind === 'text' ? any(is(path, null), is(path, written)) : is(path, null)
  // Moments are kept to the millisecond and shown to the second.
  if (field?.kind === 'moment') return all(from(path, Number(value)), before(path, Number(value) + 1000))
  return is(path, value)
}

function containmentFilter(reader: Reader, path: string, entry: Value): Condition {
  const written = String(entry.value)
  if (isStorable(written)) return contains(path, written)
  refuseValue(reader, entry, unstorable)
  return always(true)
}

function tooLong(reader: Reader, field: string, maximum: number): Condition {
  reader.problems.push({ error: 'value_too_long', field, facts: { maximum } })
  refuseTooMany(reader.problems)
  return always(true)
}

/** The filters of a request; together they have so many alternatives at most. */
export function readFilters(reader: Reader, filters: ReadonlyMap<string, readonly Value[]>): readonly Condition[] {
  let [alternatives, contained] = [0, 0]
  return [...filters].map(([name, values]) => {
    alternatives += Math.max(1, values.length)
    if (containedPath(name) !== null) contained += values.length
    const maximum = alternatives > maximumAlternatives ? maximumAlternatives : maximumContained
    if (alternatives <= maximumAlternatives && contained <= maximumContained) return readFilter(reader, name, values)
    return tooLong(reader, values[0]?.pointer.replace(/\[0\]$/, '') ?? 'data.filters', maximum)
  })
}

function filtersOfFields(fields: Resource['fields'], prefix = ''): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.filter && !field.internal ? [`${prefix}${name}`] : []),
    ...(field.contains && !field.internal ? [containmentName(`${prefix}${name}`)] : []),
  ])
}

const known = new WeakMap<Reader, readonly string[]>()

/** Asked for by each unknown one. */
function parametersOf(reader: Reader): readonly string[] {
  const before = known.get(reader)
  if (before !== undefined) return before
  const made = allParametersOf(reader)
  known.set(reader, made)
  return made
}

/** Every parameter that a list takes, those of the objects that it can embed last. */
function allParametersOf({ resource, call, hasPages = true }: Reader): readonly string[] {
  const { fields, embed, range, relations } = resource
  const embedded = embed.flatMap((name) => {
    if (name === 'permissions') return Object.keys(resource.permissions(call.caller)).map((flag) => `${name}.${flag}`)
    const relation = relations[name]
    return relation === undefined ? [] : filtersOfFields(call.registry.get(relation.to).fields, `${name}.`)
  })
  const filters = [...filtersOfFields(fields), ...embedded]
  const ofPages = ['fields', ...(embed.length === 0 ? [] : ['embed']), 'sort', 'limit', 'offset']
  return [...(hasPages ? ofPages : []), 'query', ...(range === null ? [] : ['from', 'to']), ...filters]
}

function readFilter(reader: Reader, name: string, values: readonly Value[]): Condition {
  const contained = containedPath(name)
  const path = contained ?? name
  const field = usableField(reader, path)
  const allowed = contained === null ? field?.filter : field?.contains
  if (!allowed) {
    const facts = values.length === 0 ? {} : unknownParameter(name, parametersOf(reader))
    for (const entry of values) refuseValue(reader, entry, facts)
    return always(true)
  }
  const long = values.find((entry) => String(entry.value).length > maximumText)
  if (long !== undefined) return tooLong(reader, long.pointer, maximumText)
  const read = contained === null ? equalityFilter : containmentFilter
  return any(...values.map((entry) => read(reader, path, entry)))
}

/** `query`: any of the search fields contains the text; an empty text asks for nothing. */
export function readSearch(reader: Reader, entry: Value | undefined): Condition {
  const wanted = entry === undefined ? '' : String(entry.value)
  if (entry === undefined || wanted === '') return always(true)
  if (wanted.length > maximumText) return tooLong(reader, entry.pointer, maximumText)
  if (!isStorable(wanted)) refuseValue(reader, entry, unstorable)
  return any(...reader.resource.search.map((field) => contains(field, wanted)))
}
