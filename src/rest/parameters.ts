import { isObject } from '../domain/input/json.ts'
import { type Problem, unknownField } from '../domain/input/problem.ts'
import { refuseTooMany } from './problems.ts'

/** A value as the caller wrote it, with the pointer for its problems. */
export interface Value {
  readonly value: unknown
  readonly pointer: string
}

/** List parameters from either door, a query string or the body of a search, not yet checked. */
export interface Parameters {
  readonly fields: readonly Value[]
  readonly embed: readonly Value[]
  readonly sort: readonly Value[]
  readonly limit: Value | undefined
  readonly offset: Value | undefined
  readonly query: Value | undefined
  readonly from: Value | undefined
  readonly to: Value | undefined
  readonly filters: ReadonlyMap<string, readonly Value[]>
}

const lists = ['fields', 'embed', 'sort'] as const
const singles = ['limit', 'offset', 'query', 'from', 'to'] as const

/**
 * The types of each parameter in the body of a search. Numbers may also be texts, because clients that turn a query
 * string into a body send them so.
 */
const typesOfSingles: Readonly<Record<(typeof singles)[number], readonly string[]>> = {
  limit: ['number', 'string'],
  offset: ['number', 'string'],
  query: ['string'],
  from: ['string', 'number'],
  to: ['string', 'number'],
}

/** The parameters that are no filters. */
function namesWith(hasRange: boolean): readonly string[] {
  return [...lists, ...singles.filter((name) => hasRange || (name !== 'from' && name !== 'to'))]
}

/** Names in one list parameter, and names of filters, at most. */
export const maximumNames = 1000

/** One more than there may be, where there are too many. */
function parts(written: string): string[] {
  const all = written.split(',', maximumNames + 1)
  if (all.length > maximumNames) return all
  return all.map((part) => part.trim()).filter((part) => part !== '')
}

function ofList(values: readonly string[], pointer: string): Value[] {
  return values
    .slice(0, maximumNames + 1)
    .flatMap(parts)
    .map((value, index) => ({ value, pointer: `${pointer}[${index}]` }))
}

/** Reads a query string. Without a range, `from` and `to` are ordinary filters. */
export function parametersOfQuery(query: URLSearchParams, hasRange: boolean): Parameters {
  return withNames(query, new Set(namesWith(hasRange)))
}

/** Reads the query string of a list without pages: `limit` and the like are ordinary filters too. */
export function filtersOfQuery(query: URLSearchParams, hasRange: boolean): Parameters {
  return withNames(query, new Set(hasRange ? ['query', 'from', 'to'] : ['query']))
}

/** @param taken parameters that are no filters */
function withNames(query: URLSearchParams, taken: ReadonlySet<string>): Parameters {
  const filters = new Map<string, Value[]>()
  for (const [name, value] of query) {
    if (taken.has(name)) continue
    const values = filters.get(name) ?? []
    filters.set(name, values)
    values.push({ value, pointer: `query.${name}` })
  }
  const many = (name: string) => (taken.has(name) ? ofList(query.getAll(name), `query.${name}`) : [])
  function single(name: string): Value | undefined {
    const value = taken.has(name) ? query.getAll(name).at(-1) : undefined
    return value === undefined ? undefined : { value, pointer: `query.${name}` }
  }
  return {
    fields: many('fields'),
    embed: many('embed'),
    sort: many('sort'),
    limit: single('limit'),
    offset: single('offset'),
    query: single('query'),
    from: single('from'),
    to: single('to'),
    filters,
  }
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function filtersOfBody(body: Readonly<Record<string, unknown>>, problems: Problem[]): Map<string, Value[]> {
  const filters = new Map<string, Value[]>()
  const given = body['filters'] ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    problems.push({ error: 'incorrect_type', field: 'data.filters' })
    return filters
  }
  const tooLong = (field: string): void => {
    problems.push({ error: 'value_too_long', field, facts: { maximum: maximumNames } })
    refuseTooMany(problems)
  }
  // One too many is refused with the filters.
  for (const [name, value] of Object.entries(given).slice(0, maximumNames + 1)) {
    const alternatives: readonly unknown[] = Array.isArray(value) ? value : [value]
    const pointer = `data.filters.${name}`
    if (alternatives.length > maximumNames) {
      tooLong(pointer)
      continue
    }
    const values = alternatives.map((entry, index) => ({
      value: entry,
      pointer: Array.isArray(value) ? `${pointer}[${index}]` : pointer,
    }))
    for (const entry of values) {
      if (!isScalar(entry.value)) problems.push({ error: 'incorrect_type', field: entry.pointer })
      refuseTooMany(problems)
    }
    filters.set(
      name,
      values.filter((entry) => isScalar(entry.value)),
    )
  }
  return filters
}

/**
 * Reads the body of `POST /{resource}/search`: the list parameters as members, filters under `filters` (answers §3).
 */
export function parametersOfBody(input: unknown, hasRange: boolean, problems: Problem[]): Parameters {
  if (input !== undefined && !isObject(input)) problems.push({ error: 'incorrect_type', field: 'data' })
  const body = isObject(input) ? input : {}
  const known = new Set<string>([...namesWith(hasRange), 'filters'])
  for (const name of Object.keys(body)) {
    if (!known.has(name))
      problems.push({ error: 'unknown_field', field: `data.${name}`, facts: unknownField(name, [...known]) })
    refuseTooMany(problems)
  }
  function many(name: string): Value[] {
    const value = body[name]
    if (value === undefined) return []
    if (typeof value === 'string') return ofList([value], `data.${name}`)
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return ofList(value, `data.${name}`)
    problems.push({ error: 'incorrect_type', field: `data.${name}` })
    return []
  }
  function single(name: (typeof singles)[number]): Value | undefined {
    const value = known.has(name) ? body[name] : undefined
    if (value === undefined) return undefined
    if (typesOfSingles[name].some((type) => typeof value === type)) return { value, pointer: `data.${name}` }
    problems.push({
      error: 'incorrect_type',
      field: `data.${name}`,
      facts: { expected: typesOfSingles[name].join(', ') },
    })
    return undefined
  }
  return {
    fields: many('fields'),
    embed: many('embed'),
    sort: many('sort'),
    limit: single('limit'),
    offset: single('offset'),
    query: single('query'),
    from: single('from'),
    to: single('to'),
    filters: filtersOfBody(body, problems),
  }
}
