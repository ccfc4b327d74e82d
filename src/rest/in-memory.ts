import { setImmediate } from 'node:timers/promises'
import { type Column, type Columns, placesHolding } from '../domain/queries/columns.ts'
import { type Condition, comparisonsOf, holds, type Row, valueAt } from '../domain/queries/condition.ts'
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

/** A request for rows: conditions, order and fields. */
export interface RowRequest {
  readonly conditions: readonly Condition[]
  readonly sort: readonly SortKey[]
  readonly columns: readonly string[]
}

/**
 * True if memory gives the same answer as the database for rows with these fields. The database folds and sorts free
 * texts in its own way; a few known words are the same everywhere.
 */
export function canAnswerInMemory(
  { fields }: Pick<Resource, 'fields'>,
  { conditions, sort, columns }: RowRequest,
): boolean {
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
    if (field !== 'permissions' && !field.startsWith('permissions.')) return part.column(field)
    const make = rows([])
    return (place) => valueAt(make(place), field)
  }
  return { ...part, column, rows }
}

interface PageAsked {
  readonly where: Condition
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
}

/** A part of the rows, and the places in it of those that match. */
interface Match {
  readonly part: Columns
  readonly places: Uint32Array
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

/**
 * Numbers for a field of all matching rows; their ascending order is the requested order. Nulls go last in ascending
 * order.
 */
function ranksIn(matches: readonly Match[], { path, descending }: SortKey, total: number): Float64Array {
  const columns = matches.map(({ part, places }) => ({ places, numbers: part.numbers(path), at: part.column(path) }))
  const sign = descending ? -1 : 1
  if (columns.some(({ numbers }) => numbers === null)) {
    const ranks = ranksOf(columns.flatMap(({ places, at }) => Array.from(places, at)))
    return descending ? ranks.map((rank) => -rank) : ranks
  }
  const ranks = new Float64Array(total)
  let next = 0
  for (const { places, numbers } of columns) {
    for (let index = 0; index < places.length; index++) {
      const number = numbers?.[places[index] ?? 0] ?? 0
      ranks[next++] = sign * (Number.isNaN(number) ? Number.POSITIVE_INFINITY : number)
    }
  }
  return ranks
}

type Compare = (a: number, b: number) => number

/** Compares two rows by their numbers; never equal. */
function comparison(matches: readonly Match[], total: number, sort: readonly SortKey[]): Compare {
  const [first = new Float64Array(total), ...others] = sort.map((key) => ranksIn(matches, key, total))
  return (a, b) => {
    const [x = 0, y = 0] = [first[a], first[b]]
    if (x !== y) return x < y ? -1 : 1
    for (const ranks of others) {
      const [x = 0, y = 0] = [ranks[a], ranks[b]]
      if (x !== y) return x < y ? -1 : 1
    }
    return a - b
  }
}

function isInOrder(total: number, compare: Compare): boolean {
  for (let index = 1; index < total; index++) if (compare(index - 1, index) > 0) return false
  return true
}

/** Up to this many rows, keeping the first ones in order is less work than sorting all. */
const fewRows = 50

/**
 * The first rows in order, without sorting the others. It begins at the end nearer to the result. Otherwise rows in
 * nearly opposite order would each be the first so far.
 */
function firstOf(total: number, count: number, compare: Compare): Uint32Array {
  const first = new Uint32Array(count)
  const isBackwards = total > 1 && compare(total - 1, 0) < 0
  let length = 0
  for (let index = 0; index < total; index++) {
    const row = isBackwards ? total - 1 - index : index
    if (length === count && compare(row, first[count - 1] ?? 0) > 0) continue
    let place = length < count ? length++ : count - 1
    for (; place > 0 && compare(row, first[place - 1] ?? 0) < 0; place--) first[place] = first[place - 1] ?? 0
    first[place] = row
  }
  return first.subarray(0, length)
}

/**
 * The numbers of the page's matching rows, counted over all parts, in the order of the keys, most significant first.
 */
function orderOf(matches: readonly Match[], total: number, { sort, limit, offset }: PageAsked): Uint32Array {
  const end = Math.min(total, offset + limit)
  if (offset >= end) return new Uint32Array(0)
  const compare = comparison(matches, total, sort)
  const rows = Uint32Array.from({ length: end - offset }, (_none, index) => offset + index)
  // Rows mostly come in the order that is wanted, or in the opposite one; to look is a tenth of ordering them.
  if (isInOrder(total, compare)) return rows
  if (isInOrder(total, (a, b) => compare(b, a))) return rows.map((row) => total - 1 - row)
  if (end <= fewRows) return firstOf(total, end, compare).subarray(offset)
  const order = new Uint32Array(total)
  for (let row = 0; row < total; row++) order[row] = row
  return order.sort(compare).subarray(offset, end)
}

/** The matching rows with these numbers. Parts without any of them are skipped. */
function pageWith(matches: readonly Match[], numbers: Uint32Array): Columns {
  const [owners, places] = [new Uint32Array(numbers.length), new Uint32Array(numbers.length)]
  for (const [index, number] of numbers.entries()) {
    let [owner, place] = [0, number]
    for (; place >= (matches[owner]?.places.length ?? Infinity); owner++) place -= matches[owner]?.places.length ?? 0
    owners[index] = owner
    places[index] = matches[owner]?.places[place] ?? 0
  }
  const used = new Set(owners)
  function over<Value>(make: (part: Columns) => (place: number) => Value): (index: number) => Value | undefined {
    const made = matches.map(({ part }, owner) => (used.has(owner) ? make(part) : null))
    const [only] = made.filter((at) => at !== null)
    if (used.size === 1 && only !== undefined) return (index) => only(places[index] ?? 0)
    return (index) => made[owners[index] ?? 0]?.(places[index] ?? 0)
  }
  return {
    length: numbers.length,
    column: (field) => over((part) => part.column(field)),
    numbers: () => null,
    rows(fields) {
      const rowAt = over((part) => part.rows(fields))
      return (index) => rowAt(index) ?? {}
    },
  }
}

/** One page of rows that fulfil the condition, and how many fulfil it in all. The rows are those of all parts. */
export async function pageOf(parts: readonly Columns[], asked: PageAsked): Promise<{ page: Columns; total: number }> {
  const matches = await matchesOf(parts, asked.where)
  const total = matches.reduce((sum, { places }) => sum + places.length, 0)
  return { page: pageWith(matches, orderOf(matches, total, asked)), total }
}
