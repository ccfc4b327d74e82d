import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { analysisIdAt } from '../../src/domain/analysis-id.ts'
import type { AnalysisRow } from '../../src/history/analyses.ts'
import type { HistoryOnMachines } from '../../src/history/on-machines.ts'
import { note, notedAt } from '../../src/history/packed/notes.ts'
import { type StandingMachines, standingMachines } from '../support/standing-machines.ts'

const noon = Date.UTC(2030, 0, 1, 12)
const day = Date.UTC(2030, 0, 1)
/** Services of both shards. */
const serviceIds = [1, 2, 3, 4, 5, 6, 7, 8]
let world: StandingMachines
beforeAll(async () => {
  world = await standingMachines(noon)
})
afterAll(() => world.drop())
beforeEach(async () => {
  world.lost.clear()
  world.silent.clear()
  world.told.length = 0
  for (const database of world.machines.values())
    await database.execute(sql`truncate analyses_hot, hourly_performance, daily_performance`)
})

function round(sequence: number): AnalysisRow[] {
  return serviceIds.map((serviceId) => ({
    ...{ serviceId, analysisId: analysisIdAt(noon + sequence * 1000), verdict: 'ok', errorTolerance: 51 },
    ...{
      sensorIds: [1],
      results: ['o'],
      timeOffsets: [0],
      responseTimes: [80],
      dataSizes: [1],
      phases: [],
      failures: null,
    },
  }))
}

function write(history: HistoryOnMachines, rows: readonly AnalysisRow[]): Promise<readonly AnalysisRow[]> {
  return world.coordinator.transaction((transaction) => history.write(transaction, rows))
}

async function stored(port: number): Promise<number[]> {
  const rows = await world.machines.get(port)?.query<{ id: number }>(sql`
    select service_id as id from analyses_hot order by service_id, analysis_id`)
  return rows?.map(({ id }) => id) ?? []
}

/** Checks in the sums of all machines. */
async function summed(): Promise<number> {
  let sum = 0
  for (const database of world.machines.values()) {
    const [row] = await database.query<{ checks: number }>(sql`
      select coalesce(sum(ok_checks), 0)::int as checks from hourly_performance`)
    sum += row?.checks ?? 0
  }
  return sum
}

async function shardsBySign(): Promise<readonly [number[], number[]]> {
  const rows = await world.coordinator.query<{ id: number; hash: number }>(sql`
    select id, hashint4(id) as hash from unnest(${serviceIds}::int[]) id`)
  const ids = (isNegative: boolean) => rows.filter(({ hash }) => hash < 0 === isNegative).map(({ id }) => id)
  return [ids(true), ids(false)]
}

test('each analysis lies on the machine of its shard, with its sums', async () => {
  const [first, second] = await shardsBySign()
  expect(Math.min(first.length, second.length)).toBeGreaterThan(0)
  expect(await write(world.history(), round(0))).toHaveLength(8)
  expect([await stored(1), await stored(2)]).toEqual([first, second])
  expect(await summed()).toBe(8)
})

test('analyses that are sent again are written and counted once', async () => {
  const history = world.history()
  await write(history, round(0))
  await write(history, round(0))
  expect((await stored(1)).length + (await stored(2)).length).toBe(8)
  expect(await summed()).toBe(8)
})

test('a packed day loses its record on the coordinator', async () => {
  await note(world.coordinator, day, noon)
  await write(world.history(), round(0))
  expect(await notedAt(world.coordinator, day)).toBeUndefined()
})

test('analyses of a lost machine wait; those of the others do not, and the rounds are recorded', async () => {
  const [first, second] = await shardsBySign()
  const history = world.history()
  world.lost.add(1)
  expect(await write(history, round(0))).toHaveLength(8)
  expect([await stored(1), await stored(2)]).toEqual([[], second])
  expect(history.waiting).toBe(first.length)
  world.lost.clear()
  await write(history, round(1))
  expect(await stored(1)).toEqual([])
  world.at += 5000
  await write(history, round(2))
  expect(await stored(1)).toEqual(first.flatMap((id) => [id, id, id]))
  expect(await stored(2)).toEqual(second.flatMap((id) => [id, id, id]))
  expect(history.waiting).toBe(0)
  expect(await summed()).toBe(24)
  expect(world.told).toEqual([
    'A machine of the history is lost; its analyses wait',
    'The machine of the history is back',
  ])
})

test('rounds wait for a silent machine once, and for an answer of it from time to time', async () => {
  const [first] = await shardsBySign()
  const history = world.history({ patience: { write: 3000, ask: 100 } })
  world.silent.add(1)
  // Each would never end if it waited for the machine.
  for (const sequence of [0, 1]) expect(await write(history, round(sequence))).toHaveLength(8)
  world.at += 5000
  await write(history, round(2))
  expect(await stored(1)).toEqual([])
  expect(history.waiting).toBeGreaterThanOrEqual(3 * first.length)
  world.silent.clear()
  // A busy machine may answer too late once.
  await expect
    .poll(async () => {
      world.at += 5000
      await write(history, round(3))
      return history.waiting
    })
    .toBe(0)
  expect(await stored(1)).toEqual(first.flatMap((id) => [id, id, id, id]))
  expect(await summed()).toBe(4 * serviceIds.length)
  expect(world.told.at(-1)).toBe('The machine of the history is back')
})

test('what waits has a limit: the oldest are lost, and the log says so', async () => {
  const [first] = await shardsBySign()
  const history = world.history({ mostLate: first.length })
  world.lost.add(1)
  await write(history, round(0))
  await write(history, round(1))
  expect(history.waiting).toBe(first.length)
  expect(world.told.at(-1)).toBe('Too many analyses wait for a lost machine; the oldest are lost')
  world.lost.clear()
  world.at += 5000
  await write(history, [])
  await write(history, round(2))
  const ids = await world.machines.get(1)?.query<{ id: number }>(sql`
    select distinct analysis_id as id from analyses_hot order by 1`)
  expect(ids?.map(({ id }) => id)).toEqual([1, 2].map((sequence) => analysisIdAt(noon + sequence * 1000)))
})

test('a fault that is not the loss of a machine fails the recording', async () => {
  const history = world.history()
  const wrong = round(0).map((row) => ({ ...row, verdict: null as unknown as 'ok' }))
  await expect(write(history, wrong)).rejects.toThrow('null value in column "verdict"')
  expect(history.waiting).toBe(0)
})
