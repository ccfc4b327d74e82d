import { constants } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'node-sqlite3-wasm'
import { faulty } from './input.ts'
import { rowOf } from './row.ts'
import { mostRows, type Tables, tooManyRows } from './tables.ts'

export function isSqlite(head: Buffer): boolean {
  return head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
}

/** Loaded for the first database; SQLite itself as WebAssembly, for every machine. */
function library(): typeof import('node-sqlite3-wasm') {
  return createRequire(import.meta.url)('node-sqlite3-wasm')
}

/** The rows of the named tables; a table that is not there has none. The file itself is never opened for writing. */
export async function readSqlite(path: string, names: readonly string[]): Promise<Tables> {
  const folder = await mkdtemp(join(tmpdir(), 'latarnik-import-copy-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    // The last writes of a running server stand beside the database.
    await copyFile(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE).catch(ignoreMissing)
    return tablesOf(copy, names)
  } catch (error) {
    if (error instanceof Error && error.name === 'SQLite3Error')
      throw faulty(path, `The database cannot be read: ${error.message}.`)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Only what is stored: a generated column is computed for each row, by whatever the file says. */
function storedIn(database: Pick<Database, 'all'>, table: string): string {
  const columns = database.all('select name from pragma_table_info(?)', [table]).map((row) => String(row['name']))
  return `select ${columns.map(quoted).join()} from ${quoted(table)} limit ${mostRows + 1}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function tablesOf(path: string, names: readonly string[]): Tables {
  const database = new (library().Database)(path, { fileMustExist: true })
  try {
    // Without this a database in WAL mode needs shared memory, which WebAssembly does not have.
    database.exec('pragma locking_mode = exclusive')
    const stored = database.all("select name from sqlite_master where type = 'table' and rootpage > 0")
    const there = new Set(stored.map((row) => row['name']))
    return new Map(
      names.map((name) => {
        const rows = there.has(name) ? database.all(storedIn(database, name)) : []
        if (rows.length > mostRows) throw tooManyRows(path, name)
        return [name, rows.map(rowOf)] as const
      }),
    )
  } finally {
    database.close()
  }
}
