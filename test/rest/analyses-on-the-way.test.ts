import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepUnsent } from '../../src/history/unsent.ts'
import { type FurnishedWorld, furnishedWorld, okRound } from '../support/furnished.ts'

let world: FurnishedWorld
beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

async function readSpecial(name: string): Promise<unknown> {
  const { status, body } = await world.call(
    'alice',
    'GET',
    `/services/${world.serviceIds.shared}/history/analyses/${name}`,
  )
  return { status, body }
}

const names = ['last_analysis', 'last_ok_analysis', 'last_failure_analysis'] as const

test('special names tell of the analyses before those that are still on the way to their machine of a cluster', async () => {
  const before = await Promise.all(names.map(readSpecial))
  const at = world.clock.now() + 1
  const serviceId = world.serviceIds.shared
  await keepUnsent(world.database, 'db1:5432', [okRound({ serviceId, sensorIds: [1], at })])
  expect(await Promise.all(names.map(readSpecial))).toEqual(before)
  await world.database.execute(sql`
    update service_statuses set last_analysis_id = ${at * 100}, last_ok_analysis_id = ${at * 100},
      last_failure_analysis_id = ${at * 100} where service_id = ${serviceId}`)
  expect(await Promise.all(names.map(readSpecial))).toEqual(before)
  expect(before).toMatchObject([
    { status: 200, body: { ok_checks_count: 1 } },
    { status: 200, body: { analysis_id: world.history.okId } },
    { status: 200, body: { analysis_id: world.history.failureId } },
  ])
})
