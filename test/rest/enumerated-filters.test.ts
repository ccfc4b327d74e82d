import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

async function found(query: string): Promise<number[]> {
  const { status, body } = await world.call('alice', 'GET', `/services?limit=1000&${query}`)
  expect(status).toBe(200)
  return (body as readonly { id: number }[]).map(({ id }) => id)
}

test('a filter of an enumerated field takes its values without regard to case, and alternatives', async () => {
  const { shared } = world.serviceIds
  const failing = await found('status.summary=failure')
  expect(failing).toContain(shared)
  expect(await found('status.summary=FAILURE')).toEqual(failing)
  expect(await found('status.summary=ok&status.summary=Failure')).toEqual(
    await found('status.summary=failure&status.summary=ok'),
  )
  expect(await found('status.summary=fail')).toEqual([])
  expect(await found('status.summary=failure%20')).toEqual([])
})

test('a filter of a list of enumerated values finds one of them without regard to case', async () => {
  const { shared } = world.serviceIds
  const channels = (channel: string) => sql`
    update services set notification_channel_ids = array[${channel}, 'sms'] where id = ${shared}`
  await world.database.execute(channels('email'))
  expect(await found('notification_channel_ids=email')).toContain(shared)
  expect(await found('notification_channel_ids=EMAIL')).toContain(shared)
  expect(await found('notification_channel_ids=jabber')).not.toContain(shared)
  expect(await found('notification_channel_ids=mail')).toEqual([])
})

test('a stored value that the program no longer knows is found as it is written', async () => {
  const { shared } = world.serviceIds
  await world.database.execute(sql`update services set type_id = 'gopher' where id = ${shared}`)
  expect(await found('type_id=gopher')).toEqual([shared])
  await world.database.execute(sql`update services set type_id = 'http' where id = ${shared}`)
})

test('the status of a service that the caller may not read filters nothing in', async () => {
  const { foreign } = world.serviceIds
  const { body } = await world.call('charlie', 'GET', '/services?status.monitoring_status=on')
  expect((body as readonly { id: number }[]).map(({ id }) => id)).toContain(foreign)
  expect(await found('status.monitoring_status=on')).not.toContain(foreign)
  expect(await found('sort=-status.summary')).not.toContain(foreign)
})
