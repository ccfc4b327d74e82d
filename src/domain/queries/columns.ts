/**
 * Rows stored as columns. A list filters and sorts thousands of rows by a few fields and shows few rows. Columns build
 * only the fields and rows that are needed.
 */
import { type Comparison, type Condition, meets, type Row, valueAt } from './condition.ts'

/** Reads the value at a place. */
export type Column = (place: number) => unknown

export interface Columns {
  /** The number of rows; places count from 0. */
  readonly length: number
  /** The values of a field (a path as in conditions); null if there is no such field. */
  column(field: string): Column
  /** The same values in one array if all are numbers (NaN for null). Scanning it takes a fraction of the time. */
  numbers(field: string): Float64Array | null
  /** Makes rows that have at least these fields. */
  rows(fields: readonly string[]): (place: number) => Row
}

/** Columns over rows that already exist. */
export function columnsOf(rows: readonly Row[]): Columns {
  return {
    length: rows.length,
    column: (field) => (place) => valueAt(rows[place] ?? {}, field),
    numbers: () => null,
    rows: () => (place) => rows[place] ?? {},
  }
}

function cellOf(number: number | undefined): number | null {
  return number === undefined || Number.isNaN(number) ? null : number
}

/** Columns by name; each is built when it is first needed. In numbers, NaN stands for null. */
export function lazyColumns(length: number, makers: Readonly<Record<string, () => Column | Float64Array>>): Columns {
  const made = new Map<string, Column | Float64Array>()
  function of(field: string): Column | Float64Array {
    const known = made.get(field)
    if (known !== undefined) return known
    const fresh = (Object.hasOwn(makers, field) ? makers[field]?.() : undefined) ?? (() => null)
    made.set(field, fresh)
    return fresh
  }
  function column(field: string): Column {
    const values = of(field)
    return values instanceof Float64Array ? (place) => cellOf(values[place]) : values
  }
  function numbers(field: string): Float64Array | null {
    const values = of(field)
    return values instanceof Float64Array ? values : null
  }
  function rows(fields: readonly string[]): (place: number) => Row {
    const wanted = fields.map((name) => ({ name, valueAtPlace: column(name) }))
    return (place) => {
      const row: Record<string, unknown> = {}
      for (const { name, valueAtPlace } of wanted) row[name] = valueAtPlace(place)
      return row
    }
  }
  return { length, column, numbers, rows }
}

/** The same short text often stands in thousands of rows, so the last comparison is remembered for the next row. */
function comparing(comparison: Comparison, columns: Columns): (place: number) => boolean {
  const valueAtPlace = columns.column(comparison.field)
  let [last, isMet]: [unknown, boolean] = [null, meets(comparison, null)]
  return (place) => {
    const value = valueAtPlace(place)
    if (value === last) return isMet
    last = value
    isMet = meets(comparison, value)
    return isMet
  }
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

/** NaN as the upper bound: there is none. */
type Bounds = readonly [lower: number, upper: number]

/** Keeps the places whose numbers lie from the lower bound up to, not including, the upper one. Works in place. */
function keepWithin(places: Uint32Array, numbers: Float64Array, [lower, upper]: Bounds): Uint32Array {
  let count = 0
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    const number = numbers[place] ?? Number.NaN
    if (number >= lower && !(number >= upper)) places[count++] = place
  }
  return places.subarray(0, count)
}

function keepTested(places: Uint32Array, test: (place: number) => boolean): Uint32Array {
  let count = 0
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    if (test(place)) places[count++] = place
  }
  return places.subarray(0, count)
}

/** The one number that a field must equal; null for any other condition. */
function wantedNumber(condition: Condition): number | null {
  if (condition.kind === 'is') return typeof condition.value === 'number' ? condition.value : null
  if (condition.kind !== 'oneOf' || condition.values.length !== 1) return null
  const [value] = condition.values
  return typeof value === 'number' ? value : null
}

function keepEqual(places: Uint32Array, numbers: Float64Array, wanted: number): Uint32Array {
  let count = 0
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    if (numbers[place] === wanted) places[count++] = place
  }
  return places.subarray(0, count)
}

function narrowed(places: Uint32Array, condition: Condition, columns: Columns): Uint32Array {
  if (condition.kind === 'is' || condition.kind === 'oneOf') {
    const [numbers, wanted] = [columns.numbers(condition.field), wantedNumber(condition)]
    if (numbers !== null && wanted !== null) return keepEqual(places, numbers, wanted)
  }
  if (condition.kind === 'from' || condition.kind === 'before') {
    const numbers = columns.numbers(condition.field)
    const { kind, value } = condition
    const bounds: Bounds = kind === 'from' ? [value, Number.NaN] : [Number.NEGATIVE_INFINITY, value]
    if (numbers !== null) return keepWithin(places, numbers, bounds)
  }
  return keepTested(places, testOf(condition, columns))
}

/** The conditions that every row must meet, at any depth. */
function demandsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(demandsOf) : [condition]
}

/** Equality leaves the fewest rows, so it goes first. */
function partsOf(condition: Condition): readonly Condition[] {
  const demands = demandsOf(condition)
  const isRange = ({ kind }: Condition) => kind === 'from' || kind === 'before'
  return [...demands.filter((part) => !isRange(part)), ...demands.filter(isRange)]
}

/** The places, in order, of the rows that meet the condition. Stops reading columns once no row is left. */
export function placesHolding(condition: Condition, columns: Columns): Uint32Array {
  let places: Uint32Array = new Uint32Array(columns.length)
  for (let place = 0; place < places.length; place++) places[place] = place
  for (const part of partsOf(condition)) {
    if (places.length === 0) break
    places = narrowed(places, part, columns)
  }
  return places
}
