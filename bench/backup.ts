/** A million checks written into a file and put back from it, against a bare COPY out of and into the same table. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import sql, { raw } from 'sql-template-tag'
import { diskArtifacts } from '../src/database/artifacts/disk.ts'
import type { Database } from '../src/database/connect.ts'
import { loadDump } from '../src/database/dump/load.ts'
import type { DumpKind } from '../src/database/dump/manifest.ts'
import type { DumpProgress } from '../src/database/dump/progress.ts'
import { openSession } from '../src/database/dump/session.ts'
import { writeDump } from '../src/database/dump/write.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import { benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const analyses = 333_334
const services = 1000
const mebibyte = 1_048_576

const silent: DumpProgress = { begin: () => {}, at: () => {}, done: () => {}, end: () => {} }

/** No two rows are alike, as measured ones are not. */
async function fill(database: Database): Promise<void> {
  const startAt = Math.floor(Date.now() / 86_400_000) * 86_400_000
  await ensurePartitions(database, startAt, 1)
  await database.execute(sql`insert into distributions (name) values ('bench')`)
  await database.execute(sql`
    insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
      response_times, data_sizes, phases)
    select 1 + number % ${services}::int, (${startAt}::bigint + number * 200) * 100 + number % 100, 'ok', 51, '{1,2,3}', '{o,o,o}',
      array(select -(random() * 300)::int + number * 0 from generate_series(1, 3)), array(select 40 + (random() * 400)::int + number * 0 from generate_series(1, 3)),
      array(select 5000 + (random() * 9000)::int + number * 0 from generate_series(1, 3)),
      array(select (random() * 30000)::int + number * 0 from generate_series(1, 18))
    from generate_series(0, ${analyses - 1}::int) number`)
  await database.execute(raw('analyze'))
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** Nothing is kept: what the database alone needs. */
async function bareCopy(url: string): Promise<void> {
  const session = await openSession(url)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(session.copyOut('copy (select * from analyses_hot) to stdout'), nowhere)
  await session.close()
}

/** Straight from one database into the other, taken back. */
async function bareCopyInto(from: string, url: string): Promise<void> {
  const [source, target] = [await openSession(from), await openSession(url)]
  await target.execute(raw('begin'))
  await target.execute(raw('truncate analyses_hot'))
  await pipeline(
    source.copyOut('copy (select * from analyses_hot) to stdout'),
    target.copyIn('copy analyses_hot from stdin'),
  )
  await target.execute(raw('rollback'))
  await Promise.all([source.close(), target.close()])
}

export async function run(): Promise<void> {
  const bench = await benchDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-bench-backup-'))
  const target = bench.url.replace('/postgres?', '/bench_target?')
  try {
    await fill(bench.database)
    await bench.database.execute(raw(`create database bench_target encoding 'UTF8' template template0`))
    const [size] = await bench.database.query<{ bytes: number }>(
      sql`select sum(pg_table_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = 'analyses_hot'::regclass`,
    )
    const megabytes = (size?.bytes ?? 0) / mebibyte
    const signal = new AbortController().signal
    const artifacts = diskArtifacts(join(directory, 'artifacts'))
    const common = { artifacts, signal, progress: silent, now: Date.now() }
    const bareOut = await secondsOf(() => bareCopy(bench.url))
    printLine('a million checks', ['MiB', 'file', 's', 'MiB/s', 'ratio'])
    printLine('bare COPY, kept nowhere', columns(megabytes, null, bareOut, bareOut))
    for (const kind of ['backup', 'export'] satisfies DumpKind[]) {
      const file = join(directory, kind)
      let bytes = 0
      const out = await secondsOf(async () => {
        bytes = (await writeDump({ ...common, file, kind, url: bench.url, programVersion: 'bench' })).bytes
      })
      printLine(kind, columns(megabytes, bytes, out, bareOut))
      const back = await secondsOf(() => loadDump({ ...common, file, kind, url: target, isForced: true }))
      const bareIn = await secondsOf(() => bareCopyInto(bench.url, target))
      printLine('bare COPY out and in', columns(megabytes, null, bareIn, bareIn))
      printLine(kind === 'backup' ? 'restore' : 'import', columns(megabytes, bytes, back, bareIn))
    }
  } finally {
    await bench.database.execute(raw('drop database if exists bench_target with (force)'))
    await bench.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function columns(megabytes: number, fileBytes: number | null, seconds: number, bareSeconds: number): string[] {
  return [
    megabytes.toFixed(0),
    fileBytes === null ? '' : (fileBytes / mebibyte).toFixed(0),
    seconds.toFixed(1),
    (megabytes / seconds).toFixed(0),
    (seconds / bareSeconds).toFixed(1),
  ]
}
