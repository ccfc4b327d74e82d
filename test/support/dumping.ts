import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { ArtifactStore } from '../../src/database/artifacts/store.ts'
import type { Database } from '../../src/database/connect.ts'
import { type Loaded, loadDump } from '../../src/database/dump/load.ts'
import type { DumpKind } from '../../src/database/dump/manifest.ts'
import type { DumpProgress } from '../../src/database/dump/progress.ts'
import { type Written, writeDump } from '../../src/database/dump/write.ts'

export const silent: DumpProgress = {
  begin: () => undefined,
  at: () => undefined,
  done: () => undefined,
  end: () => undefined,
}

/** Where a test keeps files and artifacts of its own. */
export interface DumpPlace {
  readonly directory: string
  path(name: string): string
  artifacts(name: string): ArtifactStore
  remove(): Promise<void>
}

export async function dumpPlace(): Promise<DumpPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-dump-'))
  return {
    directory,
    path: (name) => join(directory, name),
    artifacts: (name) => diskArtifacts(join(directory, name)),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

interface DumpChoice {
  readonly file: string
  readonly kind?: DumpKind
  readonly url: string
  readonly artifacts: ArtifactStore
  readonly progress?: DumpProgress
  readonly signal?: AbortSignal
}

/** When the tests of dumps happen. */
export const dumpedAt = Date.UTC(2026, 10, 21, 12)

const usual = { kind: 'backup', progress: silent, now: dumpedAt } as const

export function write(choice: DumpChoice): Promise<Written> {
  return writeDump({ ...usual, programVersion: '1.2.3', signal: new AbortController().signal, ...choice })
}

export function load(choice: DumpChoice & { readonly isForced?: boolean }): Promise<Loaded> {
  return loadDump({ ...usual, isForced: false, signal: new AbortController().signal, ...choice })
}

/** Digests of the rows of every table, by its name; whatever order the rows lie in. */
export async function contentOf(database: Database): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string; is_kept: boolean }>(sql`
    select c.relname::text as name, c.relpersistence = 'p' as is_kept from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  const content: Record<string, string> = {}
  for (const { name, is_kept } of tables) {
    // A dump leaves out everything that a crash may lose.
    if (!is_kept) {
      content[name] = 'unlogged'
      continue
    }
    const [row] = await database.query<{ content: string }>(sql`
      select count(*) || ':' || md5(coalesce(string_agg(t::text, chr(10) order by t::text collate "C"), '')) as content
      from ${raw(`"${name}"`)} t`)
    content[name] = row?.content ?? ''
  }
  return content
}

/** The next numbers of the sequences. */
export function sequencesOf(database: Database): Promise<{ name: string; last: number | null }[]> {
  return database.query(sql`
    select sequencename::text as name, last_value as last from pg_sequences
    join pg_class on pg_class.relname = sequencename and pg_class.relnamespace = 'public'::regnamespace
    where schemaname = 'public' and pg_class.relpersistence = 'p' order by 1`)
}
