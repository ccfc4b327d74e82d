import type { DumpKind } from './manifest.ts'

/** Quotes a name from the catalogue or a checked manifest. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

/** JSON has no control characters, so CSV with these two as its signs leaves every line unchanged. */
const plainLines = `(format csv, delimiter E'\\x02', quote E'\\x01')`

/**
 * backup: PostgreSQL's text format. export: one JSON object per row and line. It uses a query, because a partitioned
 * table cannot be copied directly. `rows`: the rows of an export.
 */
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
