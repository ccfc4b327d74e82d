import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { placement } from '../../src/database/shards.ts'
import { installCitusRules } from '../support/citus-rules.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'

/** The switch against the rules of Citus; test/citus has the real one, where there is one. */
const clock = { now: () => Date.UTC(2030, 0, 1, 12) }
const made: TestDatabase[] = []
const opened: OpenDatabase[] = []
let db: TestDatabase
beforeEach(async () => {
  db = await emptyDatabase()
  made.push(db)
})
afterAll(async () => {
  for (const one of opened) await one.close()
  for (const one of made) await one.drop()
})

async function open(isCluster: boolean): Promise<OpenDatabase> {
  const one = await openDatabase({
    ...{ databaseUrl: db.url, dataDirectory: '/nonexistent', log: silentLog, clock, isCluster },
  })
  opened.push(one)
  return one
}

/** The number of shards of each distributed table. */
async function distributed(): Promise<Readonly<Record<string, number>>> {
  const rows = await db.database.query<{ name: string; shards: number }>(sql`
    select logicalrelid::text as name, shards from citus.pg_dist_partition`)
  return Object.fromEntries(rows.map(({ name, shards }) => [name, shards]))
}

/** Two shards for each of the two machines that the stand-in has. */
const everywhere = Object.fromEntries(Object.keys(placement.distributed).map((table) => [table, 4]))

describe('with the switch on', () => {
  test('the history is distributed, and nothing else', async () => {
    const plain = await open(false)
    expect(plain.partitionMode).toBe('native')
    await installCitusRules(db.database)
    const cluster = await open(true)
    expect(cluster.partitionMode).toBe('citus')
    expect(await distributed()).toEqual(everywhere)
  })

  test('a new database is distributed as well; the next start, also without the switch, leaves it so', async () => {
    await installCitusRules(db.database)
    await open(true)
    const again = [await open(true), await open(false)]
    expect(again.map(({ partitionMode }) => partitionMode)).toEqual(['citus', 'citus'])
    expect(await distributed()).toEqual(everywhere)
  })

  test('many processes that start at once distribute it once', async () => {
    await installCitusRules(db.database)
    await Promise.all([open(true), open(true), open(true)])
    expect(await distributed()).toEqual(everywhere)
  })

  test('a table that cannot be distributed leaves everything as it was', async () => {
    await open(false)
    await installCitusRules(db.database)
    await db.database.execute(sql`create unique index one_day on packed_days (day)`)
    await expect(open(true)).rejects.toThrow('one_day does not include the distribution column')
    expect(await distributed()).toEqual({})
  })

  test('a database without Citus is refused in a sentence', async () => {
    await expect(open(true)).rejects.toThrow('the database has no extension citus')
  })
})

describe('the rules stand for Citus:', () => {
  const refused = async (ddl: string, ...calls: readonly string[]) => {
    await installCitusRules(db.database)
    await db.database.execute(raw(ddl))
    const attempt = db.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local search_path = public, citus`)
      await transaction.execute(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
      for (const call of calls) await transaction.execute(raw(`select ${call}`))
    })
    return attempt.then(
      () => 'nothing',
      (error: Error) => error.message,
    )
  }
  const history = 'create table history (service_id integer primary key);'
  const distribute = `create_distributed_table('history', 'service_id', colocate_with => 'none')`

  test.each([
    [
      'a unique rule without the service',
      'create table history (service_id integer, name text unique);',
      [distribute],
      'does not include the distribution column',
    ],
    [
      'another type of its number',
      `${history} create table part (service_id bigint);`,
      [distribute, `create_distributed_table('part', 'service_id', colocate_with => 'history')`],
      'types do not match',
    ],
    [
      'a table of the coordinator that refers to a distributed one',
      `${history} create table small (service_id integer references history);`,
      [distribute],
      'to distributed tables are not supported',
    ],
    [
      'a distributed table that refers to one on the coordinator',
      `create table local (id integer primary key);
       create table history (service_id integer primary key references local);`,
      [distribute],
      'not colocated or not referencing a reference table',
    ],
  ])('%s is refused', async (_what, ddl, calls, message) => {
    expect(await refused(ddl, ...calls)).toContain(message)
  })
})
