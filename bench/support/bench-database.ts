import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { openDatabase } from '../../src/database/open.ts'

export const quietLog = { info: () => {}, warn: () => {}, error: (facts: unknown) => console.error(facts) }

export interface BenchDatabase {
  readonly database: Database
  /** For other processes. */
  readonly url: string
  /** CPU milliseconds that the server's living processes have used; null where /proc does not tell. */
  serverCpu(): Promise<number | null>
  close(): Promise<void>
}

/** The bundled server with its ordinary settings on a temporary directory, or the empty database at DATABASE_URL. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latarnik-bench-'))
  const databaseUrl = process.env['DATABASE_URL']
  const { database, close } = await openDatabase({ databaseUrl, dataDirectory, log: quietLog })
  return {
    database,
    url: databaseUrl ?? (await runningEmbeddedUrl(dataDirectory)) ?? '',
    serverCpu: () => serverCpu(database),
    async close() {
      await close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

const ticksPerSecond = 100

async function statOf(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

async function serverCpu(database: Database): Promise<number | null> {
  const [backend] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const [, postmaster] = await statOf(String(backend?.pid))
  if (postmaster === undefined) return null
  let ticks = 0
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const stat = await statOf(pid)
    if (stat[1] === postmaster) ticks += Number(stat[11]) + Number(stat[12])
  }
  return (ticks * 1000) / ticksPerSecond
}
