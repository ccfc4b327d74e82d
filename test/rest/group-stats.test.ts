import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

test('the services of a group are counted by their state, as their statuses tell it', async () => {
  const group = world.groupIds.shared
  const more = { type_id: 'http', address: 'a.example.com', group_id: group }
  const paused = idOf(await world.call('alice', 'POST', '/services', { ...more, name: 'Off', is_active: false }))
  const archived = idOf(await world.call('alice', 'POST', '/services', { ...more, name: 'Old' }))
  expect((await world.call('alice', 'POST', `/services/${archived}/archive`)).status).toBe(204)
  const { body } = await world.call('alice', 'GET', `/group_stats/${group}`)
  const statuses = await world.call('alice', 'GET', `/groups/${group}/services?limit=1000&embed=status`)
  const summaries = (statuses.body as readonly { is_archived: boolean; status: { summary: string } }[])
    .filter(({ is_archived: isArchived }) => !isArchived)
    .map(({ status }) => status.summary)
  const counts = Object.fromEntries(
    ['failure', 'unknown', 'ok', 'suspended', 'paused'].map((state) => [
      state,
      summaries.filter((summary) => summary === state).length,
    ]),
  )
  expect(summaries.length).toBeGreaterThan(1)
  expect(counts['paused']).toBe(1)
  expect(body).toMatchObject({ services: summaries.length, active_services: summaries.length - 1, ...counts })
  expect(paused).toBeGreaterThan(0)
})

test('a group without services counts nothing, and groups of others are not there', async () => {
  const empty = idOf(await world.call('alice', 'POST', '/groups', { name: 'Empty' }))
  const { body } = await world.call('alice', 'GET', `/group_stats/${empty}`)
  expect(body).toMatchObject({ name: 'Empty', services: 0, active_services: 0, ok: 0, degraded: 0 })
  expect((await world.call('charlie', 'GET', `/group_stats/${empty}`)).status).toBe(404)
  const listed = await world.call('alice', 'GET', '/group_stats?sort=-services&limit=1000&fields=id')
  const groups = await world.call('alice', 'GET', '/groups?limit=1000&fields=id')
  const ids = (reply: { body: unknown }) => (reply.body as { id: number }[]).map(({ id }) => id).toSorted()
  expect(ids(listed)).toEqual(ids(groups))
  expect(ids(groups).length).toBeGreaterThan(2)
})

test('many corrections of one service are made in one request, each by itself', async () => {
  const correction = { start_time: '2026-11-20T10:00:00Z', end_time: '2026-11-20T11:00:00Z', status: 'ok' }
  const wrong = { ...correction, end_time: '2026-11-20T09:00:00Z' }
  const path = `/services/${world.serviceIds.shared}/corrections`
  const before = (await world.call('alice', 'GET', path)).body as readonly unknown[]
  const reply = await world.call('alice', 'POST', `${path}/bulk_create`, { corrections: [correction, wrong] })
  expect(reply.body).toMatchObject([
    { id: expect.any(Number), ok: true, problems: [] },
    { id: null, ok: false, problems: [{ field: 'data.end_time' }] },
  ])
  const after = (await world.call('alice', 'GET', path)).body as readonly { service_id: number }[]
  expect(after.length).toBe(before.length + 1)
  expect(new Set(after.map(({ service_id: id }) => id))).toEqual(new Set([world.serviceIds.shared]))
  const foreign = await world.call('charlie', 'POST', `${path}/bulk_create`, { corrections: [correction] })
  expect(foreign.status).toBe(404)
  const reader = await world.call('bob', 'POST', `${path}/bulk_create`, { corrections: [correction] })
  expect([200, 403, 404]).toContain(reader.status)
})
