import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld
let homeId: number
let otherId: number

const most = { services: 3, http: 2, smsNumbers: 2, sensors: 1 }

async function usePackage(change: object = {}): Promise<void> {
  const limits = {
    maximum_services: most.services,
    maximum_sensors: most.sensors,
    maximum_sms_numbers: most.smsNumbers,
    minimum_interval: 60,
    types: [
      { service_type_id: 'http', maximum_services: most.http, minimum_interval: null },
      { service_type_id: 'ping', maximum_services: null, minimum_interval: 30 },
    ],
    channels: ['email', 'sms'],
    ...change,
  }
  await world.database.execute(sql`
    update packages set maximum_services = ${limits.maximum_services}, maximum_sensors = ${limits.maximum_sensors},
      maximum_sms_numbers = ${limits.maximum_sms_numbers}, minimum_interval = ${limits.minimum_interval},
      available_service_types = ${JSON.stringify(limits.types)}, available_notification_channel_ids = ${limits.channels}
    where name = 'small'`)
}

/** Charlie has a small package, and two groups that Bob may do everything in. */
beforeAll(async () => {
  world = await apiWorld()
  const { ids } = world.people
  await world.database.execute(sql`
    with small as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
      select id, 'small', 60, '{}', '[]' from distributions returning id)
    update accounts set package_id = small.id, can_share_groups = true from small where accounts.id = ${ids.charlie}`)
  await usePackage()
  homeId = idOf(await world.call('charlie', 'POST', '/groups', { name: 'Home' }))
  otherId = idOf(await world.call('charlie', 'POST', '/groups', { name: 'Other' }))
  const flags = ['modify_group', 'modify_services', 'create_services', 'delete_services', 'archive_services']
  const all = Object.fromEntries(flags.map((flag) => [`can_${flag}`, true]))
  for (const id of [homeId, otherId]) await world.call('charlie', 'PUT', `/groups/${id}/shares/${ids.bob}`, all)
})
afterAll(() => world.drop())

beforeEach(async () => {
  await usePackage()
  const { charlie } = world.people.ids
  await world.database.execute(
    sql`delete from notification_addresses where group_id = any(${[homeId, otherId]}::int[])`,
  )
  await world.database.execute(sql`delete from services where owner_id = ${charlie}`)
})

interface NewService {
  readonly type_id?: string
  readonly interval?: number
  readonly group_id?: number
}

type Writer = 'charlie' | 'bob'

function addService(fields: NewService = {}, person: Writer = 'charlie'): Promise<Reply> {
  const body = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: homeId, interval: 60, ...fields }
  return world.call(person, 'POST', '/services', body)
}

function addNumber(group_id = homeId, person: Writer = 'charlie'): Promise<Reply> {
  const body = { group_id, notification_channel_id: 'sms', address: '+48500100200' }
  return world.call(person, 'POST', '/notification_addresses', body)
}

function problemsOf({ status, body }: Reply): unknown[] {
  return status === 422 ? errorsOf(body) : [status]
}

test('a package holds so many services, so many of a type, and names the limit with its value', async () => {
  await addService()
  await addService()
  const ofType = await addService()
  expect(problemsOf(ofType)).toEqual([['limit_exceeded', 'data.type_id']])
  expect((ofType.body as { message: string }[])[0]?.message).toContain('available_service_types.http.maximum_services')
  expect((await addService({ type_id: 'ping' })).status).toBe(201)
  const total = await addService({ type_id: 'ping' })
  expect(problemsOf(total)).toEqual([['limit_exceeded', undefined]])
  expect((total.body as { message: string }[])[0]?.message).toMatch(/maximum_services.*3/)
  expect(problemsOf(await addService({ type_id: 'smtp_helo' }))).toEqual([
    ['service_type_not_available', 'data.type_id'],
  ])
})

test('at the last free place one of many creations wins', async () => {
  await addService({ type_id: 'ping' })
  await addService({ type_id: 'ping' })
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, index) => addService({ type_id: 'ping' }, index % 2 === 0 ? 'charlie' : 'bob')),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422])
})

test('a service that comes back is held to the limits: their number, its type, its interval', async () => {
  const id = idOf(await addService({ type_id: 'ping', interval: 30 }))
  const restore = async () => problemsOf(await world.call('charlie', 'POST', `/services/${id}/restore`))
  await world.call('charlie', 'POST', `/services/${id}/archive`)
  const others = [await addService({ type_id: 'ping' }), await addService(), await addService()].map(idOf)
  expect(await restore()).toEqual([['limit_exceeded', undefined]])
  await world.call('charlie', 'DELETE', `/services/${others[0]}`)
  const http = { service_type_id: 'http', maximum_services: 2, minimum_interval: null }
  await usePackage({ types: [http, { service_type_id: 'ping', maximum_services: null, minimum_interval: 45 }] })
  expect(await restore()).toEqual([['interval_too_short', undefined]])
  await usePackage({ types: [http] })
  expect(await restore()).toEqual([['service_type_not_available', undefined]])
  await usePackage()
  expect(await restore()).toEqual([204])
})

test('archived services have an end too, where the package limits the others', async () => {
  const id = idOf(await addService({ type_id: 'ping' }))
  await world.database.execute(sql`
    insert into services (owner_id, group_id, type_id, name, address, interval, extended_settings, is_archived, created_at,
      notification_channel_ids, notification_condition_ids)
    select owner_id, group_id, type_id, name, address, interval, extended_settings, true, created_at,
      notification_channel_ids, notification_condition_ids
    from services, generate_series(1, 1000) where id = ${id}`)
  const archive = async () => problemsOf(await world.call('charlie', 'POST', `/services/${id}/archive`))
  expect(await archive()).toEqual([['limit_exceeded', undefined]])
  await usePackage({ maximum_services: null })
  expect(await archive()).toEqual([204])
})

test('what a package has lost stops nothing that is, but nothing comes back to it', async () => {
  const ids = [await addService(), await addService(), await addService({ type_id: 'ping', interval: 30 })].map(idOf)
  const [first, , last] = ids
  await usePackage({
    maximum_services: 2,
    minimum_interval: 120,
    types: [{ service_type_id: 'http' }],
    channels: ['sms'],
  })
  const change = (id: number | undefined, body: object) => world.call('charlie', 'PUT', `/services/${id}`, body)
  const { body: whole } = await world.call('charlie', 'GET', `/services/${first}`)
  expect(problemsOf(await change(first, { ...(whole as object), name: 'Renamed' }))).toEqual([204])
  expect(problemsOf(await change(first, { is_active: false }))).toEqual([204])
  expect(problemsOf(await change(first, { is_active: true }))).toEqual([
    ['limit_exceeded', undefined],
    ['interval_too_short', 'data.interval'],
  ])
  expect(problemsOf(await change(last, { is_active: false }))).toEqual([204])
  expect(problemsOf(await change(last, { is_active: true }))).toEqual([
    ['service_type_not_available', 'data.is_active'],
  ])
  const bulk = await world.call('charlie', 'POST', '/services/bulk_activate', { ids: [first] })
  expect(bulk.body).toMatchObject([
    { ok: false, problems: [{ error: 'limit_exceeded' }, { error: 'interval_too_short' }] },
  ])
})

test('intervals, sensors and channels are held at creation and at change', async () => {
  const [one, two] = world.people.sensorIds
  const refused = await world.call('charlie', 'POST', '/services', {
    type_id: 'http',
    address: 'shop.example',
    name: 'Shop',
    interval: 59,
    sensor_ids: [one, two],
    notification_channel_ids: ['email', 'jabber'],
  })
  const problems = [
    ['interval_too_short', 'data.interval'],
    ['channel_not_available', 'data.notification_channel_ids[1]'],
    ['limit_exceeded', 'data.sensor_ids'],
  ]
  expect(problemsOf(refused)).toEqual(problems)
  const id = idOf(await addService())
  const change = { interval: 59, sensor_ids: [one, two], notification_channel_ids: ['email', 'jabber'] }
  expect(problemsOf(await world.call('charlie', 'PUT', `/services/${id}`, change))).toEqual(problems)
  expect((await addService({ type_id: 'ping', interval: 30 })).status).toBe(201)
  const sensors = { assigned_sensor_ids: { default: [one, two], ipv6: [one, one] } }
  expect(problemsOf(await world.call('charlie', 'PUT', `/groups/${homeId}`, sensors))).toEqual([
    ['limit_exceeded', 'data.assigned_sensor_ids.default'],
    ['value_is_not_unique', 'data.assigned_sensor_ids.ipv6[1]'],
    ['limit_exceeded', 'data.assigned_sensor_ids.ipv6'],
  ])
})

test('unknown sensors are refused even where there are none at all', async () => {
  const id = idOf(await addService())
  await world.database.execute(sql`create table kept as select * from sensors`)
  await world.database.execute(sql`delete from sensors`)
  const refused = await world.call('charlie', 'PUT', `/services/${id}`, { sensor_ids: [1] })
  await world.database.execute(sql`insert into sensors overriding system value select * from kept`)
  await world.database.execute(sql`drop table kept`)
  expect(problemsOf(refused)).toEqual([['sensor_not_available', 'data.sensor_ids[0]']])
})

test('a service is moved only within what one owner has', async () => {
  const id = idOf(await addService())
  const { sharedGroupId } = world.people
  const moved = await world.call('bob', 'PUT', `/services/${id}`, { group_id: sharedGroupId })
  expect(problemsOf(moved)).toEqual([['incorrect_value', 'data.group_id']])
  expect(problemsOf(await world.call('bob', 'PUT', `/services/${id}`, { group_id: otherId }))).toEqual([204])
})

test('SMS numbers are counted over all groups, whichever way an address becomes one', async () => {
  const ids = (await Promise.all([homeId, otherId, homeId, otherId].map((id) => addNumber(id)))).filter(
    ({ status }) => status === 201,
  )
  expect(ids).toHaveLength(most.smsNumbers)
  const email = { group_id: homeId, notification_channel_id: 'email', address: 'charlie@example.com' }
  const emailId = idOf(await world.call('charlie', 'POST', '/notification_addresses', email))
  const toSms = { notification_channel_id: 'sms', address: '+48500100201' }
  const changed = await world.call('bob', 'PUT', `/notification_addresses/${emailId}`, toSms)
  expect(problemsOf(changed)).toEqual([['limit_exceeded', 'data.notification_channel_id']])
  const [first] = ids
  const path = `/notification_addresses/${first === undefined ? 0 : idOf(first)}`
  expect(problemsOf(await world.call('charlie', 'PUT', path, { group_id: otherId }))).toEqual([204])
  await usePackage({ maximum_sms_numbers: 1, channels: ['email'] })
  expect(problemsOf(await world.call('charlie', 'PUT', path, { address: '+48500100299' }))).toEqual([204])
})

/** One step of a client; `pick` chooses among what is there when the step runs. */
type Step = (person: Writer, pick: number) => Promise<Reply>

async function anyOf(table: 'services' | 'notification_addresses', pick: number): Promise<number> {
  const { charlie } = world.people.ids
  const rows = await world.database.query<{ id: number }>(
    table === 'services'
      ? sql`select id from services where owner_id = ${charlie} order by id`
      : sql`select a.id from notification_addresses a join groups g on g.id = a.group_id where g.owner_id = ${charlie} order by a.id`,
  )
  return rows[pick % Math.max(1, rows.length)]?.id ?? 0
}

function onService(act: (id: number, person: Writer) => Promise<Reply>): Step {
  return async (person, pick) => act(await anyOf('services', pick), person)
}

const addressOf = { email: 'charlie@example.com', sms: '+48500100200' }

const steps: Readonly<Record<string, Step>> = {
  createHttp: (person) => addService({}, person),
  createPing: (person) => addService({ type_id: 'ping', group_id: otherId }, person),
  archive: onService((id, person) => world.call(person, 'POST', `/services/${id}/archive`)),
  restore: onService((id, person) => world.call(person, 'POST', `/services/${id}/restore`)),
  activate: onService((id, person) => world.call(person, 'PUT', `/services/${id}`, { is_active: true })),
  pause: onService((id, person) => world.call(person, 'POST', '/services/bulk_pause', { ids: [id, id + 1] })),
  move: onService((id, person) =>
    world.call(person, 'POST', '/services/bulk_change_group', { ids: [id, id + 1], group_id: otherId }),
  ),
  quicken: onService((id, person) => world.call(person, 'PUT', `/services/${id}`, { interval: 30 })),
  remove: onService((id, person) => world.call(person, 'POST', '/services/bulk_delete', { ids: [id] })),
  createNumber: (person, pick) => addNumber(pick % 2 === 0 ? homeId : otherId, person),
  createEmail: (person) =>
    world.call(person, 'POST', '/notification_addresses', {
      group_id: homeId,
      notification_channel_id: 'email',
      address: addressOf.email,
    }),
  changeChannel: async (person, pick) => {
    const channel = pick % 3 === 0 ? 'email' : 'sms'
    const id = await anyOf('notification_addresses', pick)
    const body = { notification_channel_id: channel, address: addressOf[channel], group_id: otherId }
    return world.call(person, 'PUT', `/notification_addresses/${id}`, body)
  },
}

async function counts() {
  const { charlie } = world.people.ids
  const [services] = await world.database.query<{
    total: number
    http: number
    quick: number
    archivedActive: number
  }>(sql`
    select (count(*) filter (where not is_archived))::int as total,
      (count(*) filter (where not is_archived and type_id = 'http'))::int as http,
      (count(*) filter (where interval < case type_id when 'ping' then 30 else 60 end))::int as quick,
      (count(*) filter (where is_archived and is_active))::int as "archivedActive"
    from services where owner_id = ${charlie}`)
  const [numbers] = await world.database.query<{ count: number }>(sql`
    select count(*)::int as count from notification_addresses a join groups g on g.id = a.group_id
    where g.owner_id = ${charlie} and a.notification_channel_id = 'sms'`)
  return { ...services, numbers: numbers?.count }
}

test('whatever is done in whatever order, also at once, no count exceeds the package', async () => {
  const step = fc.record({
    name: fc.constantFrom(...Object.keys(steps), 'createHttp', 'createPing', 'restore', 'createNumber'),
    person: fc.constantFrom<Writer>('charlie', 'bob'),
    pick: fc.nat({ max: 20 }),
  })
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 })
  const reached = { services: 0, http: 0, numbers: 0 }
  await fc.assert(
    fc.asyncProperty(rounds, async (sequence) => {
      await world.database.execute(sql`delete from services where owner_id = ${world.people.ids.charlie}`)
      for (const round of sequence) {
        const replies = await Promise.all(
          round.map(({ name, person, pick }) => steps[name]?.(person, pick) ?? Promise.reject(new Error(name))),
        )
        for (const reply of replies) expect([reply.status < 500, reply.text]).toEqual([true, reply.text])
        const { total = 0, http = 0, quick, archivedActive, numbers = 0 } = await counts()
        expect(total).toBeLessThanOrEqual(most.services)
        expect(http).toBeLessThanOrEqual(most.http)
        expect(numbers).toBeLessThanOrEqual(most.smsNumbers)
        expect([quick, archivedActive]).toEqual([0, 0])
        reached.services = Math.max(reached.services, total)
        reached.http = Math.max(reached.http, http)
        reached.numbers = Math.max(reached.numbers, numbers)
      }
    }),
    { numRuns: 40 },
  )
  // The property would hold for an API that refuses everything too.
  expect(reached).toEqual({ services: most.services, http: most.http, numbers: most.smsNumbers })
}, 120_000)
