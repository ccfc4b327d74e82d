import { parseMoment } from '../domain/calendars/time.ts'
import { type Problem, unknownParameter } from '../domain/input/problem.ts'
import { all, always, type Condition } from '../domain/queries/condition.ts'
import type { Call } from './call.ts'
import type { RangeParameters, Resource } from './declare.ts'
import { type Reader, readFilters, readSearch, refuseType, refuseValue, usableField } from './filters.ts'
import type { SortKey } from './in-memory.ts'
import {
  filtersOfQuery,
  maximumNames,
  type Parameters,
  parametersOfBody,
  parametersOfQuery,
  type Value,
} from './parameters.ts'
import { refuseAny } from './problems.ts'

export interface Embed {
  readonly name: string
  /** Null shows the whole related object. */
  readonly fields: readonly string[] | null
}

export interface ReadRequest {
  readonly fields: readonly string[]
  readonly embeds: readonly Embed[]
}

export interface ListRequest extends ReadRequest {
  readonly where: Condition
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
}

export const defaultLimit = 10
export const maximumLimit = 1000

/** The fields of an object if `fields` is absent. */
export function shownFields(resource: Resource): readonly string[] {
  return Object.entries(resource.fields)
    .filter(([, field]) => !field.internal && !field.writeOnly && !field.embedOnly)
    .map(([name]) => name)
}

function bounded(reader: Reader, values: readonly Value[]): readonly Value[] {
  if (values.length <= maximumNames) return values
  const field = values[0]?.pointer.replace(/\[0\]$/, '') ?? ''
  reader.problems.push({ error: 'value_too_long', field, facts: { maximum: maximumNames } })
  return []
}

function readFields(reader: Reader, values: readonly Value[], possible: readonly string[]): readonly string[] {
  for (const value of bounded(reader, values))
    if (!possible.includes(String(value.value))) refuseValue(reader, value, { allowed: possible.join(', ') })
  return values.length === 0 ? possible : [...new Set(values.map(({ value }) => String(value)))]
}

function readEmbeds(reader: Reader, values: readonly Value[]): readonly Embed[] {
  const embeds = new Map<string, string[] | null>()
  for (const entry of bounded(reader, values)) {
    const [name = '', ...rest] = String(entry.value).split('.')
    const sub = rest.join('.')
    const possible = reader.resource.embed.includes(name) ? embeddable(reader, name) : null
    if (possible === null || (sub !== '' && !possible.includes(sub)))
      refuseValue(reader, entry, allowedEmbeds(possible ?? reader.resource.embed))
    else if (sub === '') embeds.set(name, null)
    else if (embeds.get(name) !== null) embeds.set(name, [...(embeds.get(name) ?? []), sub])
  }
  return [...embeds].map(([name, fields]) => ({ name, fields }))
}

function allowedEmbeds(names: readonly string[]): NonNullable<Problem['facts']> {
  return names.length === 0 ? { detail: 'nothing_to_embed' } : { allowed: names.join(', ') }
}

/** The sub-fields of an embeddable symbol. */
function embeddable({ resource, call }: Reader, name: string): readonly string[] {
  if (name === 'permissions') return Object.keys(resource.permissions(call.caller))
  const relation = resource.relations[name]
  if (relation !== undefined) return shownFields(call.registry.get(relation.to))
  const field = resource.fields[name]
  return Object.keys((field?.of ?? field)?.shape ?? {})
}

function sortable({ fields }: Resource): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.sort && !fields[name]?.internal)
}

function readSort(reader: Reader, values: readonly Value[]): readonly SortKey[] {
  const keys = new Map<string, SortKey>()
  for (const entry of bounded(reader, values)) {
    const written = String(entry.value)
    const path = written.startsWith('-') ? written.slice(1) : written
    if (!usableField(reader, path)?.sort) refuseValue(reader, entry, { allowed: sortable(reader.resource).join(', ') })
    // Rows equal under a key are equal under a repetition of that key.
    else if (!keys.has(path)) keys.set(path, { path, descending: written.startsWith('-') })
  }
  return keys.size > 0 ? [...keys.values()] : reader.resource.sort.map(defaultKey)
}

function defaultKey(written: string): SortKey {
  return written.startsWith('-') ? { path: written.slice(1), descending: true } : { path: written, descending: false }
}

function readCount(reader: Reader, entry: Value | undefined, fallback: number, maximum: number): number {
  if (entry === undefined) return fallback
  const { value } = entry
  const count = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof count !== 'number' || !Number.isInteger(count)) refuseType(reader, entry, 'integer')
  else if (count < 0 || count > maximum) refuseValue(reader, entry, { allowed: `0-${maximum}` })
  else return count
  return fallback
}

function readMoment(reader: Reader, entry: Value | undefined): number | null {
  if (entry === undefined) return null
  const at = parseMoment(entry.value, reader.call.nowAt)
  if (typeof at === 'number') return at
  reader.problems.push({ error: at, field: entry.pointer, facts: { expected: 'date-time', detail: 'moment' } })
  return null
}

function readRange(reader: Reader, range: RangeParameters, parameters: Parameters): Condition {
  const { nowAt } = reader.call
  const toAt = readMoment(reader, parameters.to)
  const fromAt = readMoment(reader, parameters.from) ?? range.defaultFrom(toAt ?? nowAt)
  const span = fromAt === null ? 0 : (toAt ?? nowAt) - fromAt
  const tooLong = range.maximumSeconds !== null && span > range.maximumSeconds * 1000
  if (tooLong || span < 0) {
    const pointer = (parameters.from ?? parameters.to)?.pointer ?? 'query.from'
    const detail = tooLong ? 'range_too_long' : 'start_before_end'
    reader.problems.push({ error: 'incorrect_value', field: pointer, facts: { detail } })
  }
  return range.within(fromAt, toAt)
}

/** Only lists have filters. */
function refuseFilters(reader: Reader, parameters: Parameters, known: readonly string[]): void {
  for (const [name, values] of parameters.filters) {
    for (const entry of values) refuseValue(reader, entry, unknownParameter(name, known))
  }
}

/** Checks the parameters of a read of one object; throws all their problems together. */
export function parseRead(resource: Resource, call: Call): ReadRequest {
  const reader: Reader = { resource, call, problems: [] }
  const parameters = parametersOfQuery(call.query, false)
  const request = {
    fields: readFields(reader, parameters.fields, shownFields(resource)),
    embeds: readEmbeds(reader, parameters.embed),
  }
  refuseFilters(reader, parameters, resource.embed.length === 0 ? ['fields'] : ['fields', 'embed'])
  refuseAny(reader.problems)
  return request
}

/** The permission flags that a read of permissions wants: those in `fields`, else all. */
export function parseFlags(resource: Resource, call: Call): readonly string[] {
  const reader: Reader = { resource, call, problems: [] }
  const parameters = parametersOfQuery(call.query, false)
  const flags = readFields(reader, parameters.fields, Object.keys(resource.permissions(call.caller)))
  refuseFilters(reader, parameters, ['fields'])
  refuseAny(reader.problems)
  return flags
}

/** Checks the filters and the search of a list whose rows are only counted; throws all their problems together. */
export function parseFilters(resource: Resource, call: Call): Condition {
  const reader: Reader = { resource, call, problems: [], hasPages: false }
  const where = whereOf(reader, filtersOfQuery(call.query, resource.range !== null))
  refuseAny(reader.problems)
  return where
}

function whereOf(reader: Reader, parameters: Parameters): Condition {
  const { range } = reader.resource
  return all(
    ...readFilters(reader, parameters.filters),
    readSearch(reader, parameters.query),
    range === null ? always(true) : readRange(reader, range, parameters),
  )
}

/**
 * Checks the parameters of a list against the declaration; throws all their problems together (specification: Query
 * parameters of reads).
 */
export function parseList(resource: Resource, call: Call, fromBody = false): ListRequest {
  const reader: Reader = { resource, call, problems: [] }
  const hasRange = resource.range !== null
  const parameters = fromBody
    ? parametersOfBody(call.body, hasRange, reader.problems)
    : parametersOfQuery(call.query, hasRange)
  const where = whereOf(reader, parameters)
  const request = {
    fields: readFields(reader, parameters.fields, shownFields(resource)),
    embeds: readEmbeds(reader, parameters.embed),
    sort: readSort(reader, parameters.sort),
    limit: readCount(reader, parameters.limit, defaultLimit, maximumLimit),
    offset: readCount(reader, parameters.offset, 0, Number.MAX_SAFE_INTEGER),
    where,
  }
  refuseAny(reader.problems)
  return request
}
