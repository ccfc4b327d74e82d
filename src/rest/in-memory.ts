import { setImmediate } from 'node:timers/promises'
import { type Column, type Columns, placesHolding } from '../domain/columns.ts'
import { type Condition, comparisonsOf, holds, type Row, valueAt } from '../domain/condition.ts'
import type { Resource } from './declare.ts'

export interface SortKey {
  readonly path: string
  readonly descending: boolean
}

/** English orders as Unicode's root does, as the database; `und` would be the language of the machine. */
const collator = new Intl.Collator('en')

function compareTexts(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The values of a field as numbers of the same order: ascending with nulls last, as PostgreSQL orders. */
function ranksOf(values: readonly unknown[]): Float64Array {
  const texts = new Set(values.filter((value) => typeof value === 'string'))
  const places = new Map([...texts].sort(compareTexts).map((text, place) => [text, place]))
  const ranks = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (typeof value === 'string') ranks[index] = places.get(value) ?? 0
    else ranks[index] = value === null ? Number.POSITIVE_INFINITY : Number(value)
  }
  return ranks
}

/** The wanted keys, then the key fields of the resource, so that no two rows are level. */
export function totalOrder(
  { fields, key }: Pick<Resource, 'fields' | 'key'>,
  sort: readonly SortKey[],
): readonly SortKey[] {
  const wanted = sort.map((entry) => ({ ...entry, path: fields[entry.path]?.sortBy ?? entry.path }))
  const named = new Set(wanted.map(({ path }) => path))
  return [...wanted, ...key.filter((path) => !named.has(path)).map((path) => ({ path, descending: false }))]
}

/** What is asked of rows: what they are held to, ordered by and shown with. */
export interface Asked {
  readonly conditions: readonly Condition[]
  readonly sort: readonly SortKey[]
  readonly columns: readonly string[]
}

/**
 * Whether rows with the values of the resource's own fields answer in memory what the database would. Free texts it folds and orders
 * in its own way; a few known words are the same everywhere.
 */
export function canAnswerInMemory({ fields }: Pick<Resource, 'fields'>, { conditions, sort, columns }: Asked): boolean {
  const isOwn = (path: string) => {
    const field = Object.hasOwn(fields, path) ? fields[path] : undefined
    return field !== undefined && field.column === undefined && field.storedIn === undefined
  }
  const isComparable = (path: string) =>
    isOwn(path) && (fields[path]?.kind !== 'text' || fields[path].oneOf !== undefined)
  const compared = conditions.flatMap(comparisonsOf).map(({ field }) => field)
  return [...compared, ...sort.map(({ path }) => path)].every(isComparable) && columns.every(isOwn)
}

/** The rows with what each may be used for, as `permissions`. */
export function withPermissions(part: Columns, permissions: Readonly<Record<string, Condition>>): Columns {
  const needed = Object.values(permissions)
    .flatMap(comparisonsOf)
    .map(({ field }) => field)
  function rows(fields: readonly string[]): (place: number) => Row {
    const make = part.rows([...fields, ...needed])
    return (place) => {
      const row = make(place)
      const flags = Object.entries(permissions).map(([flag, condition]) => [flag, holds(condition, row)])
      return { ...row, permissions: Object.fromEntries(flags) }
    }
  }
  function column(field: string): Column {
    if (!field.startsWith('permissions.')) return part.column(field)
    const make = rows([])
    return (place) => valueAt(make(place), field)
  }
  return { ...part, column, rows }
}

interface Page {
  readonly where: Condition
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** Fields that the rows must have. */
  readonly columns: readonly string[]
}

/** A part of the rows, and the places in it of those that match. */
interface Match {
  readonly part: Columns
  readonly places: readonly number[]
}

/** Between two parts others have their turn: those of forty days are a hundred milliseconds of work. */
async function matchesOf(parts: readonly Columns[], where: Condition): Promise<readonly Match[]> {
  const matches: Match[] = []
  for (const [index, part] of parts.entries()) {
    if (index > 0) await setImmediate()
    matches.push({ part, places: placesHolding(where, part) })
  }
  return matches
}

/** The values of a field, of all the rows that match, as numbers of the same order. */
function ranksIn(matches: readonly Match[], path: string, total: number): Float64Array {
  const columns = matches.map(({ part, places }) => ({ places, numbers: part.numbers(path), at: part.column(path) }))
  if (columns.some(({ numbers }) => numbers === null))
    return ranksOf(columns.flatMap(({ places, at }) => places.map((place) => at(place))))
  const ranks = new Float64Array(total)
  let next = 0
  for (const { places, numbers } of columns) for (const place of places) ranks[next++] = numbers?.[place] ?? 0
  return ranks
}

/** Numbers of the rows that match, all parts counted through, in the order of the keys, most significant first. */
function orderOf(matches: readonly Match[], total: number, sort: readonly SortKey[]): Uint32Array {
  const keys = sort.map(({ path, descending }) => {
    return { ranks: ranksIn(matches, path, total), sign: descending ? -1 : 1 }
  })
  const compare = (a: number, b: number) => {
    for (const { ranks, sign } of keys) {
      const [x = 0, y = 0] = [ranks[a], ranks[b]]
      if (x !== y) return x < y ? -sign : sign
    }
    return a - b
  }
  const order = new Uint32Array(total)
  for (let index = 0; index < total; index++) order[index] = index
  // Rows mostly come in the order that is wanted, or in the opposite one; to look is a tenth of ordering them.
  if (isInOrder(order, compare)) return order
  return isInOrder(order, (a, b) => compare(b, a)) ? order.reverse() : order.sort(compare)
}

function isInOrder(order: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let index = 1; index < order.length; index++) if (compare(index - 1, index) > 0) return false
  return true
}

/** One page of rows that fulfil the condition, and how many fulfil it in all. The rows are those of all parts. */
export async function pageOf(
  parts: readonly Columns[],
  { where, sort, limit, offset, columns }: Page,
): Promise<{ rows: readonly Row[]; total: number }> {
  const matches = await matchesOf(parts, where)
  const total = matches.reduce((sum, { places }) => sum + places.length, 0)
  const makers = new Map<Columns, (place: number) => Row>()
  const rowAt = (number: number): Row => {
    let index = number
    for (const { part, places } of matches) {
      const place = places[index]
      if (place === undefined) {
        index -= places.length
        continue
      }
      const make = makers.get(part) ?? part.rows(columns)
      makers.set(part, make)
      return make(place)
    }
    return {}
  }
  const wanted = orderOf(matches, total, sort).subarray(offset, offset + limit)
  return { rows: Array.from(wanted, rowAt), total }
}
