import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf } from '../../src/auth/tokens.ts'
import { admitSensor, registerSensor, validSensorTokens } from '../../src/database/services/sensor-tokens.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { pointersOf } from '../support/refused.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

async function newSensor(name: string): Promise<number> {
  const reply = await world.call('dora', 'POST', '/admin/sensors', { name })
  expect(reply.status).toBe(201)
  return reply.answer.id
}

async function issue(id: number): Promise<string> {
  const reply = await world.call('dora', 'POST', `/admin/sensors/${id}/token`)
  expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store'])
  return reply.answer.token
}

async function admits(token: string): Promise<number | undefined> {
  world.clock.advanceTo(world.clock.now() + 1000)
  return (await admitSensor(world.database, digestOf(token), world.clock.now()))?.id
}

async function shown(id: number) {
  return (await world.call('dora', 'GET', `/admin/sensors/${id}`)).body
}

test('a new sensor is one of everybody’s, not available, and cannot connect before it has a token', async () => {
  const id = await newSensor('Gdańsk')
  expect(await shown(id)).toMatchObject({
    ...{ id, name: 'Gdańsk', city: '', country: '', links: [], ip_address: '', version: '' },
    ...{ category_ids: ['default'], is_available: false, last_seen_at: null, has_token: false },
  })
  expect((await world.call('charlie', 'GET', `/sensors/${id}`)).body).toMatchObject({
    name: 'Gdańsk',
    is_available: false,
  })
  await issue(id)
  expect(await shown(id)).toMatchObject({ has_token: true })
})

test('a token is stored as a digest alone, and shown once', async () => {
  const id = await newSensor('Poznań')
  const token = await issue(id)
  expect(await admits(token)).toBe(id)
  const rows = await world.database.query(
    sql`select s.*, t.*, encode(digest, 'escape') as text from sensors s left join sensor_tokens t on t.sensor_id = s.id`,
  )
  expect(JSON.stringify([rows, await shown(id)])).not.toContain(token)
})

test('a new token ends the old one when it is used, and not before', async () => {
  const id = await newSensor('Szczecin')
  const first = await issue(id)
  expect(await admits(first)).toBe(id)
  const [unused, second] = [await issue(id), await issue(id)]
  expect([await admits(unused), await admits(first), await admits(second), await admits(first)]).toEqual([
    ...[undefined, id, id, undefined],
  ])
  const digests = [first, second].map((token) => digestOf(token).toString('hex'))
  expect([...(await validSensorTokens(world.database, digests))]).toEqual(digests.slice(1))
})

test('a revoked token does not hold', async () => {
  const id = await newSensor('Lublin')
  const token = await issue(id)
  expect((await world.call('dora', 'DELETE', `/admin/sensors/${id}/token`)).status).toBe(204)
  expect([await admits(token), await shown(id)]).toEqual([undefined, expect.objectContaining({ has_token: false })])
})

test('what a station says of its place yields to what an administrator has entered', async () => {
  const id = await newSensor('Toruń')
  const said = {
    version: '0.1.0',
    categories: ['default', 'ipv6'],
    city: 'Bydgoszcz',
    country: 'Polska',
    address: '192.0.2.7',
  }
  await registerSensor(world.database, id, { ...said, now: world.clock.now() })
  expect(await shown(id)).toMatchObject({
    ...{ version: '0.1.0', category_ids: ['default', 'ipv6'], city: 'Bydgoszcz', country: 'Polska' },
    ...{ ip_address: '192.0.2.7', is_available: true },
  })
  expect((await world.call('dora', 'PUT', `/admin/sensors/${id}`, { city: 'Toruń' })).status).toBe(204)
  await registerSensor(world.database, id, { ...said, now: world.clock.now() })
  expect(await shown(id)).toMatchObject({ city: 'Toruń' })
})

test('names differ', async () => {
  const id = await newSensor('Opole')
  const bare = await world.call('dora', 'POST', '/admin/sensors', { name: 'Radom', links: [{}] })
  expect(pointersOf(bare)).toEqual(['missing_value data.links[0].name', 'missing_value data.links[0].url'])
  const links = [{ name: 'x'.repeat(201), url: '' }]
  const refused = await world.call('dora', 'POST', '/admin/sensors', { name: 'Opole', links })
  expect(refused.status).toBe(422)
  expect(pointersOf(refused).length).toBeGreaterThan(1)
  expect((await world.call('dora', 'PUT', `/admin/sensors/${id}`, { name: 'Opole', country: 'PL' })).status).toBe(204)
})

test.each(['POST', 'DELETE'] as const)(
  'only an administrator may %s a token, of a sensor that there is',
  async (method) => {
    const path = `/admin/sensors/${world.people.sensorIds[0]}/token`
    expect((await world.call('alice', method, path)).status).toBe(403)
    expect((await world.call(null, method, path)).status).toBe(401)
    expect((await world.call('dora', method, '/admin/sensors/999999/token')).status).toBe(404)
  },
)
