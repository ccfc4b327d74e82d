import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Executor } from '../../src/database/connect.ts'
import { lockKeys } from '../../src/database/locks.ts'
import { ensureDays, ensurePartitions, packedDays, partitionOf, recentDays } from '../../src/database/partitions.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import { type AnalysisRow, analysesView, insertAnalyses } from '../../src/history/analyses.ts'
import { analysesWithin } from '../../src/history/packed/analysis-range.ts'
import { handover, packClosedDays, packingDelay } from '../../src/history/packed/pack-days.ts'
import { packHistory } from '../../src/program/pack-history.ts'
import { isOnCluster, type TestDatabase, testDatabase } from '../support/database.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 21)
const closedAt = start + day + packingDelay
/** More than one batch of them. */
const serviceIds = Array.from({ length: 30 }, (_none, index) => index + 1)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await ensurePartitions(db.database, start + day, 0)
  await ensureDays(db.database, packedDays, [start])
  await write(0)
})
afterAll(() => db.drop())

function analysisOf(serviceId: number, minute: number): AnalysisRow {
  return {
    serviceId,
    analysisId: analysisIdAt(start + minute * 60_000 + serviceId),
    verdict: 'ok',
    errorTolerance: 51,
    sensorIds: [1],
    results: ['o'],
    timeOffsets: [-90],
    responseTimes: [90 + minute],
    dataSizes: [5120],
    phases: [10, 20, -1, 10, 50, 10],
    failures: null,
  }
}

function write(minute: number): Promise<unknown> {
  return db.database.transaction((transaction) =>
    insertAnalyses(
      transaction,
      serviceIds.map((id) => analysisOf(id, minute)),
    ),
  )
}

async function readAll(): Promise<unknown> {
  const reach = { serviceIds, fromId: analysisIdAt(start), toId: analysisIdAt(start + day) }
  const analyses = await analysesWithin(db.database, reach)
  return db.database.query(sql`select * from (${analysesView({ analyses })}) v order by service_id, analysis_key`)
}

/** How many sessions wait for a lock, on the machines of a cluster too. */
async function waiting(): Promise<number> {
  const onMachines = isOnCluster ? sql`(select count(*) from citus_lock_waits)` : sql`0`
  const [row] = await db.database.query<{ count: number }>(sql`
    select (count(*) + ${onMachines})::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}

async function waitUntilSomebodyWaits(holder: Executor): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if ((await waiting()) > 0) return
    // One that says nothing for ten seconds is ended.
    await holder.query(sql`select 1`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The packing went past its stage.')
}

/** Begins to pack, and kills the process where it waits for what `hold` took. */
async function killWhere(hold: (holder: Executor) => Promise<unknown>, nowAt: number): Promise<void> {
  const stop = new AbortController()
  const end = new Error('Let go.')
  const held = db.database.transaction(async (holder) => {
    await hold(holder)
    const packing = packHistory({ url: db.url, nowAt }, stop.signal)
    await waitUntilSomebodyWaits(holder)
    stop.abort()
    await packing
    throw end
  })
  await expect(held).rejects.toBe(end)
}

const packedRow = (serviceId: number) => sql`
  insert into packed_days values (${serviceId}, ${start / day}, 0, 0, 0, 0, '')`
const note = sql`insert into packed_day_notes values (${start / day}, ${new Date(0)})`
const lockBatch = sql`select pg_advisory_xact_lock(${lockKeys.packing})`

/** In the order in which packing comes to them; each goes on where the one before was killed. */
const stages: readonly [stage: string, packed: number, hold: (holder: Executor) => Promise<unknown>, nowAt: number][] =
  [
    ['before its first batch', 0, (holder) => holder.query(lockBatch), closedAt],
    ['while it writes its first batch', 0, (holder) => holder.execute(packedRow(5)), closedAt],
    ['between two batches', 20, (holder) => holder.execute(packedRow(30)), closedAt],
    ['before it notes the day', 30, (holder) => holder.execute(note), closedAt],
    [
      'while it drops the day',
      30,
      async (holder) => {
        await packClosedDays(db.database, { nowAt: closedAt })
        await holder.query(sql`select from ${raw(partitionOf(recentDays, start))}`)
      },
      closedAt + handover,
    ],
  ]

async function packAndDrop(nowAt: number): Promise<void> {
  await packClosedDays(db.database, { nowAt })
  await packClosedDays(db.database, { nowAt: nowAt + handover })
  expect(await db.database.query(sql`select from analyses_hot`)).toEqual([])
}

test.each(stages)(
  'packing that is killed %s (%i packed) loses nothing and hides nothing',
  async (_stage, packed, hold, nowAt) => {
    const before = await readAll()
    await killWhere(hold, nowAt)
    expect(await readAll()).toEqual(before)
    expect(await db.database.query(sql`select from packed_days`)).toHaveLength(packed)
  },
)

test('packing that was killed at every stage is brought to its end', async () => {
  const before = await readAll()
  await packAndDrop(closedAt + 2 * handover)
  expect(await readAll()).toEqual(before)
})

test('merging of late results that is killed leaves the day as it was, and is done the next time', async () => {
  await ensurePartitions(db.database, start + day, 0)
  await write(1)
  const whole = await readAll()
  const rowOf = sql`select from packed_days where service_id = 30 and day = ${start / day} for update`
  await killWhere((holder) => holder.query(rowOf), closedAt + 5 * handover)
  expect(await readAll()).toEqual(whole)
  await packAndDrop(closedAt + 7 * handover)
  expect(await readAll()).toEqual(whole)
})
