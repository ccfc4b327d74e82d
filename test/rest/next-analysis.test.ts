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
  const { id } = (await api.call('alice', 'POST', '/services', body)).answer
  expect(await next(id)).toMatchObject({ reason: 'forced' })
  await api.database.execute(
    sql`update schedule set due_at = '2026-11-21T11:20:00Z', reason = 'interval' where service_id = ${id}`,
  )
  expect(await next(id)).toEqual({ time: '2026-11-21T11:20:00Z', reason: 'interval', expected_at: null })
  await api.call('alice', 'PUT', `/services/${id}`, { is_active: false })
  expect(await next(id)).toEqual({ time: null, reason: null, expected_at: null })
  expect((await api.call('charlie', 'GET', `/services/${id}/next_analysis`)).status).toBe(404)
})

test('a heartbeat tells when its next report is expected, before the grace; nothing before its first ping and while it fails', async () => {
  const settings = { period: 3600, grace: 600 }
  const body = { name: 'Backup', type_id: 'heartbeat', extended_settings: settings }
  const { id } = (await api.call('alice', 'POST', '/services', body)).answer
  const expected = async () => ((await next(id)) as { expected_at: string | null }).expected_at
  expect(await expected()).toBeNull()
  await api.database.execute(sql`update heartbeats set base_at = '2026-11-21T10:00:00Z' where service_id = ${id}`)
  expect(await expected()).toBe('2026-11-21T11:00:00Z')
  const cron = { ...settings, cron: '30 2 * * *', time_zone: 'europe_warsaw' }
  expect((await api.call('alice', 'PUT', `/services/${id}`, { extended_settings: cron })).status).toBe(204)
  expect(await expected()).toBe('2026-11-22T01:30:00Z')
  const late = JSON.stringify({ kind: 'late', exitStatus: null, sinceAt: 0 })
  await api.database.execute(sql`update heartbeats set failure = ${late}::jsonb where service_id = ${id}`)
  expect(await expected()).toBeNull()
})
