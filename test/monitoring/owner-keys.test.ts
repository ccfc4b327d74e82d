import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())

async function addAccount(username: string, parentId: number | null): Promise<number> {
  const [row] = await world.database.query<{ id: number }>(sql`
    insert into accounts (distribution_id, package_id, username, name, parent_account_id)
    select distribution_id, package_id, ${username}, ${username}, ${parentId}::int from accounts where username = 'alice' returning id`)
  if (row === undefined) throw new Error('No account was made.')
  return row.id
}

test('stations are told whose check it is: one key for an account and its sub-accounts, and nothing that names it', async () => {
  const serviceIds = [await world.addService(), await world.addService(), await world.addService()] as const
  const [alice] = await world.database.query<{ id: number }>(sql`select id from accounts where username = 'alice'`)
  const ownerIds = [alice?.id ?? 0, await addAccount('ann', alice?.id ?? 0), await addAccount('bob', null)]
  for (const [index, serviceId] of serviceIds.entries())
    await world.database.execute(sql`update services set owner_id = ${ownerIds[index]} where id = ${serviceId}`)
  const processes = [await world.start(), await world.start()]
  for (const process of processes) {
    await world.pass(process, 60)
    await process.stop()
  }
  const keysOf = (id: number) =>
    new Set(world.stations.jobs.filter((job) => job.serviceId === id).map((job) => job.ownerKey))
  const [ofAlice, ofAnn, ofBob] = serviceIds.map((id) => [...keysOf(id)])
  expect(ofAlice).toEqual([expect.stringMatching(/^[\w-]{16}$/)])
  expect(ofAnn).toEqual(ofAlice)
  expect(ofBob).toEqual([expect.stringMatching(/^[\w-]{16}$/)])
  expect(ofBob).not.toEqual(ofAlice)
})
