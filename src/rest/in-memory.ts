import { type Condition, holds, type Row, valueAt } from '../domain/condition.ts'

export interface SortKey {
  readonly path: string
  readonly descending: boolean
}

const collator = new Intl.Collator('und')

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

/** Orders by the keys, most significant first. */
export function compareRows(sort: readonly SortKey[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { path, descending } of sort) {
      const order = compareValues(valueAt(a, path), valueAt(b, path))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** One page of rows that fulfil the condition, and how many fulfil it in all. */
export function pageOf(
  rows: readonly Row[],
  request: { where: Condition; sort: readonly SortKey[]; limit: number; offset: number },
): { rows: readonly Row[]; total: number } {
  const matching = rows.filter((row) => holds(request.where, row)).sort(compareRows(request.sort))
  return { rows: matching.slice(request.offset, request.offset + request.limit), total: matching.length }
}
