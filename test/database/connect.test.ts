import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, type Executor, parseTimestamp } from '../../src/database/connect.ts'
import { isDatabaseAway, isGivenUp } from '../../src/database/failures.ts'
import { cutLine } from '../support/cut-line.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

async function one<Value>(statement: ReturnType<typeof sql>): Promise<Value | undefined> {
  return (await db.database.query<{ value: Value }>(statement))[0]?.value
}

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

describe('a moment', () => {
  test.each([
    ['2026-11-21 11:13:00+00', Date.UTC(2026, 10, 21, 11, 13)],
    ['2026-11-21 11:13:00.1+00', Date.UTC(2026, 10, 21, 11, 13, 0, 100)],
    ['2026-11-21 11:13:00.123456+00', Date.UTC(2026, 10, 21, 11, 13, 0, 123)],
    ['2026-11-21 12:13:00+01', Date.UTC(2026, 10, 21, 11, 13)],
    ['2026-11-21 16:43:00+05:30', Date.UTC(2026, 10, 21, 11, 13)],
    ['12026-11-21 11:13:00+00', Date.UTC(12026, 10, 21, 11, 13)],
    ['1969-12-31 23:59:59.999+00', -1],
    ['infinity', Number.POSITIVE_INFINITY],
    ['-infinity', Number.NEGATIVE_INFINITY],
  ])('%s is read', (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms)
  })

  test('goes to the database and comes back to the millisecond', async () => {
    const moments = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    await fc.assert(
      fc.asyncProperty(moments, async (ms) => {
        expect(await one(sql`select ${new Date(ms)}::timestamptz as value`)).toBe(ms)
      }),
    )
  })
})

describe('a pool at rest', () => {
  test('takes short statements that meet on its one connection, and opens another behind a long one', async () => {
    await vi.waitFor(async () => {
      const pool = connect({ url: db.url })
      try {
        await pool.query(sql`select 1`)
        await Promise.all([1, 2, 3].map((value) => pool.query(sql`select ${value}::integer`)))
        expect(pool.use().total).toBe(1)
      } finally {
        await pool.close()
      }
    }, 60_000)
    const pool = connect({ url: db.url })
    await pool.transaction(async () => {
      await pool.query(sql`select 1`)
      expect(pool.use().total).toBe(2)
    })
    await pool.close()
  })

  const processOf = (executor: Executor) =>
    executor.query<{ pid: number }>(sql`select pg_backend_pid() as pid`).then(([row]) => row?.pid)

  test('is renewed: idle connections are replaced by one, and what is under way goes on', async () => {
    const pool = connect({ url: db.url })
    await pool.transaction(async (transaction) => {
      const busy = await processOf(transaction)
      const idle = await processOf(pool)
      await pool.renew()
      expect(pool.use()).toEqual({ total: 2, idle: 1, waiting: 0 })
      expect(await processOf(transaction)).toBe(busy)
      expect([idle, busy]).not.toContain(await processOf(pool))
    })
    await pool.close()
  })

  test('is not renewed while the disk is full: the server may refuse a new connection', async () => {
    const pool = connect({ url: db.url })
    const before = await processOf(pool)
    const full = pool.transaction((transaction) =>
      transaction.execute(sql`do $$ begin raise exception 'no room' using errcode = '53100'; end $$`),
    )
    await expect(full).rejects.toThrow('no room')
    await pool.renew()
    expect(await processOf(pool)).toBe(before)
    await pool.close()
  })

  test('opens nothing when it is renewed before its first statement', async () => {
    const pool = connect({ url: db.url })
    await pool.renew()
    expect(pool.use().total).toBe(0)
    await pool.close()
  })
})

describe('a value comes back', () => {
  test.each([
    ['a bigint as a number', sql`select 179526188900012::bigint as value`, 179526188900012],
    ['an array of bigint', sql`select array[1, null, 179526188900012]::bigint[] as value`, [1, null, 179526188900012]],
    [
      'an array of moments',
      sql`select array['2026-11-21T11:13:00Z', null]::timestamptz[] as value`,
      [1795259580000, null],
    ],
    ['an array of letters', sql`select array['o','e']::"char"[] as value`, ['o', 'e']],
    ['an empty array', sql`select '{}'::bigint[] as value`, []],
    ['a date as text', sql`select '2026-03-29'::date as value`, '2026-03-29'],
    ['a sum as a number', sql`select sum(x) as value from generate_series(1, 3) x`, 6],
  ])('%s', async (_, statement, value) => {
    expect(await one(statement)).toEqual(value)
  })
})

describe('a transaction', () => {
  test('leaves nothing when its work fails', async () => {
    const work = db.database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into distributions (name) values ('lost')`)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await db.database.query(sql`select 1 from distributions where name = 'lost'`)).toEqual([])
  })

  test('whose connection is cut fails as away, and the program goes on', async () => {
    const work = db.database.transaction(async (transaction) => {
      const [own] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.database.execute(sql`select pg_terminate_backend(${own?.pid}::int, 5000)`)
      await transaction.query(sql`select 1`)
    })
    expect(await work.catch(isDatabaseAway)).toBe(true)
    expect(await one(sql`select 1 as value`)).toBe(1)
  })

  test('whose connection is cut between two statements does not end the program', async () => {
    const work = db.database.transaction(async (transaction) => {
      const [own] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.database.execute(sql`select pg_terminate_backend(${own?.pid}::int, 5000)`)
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    })
    expect(await work.catch(isDatabaseAway)).toBe(true)
  })

  test('takes what it takes, while a read that keeps its connection too long is given up', async () => {
    const impatient = connect({ url: db.url, readLimit: 200 })
    const slow = sql`select pg_sleep(1)`
    expect(await impatient.query(slow).catch(isGivenUp)).toBe(true)
    expect(await impatient.transaction((transaction) => transaction.execute(slow))).toBe(1)
    expect(await impatient.query(slow).catch(isGivenUp)).toBe(true)
    await impatient.close()
  })

  test('that stands still lets go of what it locked, and fails as away when it goes on', async () => {
    const frozen = connect({ url: db.url, standstillLimit: 100 })
    const [isLocked, mayGoOn] = [signal(), signal()]
    const work = frozen.transaction(async (transaction) => {
      await transaction.execute(sql`lock table distributions in access exclusive mode`)
      isLocked.give()
      await mayGoOn.given
      await transaction.execute(sql`insert into distributions (name) values ('too late')`)
    })
    await isLocked.given
    await db.database.execute(sql`insert into distributions (name) values ('in time')`)
    mayGoOn.give()
    expect(await work.catch(isDatabaseAway)).toBe(true)
    expect(await db.database.query(sql`select name from distributions`)).toEqual([{ name: 'in time' }])
    await frozen.close()
  })
})

describe('the database is away', () => {
  test('when nobody listens on its address', async () => {
    const nowhere = connect({ url: 'postgres://somebody@127.0.0.1:1/nothing' })
    expect(await nowhere.query(sql`select 1`).catch(isDatabaseAway)).toBe(true)
    await nowhere.close()
  })

  test.each(['57P01', '57P03', '53300', '53100', '08006', '25006', 'ECONNRESET', 'EAI_AGAIN'])(
    'for code %s',
    (code) => {
      expect(isDatabaseAway(Object.assign(new Error('no'), { code }))).toBe(true)
    },
  )

  test('when every address of a name fails, and when the cause says so', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    expect(isDatabaseAway(new AggregateError([refused, refused]))).toBe(true)
    expect(isDatabaseAway(new Error('could not read the groups', { cause: refused }))).toBe(true)
  })

  test('when it says nothing any more, without waiting for the system to notice', async () => {
    const line = await cutLine(db.url)
    const database = connect({ url: line.url, silenceLimit: 1500 })
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    line.fallSilent()
    expect(await database.query(sql`select 1`).catch(isDatabaseAway)).toBe(true)
    const work = database.transaction((transaction) => transaction.query(sql`select 1`))
    expect(await work.catch(isDatabaseAway)).toBe(true)
    await line.mend()
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await Promise.all([database.close(), line.close()])
  })

  test('when it falls silent before it says that it listens', async () => {
    const line = await cutLine(db.url)
    const database = connect({ url: line.url, silenceLimit: 300 })
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    line.fallSilent()
    expect(await database.listen('news', () => undefined).catch(isDatabaseAway)).toBe(true)
    await Promise.all([database.close(), line.close()])
  })

  test('and a pool with a listener can still be closed', async () => {
    const line = await cutLine(db.url)
    const database = connect({ url: line.url })
    const stop = await database.listen('news', () => undefined)
    line.fallSilent()
    const closed = database.close()
    await stop()
    await closed
    await line.close()
  })

  test('but not while one statement takes its time', async () => {
    const database = connect({ url: db.url, silenceLimit: 500 })
    expect(await database.query(sql`select 1 as one from pg_sleep(2)`)).toEqual([{ one: 1 }])
    await database.close()
  })

  test('but not when a statement is wrong', async () => {
    expect(await db.database.query(sql`select nothing from nowhere`).catch(isDatabaseAway)).toBe(false)
    expect(await db.database.query(sql`select 1/0`).catch(isDatabaseAway)).toBe(false)
    expect(isDatabaseAway('away')).toBe(false)
  })
})

test('what a server says to connections that were closed already is nobody’s trouble', async () => {
  // As a server does that is told to stop before it has heard that they are closed.
  const goodbye = Buffer.from('E\0\0\0\x1dSFATAL\0C57P01\0Mstopping\0\0', 'latin1')
  const line = await cutLine(db.url, { lastWords: goodbye })
  const complaints: string[] = []
  const database = connect({ url: line.url, onError: (error) => complaints.push(error.message) })
  await database.query(sql`select 1`)
  await database.close()
  await line.isQuiet()
  expect(complaints).toEqual([])
  await line.close()
})

test('a listener hears a notification, until it stops listening', async () => {
  const heard: string[] = []
  let wake: () => void = () => undefined
  const stop = await db.database.listen('news', (payload) => {
    heard.push(payload)
    wake()
  })
  const first = new Promise<void>((resolve) => (wake = resolve))
  await db.database.execute(sql`select pg_notify('news', 'first')`)
  await first
  await stop()
  await db.database.execute(sql`select pg_notify('news', 'second')`)
  expect(heard).toEqual(['first'])
})
