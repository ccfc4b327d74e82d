import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { type ArtifactStore, isWhole } from '../artifacts/store.ts'
import { applicationName } from '../connect.ts'
import { schemaNumber } from '../migrate.ts'
import {
  exportedRows,
  isInUse,
  isUnused,
  notExported,
  readDays,
  readSequences,
  readTables,
  type Table,
} from './catalogue.ts'
import { type DumpWriter, writeFileWhole } from './file.ts'
import { copyOutStatement } from './lines.ts'
import {
  type DumpedTable,
  type DumpHeader,
  type DumpKind,
  formatVersion,
  headerName,
  type Manifest,
  manifestName,
  sealName,
} from './manifest.ts'
import type { DumpProgress } from './progress.ts'
import { DumpRefused } from './refused.ts'
import { openSession, type Session } from './session.ts'

export interface WriteOptions {
  readonly file: string
  readonly kind: DumpKind
  readonly url: string
  readonly artifacts: ArtifactStore
  readonly programVersion: string
  /** Unix milliseconds. */
  readonly now: number
  readonly progress: DumpProgress
  readonly signal: AbortSignal
}

export interface Written {
  readonly tables: number
  readonly rows: number
  readonly artifacts: number
  /** The size of the file. */
  readonly bytes: number
}

/** Bytes of a table per entry, before compression. */
const partSize = 4 * 1_048_576
/** Chosen for speed: level 6 takes three times as long for a fifth less. */
const compression = { level: 2 } as const
const compress = promisify<Buffer, typeof compression, Buffer>(gzip)

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Chunks of at least the part's size, except the last one. */
async function* partsOf(source: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size < partSize) continue
    yield Buffer.concat(chunks, size)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks, size)
}

interface Work {
  readonly options: WriteOptions
  /** Bytes of the finished tables. */
  doneBytes: number
  readonly session: Session
  readonly writer: DumpWriter
}

/** One part is compressed and written while the next one comes from the database. */
async function writeTable(work: Work, table: Table): Promise<DumpedTable> {
  const { options, session, writer } = work
  const { kind, progress, signal } = options
  const ending = kind === 'backup' ? 'copy' : 'jsonl'
  const source = session.copyOut(copyOutStatement(kind, table, exportedRows[table.name]))
  const parts: { path: string; sha256: string }[] = []
  async function keep(bytes: Buffer, path: string): Promise<void> {
    const packed = await compress(bytes, compression)
    parts.push({ path, sha256: sha256(packed) })
    await writer.add(path, packed)
  }
  let keeping = Promise.resolve()
  let number = 0
  let copied = 0
  for await (const bytes of partsOf(source)) {
    signal.throwIfAborted()
    await keeping
    number += 1
    copied += bytes.length
    keeping = keep(bytes, `tables/${table.name}/${String(number).padStart(6, '0')}.${ending}.gz`)
    // Awaited with the next part; an earlier failure needs a handler.
    keeping.catch(() => undefined)
    progress.at(work.doneBytes + Math.min(copied, table.bytes), table.name)
  }
  await keeping
  // The rows end before the server says how many they were; its next answer comes after that.
  await session.query(sql`select`)
  work.doneBytes += table.bytes
  progress.done(table.name, source.rowCount)
  return { name: table.name, columns: [...table.columns], rows: source.rowCount, parts }
}

/**
 * Rows of the snapshot can name only artifacts stored before it. Later ones belong to no row, and are swept with their
 * day.
 */
async function writeArtifacts({ options, writer }: Work): Promise<Manifest['artifacts']> {
  const { artifacts, progress, signal } = options
  const names = createHash('sha256')
  let count = 0
  let damagedCount = 0
  for (const day of await artifacts.days()) {
    for (const serviceId of await artifacts.servicesOn(day)) {
      for (const key of await artifacts.keysOf(day, serviceId)) {
        signal.throwIfAborted()
        const bytes = await artifacts.kept(key)
        if (bytes === null) continue
        // A file with such bytes would be refused as a whole when it is restored.
        if (!(await isWhole(key, bytes))) {
          damagedCount += 1
          continue
        }
        const path = `artifacts/${key}.gz`
        await writer.add(path, bytes)
        names.update(`${path}\n`)
        count += 1
      }
    }
  }
  progress.done('artifacts', count)
  progress.done('damaged artifacts, left out', damagedCount)
  return { count, sha256: names.digest('hex') }
}

async function headerOf(session: Session, { kind, programVersion, now }: WriteOptions): Promise<DumpHeader> {
  const schema = await schemaNumber(session)
  if (schema === null || (await isUnused(session))) {
    throw new DumpRefused('The database is empty: there is nothing to write.')
  }
  return {
    format: `latarnik-${kind}`,
    format_version: formatVersion,
    program_version: programVersion,
    schema,
    taken_at: new Date(now).toISOString(),
    was_in_use: await isInUse(session, applicationName),
    days: await readDays(session),
  }
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

/** Writes everything as of one moment, while the program may go on. */
async function writeSnapshot(work: Work, header: DumpHeader): Promise<Manifest> {
  const { options, session, writer } = work
  const all = await readTables(session)
  const tables = options.kind === 'backup' ? all : all.filter(({ name }) => !notExported.includes(name))
  // Read after the snapshot was taken, so each sequence covers every number in its rows.
  const sequences = await readSequences(session)
  options.progress.begin(tables.reduce((sum, { bytes }) => sum + bytes, 0))
  const headerBytes = json(header)
  await writer.add(headerName, headerBytes)
  const dumped: DumpedTable[] = []
  for (const table of tables) dumped.push(await writeTable(work, table))
  await session.execute(raw('commit'))
  const artifacts = await writeArtifacts(work)
  const manifest: Manifest = { header_sha256: sha256(headerBytes), tables: dumped, sequences, artifacts }
  const manifestBytes = json(manifest)
  await writer.add(manifestName, manifestBytes)
  await writer.add(sealName, Buffer.from(sha256(manifestBytes)))
  return manifest
}

/** Writes the database and the artifacts into a new file. Throws `DumpRefused` if a person has to act. */
export async function writeDump(options: WriteOptions): Promise<Written> {
  const { file, now, signal } = options
  const session = await openSession(options.url)
  try {
    await session.execute(raw('begin isolation level repeatable read read only'))
    const header = await headerOf(session, options)
    let manifest: Manifest | undefined
    const { bytes } = await writeFileWhole(file, { writtenAt: now, signal }, async (writer) => {
      manifest = await writeSnapshot({ options, doneBytes: 0, session, writer }, header)
    })
    const { tables = [], artifacts } = manifest ?? {}
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return { tables: tables.length, rows, artifacts: artifacts?.count ?? 0, bytes }
  } finally {
    options.progress.end()
    await session.close()
  }
}
