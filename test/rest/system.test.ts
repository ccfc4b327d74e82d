import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { okRound } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

async function create(person: Person, path: string, body: unknown): Promise<number> {
  const reply = await world.call(person, 'POST', path, body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return (reply.body as { id: number }).id
}

describe('the state of the system', () => {
  test('is for whoever is logged in', async () => {
    for (const person of ['alice', 'rita', 'charlie', 'dora'] as const) {
      expect((await world.call(person, 'GET', '/system/stats')).status).toBe(200)
    }
    expect((await world.call(null, 'GET', '/system/stats')).status).toBe(401)
  })

  test('tells administrators, and nobody else, which gateways are down', async () => {
    expect((await world.call('dora', 'GET', '/system/state')).body).toEqual({ failing_gateways: [] })
    await world.database.execute(sql`
      insert into failing_gateways (id, failing_since, error_message) values ('sms', '2026-11-21 11:13:00.5+00', 'out of order')`)
    expect((await world.call('dora', 'GET', '/system/state')).body).toEqual({
      failing_gateways: [{ id: 'sms', failing_since: '2026-11-21T11:13:00Z', error_message: 'out of order' }],
    })
    expect((await world.call('alice', 'GET', '/system/state')).status).toBe(403)
    await world.database.execute(sql`delete from failing_gateways`)
  })

  test('counts services, sensors, and what was done in the last minute and this month', async () => {
    const before = (await world.call('alice', 'GET', '/system/stats')).body
    expect(before).toMatchObject({ services: 0, active_services: 0, sensors: 3, available_sensors: 3 })
    const http = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }
    const serviceId = await create('alice', '/services', http)
    await create('charlie', '/services', { ...http, is_active: false })
    const now = world.clock.now()
    await ensurePartitions(world.database, now, 1)
    const { sensorIds } = world.people
    await insertAnalyses(
      world.database,
      [now, now - 59_999, now - 60_001].map((at) => okRound({ serviceId, sensorIds, at })),
    )
    await world.database.execute(sql`
      insert into usage_counters (month, account_id, group_id, service_type_id, analyses, checks)
      values ('2026-11-01', 1, 1, 'http', 5000000000, 15000000000), ('2026-10-01', 1, 1, 'http', 7, 7)`)
    await world.database.execute(sql`update sensors set last_seen_at = null where id = ${sensorIds[0]}`)
    expect((await world.call('dora', 'GET', '/system/stats')).body).toEqual({
      services: 2,
      active_services: 1,
      failing_services: 0,
      sensors: 3,
      available_sensors: 2,
      analyses_in_last_minute: 2,
      checks_in_last_minute: 6,
      analyses_this_month: 5_000_000_000,
      checks_this_month: 15_000_000_000,
    })
    await world.database.execute(sql`update sensors set last_seen_at = ${new Date(now)}`)
  })

  test('tells the caller where the call came from', async () => {
    const reply = await world.call('alice', 'GET', '/system/my_ip_address')
    expect([reply.status, reply.body]).toEqual([200, { ip_address: '127.0.0.1' }])
  })
})

describe('diagnostics', () => {
  beforeEach(async () => {
    await world.database.execute(sql`truncate diagnostics`)
  })

  test('wait for the first available sensor, and say so', async () => {
    const reply = await world.call('alice', 'POST', '/system/dns_diagnostics', { host: 'www.example.com' })
    const { id } = reply.answer
    expect(reply.headers['location']).toBe(`http://api.test/v3/system/dns_diagnostics/${id}`)
    expect((await world.call('alice', 'GET', `/system/dns_diagnostics/${id}`)).body).toEqual({
      id,
      status: 'pending',
      created_at: '2026-11-21T09:00:00Z',
      sensor_id: world.people.sensorIds[0],
      host: 'www.example.com',
      query_type: 'A',
      server: null,
      port: 53,
      lines: [],
    })
  })

  test('take a chosen sensor, name server and type', async () => {
    const sensor_id = world.people.sensorIds[2]
    const wanted = { sensor_id, host: 'żółw.example', query_type: 'MX', server: '[2001:db8::53]', port: 5353 }
    const id = await create('alice', '/system/dns_diagnostics', wanted)
    expect((await world.call('alice', 'GET', `/system/dns_diagnostics/${id}`)).body).toMatchObject(wanted)
  })

  test('of a route are another resource', async () => {
    const id = await create('alice', '/system/traceroute_diagnostics', { host: '192.0.2.1' })
    expect((await world.call('alice', 'GET', `/system/traceroute_diagnostics/${id}`)).status).toBe(200)
    expect((await world.call('alice', 'GET', `/system/dns_diagnostics/${id}`)).status).toBe(404)
  })

  test.each<[string, string, unknown, readonly string[]]>([
    ['dns', 'no host', {}, ['missing_value data.host']],
    ['dns', 'a host that is no name', { host: 'http://x' }, ['incorrect_value data.host']],
    ['dns', 'an unknown type', { host: 'a.example', query_type: 'ANY' }, ['incorrect_value data.query_type']],
    [
      'dns',
      'everything wrong at once',
      { host: 'a..b', server: 'a b', port: 0, sensor_id: 987_654, lines: [], kind: 'x' },
      [
        'field_is_read_only data.lines',
        'incorrect_value data.host',
        'incorrect_value data.port',
        'incorrect_value data.server',
        'sensor_not_available data.sensor_id',
        'unknown_field data.kind',
      ],
    ],
    ['traceroute', 'a host with a port', { host: 'a.example:80' }, ['incorrect_value data.host']],
    ['traceroute', 'a query type', { host: 'a.example', query_type: 'A' }, ['unknown_field data.query_type']],
  ])('%s: %s is refused', async (kind, _what, body, pointers) => {
    const reply = await world.call('alice', 'POST', `/system/${kind}_diagnostics`, body)
    expect([reply.status, pointersOf(reply)]).toEqual([422, pointers])
  })

  test('need a sensor that reports in', async () => {
    await world.database.execute(sql`update sensors set last_seen_at = null`)
    const reply = await world.call('alice', 'POST', '/system/dns_diagnostics', { host: 'www.example.com' })
    expect(pointersOf(reply)).toEqual(['sensor_not_available data.sensor_id'])
    await world.database.execute(sql`update sensors set last_seen_at = ${new Date(world.clock.now())}`)
  })

  test('are seen and deleted by their maker alone, also by an administrator', async () => {
    for (const maker of ['alice', 'dora'] as const) {
      const path = `/system/dns_diagnostics/${await create(maker, '/system/dns_diagnostics', { host: 'a.example' })}`
      for (const other of ['adam', 'bob', 'charlie', maker === 'dora' ? 'alice' : 'dora'] as const) {
        expect((await world.call(other, 'GET', path)).status).toBe(404)
        expect((await world.call(other, 'DELETE', path)).status).toBe(404)
      }
      expect((await world.call(maker, 'DELETE', path)).status).toBe(204)
      expect((await world.call(maker, 'GET', path)).status).toBe(404)
    }
  })

  test('are not for read-only users', async () => {
    const reply = await world.call('rita', 'POST', '/system/dns_diagnostics', { host: 'a.example' })
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })

  test('three at a time, also when they are asked for at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        world.call('alice', 'POST', '/system/traceroute_diagnostics', { host: 'a.example' }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 201, 201, 422, 422, 422])
    const refused = replies.find(({ status }) => status === 422)
    expect(pointersOf(refused ?? replies[0] ?? { status: 0, headers: {}, body: [], text: '' })).toEqual([
      'diagnostic_limit_exceeded',
    ])
    await create('charlie', '/system/dns_diagnostics', { host: 'a.example' })
  })

  test('a hundred a day', async () => {
    await world.database.execute(sql`
      insert into diagnostics (kind, account_id, sensor_id, request, status, created_at)
      select 'dns', ${world.people.ids.alice}, ${world.people.sensorIds[0]}, '{}', 'completed', ${new Date(world.clock.now())}
      from generate_series(1, 100)`)
    const reply = await world.call('alice', 'POST', '/system/dns_diagnostics', { host: 'a.example' })
    expect(pointersOf(reply)).toEqual(['diagnostic_limit_exceeded'])
    expect(reply.text).toContain('100')
  })
})
