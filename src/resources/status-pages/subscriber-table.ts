import { CsvError, parse } from 'csv-parse/sync'

/** Tables of subscribers as CSV (RFC 4180): read from the files of people, and written for them. */

/** Rows of one table that are read. */
export const mostRows = 5000
/** More columns than any table of people has. */
const mostColumns = 100

/** A row as it was written. Columns that the table does not have are empty. */
export interface TableRow {
  /** In the file, from 1. */
  readonly line: number
  readonly kind: string
  readonly address: string
  /** Ids, separated by spaces. */
  readonly componentIds: string
  /** Names, separated by semicolons. */
  readonly components: string
  readonly state: string
}

export type ReadTable =
  | { readonly rows: readonly TableRow[] }
  | { readonly fault: 'subscriber_columns' | 'too_many' }
  | { readonly fault: 'subscriber_table'; readonly line: number }

const columnNames = ['address', 'kind', 'component_ids', 'components', 'state', 'disabled_reason'] as const
export const exportColumns = [...columnNames, 'created_at', 'confirmed_at'] as const
type Column = (typeof columnNames)[number]

const aliases: Readonly<Record<string, Column>> = {
  ...Object.fromEntries(columnNames.map((name) => [name, name])),
  email: 'address',
  e_mail: 'address',
  email_address: 'address',
}

interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function columnOf(title: string): Column | undefined {
  const name = title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

/** Spreadsheets write semicolons where the comma is part of numbers. */
function delimiterOf(table: string): string {
  const [first = ''] = table.split(/\r?\n/, 1)
  const [best = ','] = [',', ';', '\t'].toSorted((one, other) => first.split(other).length - first.split(one).length)
  return best
}

type Places = ReadonlyMap<Column, number>

/** The first place of each column. A list of addresses needs no titles. Null: there is no column of addresses. */
function placesOf(first: readonly string[]): { readonly places: Places; readonly isTitled: boolean } | null {
  if (first.length > mostColumns) return null
  const places = new Map<Column, number>()
  for (const [place, title] of first.entries()) {
    const column = columnOf(title)
    if (column !== undefined && !places.has(column)) places.set(column, place)
  }
  if (places.has('address')) return { places, isTitled: true }
  const isList = first.length === 1 && first[0]?.includes('@') === true
  return isList ? { places: new Map([['address', 0]]), isTitled: false } : null
}

/** The apostrophe that an export puts before a formula goes. */
function plainCell(cell: string): string {
  return cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** Reads the table of a person. */
export function readTable(text: string): ReadTable {
  const read = parsed(text)
  if ('fault' in read) return read
  const titles = placesOf(read.records[0]?.record ?? [])
  if (titles === null) return { fault: 'subscriber_columns' }
  const records = titles.isTitled ? read.records.slice(1) : read.records
  if (records.length > mostRows) return { fault: 'too_many' }
  return { rows: records.map((record) => rowOf(record, titles.places)) }
}

function parsed(
  text: string,
): { readonly records: readonly Parsed[] } | Extract<ReadTable, { fault: 'subscriber_table' }> {
  const options = { bom: true, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
  try {
    // Lines are counted right only where all end alike.
    const table = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
    return { records: parse(table, { ...options, delimiter: delimiterOf(table), trim: true }) as unknown as Parsed[] }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { fault: 'subscriber_table', line: Number(error['lines'] ?? 1) }
  }
}

function rowOf({ record, info }: Parsed, places: Places): TableRow {
  const cell = (name: Column) => plainCell(record[places.get(name) ?? -1] ?? '').trim()
  return {
    line: info.lines,
    kind: cell('kind').toLowerCase(),
    address: cell('address'),
    componentIds: cell('component_ids'),
    components: cell('components'),
    state: cell('state').toLowerCase(),
  }
}

/** The beginnings of formulas, with the apostrophes that keep spreadsheets from running them. */
const runs = /^'*[=+\-@\t\r\n＝＋－＠]/

/** One line of a table. A cell that a spreadsheet would run gets an apostrophe before it. */
export function tableLine(cells: readonly string[]): string {
  const written = cells.map((cell) => {
    const harmless = runs.test(cell) ? `'${cell}` : cell
    return /[",;\r\n\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
  })
  return `${written.join(',')}\r\n`
}
