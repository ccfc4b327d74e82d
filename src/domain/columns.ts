/**
 * Rows as columns. A list is filtered and ordered by a few fields of thousands of rows and shows a few of those rows: what is not asked for
 * need not be made.
 */
import { type Comparison, type Condition, meets, type Row, valueAt } from './condition.ts'

/** The value at a place. */
export type Column = (place: number) => unknown

export interface Columns {
  /** Rows there are, at the places from 0. */
  readonly length: number
  /** The values of a field (a path as in conditions); null where there is none. */
  column(field: string): Column
  /** Makes rows that have at least these fields. */
  rows(fields: readonly string[]): (place: number) => Row
}

/** Rows that are there already. */
export function columnsOf(rows: readonly Row[]): Columns {
  return {
    length: rows.length,
    column: (field) => (place) => valueAt(rows[place] ?? {}, field),
    rows: () => (place) => rows[place] ?? {},
  }
}

const nothing: Column = () => null

/** Columns by name, each made when it is first asked for. */
export function lazyColumns(length: number, makers: Readonly<Record<string, () => Column>>): Columns {
  const made = new Map<string, Column>()
  function column(field: string): Column {
    const known = made.get(field)
    if (known !== undefined) return known
    const fresh = Object.hasOwn(makers, field) ? (makers[field]?.() ?? nothing) : nothing
    made.set(field, fresh)
    return fresh
  }
  function rows(fields: readonly string[]): (place: number) => Row {
    const wanted = fields.map((name) => ({ name, valueAtPlace: column(name) }))
    return (place) => {
      const row: Record<string, unknown> = {}
      for (const { name, valueAtPlace } of wanted) row[name] = valueAtPlace(place)
      return row
    }
  }
  return { length, column, rows }
}

function comparing(comparison: Comparison, columns: Columns): (place: number) => boolean {
  const valueAtPlace = columns.column(comparison.field)
  return (place) => meets(comparison, valueAtPlace(place))
}

function testOf(condition: Condition, columns: Columns): (place: number) => boolean {
  switch (condition.kind) {
    case 'always':
      return () => condition.value
    case 'all':
    case 'any': {
      const tests = condition.of.map((part) => testOf(part, columns))
      return condition.kind === 'all'
        ? (place) => tests.every((test) => test(place))
        : (place) => tests.some((test) => test(place))
    }
    case 'not': {
      const test = testOf(condition.of, columns)
      return (place) => !test(place)
    }
    default:
      return comparing(condition, columns)
  }
}

/** The places, in order, of the rows that `holds` says yes of. A column is not looked at once the parts before it have left no row. */
export function placesHolding(condition: Condition, columns: Columns): readonly number[] {
  let places = Array.from({ length: columns.length }, (_none, place) => place)
  for (const part of condition.kind === 'all' ? condition.of : [condition]) {
    if (places.length === 0) break
    places = places.filter(testOf(part, columns))
  }
  return places
}
