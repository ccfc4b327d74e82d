import { type AddressInfo, createServer } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { readSessions } from '../../src/database/holders.ts'
import { openDatabase } from '../../src/database/open.ts'
import { DatabaseUnusable } from '../../src/database/unusable.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { databaseOn } from '../support/database-url.ts'
import { temporaryDirectory } from '../support/launcher.ts'
import { silentLog } from '../support/log.ts'

const made: TestDatabase[] = []
afterAll(async () => {
  for (const one of made) await one.drop()
})

async function emptyUrl(): Promise<string> {
  const db = await emptyDatabase()
  made.push(db)
  return db.url
}

const options = { dataDirectory: '/nonexistent', log: silentLog }

test('an operator’s database is brought up to date, with partitions around the moment', async () => {
  const clock = { now: () => Date.UTC(2030, 0, 1, 12) }
  const said: string[] = []
  const log = { ...silentLog, info: (text: string) => said.push(text) }
  const opened = await openDatabase({ ...options, databaseUrl: await emptyUrl(), clock, log })
  expect(opened.embedded).toBe(false)
  expect(said).toEqual(['Checking whether the database schema is up to date.', 'The database schema was made.'])
  const days = await opened.database.query<{ day: string }>(sql`
    select inhrelid::regclass::text as day from pg_inherits where inhparent = 'analyses_hot'::regclass order by 1`)
  expect(days.map(({ day }) => day).slice(0, 3)).toEqual([
    'analyses_hot_20291231',
    'analyses_hot_20300101',
    'analyses_hot_20300102',
  ])
  await opened.close()
})

test('all pools of a program hear by one session, which shows others that it lives', async () => {
  const opened = await openDatabase({ ...options, databaseUrl: await emptyUrl() })
  const further = opened.further({ readLimit: 30_000 })
  const heard: string[] = []
  await opened.database.listen('news', (payload) => heard.push(payload))
  await further.listen('plans', (payload) => heard.push(payload))
  expect((await readSessions(opened.database)).size).toBe(1)
  await further.execute(sql`select pg_notify('news', 'rain'), pg_notify('plans', 'walk')`)
  await expect.poll(() => heard).toEqual(['rain', 'walk'])
  await opened.close()
})

test('many processes open a new database at once', async () => {
  const databaseUrl = await emptyUrl()
  const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ ...options, databaseUrl })))
  await Promise.all(opened.map((one) => one.close()))
})

test('the bundled database opens, a command joins it, and it closes', async () => {
  const folder = await temporaryDirectory()
  const place = { databaseUrl: undefined, dataDirectory: folder.path, log: silentLog }
  const program = await openDatabase(place)
  const command = await openDatabase({ ...place, joinRunning: true })
  await command.database.execute(sql`insert into distributions (name) values ('joined')`)
  await command.close()
  expect(program.embedded).toBe(true)
  expect(await program.database.query(sql`select name from distributions`)).toEqual([{ name: 'joined' }])
  await program.close()
  await folder.remove()
})

test('a server that cannot be reached is named, without the password', async () => {
  const databaseUrl = 'postgres://me:secret@127.0.0.1:1/monitoring'
  const failure = await openDatabase({ ...options, databaseUrl }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DatabaseUnusable)
  expect(String(failure)).toContain('The database at postgres://127.0.0.1:1/monitoring cannot be used: ')
  expect(String(failure)).not.toContain('secret')
})

test('a server without the TLS that the address asks for is told of in a sentence', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('N')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const databaseUrl = `postgres://me@127.0.0.1:${port}/monitoring?sslmode=no-verify`
  await expect(openDatabase({ ...options, databaseUrl })).rejects.toThrow(
    /^The database at postgres:.* cannot be used: The server does not support SSL connections\.$/,
  )
  server.close()
})

test('a database that does not exist is named', async () => {
  const databaseUrl = databaseOn(await emptyUrl(), 'not_there')
  await expect(openDatabase({ ...options, databaseUrl })).rejects.toThrow(
    /cannot be used: database "not_there" does not exist\.$/,
  )
})

test('who holds all connections of one pool leaves the others theirs', async () => {
  const opened = await openDatabase({ ...options, databaseUrl: await emptyUrl(), maximumConnections: 1 })
  const other = opened.further()
  try {
    await opened.database.transaction(async () => {
      expect(await other.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    })
  } finally {
    await opened.close()
  }
  await expect(other.query(sql`select 1`)).rejects.toThrow()
})
