import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Database, type Executor } from '../../src/database/connect.ts'
import { dropPartitionsBefore, ensurePartitions } from '../../src/database/partitions.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import { type AnalysisRow, analysesView, checksView, insertAnalyses } from '../../src/history/analyses.ts'
import { type AnalysisRange, analysesWithin } from '../../src/history/packed/analysis-range.ts'
import { handover, packClosedDays, packingDelay } from '../../src/history/packed/pack-days.ts'
import { rebuildRollUps } from '../../src/history/roll-ups.ts'
import { stepsView } from '../../src/history/step-history.ts'
import { anyAnalysis } from '../support/analyses.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 21)
const services = [1, 2, 3]
const closedAt = start + 2 * day + packingDelay

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())
beforeEach(empty)

async function empty(): Promise<void> {
  await dropPartitionsBefore(db.database, start + 30 * day)
  await db.database.execute(sql`truncate packed_day_notes`)
  await ensurePartitions(db.database, start + day, 1)
}

function write(rows: readonly AnalysisRow[]): Promise<unknown> {
  return db.database.transaction((transaction) => insertAnalyses(transaction, rows))
}

const pack = (nowAt: number) => packClosedDays(db.database, { nowAt })

const views: readonly [name: string, view: (analyses: Sql, onlyFailed: boolean) => Sql, order: Sql][] = [
  ['analyses', (analyses, onlyFailed) => analysesView({ analyses, onlyFailed }), sql`service_id, analysis_key`],
  ['checks', (analyses, onlyFailed) => checksView({ analyses, onlyFailed }), sql`service_id, analysis_key, sensor_id`],
  ['steps', (analyses) => stepsView(analyses), sql`service_id, analysis_key, sensor_id, step`],
]

async function readAll(reach: AnalysisRange): Promise<unknown> {
  const analyses = await analysesWithin(db.database, reach)
  // Steps are shown of ok analyses too.
  const all = await analysesWithin(db.database, { ...reach, onlyFailed: false })
  const bounds = sql`service_id = any(${reach.serviceIds}::int[]) and analysis_key >= ${reach.fromId} and analysis_key < ${reach.toId}`
  const read = views.map(async ([name, view, order]) => {
    const rows = await db.database.query(sql`
      select * from (${view(name === 'steps' ? all : analyses, reach.onlyFailed ?? false)}) v where ${bounds} order by ${order}`)
    return [name, rows]
  })
  return Object.fromEntries(await Promise.all(read))
}

const rowsOfTwoDays = fc.uniqueArray(anyAnalysis(services, start, start + 2 * day), {
  selector: (row) => `${row.serviceId}/${row.analysisId}`,
  maxLength: 12,
})
const reach = fc
  .record({
    serviceIds: fc.subarray([...services], { minLength: 1 }),
    ends: fc.tuple(fc.integer({ min: 0, max: 2 * day }), fc.integer({ min: 0, max: 2 * day })),
    onlyFailed: fc.boolean(),
  })
  .map(({ ends, ...others }): AnalysisRange => {
    const [fromAt, toAt] = [Math.min(...ends), Math.max(...ends)]
    return { ...others, fromId: analysisIdAt(start + fromAt), toId: analysisIdAt(start + toAt) }
  })

async function count(table: 'analyses_hot' | 'packed_days'): Promise<number> {
  const from = table === 'analyses_hot' ? sql`analyses_hot` : sql`packed_days`
  const [row] = await db.database.query<{ count: number }>(sql`select count(*)::int as count from ${from}`)
  return row?.count ?? -1
}

const sums = ['hourly_performance', 'daily_performance', 'hourly_step_performance'] as const

async function rebuiltSums(serviceId: number): Promise<unknown> {
  const days = { firstDay: start / day, lastDay: start / day + 1 }
  await db.database.transaction((transaction) => rebuildRollUps(transaction, serviceId, days))
  const texts = sums.map((table) => {
    const from = { hourly_performance: sql`hourly_performance`, daily_performance: sql`daily_performance` }
    const source = table === 'hourly_step_performance' ? sql`hourly_step_performance` : from[table]
    return db.database.query(sql`select * from ${source} t where service_id = ${serviceId} order by t::text`)
  })
  return Promise.all(texts)
}

describe('packing closed days', () => {
  test('changes no read of any range: not while both are there, nor after the day was dropped, nor with late results', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOfTwoDays, rowsOfTwoDays, reach, async (rows, late, wanted) => {
        await empty()
        await write(rows)
        const before = await readAll(wanted)
        const sumsBefore = await rebuiltSums(1)
        expect((await pack(closedAt)).packedAnalyses).toBe(rows.length)
        expect(await readAll(wanted)).toEqual(before)
        await pack(closedAt + handover)
        expect(await count('analyses_hot')).toBe(0)
        expect(await readAll(wanted)).toEqual(before)
        expect(await rebuiltSums(1)).toEqual(sumsBefore)

        await ensurePartitions(db.database, start + day, 0)
        const keys = new Set(rows.map((row) => `${row.serviceId}/${row.analysisId}`))
        await write(late.filter((row) => !keys.has(`${row.serviceId}/${row.analysisId}`)))
        const withLate = await readAll(wanted)
        await pack(closedAt + 2 * handover)
        expect(await readAll(wanted)).toEqual(withLate)
        await pack(closedAt + 3 * handover)
        expect(await count('analyses_hot')).toBe(0)
        expect(await readAll(wanted)).toEqual(withLate)
      }),
      { numRuns: 12 },
    )
  }, 90_000)

  test('leaves a day alone until a day after its end', async () => {
    await write(await sample(5))
    expect(await pack(start + day + packingDelay - 1)).toEqual({ packedAnalyses: 0, droppedDays: 0 })
    expect(await count('packed_days')).toBe(0)
  })

  test('keeps a day in both places for an hour, and longer when something came late', async () => {
    const [first, ...others] = await sample(6)
    await write(others)
    await pack(closedAt)
    await pack(closedAt + handover - 1)
    expect(await count('analyses_hot')).toBe(others.length)
    await write(first === undefined ? [] : [first])
    expect(await pack(closedAt + handover)).toMatchObject({ packedAnalyses: 1 })
    expect(await count('analyses_hot')).toBeGreaterThan(0)
    await pack(closedAt + 2 * handover)
    expect(await count('analyses_hot')).toBe(0)
  })

  test('of a service that cannot be packed keeps no other from it, says why, and keeps the day', async () => {
    const rows = (await sample(30)).map((row, index) => ({ ...row, serviceId: (index % 3) + 1 }))
    await write(rows)
    await db.database.execute(sql`update analyses_hot set results = results || 'o'::"char" where service_id = 2`)
    for (const nowAt of [closedAt, closedAt + handover, closedAt + 2 * handover])
      await expect(pack(nowAt)).rejects.toThrow('differ in length')
    const packed = await db.database.query(sql`select distinct service_id from packed_days order by service_id`)
    expect(packed).toEqual([{ service_id: 1 }, { service_id: 3 }])
    expect(await count('analyses_hot')).toBe(rows.length)
  })

  test('has no more evidence of some services in memory at once than one may leave', async () => {
    for (const serviceId of services) await writeFailing(serviceId, 4, 2_500_000)
    const read = await evidenceRead()
    expect(Math.max(...read)).toBeGreaterThan(10_000_000)
    expect(Math.max(...read)).toBeLessThan(16_777_216)
    expect(await count('packed_days')).toBe(services.length)
  })

  test('reads of a service with too much evidence a part at a time, and keeps what is left without it', async () => {
    await writeFailing(1, 240, 285_000)
    const read = await evidenceRead()
    expect(read.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(67_108_864)
    expect(Math.max(...read)).toBeLessThan(32_000_000)
    await pack(closedAt + handover)
    expect(await count('analyses_hot')).toBe(0)
    const { checks } = (await readAll({ serviceIds: [1], fromId: 0, toId: analysisIdAt(start + day) })) as {
      checks: { details: unknown }[]
    }
    expect(checks).toHaveLength(240)
    for (const check of checks) expect(check).toMatchObject({ error_message: 'refused' })
  })

  test('takes a late analysis in beside another one, and drops nothing before', async () => {
    const [first, second] = (await sample(40)).filter(
      ({ serviceId, analysisId }) => serviceId === 1 && analysisId < analysisIdAt(start + day),
    )
    if (first === undefined || second === undefined) throw new Error('The sample is too small.')
    await write([first])
    await pack(closedAt)
    await pack(closedAt + handover)
    await ensurePartitions(db.database, start + day, 0)
    await write([second])
    const wanted = { serviceIds: [1], fromId: 0, toId: analysisIdAt(start + day) }
    const both = await readAll(wanted)
    for (let hours = 2; hours < 5; hours++) await pack(closedAt + hours * handover)
    expect(await count('analyses_hot')).toBe(0)
    expect(await readAll(wanted)).toEqual(both)
  })

  test('holds nobody up while it compares, and loses nothing that comes then', async () => {
    const rows = await sample(40)
    const late = rows.filter(({ analysisId }) => analysisId < analysisIdAt(start + day)).slice(0, 3)
    await write(rows.filter((row) => !late.includes(row)))
    await pack(closedAt)
    const arriving = [...late]
    const arrive = () =>
      db.database.transaction(async (transaction) => {
        await transaction.execute(sql`set local lock_timeout = '5s'`)
        await insertAnalyses(transaction, arriving.splice(0, 1))
      })
    await packClosedDays(afterComparing(db.database, arrive), { nowAt: closedAt + handover })
    expect(arriving.length).toBeLessThan(late.length)
    await write(arriving)
    const wanted = { serviceIds: services, fromId: 0, toId: analysisIdAt(start + 2 * day) }
    const all = await readAll(wanted)
    expect(all).toMatchObject({ analyses: { length: rows.length } })
    for (let hours = 2; hours < 5; hours++) await pack(closedAt + hours * handover)
    expect(await count('analyses_hot')).toBe(0)
    expect(await readAll(wanted)).toEqual(all)
  })

  test('goes on where it was interrupted', async () => {
    const rows = await sample(12)
    await write(rows)
    const stop = new AbortController()
    stop.abort()
    await expect(packClosedDays(db.database, { nowAt: closedAt, signal: stop.signal })).rejects.toThrow('abort')
    expect((await pack(closedAt)).packedAnalyses).toBe(rows.length)
    expect((await pack(closedAt)).packedAnalyses).toBe(0)
  })

  test('is done once by three processes that begin together', async () => {
    const rows = await sample(12)
    await write(rows)
    const processes = services.map(() => connect({ url: db.url, maximumConnections: 1 }))
    const packed = await Promise.all(processes.map((one) => packClosedDays(one, { nowAt: closedAt })))
    expect(packed.reduce((sum, { packedAnalyses }) => sum + packedAnalyses, 0)).toBe(rows.length)
    await Promise.all(processes.map((one) => packClosedDays(one, { nowAt: closedAt + handover })))
    await Promise.all(processes.map((one) => one.close()))
    expect(await count('analyses_hot')).toBe(0)
  })

  test('forgets whole days with the retention', async () => {
    await write(await sample(12))
    await pack(closedAt)
    await pack(closedAt + handover)
    await dropPartitionsBefore(db.database, start + day)
    const left = await db.database.query<{ day: number }>(sql`select distinct day from packed_days`)
    expect(left).toEqual([{ day: start / day + 1 }])
    expect((await readAll({ serviceIds: services, fromId: 0, toId: analysisIdAt(start + day) })) as object).toEqual({
      analyses: [],
      checks: [],
      steps: [],
    })
  })
})

/** The database; it is told what each statement was answered. */
function watching(database: Database, seen: (statement: Sql, rows: readonly unknown[]) => unknown): Database {
  const watched = <Inner extends Executor>(executor: Inner): Inner => ({
    ...executor,
    async query<Row>(statement: Sql, name?: string) {
      const rows = await executor.query<Row>(statement, name)
      await seen(statement, rows)
      return rows
    },
  })
  return {
    ...watched(database),
    transaction: (work) => database.transaction((transaction) => work(watched(transaction))),
  }
}

/** The database; something happens whenever it has compared what is packed of a day with what is there. */
function afterComparing(database: Database, happen: () => Promise<void>): Database {
  return watching(database, ({ text }) => (text.includes('is distinct from (hot.analyses') ? happen() : undefined))
}

/** A check every minute that fails with so many characters of headers. */
async function writeFailing(serviceId: number, analyses: number, headers: number): Promise<void> {
  const rows = Array.from({ length: analyses }, (_none, minute): AnalysisRow => {
    const decidedAt = start + minute * 60_000
    return {
      ...{ serviceId, analysisId: analysisIdAt(decidedAt), verdict: 'failure', errorTolerance: 51 },
      ...{ sensorIds: [1], results: ['e'], timeOffsets: [0], responseTimes: [-1], dataSizes: [-1] },
      ...{ phases: [-1, -1, -1, -1, -1, -1], failures: { '1': { error_type_id: 21, error_message: 'refused' } } },
    }
  })
  await write(rows)
  await db.database.execute(sql`
    update analyses_hot set failures = jsonb_set(failures, '{1,response_headers}', to_jsonb(repeat('x', ${headers}::int)))
    where service_id = ${serviceId}`)
}

/** Characters of evidence that each answer of the database held. */
async function evidenceRead(): Promise<readonly number[]> {
  const read: number[] = []
  const watched = watching(db.database, (_statement, rows) => {
    const texts = (rows as { failures?: unknown }[]).flatMap(({ failures }) =>
      typeof failures === 'string' ? [failures.length] : [],
    )
    read.push(texts.reduce((sum, length) => sum + length, 0))
  })
  await packClosedDays(watched, { nowAt: closedAt })
  return read
}

/** Analyses of the two days, each with an id of its own. */
async function sample(size: number): Promise<AnalysisRow[]> {
  const arbitrary = fc.uniqueArray(anyAnalysis(services, start, start + 2 * day), {
    selector: (row) => `${row.serviceId}/${row.analysisId}`,
    minLength: size,
    maxLength: size,
  })
  return fc.sample(arbitrary, { numRuns: 1, seed: size })[0] ?? []
}
