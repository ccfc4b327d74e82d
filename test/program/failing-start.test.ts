import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import { startApi } from '../../src/program/api-role.ts'
import { startWatching } from '../../src/program/watching.ts'
import { configOf } from '../support/config-files.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { fakeStations } from '../support/fake-stations.ts'

/** The last step of the start. */
const broken = vi.hoisted(() => new Error('nobody watches the directory'))
vi.mock('../../src/program/config-directory/watch-directory.ts', () => ({
  watchDirectory: ({ authenticator }: { authenticator: object }) => ({
    ...authenticator,
    start() {
      throw broken
    },
    stop: async () => undefined,
  }),
}))

let db: TestDatabase
let directory: string

beforeAll(async () => {
  db = await testDatabase()
  directory = await mkdtemp(join(tmpdir(), 'latarnik-start-'))
})
afterAll(async () => {
  await db.drop()
  await rm(directory, { recursive: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => undefined).setTimeout(5000, () => socket.destroy())
  })
}

test('an API whose last step fails leaves no port open, and no note of its address', async () => {
  const [port, pagePort] = [await freePort(), await freePort()]
  const config = configOf({
    ...{ HOST: '127.0.0.1', PORT: String(port), STATUS_PAGE_PORT: String(pagePort) },
    ...{ DATABASE_URL: db.url, DATA_DIR: directory },
  })
  const clock = { now: () => Date.now() }
  const log = pino({ level: 'silent' })
  const watching = await startWatching({ config, log, clock })
  const lines: string[] = []
  const heard = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const parts = {
    ...{ config, log: heard, clock, watching, far: null, database: db.database },
    ...{ artifacts: diskArtifacts(directory), stations: fakeStations() },
    core: { check: () => Promise.reject(new Error('nothing is checked')), tidy: async () => undefined },
  }
  await expect(startApi(parts)).rejects.toBe(broken)
  // Both had listened.
  expect(lines.join('')).toContain(`"url":"http://127.0.0.1:${pagePort}"`)
  expect(await Promise.all([isOpen(port), isOpen(pagePort)])).toEqual([false, false])
  expect(await readdir(directory)).not.toContain('api-address')
  await watching.stop()
})
