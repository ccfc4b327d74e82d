import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf } from '../../src/auth/tokens.ts'
import { addSensor } from '../../src/cli/sensors.ts'
import { admitSensor, registerSensor } from '../../src/database/services/sensor-tokens.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

type Station = Readonly<Record<string, unknown>>

async function made(body: Station): Promise<number> {
  const reply = await world.call('dora', 'POST', '/admin/sensors', body)
  expect(reply.status).toBe(201)
  return reply.answer.id
}

const shown = async (id: number) => (await world.call('alice', 'GET', `/sensors/${id}`)).body as Station
const place = { latitude: 54.352, longitude: 18.6466 }

test('a station stands nowhere until an administrator says where; everybody reads it', async () => {
  const id = await made({ name: 'Gdańsk' })
  expect(await shown(id)).toMatchObject({ latitude: null, longitude: null })
  expect((await world.call('dora', 'PUT', `/admin/sensors/${id}`, place)).status).toBe(204)
  expect(await shown(id)).toMatchObject(place)
  expect((await world.call(null, 'GET', `/sensors/${id}`)).body).toMatchObject(place)
  expect((await world.call('dora', 'GET', `/admin/sensors?latitude=54.352&fields=id`)).body).toEqual([{ id }])
  expect((await world.call('alice', 'PUT', `/admin/sensors/${id}`, place)).status).toBe(403)
  const nowhere = { latitude: null, longitude: null }
  expect((await world.call('dora', 'PUT', `/admin/sensors/${id}`, nowhere)).status).toBe(204)
  expect(await shown(id)).toMatchObject(nowhere)
})

test('the poles, the meridian of Greenwich and that of the dates are places', async () => {
  for (const [latitude, longitude] of [
    [90, 180],
    [-90, -180],
    [0, 0],
  ]) {
    const id = await made({ name: `At ${latitude} ${longitude}`, latitude, longitude })
    expect(await shown(id)).toMatchObject({ latitude, longitude })
  }
})

test.each([
  [{ latitude: 90.001, longitude: 0 }, ['incorrect_value data.latitude']],
  [{ latitude: 0, longitude: -180.5 }, ['incorrect_value data.longitude']],
  [{ latitude: -91, longitude: 181 }, ['incorrect_value data.latitude', 'incorrect_value data.longitude']],
  [{ latitude: '54', longitude: 18 }, ['incorrect_type data.latitude']],
  [{ latitude: 54 }, ['missing_value data.longitude']],
  [{ longitude: 18 }, ['missing_value data.latitude']],
  [{ latitude: null, longitude: 18 }, ['missing_value data.latitude']],
])('%j is no place', async (given, pointers) => {
  const reply = await world.call('dora', 'POST', '/admin/sensors', { name: 'Nowhere', ...given })
  expect([reply.status, pointersOf(reply)]).toEqual([422, pointers])
})

test('half of a place cannot be taken away', async () => {
  const id = await made({ name: 'Sopot', ...place })
  const reply = await world.call('dora', 'PUT', `/admin/sensors/${id}`, { longitude: null })
  expect([reply.status, pointersOf(reply)]).toEqual([422, ['missing_value data.longitude']])
  const whole = await world.call('dora', 'PUT', `/admin/sensors/${id}`, { ...place, longitude: null })
  expect(pointersOf(whole)).toEqual(['missing_value data.longitude'])
  const far = await world.call('dora', 'PUT', `/admin/sensors/${id}`, { latitude: 91, longitude: null })
  expect(pointersOf(far)).toEqual(['incorrect_value data.latitude'])
  expect(await shown(id)).toMatchObject(place)
})

test('a place of the command line is kept; one that the station says yields to it', async () => {
  const now = world.clock.now()
  const said = { version: '1', categories: ['default'], city: '', country: '', address: '192.0.2.7', now }
  const [known, unknown] = await Promise.all([
    addSensor(world.database, 'Hel', { city: '', country: '', ...place, now }),
    addSensor(world.database, 'Reda', { city: '', country: '', now }),
  ])
  const elsewhere = { latitude: 1, longitude: 2 }
  for (const { id } of [known, unknown]) await registerSensor(world.database, id, { ...said, ...elsewhere })
  expect([await shown(known.id), await shown(unknown.id)]).toMatchObject([place, elsewhere])
  expect((await admitSensor(world.database, digestOf(known.token), now))?.id).toBe(known.id)
  const half = addSensor(world.database, 'Puck', { city: '', country: '', latitude: 54, now })
  await expect(half).rejects.toThrow('A latitude goes together with a longitude.')
})

test('who asks reads how often a station agreed lately, and how late it was', async () => {
  const plain = (await world.call('alice', 'GET', '/sensors')).body as Station[]
  expect(plain.every((station) => !('recent_rounds' in station) && 'last_seen_at' in station)).toBe(true)
  const asked = (await world.call('alice', 'GET', '/sensors?embed=recent_rounds&sort=id')).body as Station[]
  const { stations } = (await world.call('dora', 'GET', '/system/installation')).body as {
    readonly stations: readonly { readonly sensor_id: number; readonly rounds: number; readonly agreement: number }[]
  }
  expect(asked.map(({ id, recent_rounds: recent }) => ({ id, recent }))).toEqual(
    stations.map(({ sensor_id: id, rounds, agreement }) => {
      return { id, recent: expect.objectContaining({ rounds, agreement }) }
    }),
  )
  expect(asked.some(({ recent_rounds: recent }) => (recent as { rounds: number }).rounds > 0)).toBe(true)
  const idle = await world.call('dora', 'GET', `/admin/sensors/${await made({ name: 'Idle' })}?embed=recent_rounds`)
  expect(idle.body).toMatchObject({ recent_rounds: { rounds: 0, agreement: null, lag: null } })
})

test('anybody reads whether a station works now', async () => {
  const [id = 0] = world.people.sensorIds
  const { body } = await world.call(null, 'GET', `/sensors/${id}/status`)
  const whole = await world.call(null, 'GET', `/sensors/${id}?fields=id,is_available,last_seen_at`)
  expect(body).toEqual(whole.body)
  expect((await world.call(null, 'GET', '/sensors/999999/status')).status).toBe(404)
})
