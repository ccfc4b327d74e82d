import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import sql, { join, raw } from 'sql-template-tag'
import { copyLinesStatement, copyRowsStatement, quoted } from './lines.ts'
import type { DumpedTable } from './manifest.ts'
import type { Session } from './session.ts'

export interface TableLoading {
  take(bytes: Buffer): Promise<void>
  /** Returns the number of rows. */
  finish(): Promise<number>
}

export type TableLoader = (session: Session, table: DumpedTable) => Promise<TableLoading>

function pour(target: Writable & { readonly rowCount: number }): TableLoading {
  const ended = finished(target)
  // The server rejects a row when it reads it; the next call of `take` or `finish` gets the error.
  ended.catch(() => undefined)
  return {
    async take(bytes) {
      const taken = new Promise<void>((resolve, reject) => {
        target.write(bytes, (error) => (error ? reject(error) : resolve()))
      })
      await Promise.race([taken, ended])
    },
    async finish() {
      target.end()
      await ended
      return target.rowCount
    },
  }
}

/** Loads rows in PostgreSQL's own format. */
export async function rowLoader(session: Session, { name, columns }: DumpedTable): Promise<TableLoading> {
  return pour(session.copyIn(copyRowsStatement(name, columns)))
}

interface Column {
  readonly name: string
  /** A JSON column with `not null` may hold JSON's own null, which reads as a missing value. */
  readonly holds_null: boolean
}

function columnsOf(session: Session, table: string): Promise<Column[]> {
  return session.query<Column>(sql`
    select attname::text as name, attnotnull and atttypid = 'jsonb'::regtype as holds_null from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''`)
}

function expressionOf({ name, holds_null }: Column): string {
  return holds_null ? `coalesce(r.${quoted(name)}, 'null')` : `r.${quoted(name)}`
}

/**
 * Loads rows as JSON by column names. Unknown columns are reported and skipped; columns missing in the file get their
 * defaults.
 */
export function lineLoader(own: ReadonlySet<string>, leaveOut: (name: string) => void): TableLoader {
  return async (session, { name, columns }) => {
    const known = own.has(name) ? await columnsOf(session, name) : []
    if (known.length === 0) leaveOut(name)
    else for (const column of columns) if (!known.some((one) => one.name === column)) leaveOut(`${name}.${column}`)
    const shared = known.filter((column) => columns.includes(column.name))
    await session.execute(raw('create temporary table if not exists imported_lines (line jsonb) on commit drop'))
    await session.execute(raw('truncate imported_lines'))
    const pouring = pour(session.copyIn(copyLinesStatement))
    return {
      take: pouring.take,
      async finish() {
        const rows = await pouring.finish()
        if (shared.length === 0) return rows
        return session.execute(sql`
          insert into ${raw(quoted(name))} (${join(shared.map((column) => raw(quoted(column.name))))})
          overriding system value
          select ${join(shared.map((column) => raw(expressionOf(column))))}
          from imported_lines, jsonb_populate_record(null::${raw(quoted(name))}, line) r`)
      },
    }
  }
}
