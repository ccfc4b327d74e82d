import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

async function create(body: object, person: Person = 'alice'): Promise<number> {
  const reply = await api.call(person, 'POST', '/groups', body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.answer.id
}

interface Assigned {
  readonly assigned_sensor_ids: Readonly<Record<string, readonly number[]>>
  readonly sensor_ids: readonly number[]
}

async function read<T = Assigned>(id: number, person: Person = 'alice'): Promise<T> {
  const reply = await api.call(person, 'GET', `/groups/${id}`)
  expect(reply.status).toBe(200)
  return reply.body as T
}

function change(id: number, body: object, person: Person = 'alice'): Promise<Reply> {
  return api.call(person, 'PUT', `/groups/${id}`, body)
}

async function count(table: 'services' | 'addresses' | 'shares' | 'plans', group: number): Promise<number> {
  const counts = {
    services: sql`select count(*)::int as n from services where group_id = ${group}`,
    addresses: sql`select count(*)::int as n from notification_addresses where group_id = ${group}`,
    shares: sql`select count(*)::int as n from shares where group_id = ${group}`,
    plans: sql`select count(*)::int as n from schedule where service_id in (select id from services where group_id = ${group})`,
  }
  const [row] = await api.database.query<{ n: number }>(counts[table])
  return row?.n ?? -1
}

describe('a new group', () => {
  test('needs a name; reports are on, sensors are the first available of each category', async () => {
    expect(pointersOf(await api.call('alice', 'POST', '/groups', {}))).toEqual(['missing_value data.name'])
    expect(await read(await create({ name: 'Sklepy' }))).toMatchObject({
      name: 'Sklepy',
      owner_id: api.people.ids.alice,
      is_default: false,
      periodic_daily_reports: true,
      periodic_weekly_reports: true,
      periodic_monthly_reports: true,
      archived_services_in_periodic_reports: true,
      assigned_sensor_ids: { default: api.people.sensorIds, ipv6: api.people.sensorIds, mobile: [], webappcheck: [] },
      sensor_ids: api.people.sensorIds,
    })
  })

  test('has no more sensors than the package allows', async () => {
    await givePackage(api, 'charlie', { maximum_sensors: 2 })
    const { assigned_sensor_ids } = await read(await create({ name: 'x' }, 'charlie'), 'charlie')
    expect(assigned_sensor_ids['default']).toHaveLength(2)
  })

  test('is given sensors that report in', async () => {
    const [one, ...others] = api.people.sensorIds
    await api.database.execute(sql`update sensors set last_seen_at = ${new Date(0)} where id = ${one}`)
    const given = (await read(await create({ name: 'x' }))).assigned_sensor_ids['default']
    await api.database.execute(sql`update sensors set last_seen_at = ${new Date(api.clock.now())}`)
    expect(given).toEqual(others)
  })

  test('of a sub-account’s own is held to the package of the sub-account', async () => {
    await givePackage(api, 'adam', { maximum_sensors: 1 })
    const id = await create({ name: 'x', owner_id: api.people.ids.adam }, 'adam')
    expect((await read(id, 'adam')).assigned_sensor_ids['default']).toHaveLength(1)
    const [one, two] = api.people.sensorIds
    const more = { name: 'x', owner_id: api.people.ids.adam, assigned_sensor_ids: { default: [one, two] } }
    expect(pointersOf(await api.call('adam', 'POST', '/groups', more))).toEqual([
      'limit_exceeded data.assigned_sensor_ids.default',
    ])
  })

  test('belongs to the caller or to the parent, to nobody else', async () => {
    const { alice, adam, bob } = api.people.ids
    expect(await read(await create({ name: 'x', owner_id: alice }, 'adam'))).toMatchObject({ owner_id: alice })
    expect(await read(await create({ name: 'x' }, 'adam'))).toMatchObject({ owner_id: alice })
    for (const owner_id of [bob, adam, 987654]) {
      const reply = await api.call('alice', 'POST', '/groups', { name: 'x', owner_id })
      expect(pointersOf(reply)).toEqual(['incorrect_value data.owner_id'])
    }
  })

  test.each([
    [{ name: '' }, 'value_too_short data.name'],
    [{ name: 'x'.repeat(201) }, 'value_too_long data.name'],
    [{ name: 'x', is_default: true }, 'field_is_read_only data.is_default'],
    [{ name: 'x', assigned_sensor_ids: { default: 'all' } }, 'incorrect_type data.assigned_sensor_ids.default'],
    [{ name: 'x', assigned_sensor_ids: { default: [1.5] } }, 'incorrect_type data.assigned_sensor_ids.default[0]'],
    [{ name: 'x', assigned_sensor_ids: { satellite: [] } }, 'unknown_field data.assigned_sensor_ids.satellite'],
    [{ name: 'x', assigned_sensor_ids: null }, 'incorrect_type data.assigned_sensor_ids'],
    [{ name: 'x', periodic_daily_reports: 1 }, 'incorrect_type data.periodic_daily_reports'],
  ])('%j is refused: %s', async (body, pointer) => {
    const reply = await api.call('alice', 'POST', '/groups', body)
    expect([reply.status, pointersOf(reply)]).toEqual([422, [pointer]])
  })
})

describe('sensors of a group', () => {
  test('are replaced as a whole: a category that is left out becomes empty', async () => {
    const [one = 0, two = 0] = api.people.sensorIds
    const id = await create({ name: 'x' })
    await change(id, { assigned_sensor_ids: { default: [two] } })
    expect(await read(id)).toMatchObject({
      assigned_sensor_ids: { default: [two], ipv6: [], mobile: [], webappcheck: [] },
      sensor_ids: [two],
    })
    await change(id, { assigned_sensor_ids: {} })
    expect((await read(id)).assigned_sensor_ids).toEqual({ default: [], ipv6: [], mobile: [], webappcheck: [] })
    await change(id, { assigned_sensor_ids: { ipv6: [one] } })
    await change(id, { name: 'y' })
    expect((await read(id)).assigned_sensor_ids['ipv6']).toEqual([one])
  })

  test.each([
    [
      [1, 2],
      'data.assigned_sensor_ids',
      'object, for example {"default":[1,2,3],"ipv6":[],"mobile":[],"webappcheck":[]}',
    ],
    [{ default: 1 }, 'data.assigned_sensor_ids.default', 'array, for example [1,2,3]'],
    [{ default: ['one'] }, 'data.assigned_sensor_ids.default[0]', 'integer'],
  ])(
    'of another form than %j are told with an example of the right one',
    async (assigned_sensor_ids, field, expected) => {
      const reply = await api.call('alice', 'POST', '/groups', { name: 'Sklepy', assigned_sensor_ids })
      expect(problemsOf(reply)).toMatchObject([
        { error: 'incorrect_type', field, message: `The value has a wrong type: expected ${expected}.` },
      ])
    },
  )

  test('have an older field, which is the category default', async () => {
    const [one = 0, two = 0, three = 0] = api.people.sensorIds
    const id = await create({ name: 'x', sensor_ids: [one] })
    expect((await read(id)).assigned_sensor_ids).toMatchObject({ default: [one], ipv6: api.people.sensorIds })
    await change(id, { sensor_ids: [three, two] })
    expect(await read(id)).toMatchObject({ sensor_ids: [three, two], assigned_sensor_ids: { default: [three, two] } })
  })

  test('change by the newer field also when the older one comes back as it was shown', async () => {
    const [one = 0, two = 0] = api.people.sensorIds
    const id = await create({ name: 'x', sensor_ids: [one] })
    const shown = await read(id)
    const assigned_sensor_ids = { ...shown.assigned_sensor_ids, default: [two] }
    expect((await change(id, { ...shown, assigned_sensor_ids })).status).toBe(204)
    expect(await read(id)).toMatchObject({ sensor_ids: [two], assigned_sensor_ids })
  })

  test('must exist, serve the category, be different and within the package', async () => {
    const [one = 0, two = 0] = api.people.sensorIds
    await givePackage(api, 'charlie', { maximum_sensors: 2 })
    const assigned_sensor_ids = { default: [one, one, 9999], ipv6: [one, two], mobile: [two], webappcheck: [] }
    const reply = await api.call('charlie', 'POST', '/groups', { name: 5, assigned_sensor_ids })
    expect(pointersOf(reply)).toEqual([
      'incorrect_type data.name',
      'limit_exceeded data.assigned_sensor_ids.default',
      'sensor_not_available data.assigned_sensor_ids.default[2]',
      'sensor_not_available data.assigned_sensor_ids.mobile[0]',
      'value_is_not_unique data.assigned_sensor_ids.default[1]',
    ])
  })

  test('of the category default are listed', async () => {
    const [, two = 0] = api.people.sensorIds
    const id = await create({ name: 'x', sensor_ids: [two] })
    expect((await api.call('bob', 'GET', `/groups/${id}/sensors`)).status).toBe(404)
    const { body, headers } = await api.call('alice', 'GET', `/groups/${id}/sensors?fields=id,name`)
    expect([body, headers['x-total-count']]).toEqual([[{ id: two, name: 'Two' }], '1'])
  })
})

describe('the default group', () => {
  test('is one per account, has a name of its own, and stays', async () => {
    const mine = await api.call('alice', 'GET', '/groups/my_default_group')
    const { id } = mine.answer
    expect(mine.body).toMatchObject({ is_default: true, owner_id: api.people.ids.alice })
    expect((await api.call('alice', 'GET', '/accounts/my_account/default_group')).body).toEqual(mine.body)
    const removed = await api.call('alice', 'DELETE', '/groups/my_default_group')
    expect([removed.status, pointersOf(removed)]).toEqual([422, ['default_group_cannot_be_deleted']])
    expect(pointersOf(await change(id, { is_default: false }))).toEqual(['field_is_immutable data.is_default'])
    expect((await change(id, { is_default: true, name: 'Wszystko' })).status).toBe(204)
    expect((await api.call('alice', 'GET', `/groups/${id}/permissions`)).body).toMatchObject({
      delete: false,
      update: true,
    })
  })

  test('of a sub-account is its own, as every account has exactly one', async () => {
    const { body } = await api.call('adam', 'GET', '/groups/my_default_group')
    expect(body).toMatchObject({ owner_id: api.people.ids.adam, is_default: true })
  })

  test('takes what comes without a group', async () => {
    const { body } = await api.call('alice', 'GET', '/groups/my_default_group?fields=id')
    const service = await api.call('alice', 'POST', '/services', { type_id: 'ping', name: 'x', address: 'example.com' })
    const services = await api.call('alice', 'GET', '/groups/my_default_group/services?fields=id,group_id')
    expect(services.body).toEqual([{ id: service.answer.id, group_id: (body as { id: number }).id }])
  })
})

test('a group goes with its services, addresses and shares', async () => {
  const group_id = await create({ name: 'Na chwilę' })
  const service = { type_id: 'http', name: 'x', address: 'example.com', group_id }
  for (let index = 0; index < 3; index += 1) await api.call('alice', 'POST', '/services', service)
  const address = { address: 'a@example.com', notification_channel_id: 'email', group_id }
  await api.call('alice', 'POST', '/notification_addresses', address)
  await api.database.execute(
    sql`insert into shares (group_id, account_id) values (${group_id}, ${api.people.ids.carol})`,
  )
  expect([await count('services', group_id), await count('plans', group_id)]).toEqual([3, 3])
  expect((await api.call('alice', 'DELETE', `/groups/${group_id}`)).status).toBe(204)
  for (const table of ['services', 'addresses', 'shares', 'plans'] as const) {
    expect([table, await count(table, group_id)]).toEqual([table, 0])
  }
  const [orphans] = await api.database.query<{ n: number }>(
    sql`select count(*)::int as n from schedule where service_id not in (select id from services)`,
  )
  expect(orphans?.n).toBe(0)
})

test('a group that goes while somebody puts something into it leaves nothing behind', async () => {
  for (let round = 0; round < 8; round += 1) {
    const group_id = await create({ name: 'Wyścig' })
    const service = { type_id: 'http', name: 'x', address: 'example.com', group_id }
    const address = { address: 'a@example.com', notification_channel_id: 'email', group_id }
    const [removed, ...made] = await Promise.all([
      api.call('alice', 'DELETE', `/groups/${group_id}`),
      api.call('alice', 'POST', '/services', service),
      api.call('alice', 'POST', '/notification_addresses', address),
      api.call('alice', 'POST', '/services', service),
    ])
    expect(removed?.status).toBe(204)
    for (const { status } of made) expect([201, 422]).toContain(status)
    expect([await count('services', group_id), await count('addresses', group_id)]).toEqual([0, 0])
  }
})

describe('owners', () => {
  test('cannot change; the present one may be sent', async () => {
    const id = await create({ name: 'x' })
    expect((await change(id, { owner_id: api.people.ids.alice, id })).status).toBe(204)
    expect(pointersOf(await change(id, { owner_id: api.people.ids.bob, id: id + 1 }))).toEqual([
      'field_is_immutable data.id',
      'field_is_immutable data.owner_id',
    ])
  })

  test('are null for those who may not read the account', async () => {
    const path = `/groups/${api.people.sharedGroupId}?embed=owner.username,permissions.own&fields=id`
    const [hers, his] = await Promise.all((['alice', 'bob'] as const).map((person) => api.call(person, 'GET', path)))
    expect(hers?.body).toMatchObject({ owner: { username: 'alice' }, permissions: { own: true } })
    expect(his?.body).toMatchObject({ owner: null, permissions: { own: false } })
    const guessed = await api.call('bob', 'GET', '/groups?owner.username=alice')
    expect(guessed.body).toEqual([])
    const unknown = await api.call('bob', 'GET', '/groups?owner.username=null&fields=id')
    expect(unknown.body).toEqual([{ id: api.people.sharedGroupId }])
  })
})
