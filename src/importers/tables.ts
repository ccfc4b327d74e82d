import { faulty } from './input.ts'
import type { Row } from './row.ts'

/** The rows of each table of another monitor's database. */
export type Tables = ReadonlyMap<string, readonly Row[]>

/** More rows of a table are no configuration. */
export const mostRows = 100_000

export function tooManyRows(path: string, name: string): Error {
  return faulty(path, `The table ${name} has more than ${mostRows} rows.`)
}
