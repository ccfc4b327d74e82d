import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dropPartitionsBefore, ensurePartitions } from '../../src/database/partitions.ts'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { problemsOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

const hour = 3_600_000
const day = 24 * hour
const daysAgo = 40

let world: ApiWorld
let serviceId: number
let createdAt: number

async function makeDays(): Promise<void> {
  for (let at = createdAt; at <= world.clock.now(); at += 3 * day) await ensurePartitions(world.database, at, 3)
}

beforeAll(async () => {
  world = await apiWorld()
  createdAt = world.clock.now() - daysAgo * day
  await makeDays()
})
afterAll(() => world.drop())

beforeEach(async () => {
  const body = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: world.people.sharedGroupId }
  serviceId = idOf(await world.call('alice', 'POST', '/services', body))
  await world.database.execute(sql`update services set created_at = ${new Date(createdAt)} where id = ${serviceId}`)
})

type Check = readonly [result: 'o' | 'e' | 'u', responseTime: number]

function analysis(at: number, checks: readonly Check[]): AnalysisRow {
  const failed = checks.flatMap(([result], index) => (result === 'o' ? [] : [index + 1]))
  const failure = { error_type_id: 4001, error_message: 'HTTP status 503' }
  return {
    ...{ serviceId, analysisId: at * 100, verdict: failed.length > 1 ? 'failure' : 'ok', errorTolerance: 51 },
    sensorIds: checks.map((_, index) => index + 1),
    results: checks.map(([result]) => result),
    timeOffsets: checks.map(() => -100),
    responseTimes: checks.map(([, responseTime]) => responseTime),
    dataSizes: checks.map(() => -1),
    phases: checks.flatMap(() => [-1, -1, -1, -1, -1, -1]),
    failures: failed.length === 0 ? null : Object.fromEntries(failed.map((sensorId) => [sensorId, failure])),
  }
}

async function record(rows: readonly AnalysisRow[]): Promise<void> {
  await world.database.transaction(async (transaction) => {
    await addToRollUps(transaction, await insertAnalyses(transaction, rows))
  })
}

interface Point {
  readonly start_time: string
  readonly end_time: string
  readonly average: number | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly checks: number
  readonly errors: number
}

interface Level {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

type Part = Level & { readonly start_time: string; readonly end_time: string }

function written(fromAt: number, toAt: number): string {
  return `from=${formatMoment(fromAt)}&to=${formatMoment(toAt)}`
}

async function read<Body>(path: string): Promise<Body> {
  const reply = await world.call('alice', 'GET', `/services/${serviceId}${path}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body as Body
}

describe('the performance chart', () => {
  test('shows each minute of an hour, errors without response times, and nothing where nothing answered', async () => {
    const from = Math.floor(world.clock.now() / hour) * hour - 2 * hour
    await record([
      analysis(from + 500, [
        ['o', 100],
        ['o', 201],
        ['e', 9000],
      ]),
      analysis(from + 120_000, [['e', -1]]),
      analysis(from + 180_000, [['u', -1]]),
      analysis(from + 240_000, [['o', -1]]),
    ])
    await world.call('alice', 'PUT', `/services/${serviceId}`, { interval: 60 })
    const minute = (number: number) => ({
      start_time: formatMoment(from + number * 60_000),
      end_time: formatMoment(from + (number + 1) * 60_000),
    })
    const none = { average: null, minimum: null, maximum: null }
    expect(await read(`/charts/performance?${written(from, from + hour)}`)).toEqual([
      { ...minute(0), average: 150.5, minimum: 100, maximum: 201, checks: 3, errors: 1 },
      { ...minute(2), ...none, checks: 1, errors: 1 },
      { ...minute(4), ...none, checks: 1, errors: 0 },
    ])
  })

  test('agrees with the checks of the range, at any length and offset', async () => {
    const start = createdAt + 1000
    const rows = Array.from({ length: 400 }, (_, index) =>
      analysis(start + index * 8_571_000, [
        [index % 7 === 0 ? 'e' : 'o', 50 + (index % 90)],
        [index % 11 === 0 ? 'u' : 'o', 80],
      ]),
    )
    await record(rows)
    const second = fc.integer({ min: 0, max: daysAgo * 86_400 })
    await fc.assert(
      fc.asyncProperty(second, second, async (one, other) => {
        const [fromAt, toAt] = [createdAt + Math.min(one, other) * 1000, createdAt + Math.max(one, other) * 1000]
        const points = await read<Point[]>(`/charts/performance?${written(fromAt, toAt)}`)
        const within = rows.filter(({ analysisId }) => analysisId >= fromAt * 100 && analysisId < toAt * 100)
        const results = within.flatMap((row) => row.results)
        const sum = (pick: (point: Point) => number) => points.reduce((total, point) => total + pick(point), 0)
        expect(sum((point) => point.checks)).toBe(results.filter((result) => result !== 'u').length)
        expect(sum((point) => point.errors)).toBe(results.filter((result) => result === 'e').length)
        expect(points.length).toBeLessThanOrEqual(500)
        const moments = points.flatMap((point) => [Date.parse(point.start_time), Date.parse(point.end_time)])
        expect(moments).toEqual(moments.toSorted((a, b) => a - b))
        for (const moment of moments) {
          expect(moment >= Math.floor(fromAt / 1000) * 1000 && moment <= Math.ceil(toAt / 1000) * 1000).toBe(true)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('shows the last 24 hours by default, never before the service or after now', async () => {
    await record([analysis(world.clock.now() - 25 * hour, [['o', 1]]), analysis(world.clock.now() - hour, [['o', 2]])])
    expect(await read<Point[]>('/charts/performance')).toMatchObject([{ checks: 1, average: 2 }])
    expect(await read<Point[]>('/charts/performance?from=0&to=9999999999')).toMatchObject([
      { checks: 1 },
      { checks: 1 },
    ])
  })
})

describe('where analyses are kept for a shorter time than their sums', () => {
  let keptFrom: number
  let from: number

  beforeEach(async () => {
    keptFrom = Math.floor(createdAt / day) * day + 4 * day
    from = keptFrom - 3 * hour
    const hours = Array.from({ length: 6 }, (_, index) => from + index * hour)
    await record(hours.flatMap((at, index) => [20, 40].map((m) => analysis(at + m * 60_000, [['o', 100 + index]]))))
    await dropPartitionsBefore(world.database, keptFrom)
  })
  afterEach(() => makeDays())

  const checksIn = async (fromAt: number, toAt: number) => {
    const points = await read<Point[]>(`/charts/performance?${written(fromAt, toAt)}`)
    return points.map(({ start_time, average, checks }) => [(Date.parse(start_time) - from) / hour, average, checks])
  }

  test('a range without any analyses shows its hours', async () => {
    expect(await checksIn(from - hour, from + 2 * hour)).toEqual([
      [0, 100, 2],
      [1, 101, 2],
    ])
  })

  test('a range that keeps some of its analyses hides nothing of the rest', async () => {
    expect(await checksIn(from, from + 6 * hour)).toEqual([0, 1, 2, 3, 4, 5].map((at) => [at, 100 + at, 2]))
  })

  test('an hour that the range cuts is shown whole where its analyses are gone, and cut where they are kept', async () => {
    expect(await checksIn(from + 0.5 * hour, from + 1.5 * hour)).toEqual([
      [0, 100, 2],
      [1, 101, 2],
    ])
    expect(await checksIn(from + 1.5 * hour, from + 4.5 * hour)).toEqual([
      [1, 101, 2],
      [2, 102, 2],
      [3, 103, 2],
      [4, 104, 1],
    ])
  })
})

describe('the availability chart', () => {
  async function change(status: string, startAt: number, endAt: number | null): Promise<void> {
    const end = endAt === null ? null : new Date(endAt)
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time, end_time)
      values (${serviceId}, ${startAt * 100}, ${status}, ${new Date(startAt)}, ${end})`)
  }

  beforeEach(async () => {
    const [failureAt, okAt, pauseAt] = [createdAt + 10 * day + 300, createdAt + 10 * day + hour, createdAt + 30 * day]
    await change('ok', createdAt + 60_000, failureAt)
    await change('failure', failureAt, okAt)
    await change('ok', okAt, pauseAt)
    await change('paused', pauseAt, null)
    const correction = { service_id: serviceId, status: 'failure' }
    const times = { start_time: formatMoment(pauseAt - 5 * hour), end_time: formatMoment(pauseAt + 1000) }
    await world.call('alice', 'POST', '/corrections', { ...correction, ...times })
  })

  test('adds up to the service level of the same range, in steps that touch, never more than asked for', async () => {
    const second = fc.integer({ min: -86_400, max: (daysAgo + 2) * 86_400 })
    const limit = fc.constantFrom(1, 2, 7, 40, 500)
    await fc.assert(
      fc.asyncProperty(second, second, limit, async (one, other, most) => {
        const range = written(createdAt + Math.min(one, other) * 1000, createdAt + Math.max(one, other) * 1000)
        const parts = await read<Part[]>(`/charts/availability?${range}&limit=${most}`)
        const level = await read<Level>(`/history/service_level?${range}`)
        const sum = (pick: (part: Part) => number) => parts.reduce((total, part) => total + pick(part), 0)
        expect({
          ok: sum((part) => part.ok),
          failure: sum((part) => part.failure),
          paused: sum((part) => part.paused),
        }).toEqual(level)
        expect(parts.length).toBeLessThanOrEqual(most)
        for (const [index, part] of parts.entries()) {
          const { ok, failure, paused, start_time, end_time } = part
          expect(ok + failure + paused).toBe((Date.parse(end_time) - Date.parse(start_time)) / 1000)
          if (index > 0) expect(start_time).toBe(parts[index - 1]?.end_time)
        }
      }),
      { numRuns: 60 },
    )
  })

  test("has the last 30 days in days of the owner's time zone by default, whoever looks", async () => {
    const parts = await read<Part[]>('/charts/availability')
    expect(parts).toHaveLength(31)
    const midnights = parts
      .slice(1)
      .map(({ start_time }) => new Date(start_time).toLocaleTimeString('en-GB', { timeZone: 'Europe/Warsaw' }))
    expect(new Set(midnights)).toEqual(new Set(['00:00:00']))
    const carols = await world.call('carol', 'GET', `/services/${serviceId}/charts/availability`)
    expect(carols.body).toEqual(parts)
  })

  test('shows hours where they are few enough', async () => {
    expect(await read<Part[]>('/charts/availability?from=-84600&limit=24')).toHaveLength(24)
    expect((await read<Part[]>('/charts/availability?from=-84600&limit=23')).length).toBeLessThanOrEqual(2)
  })

  test('is empty where the service did not live', async () => {
    expect(await read('/charts/availability?from=0&to=1000')).toEqual([])
    expect(await read('/charts/performance?from=0&to=1000')).toEqual([])
  })
})

describe('charts', () => {
  const paths = ['charts/performance', 'charts/availability']

  test.each(paths)('%s refuses everything that is wrong with the query at once', async (path) => {
    const reply = await world.call('alice', 'GET', `/services/${serviceId}/${path}?from=yesterday&to=today&step=5`)
    expect(reply.status).toBe(422)
    const fields = problemsOf(reply).map(({ field }) => field)
    expect(fields).toEqual(['query.to', 'query.from', 'query.step'])
    const backwards = await world.call('alice', 'GET', `/services/${serviceId}/${path}?from=-10&to=-20`)
    expect(backwards.body).toMatchObject([{ field: 'query.from', error: 'incorrect_value' }])
  })

  test.each([
    ['0', 'incorrect_value'],
    ['501', 'incorrect_value'],
    ['-1', 'incorrect_value'],
    ['many', 'incorrect_type'],
  ])('of availability take no limit of %s', async (limit, error) => {
    const reply = await world.call('alice', 'GET', `/services/${serviceId}/charts/availability?limit=${limit}`)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject([{ field: 'query.limit', error }])
  })

  test.each(paths)('%s of a service that one may not read is not found', async (path) => {
    expect((await world.call('charlie', 'GET', `/services/${serviceId}/${path}`)).status).toBe(404)
    expect((await world.call(null, 'GET', `/services/${serviceId}/${path}`)).status).toBe(401)
  })
})

describe('statistics of a status change', () => {
  test('count every check of each sensor over many days, and none of its neighbours', async () => {
    const [startAt, endAt] = [createdAt + 5 * day + 12_345, createdAt + 33 * day + 54_321]
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, first_analysis_id, start_time, end_time)
      values (${serviceId}, ${startAt * 100}, 'ok', ${startAt * 100}, ${new Date(startAt)}, ${new Date(endAt)})`)
    const checks: Check[] = [
      ['o', 10],
      ['e', -1],
      ['u', -1],
    ]
    const moments = Array.from({ length: 28 * 24 }, (_, index) => startAt + index * hour)
    await record([startAt - 1, endAt, ...moments].map((at) => analysis(at, checks)))
    const none = { ok: 0, error: 0, unknown: 0 }
    expect(await read(`/history/status_changes/${startAt * 100}/stats`)).toEqual([
      { sensor_id: 1, ...none, ok: moments.length },
      { sensor_id: 2, ...none, error: moments.length },
      { sensor_id: 3, ...none, unknown: moments.length },
    ])
  })
})
