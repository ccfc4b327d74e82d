import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { dayLength } from '../../src/domain/calendars/durations.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import { type AnalysisRow, insertUnmarked } from '../../src/history/analyses.ts'
import type { HistoryOnMachines } from '../../src/history/on-machines.ts'
import { note, notedAt } from '../../src/history/packed/notes.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import { hasUnsent } from '../../src/history/unsent.ts'
import type { WrittenHistory } from '../../src/history/writer.ts'
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
  await world.keepServices(serviceIds)
  await world.coordinator.execute(sql`truncate unsent_analyses`)
  for (const database of everywhere())
    await database.execute(sql`truncate analyses_hot, hourly_performance, daily_performance`)
})

/** Analyses that go through the coordinator stay there. */
function everywhere(): Database[] {
  return [world.coordinator, ...world.machines.values()]
}

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

/** Returns what is to be sent. */
function judge(history: HistoryOnMachines, rows: readonly AnalysisRow[]): Promise<WrittenHistory> {
  return world.coordinator.transaction((transaction) => history.write(transaction, rows))
}

async function write(history: HistoryOnMachines, rows: readonly AnalysisRow[]): Promise<readonly AnalysisRow[]> {
  const { fresh, committed } = await judge(history, rows)
  await committed?.()
  return fresh
}

/** How many analyses are kept to be sent. */
async function unsent(): Promise<number> {
  const [row] = await world.coordinator.query<{ count: number }>(sql`
    select coalesce(sum(analyses_count), 0)::int as count from unsent_analyses`)
  return row?.count ?? 0
}

/** The process that kept them did not send them in its time. */
async function age(): Promise<void> {
  await world.coordinator.execute(sql`update unsent_analyses set written_at = written_at - interval '1 minute'`)
}

async function catchUp(history: HistoryOnMachines): Promise<void> {
  while (await history.catchUp());
}

async function stored(port: number): Promise<number[]> {
  const rows = await world.machines.get(port)?.query<{ id: number }>(sql`
    select service_id as id from analyses_hot order by service_id, analysis_id`)
  return rows?.map(({ id }) => id) ?? []
}

/** Of all services, how many analyses are in the history. */
async function storedAnywhere(): Promise<number> {
  const found = new Set<string>()
  for (const database of everywhere())
    for (const { key } of await database.query<{ key: string }>(sql`
      select service_id || ' ' || analysis_id as key from analyses_hot`))
      found.add(key)
  return found.size
}

/** Checks in the sums of all machines. */
async function summed(): Promise<number> {
  let sum = 0
  for (const database of everywhere()) {
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

test('what arrived is forgotten with the next transaction, or soon', async () => {
  const history = world.history()
  await write(history, round(0))
  expect(await unsent()).toBe(8)
  await write(history, round(1))
  expect(await unsent()).toBe(8)
  await catchUp(history)
  expect(await unsent()).toBe(0)
})

test('analyses that are sent again are written and counted once', async () => {
  const history = world.history()
  await write(history, round(0))
  await write(history, round(0))
  expect((await stored(1)).length + (await stored(2)).length).toBe(8)
  expect(await summed()).toBe(8)
})

test('a packed day loses its record on the coordinator, and is not packed before its analyses arrived', async () => {
  await note(world.coordinator, day, noon)
  const history = world.history()
  await write(history, round(0))
  expect(await notedAt(world.coordinator, day)).toBeUndefined()
  expect(await hasUnsent(world.coordinator, day)).toBe(true)
  expect(await hasUnsent(world.coordinator, day - dayLength)).toBe(false)
  await catchUp(history)
  expect(await hasUnsent(world.coordinator, day)).toBe(false)
})

describe('a process that ends', () => {
  test('before the verdicts are committed leaves no analysis behind', async () => {
    const ended = world.coordinator.transaction(async (transaction) => {
      await world.history().write(transaction, round(0))
      throw new Error('killed')
    })
    await expect(ended).rejects.toThrow('killed')
    expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([0, 0, 0])
  })

  test('after that leaves all of them to another one', async () => {
    await judge(world.history(), round(0))
    const other = world.history()
    await catchUp(other)
    expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([0, 0, 8])
    await age()
    await catchUp(other)
    expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([8, 8, 0])
  })

  test('after they arrived does no harm, whoever sends them again', async () => {
    await judge(world.history(), round(0))
    await world.coordinator.transaction(async (transaction) => {
      await addToRollUps(transaction, await insertUnmarked(transaction, round(0)))
    })
    await age()
    await Promise.all([catchUp(world.history()), catchUp(world.history())])
    expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([8, 8, 0])
  })
})

test('analyses of a lost machine wait; those of the others do not, and the rounds are recorded', async () => {
  const [first, second] = await shardsBySign()
  const history = world.history()
  world.lost.add(1)
  expect(await write(history, round(0))).toHaveLength(8)
  expect(await write(history, round(1))).toHaveLength(8)
  expect([await stored(1), await stored(2)]).toEqual([[], second.flatMap((id) => [id, id])])
  await age()
  await catchUp(history)
  expect(await unsent()).toBe(2 * first.length)
  expect(await storedAnywhere()).toBe(2 * second.length)
  world.lost.clear()
  await catchUp(history)
  expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([16, 16, 0])
  await write(history, round(2))
  expect(await stored(1)).toEqual(first)
  expect(world.told).toEqual([
    'A machine of the history is lost; analyses wait on the coordinator',
    'The machine of the history is back',
  ])
})

test('what an ended process left for a lost machine waits for it, and the coordinator is not asked', async () => {
  const [first] = await shardsBySign()
  await judge(world.history(), round(0))
  await age()
  world.lost.add(1)
  const other = world.history()
  await catchUp(other)
  expect(await unsent()).toBe(first.length)
  world.lost.clear()
  await catchUp(other)
  expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([8, 8, 0])
})

test('rounds wait for a silent machine once', async () => {
  const history = world.history({ patience: { write: 3000, ask: 100 } })
  world.silent.add(1)
  // Each would never end if it waited for the machine.
  for (const sequence of [0, 1]) expect(await write(history, round(sequence))).toHaveLength(8)
  await catchUp(history)
  expect(await stored(1)).toEqual([])
  world.silent.clear()
  // A busy machine may answer too late once.
  await expect
    .poll(async () => {
      await catchUp(history)
      await age()
      return unsent()
    })
    .toBe(0)
  expect([await storedAnywhere(), await summed()]).toEqual([16, 16])
  expect(world.told.at(-1)).toBe('The machine of the history is back')
})

test('a machine that answers, but does not end a write, is slow and not lost: rounds do not wait for it', async () => {
  const [first] = await shardsBySign()
  const history = world.history({ patience: { write: 200, ask: 60_000 } })
  await world.machines.get(1)?.transaction(async (transaction) => {
    await transaction.execute(sql`lock table analyses_hot in exclusive mode`)
    for (const sequence of [0, 1]) expect(await write(history, round(sequence))).toHaveLength(8)
    expect(world.told).toContain('A machine of the history is slow; analyses wait on the coordinator')
  })
  await expect.poll(() => stored(1)).toEqual(first)
  await age()
  await catchUp(history)
  expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([16, 16, 0])
  expect(world.told.filter((line) => line.includes('lost'))).toEqual([])
})

test('what waits has a limit: the oldest are lost, and the log says so', async () => {
  const [first] = await shardsBySign()
  const history = world.history({ mostUnsent: first.length })
  world.lost.add(1)
  await write(history, round(0))
  await write(history, round(1))
  await age()
  await catchUp(history)
  expect(await unsent()).toBe(first.length)
  expect(world.told.at(-1)).toBe('Too many analyses wait for a lost machine; the oldest are lost')
  world.lost.clear()
  await catchUp(history)
  const ids = await world.coordinator.query<{ id: number }>(sql`
    select distinct analysis_id as id from analyses_hot order by 1`)
  expect(ids.map(({ id }) => id)).toEqual([analysisIdAt(noon + 1000)])
})

test('an analysis that cannot be stored is told, and holds up no other one', async () => {
  const history = world.history()
  const [wrong, ...others] = round(0)
  await write(history, [{ ...(wrong as AnalysisRow), verdict: null as unknown as 'ok' }, ...others])
  await age()
  await catchUp(history)
  expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([7, 7, 0])
  expect(world.told.at(-1)).toBe('An analysis could not be stored')
})

test('the history of a removed service is not written any more', async () => {
  await judge(world.history(), round(0))
  await world.keepServices(serviceIds.slice(2))
  await age()
  await catchUp(world.history())
  expect([await storedAnywhere(), await summed(), await unsent()]).toEqual([6, 6, 0])
})
