import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { bundledPackage } from '../../src/database/embedded/binaries.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import {
  killLaunched,
  launch,
  onlyPrograms,
  refusalOf,
  serverPid,
  serverStops,
  type TemporaryDirectory,
  temporaryDirectory,
} from '../support/launcher.ts'
import { silentLog } from '../support/log.ts'
import { patiently } from '../support/patience.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const nobody = 65534

// Each test starts programs and servers, some of them several.
vi.setConfig({ testTimeout: 60_000 })

let folder: TemporaryDirectory
let seed: string
beforeAll(async () => {
  folder = await temporaryDirectory()
  seed = join(folder.path, 'seed')
  const server = await startEmbedded({ dataDirectory: seed, log: silentLog })
  await server.stop()
})
afterEach(killLaunched)
afterAll(() => folder.remove())

/** A data directory whose database was made before. */
async function usedDirectory(): Promise<string> {
  const directory = await freshDirectory()
  await run('cp', ['-a', seed, directory])
  return directory
}

async function freshDirectory(): Promise<string> {
  return join(await mkdtemp(join(folder.path, 'd')), 'data')
}

async function on<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect({ url, maximumConnections: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function writeNote(url: string, text: string): Promise<void> {
  await on(url, async (database) => {
    await database.execute(sql`create table if not exists notes (text text)`)
    await database.execute(sql`insert into notes values (${text})`)
  })
}

async function readNotes(url: string): Promise<string[]> {
  return on(url, async (database) =>
    (await database.query<{ text: string }>(sql`select text from notes order by 1`)).map((row) => row.text),
  )
}

describe('the bundled server', () => {
  test('is made on the first start and keeps its data for the second', async () => {
    const dataDirectory = await freshDirectory()
    const first = await startEmbedded({ dataDirectory, log: silentLog })
    await writeNote(first.url, 'kept')
    await first.stop()
    const second = await startEmbedded({ dataDirectory, log: silentLog })
    expect(await readNotes(second.url)).toEqual(['kept'])
    await second.stop()
  })

  test('is reached by nobody else: no port, and a socket in a folder of its user alone', async () => {
    const dataDirectory = await usedDirectory()
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    const [port] = await on(server.url, (database) =>
      database.query<{ listen: string }>(sql`select current_setting('listen_addresses') as listen`),
    )
    expect(port?.listen).toBe('')
    expect((await stat(join(dataDirectory, 'postgres/socket'))).mode & 0o077).toBe(0)
    await server.stop()
  })

  test('keeps what it acknowledged on the disk', async () => {
    const server = await startEmbedded({ dataDirectory: await usedDirectory(), log: silentLog })
    const [row] = await on(server.url, (database) =>
      database.query(sql`
        select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
          current_setting('full_page_writes') as pages`),
    )
    expect(row).toEqual({ fsync: 'on', commit: 'on', pages: 'on' })
    await server.stop()
  })

  test('comes back by itself when it is killed', async () => {
    const dataDirectory = await usedDirectory()
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    await writeNote(server.url, 'before')
    const before = serverPid(dataDirectory)
    process.kill(before, 'SIGKILL')
    await vi.waitFor(async () => expect(await readNotes(server.url)).toEqual(['before']), patiently)
    expect(serverPid(dataDirectory)).not.toBe(before)
    await server.stop()
  })

  test('told to stop by somebody else does not wait for our sessions for ever, but comes back', async () => {
    const dataDirectory = await usedDirectory()
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    await writeNote(server.url, 'before')
    const before = serverPid(dataDirectory)
    process.kill(before, 'SIGTERM')
    await vi.waitFor(() => expect(serverPid(dataDirectory)).not.toBe(before), patiently)
    await vi.waitFor(async () => expect(await readNotes(server.url)).toEqual(['before']), patiently)
    await server.stop()
  })

  test('stays ours when somebody cuts the session that marks it', async () => {
    const dataDirectory = await usedDirectory()
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    const pid = serverPid(dataDirectory)
    await on(server.url, (database) =>
      database.query(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`),
    )
    await vi.waitFor(
      () =>
        on(server.url, async (database) => {
          expect(
            await database.query(sql`select 1 from pg_locks where locktype = 'advisory' and granted`),
          ).toHaveLength(1)
        }),
      patiently,
    )
    expect(serverPid(dataDirectory)).toBe(pid)
    await server.stop()
    await serverStops(dataDirectory)
  })
})

describe('when the program is killed', () => {
  test('the server stops, and the next start has every row', async (context) => {
    if (process.platform !== 'linux') context.skip('setpriv is of Linux')
    const dataDirectory = await usedDirectory()
    const program = await launch({ dataDirectory })
    await writeNote(program.url, 'acknowledged')
    await program.kill()
    await serverStops(dataDirectory)
    const next = await launch({ dataDirectory })
    expect(await readNotes(next.url)).toEqual(['acknowledged'])
    await next.stop()
  })

  test('a start at the same moment waits for the old server to leave', async () => {
    const dataDirectory = await usedDirectory()
    const program = await launch({ dataDirectory })
    await writeNote(program.url, 'acknowledged')
    await program.kill()
    const next = await startEmbedded({ dataDirectory, log: silentLog })
    await vi.waitFor(async () => expect(await readNotes(next.url)).toEqual(['acknowledged']), patiently)
    await next.stop()
    await serverStops(dataDirectory)
  })

  test('a server that nobody stopped is taken over with its open data', async (context) => {
    if (process.platform !== 'linux') context.skip('the paths of the programs are those of Linux')
    const dataDirectory = await usedDirectory()
    const path = await onlyPrograms(await mkdtemp(join(folder.path, 'path')), ['unshare'])
    const program = await launch({ dataDirectory, path })
    await writeNote(program.url, 'acknowledged')
    const orphan = serverPid(dataDirectory)
    await program.kill()
    const next = await launch({ dataDirectory, path })
    expect(serverPid(dataDirectory)).toBe(orphan)
    expect(await readNotes(next.url)).toEqual(['acknowledged'])
    await next.stop()
    await serverStops(dataDirectory)
  })

  test('in the middle of the first start, the next one begins afresh', async () => {
    const dataDirectory = await freshDirectory()
    const abandoned = join(dataDirectory, 'postgres', `data.new-${2 ** 22 + 1}`)
    await mkdir(abandoned, { recursive: true })
    await writeFile(join(abandoned, 'PG_VERSION'), '18\n')
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    expect(await readdir(join(dataDirectory, 'postgres'))).not.toContain(`data.new-${2 ** 22 + 1}`)
    await server.stop()
  })

  test('a note that names another living process by now is not believed', async () => {
    const dataDirectory = await usedDirectory()
    const note = `${process.pid}\n${dataDirectory}\n0\n5432\n${dataDirectory}/postgres/socket\n`
    await writeFile(join(dataDirectory, 'postgres/data/postmaster.pid'), note)
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    expect(serverPid(dataDirectory)).not.toBe(process.pid)
    await server.stop()
  })
})

test('a note that a power cut left empty does not stop the next start', async () => {
  const dataDirectory = await usedDirectory()
  const note = join(dataDirectory, 'postgres/data/postmaster.pid')
  await writeFile(note, '')
  await utimes(note, 1, 1)
  const server = await startEmbedded({ dataDirectory, log: silentLog })
  await server.stop()
})

describe('two programs on one data directory', () => {
  test('the second is refused while the first runs, and does it no harm', async () => {
    const dataDirectory = await usedDirectory()
    const first = await launch({ dataDirectory })
    expect(await refusalOf({ dataDirectory })).toBe(
      `The data directory ${dataDirectory} is in use by another running Latarnik: stop that one, or choose another with DATA_DIR.`,
    )
    await writeNote(first.url, 'still here')
    expect(await readNotes(first.url)).toEqual(['still here'])
    await first.stop()
  })

  test('of two that start at once on an empty directory one runs', async () => {
    const dataDirectory = await freshDirectory()
    const both = await Promise.allSettled([launch({ dataDirectory }), launch({ dataDirectory })])
    const [running, ...others] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(others).toEqual([])
    expect(both.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))).toContainEqual(
      // On a busy machine the other's server is not there yet when patience ends.
      expect.stringMatching(/in use by another running Latarnik|keeps .* and does not answer/),
    )
    expect(running).toBeDefined()
    await running?.stop()
    expect((await readdir(join(dataDirectory, 'postgres'))).filter((name) => name.startsWith('data'))).toEqual(['data'])
  })
})

describe('the data directory', () => {
  test('may have a path longer than a socket can have', async () => {
    const dataDirectory = join(await freshDirectory(), 'x'.repeat(120), 'ż'.repeat(60))
    const server = await startEmbedded({ dataDirectory, log: silentLog })
    await writeNote(server.url, 'far away')
    expect(await readNotes(server.url)).toEqual(['far away'])
    const [, socketDirectory = ''] = /host=([^&]+)/.exec(server.url) ?? []
    await server.stop()
    await expect(stat(decodeURIComponent(socketDirectory))).rejects.toThrow('ENOENT')
  })

  test('of another major version is refused in one sentence', async () => {
    const dataDirectory = await usedDirectory()
    await writeFile(join(dataDirectory, 'postgres/data/PG_VERSION'), '15\n')
    await expect(startEmbedded({ dataDirectory, log: silentLog })).rejects.toThrow(
      /^The data directory .* was made by PostgreSQL 15, and this Latarnik brings PostgreSQL 18: .*\.$/,
    )
  })

  test('that cannot be made is refused in one sentence', async () => {
    const file = join(folder.path, 'a-file')
    await writeFile(file, '')
    await expect(startEmbedded({ dataDirectory: join(file, 'data'), log: silentLog })).rejects.toThrow(
      `The data directory ${join(file, 'data')} cannot be written to (ENOTDIR: not a directory); run this as its owner, or choose another with DATA_DIR.`,
    )
  })

  test('of another user is refused in one sentence', async (context) => {
    if (!isRoot) context.skip('only root can start a program as another user')
    const refusal = await refusalOf({ dataDirectory: folder.path, uid: nobody })
    expect(refusal).toBe(
      `The data directory ${folder.path} cannot be written to (EACCES: permission denied); run this as its owner, or choose another with DATA_DIR.`,
    )
  })

  test('with foreign files where the database should be is refused, and they stay', async () => {
    const dataDirectory = await freshDirectory()
    const file = join(dataDirectory, 'postgres/data/letter.txt')
    await mkdir(join(dataDirectory, 'postgres/data'), { recursive: true })
    await writeFile(file, 'dear')
    await expect(startEmbedded({ dataDirectory, log: silentLog })).rejects.toThrow(/holds files, but no database/)
    expect((await stat(file)).size).toBe(4)
  })

  test('whose database is damaged is refused with the server’s own reason', async () => {
    const dataDirectory = await usedDirectory()
    await writeFile(join(dataDirectory, 'postgres/data/postgresql.conf'), 'shared_buffers = plenty\n')
    await expect(startEmbedded({ dataDirectory, log: silentLog })).rejects.toThrow(
      /^The database server does not start in .*: configuration file .* contains errors$/,
    )
  })
})

describe('the binaries', () => {
  /** As npm unpacks the package when install scripts are blocked. */
  async function packageWithoutLinks(): Promise<string> {
    const copy = await mkdtemp(join(folder.path, 'package'))
    // Hard links are made in no time, where both stand on one disk.
    const from = `${bundledPackage()}/.`
    await run('cp', ['-al', from, copy]).catch(() => run('cp', ['-a', from, copy]))
    await run('find', [copy, '-type', 'l', '-delete'])
    return copy
  }

  test('run without the links that an install script would have made', async () => {
    const packageDirectory = await packageWithoutLinks()
    const server = await startEmbedded({ dataDirectory: await freshDirectory(), log: silentLog, packageDirectory })
    await server.stop()
    expect((await lstat(join(packageDirectory, 'native/lib/libpq.so.5'))).isSymbolicLink()).toBe(true)
  })

  test('are copied beside the data when the package is read-only and lacks the links', async (context) => {
    if (!isRoot) context.skip('only root can own a package that the program may not change')
    const packageDirectory = await packageWithoutLinks()
    await chmod(packageDirectory, 0o755)
    const home = await mkdtemp(join(folder.path, 'home'))
    await chown(home, nobody, nobody)
    const program = await launch({ dataDirectory: join(home, 'data'), packageDirectory, uid: nobody })
    await writeNote(program.url, 'copied')
    await program.stop()
    expect((await readdir(join(home, 'data/postgres'))).some((name) => name.startsWith('binaries-'))).toBe(true)
  })
})

describe('a program of root', () => {
  test('runs the server as nobody where namespaces are forbidden', async (context) => {
    if (!isRoot) context.skip('the tests do not run as root')
    const home = await mkdtemp(join(folder.path, 'home'))
    await chmod(home, 0o755)
    const dataDirectory = join(home, 'data')
    const path = await onlyPrograms(await mkdtemp(join(folder.path, 'path')), ['setpriv', 'test'])
    const program = await launch({ dataDirectory, path })
    await writeNote(program.url, 'unprivileged')
    expect((await stat(`/proc/${serverPid(dataDirectory)}`)).uid).not.toBe(0)
    await program.stop()
    // The same directory where namespaces are allowed again: the files change hands.
    const again = await launch({ dataDirectory })
    expect(await readNotes(again.url)).toEqual(['unprivileged'])
    await again.stop()
  })

  test('says what to do when no way is left', async (context) => {
    if (!isRoot) context.skip('the tests do not run as root')
    const closed = await mkdtemp(join(folder.path, 'closed'))
    const path = await onlyPrograms(await mkdtemp(join(folder.path, 'path')), ['setpriv', 'test'])
    const refusal = await refusalOf({ dataDirectory: join(closed, 'data'), path })
    expect(refusal).toMatch(
      /^PostgreSQL does not run as root, and neither .*\. Start Latarnik as an ordinary user, or .*\.$/,
    )
  })
})

test('an ordinary user needs no tricks', async (context) => {
  if (!isRoot) context.skip('every other test already runs as an ordinary user')
  const home = await mkdtemp(join(folder.path, 'home'))
  await chown(home, nobody, nobody)
  const program = await launch({ dataDirectory: join(home, 'data'), uid: nobody })
  await writeNote(program.url, 'mine')
  await program.kill()
  await serverStops(join(home, 'data'))
})

describe('a user without a name, as some container engines choose one,', () => {
  const unnamed = 54_321

  async function homeOfUnnamed(): Promise<string> {
    const home = await mkdtemp(join(folder.path, 'home'))
    await chown(home, unnamed, unnamed)
    return home
  }

  test('runs the server in a namespace in which it has one', async (context) => {
    if (!isRoot) context.skip('the tests do not run as root')
    const dataDirectory = join(await homeOfUnnamed(), 'data')
    const program = await launch({ dataDirectory, uid: unnamed })
    await writeNote(program.url, 'mine')
    expect((await stat(`/proc/${serverPid(dataDirectory)}`)).uid).toBe(unnamed)
    await program.kill()
    await serverStops(dataDirectory)
  })

  test('says what to do where namespaces are forbidden', async (context) => {
    if (!isRoot) context.skip('the tests do not run as root')
    const path = await onlyPrograms(await mkdtemp(join(folder.path, 'path')), ['setpriv', 'test'])
    await chmod(path, 0o755)
    const refusal = await refusalOf({ dataDirectory: join(await homeOfUnnamed(), 'data'), path, uid: unnamed })
    expect(refusal).toBe(
      `PostgreSQL does not run as a user without a name, and no user namespace could be used: the user ${unnamed} has ` +
        'no entry in /etc/passwd. Start Latarnik as a user who has one, or set DATABASE_URL to a PostgreSQL of version 15 or later.',
    )
  })
})
