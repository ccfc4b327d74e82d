import sql, { raw } from 'sql-template-tag'
import { errorText } from '../../domain/text/error-text.ts'
import { type ArtifactStore, originOf } from '../artifacts/store.ts'
import { applicationName } from '../connect.ts'
import { isDatabaseAway } from '../failures.ts'
import { messageTables } from '../holders.ts'
import { latestSchema, lockSchema, makeSchema, schemaNumber } from '../migrate.ts'
import {
  dropTables,
  foreignTables,
  isInUse,
  isThere,
  isUnused,
  makeDays,
  setSequences,
  tablesInSchema,
} from './catalogue.ts'
import { artifactKeyOf, type Checked, checkDump, unpack } from './check.ts'
import { readEntries, sizeOf } from './file.ts'
import { quoted } from './lines.ts'
import { type DumpedTable, type DumpKind, damaged, kindOf } from './manifest.ts'
import type { DumpProgress } from './progress.ts'
import { DumpRefused } from './refused.ts'
import { openSession, type Session } from './session.ts'
import { lineLoader, rowLoader, type TableLoader } from './table-loaders.ts'

export interface LoadOptions {
  readonly file: string
  /** The required kind of the file. */
  readonly kind: DumpKind
  readonly url: string
  readonly artifacts: ArtifactStore
  /** Unix milliseconds. */
  readonly now: number
  /** Replaces the content of the database. */
  readonly isForced: boolean
  readonly progress: DumpProgress
  readonly signal: AbortSignal
}

export interface Loaded {
  readonly takenAt: number
  readonly rows: number
  readonly artifacts: number
  /** The version of the program that wrote the file. */
  readonly programVersion: string
  /** Tables and columns of the file that this version does not have. */
  readonly leftOut: readonly string[]
  /** Waiting messages of a program that went on after its backup, and so has sent them. */
  readonly givenUp: number
}

/** The database is locked while it is replaced; a table locked by others for longer than this is reported. */
const lockPatience = '10s'

/** Only the newer program knows all tables of the database. A backup brings back its own schema, an export does not. */
function wayBack(kind: DumpKind, file: string): string {
  const elsewhere = 'Use an empty database, or another DATA_DIR.'
  if (kind === 'export') return elsewhere
  return `To go back, run \`latarnik restore --force ${file}\` of the newer version, then start this one. ${elsewhere}`
}

async function ensureReplaceable(session: Session, { isForced, kind, file }: LoadOptions): Promise<void> {
  if (await isInUse(session, applicationName)) {
    throw new DumpRefused('A running Latarnik uses the database: stop it first.')
  }
  const number = await schemaNumber(session)
  if (number !== null && number > latestSchema) {
    throw new DumpRefused(
      `The database was changed by a newer Latarnik (its schema is ${number}, this program knows ${latestSchema}), and this one cannot tell which tables to replace. ${wayBack(kind, file)}`,
    )
  }
  const foreign = await foreignTables(session)
  if (number === null && foreign.length > 0) {
    throw new DumpRefused(
      `The database holds tables of another program (${foreign.slice(0, 3).join(', ')}): choose an empty one.`,
    )
  }
  if (number !== null && !(await isUnused(session)) && !isForced) {
    throw new DumpRefused('The database is not empty: --force replaces everything in it.')
  }
}

function ensureKnown(header: Checked['header'], { kind, file }: LoadOptions): void {
  if (kindOf(header) !== kind) {
    const [is, command] = kind === 'backup' ? ['an export', 'import'] : ['a backup', 'restore']
    throw new DumpRefused(`${file} is ${is}: use latarnik ${command}.`)
  }
  if (kind === 'backup' && header.schema > latestSchema) {
    throw new DumpRefused(
      `${file} was written by Latarnik ${header.program_version} (its schema is ${header.schema}, this program knows ${latestSchema}): use that version or a later one.`,
    )
  }
}

interface Work {
  readonly options: LoadOptions
  readonly session: Session
  readonly checked: Checked
}

/**
 * Parts of a table are adjacent, and referenced tables come first. Artifacts are stored before the rows that name them.
 */
async function loadEntries({ options, session, checked }: Work, loaderOf: TableLoader): Promise<number> {
  const { file, artifacts, progress, signal } = options
  const tableOfPart = new Map(checked.manifest.tables.flatMap((table) => table.parts.map(({ path }) => [path, table])))
  let current: { readonly table: DumpedTable; readonly loading: Awaited<ReturnType<TableLoader>> } | undefined
  let artifactCount = 0
  async function finish(): Promise<void> {
    if (current === undefined) return
    const { table, loading } = current
    current = undefined
    const rows = await loading.finish()
    if (rows !== table.rows) throw damaged(file, `${table.name} has ${rows} rows, not ${table.rows}`)
    progress.done(table.name, rows)
  }
  for await (const { path, bytes, at } of readEntries(file, signal)) {
    const table = tableOfPart.get(path)
    const key = artifactKeyOf(path)
    const unpacked = (packed: Buffer) =>
      unpack(packed).catch(() => Promise.reject(damaged(file, `${path} cannot be unpacked`)))
    if (table !== current?.table) await finish()
    if (table !== undefined) {
      current ??= { table, loading: await loaderOf(session, table) }
      await current.loading.take(await unpacked(bytes))
    } else if (key !== null) {
      await artifacts.put(await unpacked(bytes), originOf(key))
      artifactCount += 1
    }
    progress.at(at, table?.name ?? 'artifacts')
  }
  await finish()
  progress.done('artifacts', artifactCount)
  return artifactCount
}

/**
 * A running program that was backed up has sent its waiting messages itself; sending them again would be the second
 * time.
 */
async function giveUpWaiting(session: Session, now: number): Promise<number> {
  const reason = 'was waiting when the backup was made; the program that went on has sent it'
  let count = 0
  for (const table of messageTables) {
    if (!(await isThere(session, table))) continue
    count += await session.execute(sql`
      update ${raw(table)} set status = 'failed', error_message = ${reason}, next_attempt_at = null, finished_at = ${new Date(now)}
      where status = 'pending'`)
  }
  return count
}

/** Makes the tables and returns their names, because a file must fill no others. */
async function makeTables(session: Session, { options, checked: { header } }: Work): Promise<ReadonlySet<string>> {
  await dropTables(session)
  const others = await tablesInSchema(session)
  await makeSchema(session, { now: () => options.now }, options.kind === 'backup' ? header.schema : latestSchema)
  await makeDays(session, header.days, options.signal)
  const all = await tablesInSchema(session)
  return new Set([...all].filter((name) => !others.has(name)))
}

/** Migrations record themselves, and fill some tables that the file also has. */
async function emptyTables(session: Session, tables: readonly DumpedTable[]): Promise<void> {
  for (const { name } of tables.toReversed()) await session.execute(raw(`delete from ${quoted(name)}`))
}

async function replace(work: Work): Promise<Loaded> {
  const { options, session, checked } = work
  const { header, manifest } = checked
  await session.execute(raw(`select set_config('lock_timeout', '${lockPatience}', true)`))
  // A program that starts meanwhile waits here for the end.
  await lockSchema(session)
  await ensureReplaceable(session, options)
  const own = await makeTables(session, work)
  const strange = manifest.tables.find(({ name }) => !own.has(name))
  if (options.kind === 'backup' && strange !== undefined)
    throw damaged(options.file, `it holds an unknown table, ${strange.name}`)
  await emptyTables(
    session,
    manifest.tables.filter(({ name }) => own.has(name)),
  )
  const leftOut: string[] = []
  const loader = options.kind === 'backup' ? rowLoader : lineLoader(own, (name) => leftOut.push(name))
  const artifacts = await loadEntries(work, loader)
  const givenUp = options.kind === 'backup' && header.was_in_use ? await giveUpWaiting(session, options.now) : 0
  await setSequences(session, manifest.sequences)
  await session.execute(raw('commit'))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return {
    takenAt: Date.parse(header.taken_at),
    programVersion: header.program_version,
    rows,
    artifacts,
    leftOut,
    givenUp,
  }
}

function explained(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DumpRefused || signal.aborted || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === '55P03')
    return new DumpRefused('Another program has locked tables of the database: stop it first. Nothing was changed.')
  if (code === '2BP01')
    return new DumpRefused(`Other objects depend on our tables (${errorText(error)}). Nothing was changed.`)
  if (isDatabaseAway(error))
    return new DumpRefused(`The database went away (${errorText(error)}). Nothing was changed in it.`)
  // 22, 23, 42: the data do not fit the tables.
  if (/^(22|23|42)...$/.test(code))
    return new DumpRefused(`The data do not fit this version: ${errorText(error)}. Nothing was changed.`)
  return error
}

/**
 * Replaces the database's content with a file's. The file is read through first, then everything happens in one
 * transaction, and any failure leaves the database unchanged. Throws `DumpRefused` if a person has to act.
 */
export async function loadDump(options: LoadOptions): Promise<Loaded> {
  const checked = await checkDump(options)
  ensureKnown(checked.header, options)
  options.progress.begin(await sizeOf(options.file))
  const session = await openSession(options.url)
  try {
    await session.execute(raw('begin'))
    return await replace({ options, session, checked })
  } catch (error) {
    throw explained(error, options.signal)
  } finally {
    options.progress.end()
    await session.close()
  }
}
