import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { packClosedDays, packingDelay } from '../../src/history/packed/pack-days.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

const hour = 3_600_000
const day = 24 * hour

let world: ApiWorld
let now: number

beforeAll(async () => {
  world = await apiWorld()
  now = world.clock.now()
  for (let at = now - 6 * day; at <= now; at += day) await ensurePartitions(world.database, at, 2)
})
afterAll(() => world.drop())

async function newService(): Promise<number> {
  const body = {
    type_id: 'http',
    address: 'shop.example',
    name: 'Shop',
    group_id: world.people.sharedGroupId,
    interval: 60,
  }
  const id = idOf(await world.call('alice', 'POST', '/services', body))
  await world.database.execute(sql`update services set created_at = ${new Date(now - 60 * day)} where id = ${id}`)
  return id
}

interface Check {
  readonly sensorId: number
  readonly result: 'o' | 'e' | 'u'
  /** Milliseconds. */
  readonly time: number
  /** Microseconds. */
  readonly phases: readonly number[]
}

const unmeasured = [-1, -1, -1, -1, -1, -1]

function analysis(serviceId: number, at: number, checks: readonly Check[]): AnalysisRow {
  const failed = checks.filter(({ result }) => result !== 'o')
  const failure = { error_type_id: 4001, error_message: 'HTTP status 503' }
  return {
    ...{ serviceId, analysisId: at * 100, verdict: 'ok', errorTolerance: 51 },
    sensorIds: checks.map(({ sensorId }) => sensorId),
    results: checks.map(({ result }) => result),
    timeOffsets: checks.map(() => -100),
    responseTimes: checks.map(({ time }) => time),
    dataSizes: checks.map(() => -1),
    phases: checks.flatMap(({ phases }) => phases),
    failures: failed.length === 0 ? null : Object.fromEntries(failed.map(({ sensorId }) => [sensorId, failure])),
  }
}

const write = (rows: readonly AnalysisRow[]) =>
  world.database.transaction((transaction) => insertAnalyses(transaction, rows))

interface Point {
  readonly start_time: string
  readonly end_time: string
  readonly checks: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly phases: Readonly<Record<string, number | null>>
}

const pathOf = (id: number, query: string) => `/services/${id}/charts/performance/phases?${query}`
const between = (fromAt: number, toAt: number) => `from=${formatMoment(fromAt)}&to=${formatMoment(toAt)}`

async function read(id: number, query: string, person: Person = 'alice'): Promise<readonly Point[]> {
  const reply = await world.call(person, 'GET', pathOf(id, query))
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.body as Point[]
}

const ok = (sensorId: number, time: number, phases: readonly number[] = unmeasured): Check => ({
  ...{ sensorId, result: 'o', time, phases },
})

describe('percentiles and phases', () => {
  test('are those of the ok checks of each step, and of one sensor where it is named', async () => {
    const id = await newService()
    const from = Math.floor(now / hour) * hour - 2 * hour
    const error: Check = { sensorId: 2, result: 'e', time: 9000, phases: [1, 1, 1, 1, 1, 1] }
    await write([
      analysis(id, from + 500, [
        ok(1, 100, [1000, 2000, -1, 300, 90_000, 6700]),
        ok(2, 300, [3000, 4000, -1, 100, 290_000, 2900]),
      ]),
      analysis(id, from + 30_000, [ok(1, 200, [2000, 3000, -1, 200, 190_000, 4850]), error]),
      analysis(id, from + 60_000, [error, { sensorId: 3, result: 'u', time: -1, phases: unmeasured }]),
      analysis(id, from + 120_000, [ok(1, -1), ok(2, 50)]),
    ])
    const minute = (number: number) => ({
      start_time: formatMoment(from + number * 60_000),
      end_time: formatMoment(from + (number + 1) * 60_000),
    })
    const none = { dns: null, connect: null, tls: null, sent: null, first_byte: null, transfer: null }
    const phases = { dns: 2, connect: 3, tls: null, sent: 0.2, first_byte: 190, transfer: 4.8 }
    const last = { ...minute(2), checks: 1, p50: 50, p90: 50, p99: 50, phases: none }
    expect(await read(id, between(from, from + hour))).toEqual([
      { ...minute(0), checks: 3, p50: 200, p90: 300, p99: 300, phases },
      last,
    ])
    const own = { dns: 3, connect: 4, tls: null, sent: 0.1, first_byte: 290, transfer: 2.9 }
    expect(await read(id, `${between(from, from + hour)}&sensor_id=2`)).toEqual([
      { ...minute(0), checks: 1, p50: 300, p90: 300, p99: 300, phases: own },
      last,
    ])
    expect(await read(id, `${between(from, from + hour)}&sensor_id=99`)).toEqual([])
    // A day has points of three minutes.
    expect((await read(id, '')).map(({ checks }) => checks)).toEqual([4])
    // The end is exclusive.
    expect(await read(id, between(from, from + 120_000))).toHaveLength(1)
  })

  test('agree with the checks one by one over any range, before and after their days are packed', async () => {
    const id = await newService()
    const start = Math.floor(now / day) * day - 3 * day
    const part = fc.integer({ min: -1, max: 500_000 })
    const anyCheck = fc.record({
      sensorId: fc.constant(0),
      result: fc.constantFrom<'o' | 'e' | 'u'>('o', 'o', 'o', 'e', 'u'),
      time: fc.integer({ min: -1, max: 2000 }),
      phases: fc.array(part, { minLength: 6, maxLength: 6 }),
    })
    const [lists] = fc.sample(
      fc.array(fc.array(anyCheck, { minLength: 1, maxLength: 3 }), { minLength: 300, maxLength: 300 }),
      {
        numRuns: 1,
        seed: 7,
      },
    )
    const rounds = (lists ?? []).map((checks, index) => ({
      at: start + index * 613_000,
      checks: checks.map((check, place) => ({ ...check, sensorId: place + 1 })),
    }))
    await write(rounds.map(({ at, checks }) => analysis(id, at, checks)))

    function expected(fromAt: number, toAt: number, sensorId: number | null) {
      const within = rounds.filter(({ at }) => at >= fromAt && at < toAt).flatMap(({ checks }) => checks)
      return within.filter(
        (check) => check.result === 'o' && check.time >= 0 && (sensorId === null || check.sensorId === sensorId),
      )
    }
    const names = ['dns', 'connect', 'tls', 'sent', 'first_byte', 'transfer']
    function pointOf(checks: readonly Check[]) {
      const times = checks.map(({ time }) => time).toSorted((one, other) => one - other)
      const rank = (share: number) => times[Math.ceil(times.length * share) - 1]
      const averages = names.map((name, place) => {
        const reached = checks.map(({ phases }) => phases[place] ?? -1).filter((time) => time >= 0)
        const sum = reached.reduce((total, time) => total + time, 0)
        return [name, reached.length === 0 ? null : Math.round(sum / reached.length / 100) / 10]
      })
      return {
        checks: checks.length,
        p50: rank(0.5),
        p90: rank(0.9),
        p99: rank(0.99),
        phases: Object.fromEntries(averages),
      }
    }
    const second = fc.integer({ min: 0, max: (3 * day) / 1000 })
    const sensor = fc.constantFrom(null, 1, 2, 3)
    let points = 0
    const agree = () =>
      fc.assert(
        fc.asyncProperty(second, second, sensor, async (one, other, sensorId) => {
          const [fromAt, toAt] = [start + Math.min(one, other) * 1000, start + Math.max(one, other) * 1000]
          const query = `${between(fromAt, toAt)}${sensorId === null ? '' : `&sensor_id=${sensorId}`}`
          const shown = await read(id, query)
          for (const { start_time: from, end_time: to, ...point } of shown) {
            expect(point).toEqual(pointOf(expected(Date.parse(from), Date.parse(to), sensorId)))
            points += 1
          }
          const counted = shown.reduce((total, { checks }) => total + checks, 0)
          expect([shown.length <= 500, counted]).toEqual([true, expected(fromAt, toAt, sensorId).length])
        }),
        { numRuns: 25 },
      )
    await agree()
    await packClosedDays(world.database, { nowAt: now + packingDelay })
    const [{ packed } = { packed: 0 }] = await world.database.query<{ packed: number }>(
      sql`select count(*)::int as packed from packed_days where service_id = ${id}`,
    )
    expect(packed).toBeGreaterThan(1)
    await agree()
    expect(points).toBeGreaterThan(100)
  })
})

test('whoever may read the service reads them', async () => {
  const id = await newService()
  for (const person of ['alice', 'adam', 'rita', 'bob', 'carol'] as const)
    expect(await read(id, '', person)).toEqual([])
  expect((await world.call('charlie', 'GET', pathOf(id, ''))).status).toBe(404)
})

test.each([
  ['sensor_id=one', ['incorrect_type query.sensor_id']],
  ['sensor_id=-1', ['incorrect_type query.sensor_id']],
  ['from=yesterday', ['incorrect_value query.from']],
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', ['incorrect_value query.from']],
  ['from=2026-01-01T00:00:00Z&to=2026-02-11T00:00:00Z', ['incorrect_value query.from']],
  ['limit=5', ['incorrect_value query.limit']],
])('%s is refused', async (query, problems) => {
  const reply = await world.call('alice', 'GET', pathOf(await newService(), query))
  expect([reply.status, pointersOf(reply)]).toEqual([422, problems])
})
