import { execFile } from 'node:child_process'
import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { bundledPackage } from '../../src/database/embedded/binaries.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { DatabaseAway } from '../../src/database/unusable.ts'
import { serverPid, type TemporaryDirectory, temporaryDirectory } from '../support/launcher.ts'
import { silentLog } from '../support/log.ts'
import { patiently } from '../support/patience.ts'

/** The bundled server after something went wrong with it; `embedded.test.ts` kills and stops it. */
const run = promisify(execFile)
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let folder: TemporaryDirectory
let dataDirectory: string
beforeAll(async () => {
  folder = await temporaryDirectory()
  dataDirectory = join(folder.path, 'data')
  const server = await startEmbedded({ dataDirectory, log: silentLog })
  await server.stop()
})
afterAll(() => folder.remove())

async function on<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect({ url, maximumConnections: 1 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

test('its files are made safe at once after a crash, because nothing is judged meanwhile', async (context) => {
  if (process.platform !== 'linux') context.skip('only Linux knows syncfs')
  const server = await startEmbedded({ dataDirectory, log: silentLog })
  const [row] = await on(server.url, (database) =>
    database.query(sql`select current_setting('recovery_init_sync_method') as method`),
  )
  expect(row).toEqual({ method: 'syncfs' })
  await server.stop()
})

test('one that goes on after a process of it was killed is not called one of an earlier start', async () => {
  const said: string[] = []
  const note = (message: string) => void said.push(message)
  const server = await startEmbedded({ dataDirectory, log: { info: note, warn: note } })
  const postmaster = serverPid(dataDirectory)
  const sessions = await on(server.url, (database) =>
    database.query<{ pid: number }>(sql`select pid from pg_locks where locktype = 'advisory' and granted`),
  )
  expect(sessions).toHaveLength(1)
  for (const { pid } of sessions) process.kill(pid, 'SIGKILL')
  await vi.waitFor(
    () => expect(said.at(-1)).toBe('The database server had ended its sessions, and goes on.'),
    patiently,
  )
  expect(said.join()).not.toContain('Took over')
  expect(serverPid(dataDirectory)).toBe(postmaster)
  await server.stop()
})

test('one that finds no room to start is told as a full disk, after which another start may succeed', async () => {
  const copy = await mkdtemp(join(folder.path, 'package'))
  await run('cp', ['-a', `${bundledPackage()}/.`, copy])
  const program = join(copy, 'native/bin/postgres')
  await rename(program, `${program}-itself`)
  const script = [
    '#!/bin/sh',
    '[ "$1" = --version ] && exec "$0-itself" "$1"',
    `echo 'FATAL:  could not write lock file "postmaster.pid": No space left on device' >&2`,
    'exit 1',
  ]
  await writeFile(program, script.join('\n'), { mode: 0o755 })
  const start = startEmbedded({ dataDirectory, log: silentLog, packageDirectory: copy })
  await expect(start).rejects.toThrow(/^The disk of the database is full/)
  await expect(start).rejects.toBeInstanceOf(DatabaseAway)
})
