import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { addToRollUps, rebuildRollUps } from '../../src/history/roll-ups.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { idOf } from '../support/replies.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const daysAgo = 30

let api: ApiWorld
let serviceId: number
let createdAt: number

beforeAll(async () => {
  api = await apiWorld()
  createdAt = api.clock.now() - daysAgo * day
  for (let at = createdAt; at <= api.clock.now(); at += 3 * day) await ensurePartitions(api.database, at, 3)
})
afterAll(() => api.drop())

function recording(titles: readonly string[]): string {
  return JSON.stringify({ title: 'Shop', steps: titles.map((title) => ({ type: 'navigate', url: '/', title })) })
}

beforeEach(async () => {
  const service = {
    type_id: 'webappcheck',
    name: 'Sklep',
    address: 'shop.example.com',
    group_id: api.people.sharedGroupId,
    interval: 60,
    extended_settings: { scenario: recording(['Sklep', 'Koszyk']) },
  }
  serviceId = idOf(await api.call('alice', 'POST', '/services', service))
  await api.database.execute(sql`update services set created_at = ${new Date(createdAt)} where id = ${serviceId}`)
})

/** Times of the steps of each sensor; of a failed one -2 less. */
function analysis(at: number, times: readonly (readonly number[])[], names = ['Sklep', 'Koszyk']): AnalysisRow {
  const sensorIds = api.people.sensorIds.slice(0, times.length)
  const failed = sensorIds.filter((_, seat) => times[seat]?.some((time) => time < -1))
  const failure = { error_type_id: 8101, error_message: 'No basket', path_step: 'Koszyk' }
  return {
    ...{ serviceId, analysisId: at * 100, verdict: failed.length > 0 ? 'failure' : 'ok', errorTolerance: 51 },
    sensorIds,
    results: times.map((one) => (one.some((time) => time < -1) ? 'e' : 'o')),
    timeOffsets: times.map(() => -1000),
    responseTimes: times.map(() => 500),
    dataSizes: times.map(() => -1),
    phases: times.flatMap(() => [-1, -1, -1, -1, -1, -1]),
    failures: failed.length === 0 ? null : Object.fromEntries(failed.map((sensorId) => [sensorId, failure])),
    steps: { names, times: times.flat() },
  }
}

async function record(...rows: readonly AnalysisRow[]): Promise<void> {
  await api.database.transaction(async (transaction) => {
    await addToRollUps(transaction, await insertAnalyses(transaction, rows))
  })
}

async function read<Body>(path: string): Promise<Body> {
  const reply = await api.call('alice', 'GET', `/services/${serviceId}${path}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body as Body
}

interface Chart {
  readonly path_step: string
  readonly points: readonly { readonly checks: number; readonly errors: number; readonly start_time: string }[]
}

describe('a check of a scenario', () => {
  test('shows its steps in its details, and the failed one', async () => {
    const at = api.clock.now() - hour
    await record(
      analysis(at, [
        [120, 80],
        [90, -302],
        [-2, -1],
      ]),
    )
    const [first, second, third] = api.people.sensorIds
    const details = async (sensorId: number | undefined) =>
      (await read<{ step_data: unknown }>(`/history/analyses/${at}00/checks/${sensorId}/details`)).step_data
    expect(await details(first)).toEqual([
      { name: 'Sklep', result: 'ok', response_time: 120 },
      { name: 'Koszyk', result: 'ok', response_time: 80 },
    ])
    expect(await details(second)).toEqual([
      { name: 'Sklep', result: 'ok', response_time: 90 },
      { name: 'Koszyk', result: 'error', response_time: 300 },
    ])
    expect(await details(third)).toEqual([
      { name: 'Sklep', result: 'error', response_time: 0 },
      { name: 'Koszyk', result: 'not_run', response_time: null },
    ])
    expect(await read(`/history/analyses/${at}00/checks/${second}`)).toMatchObject({ path_step: 'Koszyk' })
    expect(await read(`/history/checks?path_step=Koszyk&fields=sensor_id&sort=sensor_id`)).toEqual(
      [second, third].map((sensor_id) => ({ sensor_id })),
    )
  })

  test('without steps has none', async () => {
    const at = api.clock.now() - hour
    await record({ ...analysis(at, [[1, 1]]), steps: null })
    const [sensorId] = api.people.sensorIds
    const details = await read(`/history/analyses/${at}00/checks/${sensorId}/details`)
    expect(details).toMatchObject({ step_data: null })
  })
})

describe('the list of steps', () => {
  test('has every step of every check in the range, filtered and sorted like any list', async () => {
    const at = api.clock.now() - hour
    await record(analysis(at, [[120, 80]]), analysis(at + minute, [[90, -302]]), analysis(at - 2 * day, [[1, 1]]))
    const [sensor_id] = api.people.sensorIds
    const row = { service_id: serviceId, sensor_id }
    const [first, second] = [at, at + minute].map((moment) => ({
      ...row,
      analysis_id: `${moment}00`,
      time: formatMoment(moment - 1000),
    }))
    expect(await read('/history/performance/steps')).toEqual([
      { ...first, step: 0, path_step: 'Sklep', result: 'ok', response_time: 120 },
      { ...first, step: 1, path_step: 'Koszyk', result: 'ok', response_time: 80 },
      { ...second, step: 0, path_step: 'Sklep', result: 'ok', response_time: 90 },
      { ...second, step: 1, path_step: 'Koszyk', result: 'error', response_time: 300 },
    ])
    expect(await read('/history/performance/steps?result=error&fields=path_step,response_time')).toEqual([
      { path_step: 'Koszyk', response_time: 300 },
    ])
    const slowest = '/history/performance/steps?sort=-response_time&limit=2&fields=response_time'
    expect(await read(slowest)).toEqual([{ response_time: 300 }, { response_time: 120 }])
    const early = await read(`/history/performance/steps?from=${formatMoment(at - 3 * day)}&to=${formatMoment(at)}`)
    expect(early).toHaveLength(4)
  })

  test('keeps the names that the steps had then', async () => {
    const at = api.clock.now() - hour
    await record(analysis(at, [[1, 2]]), analysis(at + minute, [[3, 4]], ['Koszyk', 'Kasa']))
    expect(await read('/history/performance/steps?fields=path_step,response_time')).toEqual([
      { path_step: 'Sklep', response_time: 1 },
      { path_step: 'Koszyk', response_time: 2 },
      { path_step: 'Koszyk', response_time: 3 },
      { path_step: 'Kasa', response_time: 4 },
    ])
  })
})

describe('the chart of steps', () => {
  test('shows each step on its own, in the order of the scenario, then those of older ones', async () => {
    const from = Math.floor((api.clock.now() - 2 * hour) / minute) * minute
    await record(
      analysis(from + 500, [
        [100, 50],
        [201, -302],
      ]),
      analysis(from + 120_500, [[-2, -1]]),
      analysis(from + 180_500, [[7]], ['Aukcje']),
    )
    const point = (number: number) => ({
      start_time: formatMoment(from + number * minute),
      end_time: formatMoment(from + (number + 1) * minute),
    })
    const none = { average: null, minimum: null, maximum: null }
    const range = `from=${formatMoment(from)}&to=${formatMoment(from + hour)}`
    expect(await read(`/charts/performance/steps?${range}`)).toEqual([
      {
        path_step: 'Sklep',
        points: [
          { ...point(0), average: 150.5, minimum: 100, maximum: 201, checks: 2, errors: 0 },
          { ...point(2), ...none, checks: 1, errors: 1 },
        ],
      },
      {
        path_step: 'Koszyk',
        points: [{ ...point(0), average: 50, minimum: 50, maximum: 50, checks: 2, errors: 1 }],
      },
      { path_step: 'Aukcje', points: [{ ...point(3), average: 7, minimum: 7, maximum: 7, checks: 1, errors: 0 }] },
    ])
  })

  test('says the same from sums as from single checks, at any length', async () => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      analysis(createdAt + 1000 + index * 8_571_000, [[50 + (index % 90), index % 7 === 0 ? -300 : 80]]),
    )
    await record(...rows)
    for (const days of [1, 3, 8, daysAgo]) {
      const fromAt = api.clock.now() - days * day
      const charts = await read<Chart[]>(`/charts/performance/steps?from=${formatMoment(fromAt)}`)
      const within = rows.filter(({ analysisId }) => analysisId >= fromAt * 100)
      const [shop, basket] = charts.map(({ points }) => ({
        checks: points.reduce((sum, { checks }) => sum + checks, 0),
        errors: points.reduce((sum, { errors }) => sum + errors, 0),
      }))
      expect(shop).toEqual({ checks: within.length, errors: 0 })
      const errors = within.filter(({ verdict }) => verdict === 'failure').length
      expect(basket).toEqual({ checks: within.length, errors })
      expect(charts.every(({ points }) => points.length <= 500)).toBe(true)
    }
    const whole = `/charts/performance/steps?from=${formatMoment(createdAt)}`
    const before = await read(whole)
    const [firstDay, lastDay] = [Math.floor(createdAt / day), Math.floor(api.clock.now() / day)]
    await api.database.transaction((transaction) => rebuildRollUps(transaction, serviceId, { firstDay, lastDay }))
    expect(await read(whole)).toEqual(before)
  })

  test('is empty for a service without a scenario, and refuses what it does not know', async () => {
    const http = { type_id: 'http', name: 'Blog', address: 'blog.example.com' }
    const other = idOf(await api.call('alice', 'POST', '/services', http))
    expect((await api.call('alice', 'GET', `/services/${other}/charts/performance/steps`)).body).toEqual([])
    const wrong = await api.call('alice', 'GET', `/services/${serviceId}/charts/performance/steps?step=1`)
    expect(wrong.body).toMatchObject([{ error: 'incorrect_value', field: 'query.step' }])
    expect((await api.call('charlie', 'GET', `/services/${serviceId}/charts/performance/steps`)).status).toBe(404)
  })
})
