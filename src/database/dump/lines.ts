import type { DumpKind } from './manifest.ts'

/** Of a name that the catalogue or a checked manifest gave. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

/** JSON holds no control characters, so CSV with these two for its signs leaves every line as it is. */
const plainLines = `(format csv, delimiter E'\\x02', quote E'\\x01')`

/** backup: PostgreSQL's text format. export: a JSON object a row, a line each. A query, since a partitioned table itself cannot be copied. `rows`: those that an export takes. */
export function copyOutStatement(
  kind: DumpKind,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  rows = 'true',
): string {
  return kind === 'backup'
    ? `copy (select ${list(columns)} from ${quoted(name)}) to stdout`
    : `copy (select row_to_json(r) from ${quoted(name)} r where ${rows}) to stdout ${plainLines}`
}

export function copyRowsStatement(name: string, columns: readonly string[]): string {
  return `copy ${quoted(name)} (${list(columns)}) from stdin`
}

export const copyLinesStatement = `copy imported_lines (line) from stdin ${plainLines}`
