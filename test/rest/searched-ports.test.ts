import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** The lists show a port that is a setting behind the address, so the search finds the two as one text. */
let api: ApiWorld

const services = [
  { name: 'Orders', type_id: 'postgresql', address: '127.0.0.1', extended_settings: { port: 23_133 } },
  { name: 'Stock', type_id: 'postgresql', address: '127.0.0.1', extended_settings: { port: 5432 } },
  { name: 'Queue', type_id: 'redis', address: '2001:db8::7', extended_settings: { port: 6380 } },
  { name: 'Gate', type_id: 'tcp_connect', address: '127.0.0.1:23133' },
]

beforeAll(async () => {
  api = await apiWorld()
  for (const service of services) {
    const reply = await api.call('alice', 'POST', '/services', { ...service, notification_channel_ids: [] })
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  }
})
afterAll(() => api.drop())

test.each([
  ['127.0.0.1:23133', ['Gate', 'Orders']],
  ['.1:23133', ['Gate', 'Orders']],
  ['127.0.0.1', ['Gate', 'Orders', 'Stock']],
  // Lists leave out the usual port.
  ['127.0.0.1:5432', []],
  ['[2001:db8::7]:6380', ['Queue']],
  ['2001:db8::7', ['Queue']],
  [':2', ['Gate', 'Orders']],
])('the text %s finds %j', async (query, names) => {
  const asked = new URLSearchParams({ query, sort: 'name', fields: 'name' })
  const listed = await api.call('alice', 'GET', `/services?${asked}`)
  expect(listed.body).toEqual(names.map((name) => ({ name })))
  const body = { query, sort: 'name', fields: ['name'] }
  expect((await api.call('alice', 'POST', '/services/search', body)).body).toEqual(listed.body)
})
