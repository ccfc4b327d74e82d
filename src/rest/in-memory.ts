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

/** Ascending with nulls last, as PostgreSQL orders. */
function compareValues(a: unknown, b: unknown): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  const [x, y] = [Number(a), Number(b)]
  return x - y
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

/** By the keys, most significant first. Values are looked up once for each row, not in each of its comparisons. */
function ordered(rows: readonly Row[], { sort, limit, offset }: Omit<Page, 'where'>): readonly Row[] {
  const keys = sort.map(({ path, descending }) => ({ values: rows.map((row) => valueAt(row, path)), descending }))
  const places = Uint32Array.from(rows.keys()).sort((a, b) => {
    for (const { values, descending } of keys) {
      const order = compareValues(values[a], values[b])
      if (order !== 0) return descending ? -order : order
    }
    return a - b
  })
  return Array.from(places.subarray(offset, offset + limit), (place) => rows[place] ?? {})
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

interface Page {
  readonly where: Condition
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
}

/** One page of rows that fulfil the condition, and how many fulfil it in all. */
export function pageOf(rows: readonly Row[], page: Page): { rows: readonly Row[]; total: number } {
  const matching = rows.filter((row) => holds(page.where, row))
  return { rows: ordered(matching, page), total: matching.length }
}
