import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import { type FurnishedWorld, furnishedWorld, okRound } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld
let service: string

beforeAll(async () => {
  world = await furnishedWorld()
  service = world.fill('/services/{_id}')
  // The furnished analyses are written without their sums.
  const { okAt, failedAt } = world.history
  const round = { serviceId: world.serviceIds.shared, sensorIds: world.people.sensorIds }
  await world.database.transaction((transaction) =>
    addToRollUps(transaction, [
      okRound({ ...round, at: okAt }),
      { ...okRound({ ...round, at: failedAt }), results: ['e', 'e', 'u'], responseTimes: [120, -1, -1] },
      { ...okRound({ ...round, at: failedAt + 60_000 }), results: ['u', 'u', 'o'] },
    ]),
  )
})
afterAll(() => world.drop())

async function read<T>(path: string): Promise<T> {
  const reply = await world.call('alice', 'GET', `${service}${path}`)
  expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, ''])
  return reply.body as T
}

describe('the sensors that checked a service', () => {
  test('are told with their results, in the same way below the chart', async () => {
    const [first, second, third] = world.people.sensorIds
    const used = await read<readonly Record<string, unknown>[]>('/history/used_sensors')
    expect(used).toEqual([
      { sensor_id: first, name: expect.any(String), ok: 1, error: 1, unknown: 1 },
      { sensor_id: second, name: expect.any(String), ok: 1, error: 1, unknown: 1 },
      { sensor_id: third, name: expect.any(String), ok: 2, error: 0, unknown: 1 },
    ])
    expect(await read('/charts/performance/used_sensors')).toEqual(used)
  })

  test('are none where nothing was checked', async () => {
    const { createdAt } = world.history
    const early = `from=${formatMoment(createdAt)}&to=${formatMoment(createdAt + 60_000)}`
    expect(await read(`/history/used_sensors?${early}`)).toEqual([])
  })
})

test('the types of error are told, the most frequent first', async () => {
  const { failedAt } = world.history
  const begun = formatMoment(failedAt - 250)
  expect(await read('/history/detected_error_types')).toEqual([
    { error_type_id: 2001, checks: 1, first_time: begun, last_time: begun },
    { error_type_id: 4001, checks: 1, first_time: begun, last_time: begun },
  ])
  expect(await read(`/history/detected_error_types?to=${formatMoment(failedAt - 1000)}`)).toEqual([])
  const long = await world.call('alice', 'GET', `${service}/history/detected_error_types?from=-99999999`)
  expect(pointersOf(long)).toEqual(['incorrect_value query.from'])
})

test('single checks are charted in the order in which they began', async () => {
  const points = await read<readonly Record<string, unknown>[]>('/charts/performance/checks')
  expect(points).toHaveLength(9)
  expect(points[0]).toEqual({
    time: formatMoment(world.history.okAt - 250),
    analysis_id: world.history.okId,
    sensor_id: world.people.sensorIds[0],
    result: 'ok',
    response_time: 100,
  })
  expect(points.map(({ result }) => result).join(' ')).toBe('ok ok ok error error unknown unknown unknown ok')
})

test('the river has the edges of its bands in order', async () => {
  const points = await read<readonly Record<string, number>[]>('/charts/performance/river')
  // The ok checks: 100, 101, 102 and 102 milliseconds.
  expect(points).toHaveLength(1)
  expect(points[0]).toMatchObject({ checks: 4, minimum: 100, p10: 100, p25: 100, p50: 101, p75: 102, maximum: 102 })
  const ofOne = await read<readonly unknown[]>(`/charts/performance/river?sensor_id=${world.people.sensorIds[0]}`)
  expect(ofOne).toHaveLength(1)
})

test('the steps of an analysis are summed over its sensors', async () => {
  const { failedAt } = world.history
  expect(await read(`/history/analyses/${failedAt + 60_000}00/steps_summary`)).toEqual([
    { step: 0, path_step: 'Sklep', ok: 1, error: 0, not_run: 2, average: 40, minimum: 40, maximum: 40 },
    { step: 1, path_step: 'Koszyk', ok: 1, error: 0, not_run: 2, average: 80, minimum: 80, maximum: 80 },
  ])
  expect(await read(`/history/analyses/${world.history.okId}/steps_summary`)).toEqual([])
})

describe('the range of what is known', () => {
  test('of the states is the life of the service', async () => {
    const { createdAt } = world.history
    const now = Math.floor(world.clock.now() / 1000) * 1000
    expect(await read('/charts/availability/range')).toEqual({
      start_time: formatMoment(createdAt),
      end_time: formatMoment(now),
    })
  })

  test('of the response times is from the hour of the first to that of the last', async () => {
    const range = await read<{ start_time: string; end_time: string }>('/charts/performance/range')
    expect(Date.parse(range.start_time)).toBeLessThanOrEqual(world.history.okAt)
    expect(Date.parse(range.end_time)).toBeGreaterThanOrEqual(world.history.failedAt)
    const never = await world.call('alice', 'GET', `/services/${world.serviceIds.private}/charts/performance/range`)
    expect(never.body).toEqual({ start_time: null, end_time: null })
  })

  test('of the history tells what was checked and since when analyses are kept', async () => {
    expect(await read('/history/time_range_info')).toMatchObject({ has_data: true, checks: 9 })
    const { createdAt } = world.history
    const early = `from=${formatMoment(createdAt - 60_000)}&to=${formatMoment(createdAt + 60_000)}`
    expect(await read(`/history/time_range_info?${early}`)).toMatchObject({
      start_time: formatMoment(createdAt),
      end_time: formatMoment(createdAt + 60_000),
      has_data: false,
      checks: 0,
    })
  })
})
