import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMachineAway } from '../../src/database/failures.ts'
import { reachesFrom } from '../../src/database/lost-machines.ts'
import { MachinesOfHistory } from '../../src/database/machines.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { placement } from '../../src/database/shards.ts'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import { type AnalysisRow, insertUnmarked } from '../../src/history/analyses.ts'
import { HistoryOnMachines } from '../../src/history/on-machines.ts'
import { packClosedDays } from '../../src/history/packed/pack-days.ts'
import { addToRollUps, rebuildAllRollUps } from '../../src/history/roll-ups.ts'
import { removeServices, sweepRemovedServices } from '../../src/service-state/services.ts'
import { afterStatement } from '../support/after-statement.ts'
import { type ClusterDatabase, clusterDatabase, noCitus } from '../support/citus-cluster.ts'
import { type CutLine, cutLine } from '../support/cut-line.ts'
import { silentLog } from '../support/log.ts'
import { silentLog as quietLog } from '../support/monitoring.ts'
import { freePort } from '../support/real-server.ts'
import { keepServices } from '../support/standing-machines.ts'

const today = Math.floor(Date.now() / dayLength) * dayLength
const serviceIds = Array.from({ length: 40 }, (_, index) => index + 1)

/** Analyses of the hour since midnight. */
function round(hour: number, ids = serviceIds): AnalysisRow[] {
  return ids.map((serviceId) => ({
    ...{ serviceId, analysisId: analysisIdAt(today + hour * hourLength), verdict: 'ok', errorTolerance: 51 },
    ...{ sensorIds: [1], results: ['o'], timeOffsets: [0], responseTimes: [80], dataSizes: [1] },
    ...{ phases: [1, 2, 3, 4, 5, 6], failures: null, steps: { names: ['Log in'], times: [80] } },
  }))
}

/** Races and losses of a real cluster. Its first worker lies behind a line that falls silent. */
describe.skipIf(noCitus !== null)(`machines of a cluster${noCitus === null ? '' : ` (skipped: ${noCitus})`}`, () => {
  let cluster: ClusterDatabase
  let opened: OpenDatabase
  let line: CutLine | undefined
  let history: HistoryOnMachines
  beforeAll(async () => {
    cluster = await clusterDatabase(async ({ host, port, url }) => {
      if (line !== undefined) return { host, port }
      line = await cutLine(url)
      return { host: '127.0.0.1', port: Number(new URL(line.url).port) }
    })
    const options = { databaseUrl: cluster.url, dataDirectory: '/nonexistent', log: silentLog }
    opened = await openDatabase({ ...options, isCluster: true })
    history = new HistoryOnMachines({
      ...{ database: opened.database, log: quietLog, monotonic: () => performance.now() },
      openMachine: (server, maximumConnections) => opened.further({ server, maximumConnections }),
    })
    await keepServices(opened.database, serviceIds)
  })
  afterAll(async () => {
    await opened?.close()
    await cluster?.drop()
    await line?.close()
  })

  async function write(rows: readonly AnalysisRow[]): Promise<void> {
    await (await opened.database.transaction((transaction) => history.write(transaction, rows))).committed?.()
  }

  async function catchUp(): Promise<void> {
    await opened.database.execute(sql`update unsent_analyses set written_at = written_at - interval '1 minute'`)
    while (await history.catchUp());
  }

  /** How many rows of the services each table of the history has. */
  async function rowsOf(ids: readonly number[]): Promise<Readonly<Record<string, number>>> {
    const counted = Object.keys(placement.distributed).map(async (table) => {
      const [row] = await cluster.database.query<{ count: number }>(sql`
        select count(*)::int as count from ${raw(table)} where service_id = any(${ids}::int[])`)
      return [table, row?.count ?? 0] as const
    })
    return Object.fromEntries(await Promise.all(counted))
  }

  async function groups() {
    const rows = serviceIds.map((serviceId) => ({ serviceId }))
    return new MachinesOfHistory(() => 0).groups(opened.database, rows)
  }

  test('a silent machine: its history is refused, all other is read, and nothing that is recorded is lost', async () => {
    await write(round(0))
    const isBehind = ({ port }: { port: number }) => port === Number(new URL(line?.url ?? '').port)
    const [silent, other] = [true, false].map(async (is) => {
      const found = (await groups()).find(({ machine }) => isBehind(machine) === is)
      return found?.rows.map(({ serviceId }) => serviceId) ?? []
    }) as [Promise<number[]>, Promise<number[]>]
    const [[gone = 0], [there = 0]] = await Promise.all([silent, other])
    const pool = opened.further({ readLimit: 30_000 })
    const read = async (id: number) =>
      (
        await pool.query<{ count: number }>(
          sql`select count(*)::int as count from analyses_hot where service_id = ${id}`,
        )
      )[0]?.count
    // Some connections of the pool have lines of their own to the machine before it is silent.
    expect(await Promise.all(Array.from({ length: 8 }, () => read(gone)))).toEqual(Array(8).fill(1))
    line?.fallSilent()
    const asked = Array.from({ length: 50 }, () => read(gone).catch(isMachineAway))
    expect(await pool.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(await Promise.all(asked)).toEqual(Array(50).fill(true))
    expect(await read(there)).toBe(1)
    await write(round(1))
    expect(await read(there)).toBe(2)
    expect(await read(gone).catch(isMachineAway)).toBe(true)
    await line?.mend()
    await expect.poll(() => read(gone).catch(() => null)).toBe(1)
    await expect.poll(() => catchUp().then(() => read(gone))).toBe(2)
    expect(await rowsOf(serviceIds)).toMatchObject({ analyses_hot: 80, hourly_performance: 80, daily_performance: 40 })
  })

  test('the coordinator says which machines it reaches, and of a silent one too', async () => {
    const reaches = reachesFrom(cluster.url)
    const [worker] = await groups()
    const nobody = { host: '127.0.0.1', port: await freePort() }
    expect([await reaches(worker?.machine ?? nobody), await reaches(nobody)]).toEqual([true, false])
    const silent = await cutLine(cluster.url)
    silent.fallSilent()
    expect(await reaches({ host: '127.0.0.1', port: Number(new URL(silent.url).port) })).toBe(false)
    await silent.close()
  })

  test('sums that are made anew meet the first analyses of other hours', async () => {
    await write(round(2))
    // Each service's first analysis of an hour arrives right after its old sums were deleted.
    const waiting = new Set(serviceIds)
    const between = afterStatement(opened.database, 'delete from hourly_performance', async ([serviceId]) => {
      if (waiting.delete(Number(serviceId))) await write(round(3, [Number(serviceId)]))
    })
    await rebuildAllRollUps(between, { keptFromAt: today, now: today })
    const [sums] = await cluster.database.query(sql`
      select (select sum(ok_checks)::int from hourly_performance) as hourly, (select sum(ok_checks)::int from daily_performance) as daily,
        (select count(*)::int from analyses_hot) as analyses`)
    expect(sums).toEqual({ hourly: 160, daily: 160, analyses: 160 })
  })

  test('what a frozen connection commits after its services were removed and swept goes with its day', async () => {
    await write(round(4))
    const [{ machine, rows } = { machine: { host: '', port: 0 }, rows: [] }] = await groups()
    const [removed, kept] = [[rows[0]?.serviceId ?? 0], serviceIds.filter((id) => id !== rows[0]?.serviceId)]
    // Of another day than all before, because the sweep would wait for sums that others change.
    const frozen = opened.further({ server: machine, maximumConnections: 1 })
    await frozen.transaction(async (transaction) => {
      await addToRollUps(transaction, await insertUnmarked(transaction, round(29, removed)))
      await opened.database.transaction((others) => removeServices(others, removed))
      await sweepRemovedServices(opened.database)
      expect(Object.values(await rowsOf(removed))).toEqual([0, 0, 0, 0, 0, 0])
    })
    expect(await rowsOf(removed)).toMatchObject({ analyses_hot: 1, hourly_performance: 1, daily_performance: 1 })
    await catchUp()
    const later = today + 4 * dayLength
    await packClosedDays(opened.database, { nowAt: later, mode: 'citus' })
    await sweepRemovedServices(opened.database)
    await packClosedDays(opened.database, { nowAt: later + hourLength, mode: 'citus' })
    expect(Object.values(await rowsOf(removed))).toEqual([0, 0, 0, 0, 0, 0])
    expect(await rowsOf(kept)).toMatchObject({ analyses_hot: 0, packed_days: kept.length })
  })
})
