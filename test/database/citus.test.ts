import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { placement } from '../../src/database/shards.ts'
import { type ClusterDatabase, clusterDatabase, noCitus } from '../support/citus-cluster.ts'
import { refusedByCitus, takenByCitus } from '../support/citus-examples.ts'
import { silentLog } from '../support/log.ts'

/** Citus itself: what the stand-in (distribute.test.ts) and the statement guard say of it is true. */
describe.skipIf(noCitus !== null)(`a real cluster${noCitus === null ? '' : ` (skipped: ${noCitus})`}`, () => {
  let cluster: ClusterDatabase
  beforeAll(async () => {
    cluster = await clusterDatabase()
    const opened = await openDatabase({
      ...{ databaseUrl: cluster.url, dataDirectory: '/nonexistent', log: silentLog, isCluster: true },
    })
    expect(opened.partitionMode).toBe('citus')
    await opened.close()
  })
  afterAll(() => cluster?.drop())

  test('the history lies on the workers, with the days of the history, and nothing else does', async () => {
    const tables = await cluster.database.query<{ name: string; type: string; key: string }>(sql`
      select table_name::text as name, citus_table_type as type, distribution_column as key from citus_tables
      where table_name not in (select inhrelid from pg_inherits)`)
    expect(Object.fromEntries(tables.map(({ name, key }) => [name, key]))).toEqual(placement.distributed)
    const days = await cluster.database.query(sql`
      select from citus_tables where table_name in (select inhrelid from pg_inherits where inhparent = 'analyses_hot'::regclass)`)
    expect(days.length).toBeGreaterThan(14)
    const workers = cluster.machines.filter(({ isCoordinator }) => !isCoordinator)
    const shards = await cluster.database.query<{ port: number; count: number }>(sql`
      select nodeport as port, count(*) as count from citus_shards where table_name = 'packed_days'::regclass group by 1`)
    expect(new Map(shards.map(({ port, count }) => [port, count]))).toEqual(
      new Map(workers.map(({ port }) => [port, 2])),
    )
  })

  /** With values, because Citus plans a service that is a parameter anew. */
  function explained(statement: string): Promise<number> {
    const given = statement.replaceAll(/\$\d::int\[\]/g, `'{1}'::int[]`).replaceAll(/\$\d/g, `'1'`)
    return cluster.database.execute(raw(`explain ${given}`))
  }

  test.each(refusedByCitus)('refuses: %s', async (_reason, statement, words) => {
    await expect(explained(statement)).rejects.toThrow(words)
  })

  test.each(takenByCitus)('takes: %s', async (statement) => {
    await explained(statement)
  })
})
