import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAnalyses } from '../../src/database/history.ts'
import { packClosedDays, packingDelay } from '../../src/database/packed/pack-days.ts'
import { formatMoment } from '../../src/domain/time.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

const day = 86_400_000

let world: FurnishedWorld
let paths: readonly string[]

beforeAll(async () => {
  world = await furnishedWorld()
  const base = `/services/${world.serviceIds.shared}/history`
  const { okId, failureId, okAt } = world.history
  const range = `from=${formatMoment(okAt - day)}&to=${formatMoment(okAt + 2 * day)}`
  await world.database.transaction((transaction) =>
    insertAnalyses(transaction, [
      {
        serviceId: world.serviceIds.shared,
        analysisId: (okAt + 60_000) * 100 + 7,
        verdict: 'ok',
        errorTolerance: 51,
        sensorIds: [1, 2],
        results: ['o', 'o'],
        timeOffsets: [-120, -118],
        responseTimes: [110, -1],
        dataSizes: [5120, -1],
        phases: [120, 10_100, -1, 30, 90_000, 500, -1, -1, -1, -1, -1, -1],
        failures: null,
        steps: { names: ['Log in', 'Buy'], times: [60, 50, -1, -42] },
      },
    ]),
  )
  paths = [
    `/analyses?${range}&limit=100`,
    `/analyses?${range}&failure=true`,
    `/analyses?${range}&sort=-time&limit=1&offset=1`,
    `/analyses/${okId}`,
    `/analyses/last_failure_analysis`,
    `/analyses/${okId}/checks`,
    `/analyses/${okId}/checks/1/details`,
    `/analyses/${failureId}/checks?result=error`,
    `/checks?${range}&limit=100`,
    `/checks?${range}&result=error&embed=sensor,error_type`,
    `/checks?${range}&har_available=true`,
    `/checks?${range}&query=refused`,
    `/performance/steps?${range}`,
    `/performance/steps?${range}&result=error`,
  ].map((path) => `${base}${path}`)
  paths = [
    ...paths,
    ...['performance', 'availability'].map((name) => `/services/${world.serviceIds.shared}/charts/${name}?${range}`),
  ]
})
afterAll(() => world.drop())

async function readAll(): Promise<readonly (readonly [string, number, unknown, unknown])[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { status, body, headers } = await world.call('alice', 'GET', path)
      return [path, status, body, headers['x-total-count']] as const
    }),
  )
}

test('a history reads the same to everybody once its days are packed', async () => {
  world.clock.advance(2 * day + packingDelay)
  const before = await readAll()
  expect(before.filter(([, status]) => status !== 200)).toEqual([])
  const packed = await packClosedDays(world.database, { nowAt: world.clock.now() })
  expect(packed.packedAnalyses).toBeGreaterThan(3)
  expect(await readAll()).toEqual(before)
  await packClosedDays(world.database, { nowAt: world.clock.now() + day })
  expect(await world.database.query(sql`select from analyses_hot`)).toEqual([])
  expect(await readAll()).toEqual(before)
})
