import { readdir, stat } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import {
  derivedTables,
  makeDays,
  notExported,
  readDays,
  readSequences,
  sharedSequences,
} from '../../src/database/dump/catalogue.ts'
import { makeSchema, migrate, schemaNumber } from '../../src/database/migrate.ts'
import { migrations } from '../../src/database/migrations/list.ts'
import { emptyDatabase, type TestDatabase, testDatabase, urlOf } from '../support/database.ts'
import { contentOf, type DumpPlace, dumpedAt, dumpPlace, load, sequencesOf, silent, write } from '../support/dumping.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { patiently } from '../support/patience.ts'

let world: FurnishedWorld
let worldUrl: string
let place: DumpPlace
let empty: TestDatabase
let number = 0

beforeAll(async () => {
  world = await furnishedWorld()
  worldUrl = await urlOf(world.database)
  place = await dumpPlace()
  const { alice } = world.people.ids
  const nasty = 'tab\t, \\N, "quotes", \\. and\nlines, \u0001\u0002, ż 🐌'
  await world.database.execute(sql`update accounts set name = ${nasty} where id = ${alice}`)
  await world.database.execute(sql`
    insert into user_settings (account_id, key, value) values (${alice}, 'nothing', 'null'), (${alice}, 'text', ${JSON.stringify(nasty)})`)
  await world.database.execute(sql`update schedule set boundary_at = '-infinity', due_at = 'infinity'
    where service_id = ${world.serviceIds.private}`)
})
afterAll(async () => {
  await world.drop()
  await place.remove()
})
beforeEach(async () => {
  empty = await emptyDatabase()
  number += 1
  return () => empty.drop()
})

const source = () => ({ file: place.path(`${number}.tar`), url: worldUrl, artifacts: world.artifacts })
const target = () => ({ ...source(), url: empty.url, artifacts: place.artifacts(String(number)) })

describe('a backup', () => {
  test('comes back whole: every table, every number to be given, the partitions, the artifacts, the version of the schema', async () => {
    const written = await write(source())
    expect(written.artifacts).toBe(1)
    const loaded = await load(target())
    expect(loaded).toEqual({
      takenAt: dumpedAt,
      programVersion: '1.2.3',
      rows: written.rows,
      artifacts: 1,
      leftOut: [],
      givenUp: 0,
    })
    const [before, after] = [await contentOf(world.database), await contentOf(empty.database)]
    expect(Object.keys(before).length).toBeGreaterThan(40)
    expect(after).toEqual(before)
    expect(await sequencesOf(empty.database)).toEqual(await sequencesOf(world.database))
    expect(await readDays(empty.database)).toEqual(await readDays(world.database))
    expect(Object.keys(await readDays(empty.database))).toEqual(['analyses_hot', 'packed_days'])
    expect(await schemaNumber(empty.database)).toBe(migrations.length)
    const kept = place.artifacts(String(number))
    const [key = ''] = await kept.keysOf('20261121', world.serviceIds.shared)
    const bytes = await kept.open(key, { start: 0, end: world.history.pageBytes.length })
    expect(await bytes?.toArray().then((parts: Buffer[]) => Buffer.concat(parts))).toEqual(world.history.pageBytes)
  })

  test('leaves out evidence whose bytes are not its own, and can be restored', async () => {
    const replaced = { ...world.artifacts, kept: async () => gzipSync('bytes of something else') }
    const written = await write({ ...source(), artifacts: replaced })
    expect(written.artifacts).toBe(0)
    expect((await load(target())).artifacts).toBe(0)
  })

  test('with thousands of days can be left off while its days are made', async () => {
    const stopping = new AbortController()
    const asked: string[] = []
    const stopsAtFirst = {
      ...world.database,
      query: world.database.query.bind(world.database),
      async execute(statement: { readonly text: string }) {
        asked.push(statement.text)
        stopping.abort()
        return 0
      },
    } as Database
    const days = Array.from({ length: 3000 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
    await expect(makeDays(stopsAtFirst, { analyses_hot: days }, stopping.signal)).rejects.toThrow('aborted')
    expect(asked).toHaveLength(1)
    expect(asked[0]).not.toContain('1975')
  })

  test('shows one moment, however much changes meanwhile', async () => {
    const { alice } = world.people.ids
    let changes = 0
    let isOver = false
    const writer = (async () => {
      for (; !isOver && changes < 100_000; changes += 1) {
        await world.database.transaction(async (transaction) => {
          await transaction.execute(sql`update user_data set contact_person = ${String(changes)} where id = ${alice}`)
          await transaction.execute(sql`
            insert into user_settings (account_id, key, value) values (${alice}, 'changes', ${String(changes)})
            on conflict (account_id, key) do update set value = excluded.value`)
          await transaction.execute(sql`
            insert into authentications (account_id, ip_address, user_agent, method, success)
            values (${alice}, '', 'writer', 'basic', true)`)
        })
      }
    })()
    await vi.waitUntil(() => changes > 0, patiently)
    const changesBefore = changes
    await write(source())
    const changesMeanwhile = changes - changesBefore
    isOver = true
    await writer
    expect(changesMeanwhile).toBeGreaterThan(3)
    await load(target())
    const [row] = await empty.database.query<{ one: string; other: string; logins: number }>(sql`
      select contact_person as one, value #>> '{}' as other,
        (select count(*) from authentications where user_agent = 'writer') - 1 as logins
      from user_data, user_settings where id = ${alice} and account_id = ${alice} and key = 'changes'`)
    expect(row?.other).toBe(row?.one)
    expect(String(row?.logins)).toBe(row?.one)
    expect(
      (await readSequences(empty.database)).find(({ name }) => name === 'authentications_id_seq')?.last,
    ).toBeGreaterThan(Number(row?.logins))
    await world.database.execute(sql`delete from authentications where user_agent = 'writer'`)
  })

  test('of an older schema comes back in its schema, and the program brings it up to date', async () => {
    const old = await emptyDatabase()
    try {
      const clock = { now: () => dumpedAt }
      await old.database.transaction((transaction) => makeSchema(transaction, clock, 9))
      await old.database.execute(sql`insert into distributions (name) values ('old')`)
      await write({ ...source(), url: old.url })
    } finally {
      await old.drop()
    }
    await load(target())
    expect(await schemaNumber(empty.database)).toBe(9)
    await migrate(empty.database, { now: () => dumpedAt })
    expect(await schemaNumber(empty.database)).toBe(migrations.length)
  })

  test.each([
    ['while a program ran: that program has sent what was waiting', true, ['failed', 'failed']],
    ['while none ran: what was waiting still waits', false, ['pending', 'pending']],
  ])('taken %s', async (_when, isRunning, statuses) => {
    const quiet = await testDatabase()
    try {
      await quiet.database.execute(sql`insert into distributions (name) values ('quiet')`)
      await quiet.database.execute(sql`
        insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
          notification_condition_id, address, facts) values (1, 'failure:1', 1, 1, 1, 'email', 'failure', 'a@example.com', '{}')`)
      await quiet.database.execute(sql`
        insert into messages (kind, address, created_at, next_attempt_at) values ('sensor_lost', 'a@example.com', now(), now())`)
      const program = connect({ url: quiet.url, maximumConnections: 1 })
      if (isRunning) await program.query(sql`select 1`)
      await write({ ...source(), url: quiet.url }).finally(() => program.close())
    } finally {
      await quiet.drop()
    }
    const loaded = await load(target())
    expect(loaded.givenUp).toBe(isRunning ? 2 : 0)
    const rows = await empty.database.query<{ status: string }>(
      sql`select status from notification_intents union all select status from messages`,
    )
    expect(rows.map((row) => row.status)).toEqual(statuses)
  })

  test('is for this user alone, and replaces no file', async () => {
    await write(source())
    expect((await stat(source().file)).mode & 0o777).toBe(0o600)
    await expect(write(source())).rejects.toThrow(/exists already: choose another name\.$/)
  })

  test('that is interrupted leaves nothing behind', async () => {
    const stopping = new AbortController()
    const progress = { ...silent, done: (subject: string) => subject === 'groups' && stopping.abort() }
    await expect(write({ ...source(), progress, signal: stopping.signal })).rejects.toThrow()
    expect((await readdir(place.directory)).filter((name) => name.startsWith(`${number}.tar`))).toEqual([])
  })

  test('of an empty database is refused', async () => {
    await expect(write({ ...source(), url: empty.url })).rejects.toThrow(
      'The database is empty: there is nothing to write.',
    )
    const unused = await testDatabase()
    try {
      await expect(write({ ...source(), url: unused.url })).rejects.toThrow('The database is empty')
    } finally {
      await unused.drop()
    }
  })

  test('where nothing can be written says so', async () => {
    await expect(write({ ...source(), file: place.path('nowhere/b.tar') })).rejects.toThrow(
      /nowhere\/b\.tar cannot be written: ENOENT/,
    )
    await expect(write({ ...source(), file: '/dev/full' })).rejects.toThrow('/dev/full exists already')
  })
})

describe('an export', () => {
  test('comes back whole, without the work of the moment', async () => {
    await write({ ...source(), kind: 'export' })
    const loaded = await load({ ...target(), kind: 'export' })
    expect(loaded).toMatchObject({ leftOut: [], artifacts: 1, givenUp: 0 })
    const exported = async (database: Database) =>
      Object.entries(await contentOf(database)).filter(([table]) => !notExported.includes(table))
    const [before, after] = [await exported(world.database), await exported(empty.database)]
    expect(before.length).toBeGreaterThan(30)
    expect(after).toEqual(before)
    expect(await empty.database.query(sql`select 1 from sessions`)).toEqual([])
    expect(await sequencesOf(empty.database)).toEqual(await sequencesOf(world.database))
  })

  test('of another version: what this one does not know is told and left out, what the file does not have gets its default', async () => {
    const other = await emptyDatabase()
    const base = { ...source(), file: place.path('base.tar') }
    try {
      await write(base)
      await load({ ...base, url: other.url, artifacts: place.artifacts('other') })
      await other.database.execute(
        raw(`
        alter table accounts add column colour text default 'red';
        alter table groups drop column archived_services_in_periodic_reports;
        alter table sensors drop column version`),
      )
      await write({ ...source(), kind: 'export', url: other.url })
    } finally {
      await other.drop()
    }
    const loaded = await load({ ...target(), kind: 'export' })
    expect(loaded.leftOut).toEqual(['accounts.colour'])
    const [row] = await empty.database.query<{ groups: number; sensors: number }>(sql`
      select (select count(*) from groups where archived_services_in_periodic_reports) as groups,
        (select count(*) from sensors where version = '') as sensors`)
    expect(row?.groups).toBeGreaterThan(0)
    expect(row?.sensors).toBeGreaterThan(0)
  })

  test('that does not fit changes nothing', async () => {
    const other = await emptyDatabase()
    const base = { ...source(), file: place.path('base-2.tar') }
    try {
      await write(base)
      await load({ ...base, url: other.url, artifacts: place.artifacts('other-2') })
      await other.database.execute(
        raw('alter table accounts alter column username drop not null; update accounts set username = null'),
      )
      await write({ ...source(), kind: 'export', url: other.url })
    } finally {
      await other.drop()
    }
    await expect(load({ ...target(), kind: 'export' })).rejects.toThrow(
      /^The data do not fit this version: null value in column "username".*Nothing was changed\.$/,
    )
    expect(await contentOf(empty.database)).toEqual({})
  })

  test('leaves behind only tables that there are', async () => {
    const known = Object.keys(await contentOf(world.database))
    expect([...notExported, ...derivedTables].filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('a restore', () => {
  beforeEach(() => write(source()))

  test('into a database that holds something is refused, unless it is forced', async () => {
    await load(target())
    await empty.database.execute(sql`update groups set name = 'changed since'`)
    const changed = await contentOf(empty.database)
    await expect(load(target())).rejects.toThrow('The database is not empty: --force replaces everything in it.')
    expect(await contentOf(empty.database)).toEqual(changed)
    await load({ ...target(), isForced: true })
    expect((await contentOf(empty.database))['groups']).toBe((await contentOf(world.database))['groups'])
  })

  test('that is interrupted leaves the database as it was, also a forced one', async () => {
    await load(target())
    await empty.database.execute(sql`update groups set name = 'changed since'`)
    const before = await contentOf(empty.database)
    const stopping = new AbortController()
    const progress = { ...silent, done: (subject: string) => subject === 'services' && stopping.abort() }
    await expect(load({ ...target(), isForced: true, progress, signal: stopping.signal })).rejects.toThrow()
    expect(await contentOf(empty.database)).toEqual(before)
  })

  test('while a program uses the database is refused', async () => {
    const program = connect({ url: empty.url, maximumConnections: 1 })
    try {
      await program.query(sql`select 1`)
      await expect(load(target())).rejects.toThrow('A running Latarnik uses the database: stop it first.')
    } finally {
      await program.close()
    }
  })

  test('into a database of something else, or of a newer version, is refused even by force', async () => {
    await empty.database.execute(raw('create table recipes (id integer)'))
    await expect(load({ ...target(), isForced: true })).rejects.toThrow(
      'The database holds tables of another program (recipes): choose an empty one.',
    )
    await empty.database.execute(
      raw(`drop table recipes; create table migrations (number integer, name text, applied_at timestamptz);
      insert into migrations values (9999, 'later', now())`),
    )
    await expect(load({ ...target(), isForced: true })).rejects.toThrow(
      /^The database was changed by a newer Latarnik \(its schema is 9999, .* run `latarnik restore --force \S+\.tar` of the newer version, then start this one\. Use an empty database, or another DATA_DIR\.$/,
    )
  })

  test('of an export, and an import of a backup, name the right command', async () => {
    await expect(load({ ...target(), kind: 'export' })).rejects.toThrow(/\.tar is a backup: use latarnik restore\.$/)
  })
})

test('numbers that several tables share are known', async () => {
  const rows = await world.database.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))`)
  expect(rows.map((row) => row.name)).toEqual([...sharedSequences])
})
