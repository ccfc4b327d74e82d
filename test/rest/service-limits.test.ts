import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { everyType, givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

async function create(body: object, person: Person = 'alice'): Promise<number> {
  const reply = await api.call(person, 'POST', '/services', body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.answer.id
}

async function refused(body: object, person: Person = 'alice'): Promise<readonly string[]> {
  const reply = await api.call(person, 'POST', '/services', body)
  expect(reply.status).toBe(422)
  return pointersOf(reply)
}

function change(id: number, body: object, person: Person = 'alice') {
  return api.call(person, 'PUT', `/services/${id}`, body)
}

describe('the package', () => {
  beforeEach(async () => {
    await api.database.execute(sql`delete from service_statuses where service_id in
      (select id from services where owner_id = ${api.people.ids.charlie})`)
    await api.database.execute(sql`delete from services where owner_id = ${api.people.ids.charlie}`)
  })

  const available = async () => {
    const reply = await api.call('charlie', 'GET', '/accounts/my_account/available_service_types?limit=100')
    const rows = reply.body as readonly {
      service_type_id: string
      remaining_services: number | null
      minimum_interval: number
    }[]
    return new Map(rows.map((row) => [row.service_type_id, row]))
  }

  test('limits services in all and of each type; archived ones do not count', async () => {
    const few = everyType.map((type) => (type.service_type_id === 'ping' ? { ...type, maximum_services: 1 } : type))
    await givePackage(api, 'charlie', { maximum_services: 2, available_service_types: few })
    const ping = { type_id: 'ping', name: 'Host', address: 'example.com' }
    const first = await create(ping, 'charlie')
    const reply = await api.call('charlie', 'POST', '/services', ping)
    expect(pointersOf(reply)).toEqual(['limit_exceeded data.type_id'])
    expect((await available()).get('ping')).toMatchObject({ remaining_services: 0 })
    expect((await available()).get('http')).toMatchObject({ remaining_services: 1 })
    await create(http, 'charlie')
    const full = await api.call('charlie', 'POST', '/services', http)
    expect(problemsOf(full)).toMatchObject([
      { error: 'limit_exceeded', message: expect.stringContaining('maximum_services') },
    ])
    const worse = await api.call('charlie', 'POST', '/services', { ...http, notification_channel_ids: ['none'] })
    expect(pointersOf(worse)).toEqual(['incorrect_value data.notification_channel_ids[0]', 'limit_exceeded'])
    const tried = await api.call('charlie', 'POST', '/services/trial', http)
    expect(pointersOf(tried)).toEqual(['limit_exceeded'])
    await api.database.execute(sql`update services set is_archived = true, is_active = false where id = ${first}`)
    expect((await available()).get('ping')).toMatchObject({ remaining_services: 1 })
    await create(ping, 'charlie')
  })

  test('has one last place, whoever comes at the same time', async () => {
    await givePackage(api, 'charlie', { maximum_services: 3 })
    await create(http, 'charlie')
    await create(http, 'charlie')
    const replies = await Promise.all(Array.from({ length: 6 }, () => api.call('charlie', 'POST', '/services', http)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422])
  })

  test('has a shortest interval, of its own or of the type', async () => {
    const types = everyType.map((type) => (type.service_type_id === 'http' ? { ...type, minimum_interval: 30 } : type))
    await givePackage(api, 'charlie', { minimum_interval: 120, available_service_types: types })
    const ping = { type_id: 'ping', name: 'Host', address: 'example.com' }
    expect(await refused({ ...ping, interval: 119 }, 'charlie')).toEqual(['interval_too_short data.interval'])
    expect(await refused({ ...http, interval: 29 }, 'charlie')).toEqual(['interval_too_short data.interval'])
    expect(await refused({ ...http, interval: 0 }, 'charlie')).toEqual(['incorrect_value data.interval'])
    const unknown = { ...http, type_id: 'htp', interval: 29, notification_channel_ids: ['none'] }
    expect(await refused(unknown, 'charlie')).toEqual([
      'incorrect_value data.notification_channel_ids[0]',
      'incorrect_value data.type_id',
      'interval_too_short data.interval',
    ])
    expect(await refused({ ...unknown, interval: 30, notification_channel_ids: [] }, 'charlie')).toEqual([
      'incorrect_value data.type_id',
    ])
    const id = await create({ ...http, interval: 30 }, 'charlie')
    expect(pointersOf(await change(id, { interval: 20 }, 'charlie'))).toEqual(['interval_too_short data.interval'])
    expect((await available()).get('http')).toMatchObject({ minimum_interval: 30 })
    expect((await available()).get('ping')).toMatchObject({ minimum_interval: 120 })
  })

  test.each([60, 3600])('tells what a new service has where nothing is said: at most every %i s', async (shortest) => {
    await givePackage(api, 'charlie', { minimum_interval: shortest, available_service_types: everyType })
    const told = Object.entries((await available()).get('http') ?? {}).filter(([name]) => name.startsWith('default_'))
    expect(told.length).toBe(5)
    const id = await create(http, 'charlie')
    const { body } = await api.call('charlie', 'GET', `/services/${id}`)
    expect(body).toMatchObject(Object.fromEntries(told.map(([name, value]) => [name.slice('default_'.length), value])))
    expect(body).toMatchObject({ interval: Math.max(600, shortest) })
  })

  test('that became stricter stops no other change', async () => {
    await givePackage(api, 'charlie', {})
    const id = await create({ ...http, interval: 5, sensor_ids: api.people.sensorIds }, 'charlie')
    await givePackage(api, 'charlie', {
      minimum_interval: 60,
      maximum_sensors: 1,
      available_notification_channel_ids: ['sms'],
      available_service_types: [],
    })
    const shown = await api.call('charlie', 'GET', `/services/${id}`)
    expect((await change(id, { name: 'Nowa nazwa' }, 'charlie')).status).toBe(204)
    expect((await change(id, shown.body as object, 'charlie')).status).toBe(204)
  })

  test('offers types and channels', async () => {
    await givePackage(api, 'charlie', {
      available_service_types: everyType.slice(0, 1),
      available_notification_channel_ids: ['email'],
    })
    expect(await refused({ ...http, type_id: 'https' }, 'charlie')).toEqual(['service_type_not_available data.type_id'])
    expect(await refused({ ...http, notification_channel_ids: ['email', 'sms'] }, 'charlie')).toEqual([
      'channel_not_available data.notification_channel_ids[1]',
    ])
    expect((await available()).size).toBe(1)
  })

  test('of a sub-account has no room; what it makes in a group of its parent is its parent’s', async () => {
    const { body } = await api.call('adam', 'GET', '/accounts/my_account/available_service_types?limit=100')
    for (const type of body as readonly { remaining_services: number }[]) expect(type.remaining_services).toBe(0)
    expect(await refused(http, 'adam')).toEqual(['limit_exceeded'])
    const { body: home } = await api.call('alice', 'GET', '/groups/my_default_group?fields=id')
    await create({ ...http, group_id: (home as { id: number }).id }, 'adam')
  })
})

describe('sensors', () => {
  test('of its own must exist, serve the category, be few and different', async () => {
    const [one = 0, two = 0] = api.people.sensorIds
    await givePackage(api, 'charlie', { maximum_sensors: 2 })
    expect(await refused({ ...http, sensor_ids: [one, 9999, one, two] }, 'charlie')).toEqual([
      'limit_exceeded data.sensor_ids',
      'sensor_not_available data.sensor_ids[1]',
      'value_is_not_unique data.sensor_ids[2]',
    ])
    const mobile = { type_id: 'mobilepage', name: 'Telefon', address: 'm.example.com', sensor_ids: [one] }
    expect(await refused(mobile)).toEqual(['sensor_not_available data.sensor_ids[0]'])
  })

  test('that monitor it are its own, else those of the group in the category of its type', async () => {
    const [one = 0, two = 0, three = 0] = api.people.sensorIds
    const group = await api.call('alice', 'POST', '/groups', {
      name: 'Dwa rodzaje',
      assigned_sensor_ids: { default: [two, one], ipv6: [three] },
    })
    const group_id = group.answer.id
    const sensorsOf = async (id: number) => {
      const { body } = await api.call('alice', 'GET', `/services/${id}/monitoring_sensors?fields=id`)
      return (body as readonly { id: number }[]).map((sensor) => sensor.id)
    }
    const id = await create({ ...http, group_id })
    expect(await sensorsOf(id)).toEqual([one, two])
    expect(await sensorsOf(await create({ ...http, type_id: 'http_ipv6', group_id }))).toEqual([three])
    expect(await sensorsOf(await create({ ...http, type_id: 'mobilepage', group_id }))).toEqual([])
    await change(id, { sensor_ids: [three] })
    expect(await sensorsOf(id)).toEqual([three])
    await change(id, { sensor_ids: [] })
    expect(await sensorsOf(id)).toEqual([one, two])
  })
})
