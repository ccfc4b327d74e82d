import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { dropDay, partitionOf, recentDays } from '../../src/database/partitions.ts'
import { placement } from '../../src/database/shards.ts'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import type { AnalysisRow } from '../../src/history/analyses.ts'
import { HistoryOnMachines } from '../../src/history/on-machines.ts'
import { packClosedDays } from '../../src/history/packed/pack-days.ts'
import { type ClusterDatabase, clusterDatabase, type Machine, noCitus } from '../support/citus-cluster.ts'
import { refusedByCitus, takenByCitus } from '../support/citus-examples.ts'
import { silentLog } from '../support/log.ts'
import { silentLog as quietLog } from '../support/monitoring.ts'

function analysisOf(serviceId: number): AnalysisRow {
  return {
    ...{ serviceId, analysisId: analysisIdAt(Date.now()), verdict: 'ok', errorTolerance: 51, failures: null },
    ...{
      sensorIds: [1],
      results: ['o'],
      timeOffsets: [0],
      responseTimes: [80],
      dataSizes: [1],
      phases: [1, 2, 3, 4, 5, 6],
    },
    steps: { names: ['Log in'], times: [80] },
  }
}

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

  test('analyses go to the machines of their shards, once however often, and the coordinator reads them all', async () => {
    const opened = await openDatabase({ databaseUrl: cluster.url, dataDirectory: '/nonexistent', log: silentLog })
    const reached: number[] = []
    const history = new HistoryOnMachines({
      database: opened.database,
      openMachine(server, maximumConnections) {
        reached.push(server.port)
        return opened.further({ server, maximumConnections })
      },
      ...{ log: quietLog, monotonic: () => performance.now() },
    })
    const rows = Array.from({ length: 40 }, (_, index) => analysisOf(index + 1))
    for (let time = 0; time < 2; time++)
      await (await opened.database.transaction((transaction) => history.write(transaction, rows))).committed?.()
    while (await history.catchUp());
    await opened.close()
    const workers = cluster.machines.filter(({ isCoordinator }) => !isCoordinator)
    expect(reached.sort()).toEqual(workers.map(({ port }) => port).sort())
    const [read] = await cluster.database.query(sql`
      select (select count(*) from analyses_hot) as analyses, (select count(*) from path_step_sets) as sets,
        (select sum(ok_checks)::int from hourly_performance) as checks, (select count(*) from daily_performance) as days,
        (select count(*) from hourly_step_performance) as steps`)
    expect(read).toEqual({ analyses: 40, sets: 40, checks: 40, days: 40, steps: 40 })
  })

  test('a day that somebody reads on its machine is not waited for, neither to drop it nor to make room', async () => {
    const start = Math.floor(Date.now() / dayLength) * dayLength
    const day = partitionOf(recentDays, start)
    const [shard] = await cluster.database.query<{ id: number; port: number }>(sql`
      select shardid as id, nodeport as port from citus_shards where table_name = ${day}::regclass limit 1`)
    const machine = cluster.machines.find(({ port }) => port === shard?.port)
    const worker = await cluster.on(machine ?? (cluster.machines[0] as Machine))
    await worker.transaction(async (reader) => {
      await reader.query(raw(`select from ${day}_${shard?.id} limit 1`))
      // Each would never end if it waited for the reader.
      await expect(dropDay(cluster.database, recentDays, start)).rejects.toThrow('lock timeout')
      const later = Date.now() + 3 * dayLength
      await packClosedDays(cluster.database, { nowAt: later, mode: 'citus' })
      const dropping = packClosedDays(cluster.database, { nowAt: later + hourLength, mode: 'citus' })
      await expect(dropping).rejects.toThrow('lock timeout')
    })
  })

  test('a day is packed and dropped on all machines', async () => {
    const later = Date.now() + 3 * dayLength
    await packClosedDays(cluster.database, { nowAt: later, mode: 'citus' })
    const { droppedDays } = await packClosedDays(cluster.database, { nowAt: later + hourLength, mode: 'citus' })
    expect(droppedDays).toBeGreaterThan(0)
    const [read] = await cluster.database.query(sql`
      select (select count(*) from analyses_hot) as rows, (select sum(analyses)::int from packed_days) as packed`)
    expect(read).toEqual({ rows: 0, packed: 40 })
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
