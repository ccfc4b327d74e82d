import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const next = async (id: number) => (await api.call('alice', 'GET', `/services/${id}/next_analysis`)).body

test('a service tells when it is checked next and why; nothing while it is paused', async () => {
  const body = { name: 'Planned', type_id: 'ping', address: '192.0.2.9' }
  const { id } = (await api.call('alice', 'POST', '/services', body)).body as { id: number }
  expect(await next(id)).toMatchObject({ reason: 'forced' })
  await api.database.execute(
    sql`update schedule set due_at = '2026-11-21T11:20:00Z', reason = 'interval' where service_id = ${id}`,
  )
  expect(await next(id)).toEqual({ time: '2026-11-21T11:20:00Z', reason: 'interval' })
  await api.call('alice', 'PUT', `/services/${id}`, { is_active: false })
  expect(await next(id)).toEqual({ time: null, reason: null })
  expect((await api.call('charlie', 'GET', `/services/${id}/next_analysis`)).status).toBe(404)
})
