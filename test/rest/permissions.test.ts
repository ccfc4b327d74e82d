import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import type { ApiWorld } from '../support/api.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld, isForEverybody } from '../support/furnished.ts'
import { names, type Person } from '../support/people.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

type Method = Parameters<ApiWorld['call']>[1]

/** A group of Alice's, shared with Bob (everything) and Carol (nothing), with a service and an address in it. */
interface Ground {
  readonly groupId: number
  readonly serviceId: number
  readonly addressId: number
}

let ground: Ground

async function id(path: string, body: unknown): Promise<number> {
  const reply = await world.call('alice', 'POST', path, body)
  expect([path, reply.status]).toEqual([path, 201])
  return (reply.body as { id: number }).id
}

const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }
const address = { address: 'ops@example.com', notification_channel_id: 'email' }

beforeEach(async () => {
  const groupId = await id('/groups', { name: 'Wspólna' })
  await world.database.execute(sql`
    insert into shares (group_id, account_id, can_modify_group, can_modify_services, can_create_services,
      can_delete_services, can_archive_services, can_force_analyses)
    select ${groupId}, account_id, can_modify_group, can_modify_services, can_create_services, can_delete_services,
      can_archive_services, can_force_analyses
    from shares where group_id = ${world.groupIds.shared}`)
  const serviceId = await id('/services', { ...http, group_id: groupId })
  ground = { groupId, serviceId, addressId: await id('/notification_addresses', { ...address, group_id: groupId }) }
})

type Expected = Readonly<Record<Person, number>>

function expected(
  alice: number,
  adam: number,
  rita: number,
  ...others: [bob: number, carol: number, charlie: number, dora: number]
): Expected {
  const [bob, carol, charlie, dora] = others
  return { alice, adam, rita, bob, carol, charlie, dora }
}

const everyReader = expected(200, 200, 200, 200, 200, 404, 403)
const everyWriter = expected(204, 204, 403, 204, 403, 404, 403)
const ownersSide = expected(204, 204, 403, 403, 403, 404, 403)
const family = expected(200, 200, 200, 404, 404, 404, 403)
const history = () => `/services/${world.serviceIds.shared}/history`

/** The specification's rules on permissions: operation × person. */
const matrix: readonly (readonly [Method, string, (at: Ground) => string, unknown, Expected])[] = [
  ['GET', 'a shared group', (at) => `/groups/${at.groupId}`, undefined, everyReader],
  ['GET', 'its permissions', (at) => `/groups/${at.groupId}/permissions`, undefined, everyReader],
  ['GET', 'its services', (at) => `/groups/${at.groupId}/services`, undefined, everyReader],
  ['GET', 'its addresses', (at) => `/groups/${at.groupId}/notification_addresses`, undefined, everyReader],
  ['GET', 'its sensors', (at) => `/groups/${at.groupId}/sensors`, undefined, everyReader],
  ['GET', 'its service types', (at) => `/groups/${at.groupId}/available_service_types`, undefined, everyReader],
  ['GET', 'its owner', (at) => `/groups/${at.groupId}/owner`, undefined, family],
  ['PUT', 'a shared group', (at) => `/groups/${at.groupId}`, { name: 'Inna' }, everyWriter],
  ['DELETE', 'a shared group', (at) => `/groups/${at.groupId}`, undefined, ownersSide],
  [
    'DELETE',
    'the default group',
    () => `/groups/${world.groupIds.foreign}`,
    undefined,
    expected(404, 404, 404, 404, 404, 422, 403),
  ],
  ['POST', 'a new group', () => '/groups', { name: 'Nowa' }, expected(201, 201, 403, 201, 201, 201, 403)],
  ['GET', 'a service', (at) => `/services/${at.serviceId}`, undefined, everyReader],
  ['GET', 'its status', (at) => `/service_statuses/${at.serviceId}`, undefined, everyReader],
  ['GET', 'its group', (at) => `/services/${at.serviceId}/group`, undefined, everyReader],
  ['GET', 'its type', (at) => `/services/${at.serviceId}/type`, undefined, everyReader],
  ['GET', 'its owner', (at) => `/services/${at.serviceId}/owner`, undefined, family],
  ['GET', 'its monitoring sensors', (at) => `/services/${at.serviceId}/monitoring_sensors`, undefined, everyReader],
  ['GET', 'groups for it', (at) => `/services/${at.serviceId}/available_groups`, undefined, everyReader],
  ['PUT', 'a service', (at) => `/services/${at.serviceId}`, { name: 'Inny' }, everyWriter],
  ['PUT', 'a service, stopping it', (at) => `/services/${at.serviceId}`, { is_active: false }, everyWriter],
  ['DELETE', 'a service', (at) => `/services/${at.serviceId}`, undefined, everyWriter],
  ['POST', 'a forced analysis', (at) => `/services/${at.serviceId}/force_analysis`, undefined, everyWriter],
  ['GET', 'analyses', () => `${history()}/analyses`, undefined, everyReader],
  ['GET', 'an analysis', () => `${history()}/analyses/last_analysis`, undefined, everyReader],
  ['GET', 'checks', () => `${history()}/analyses/last_failure_analysis/checks`, undefined, everyReader],
  ['GET', 'checks in time', () => `${history()}/checks`, undefined, everyReader],
  ['GET', 'service level', () => `${history()}/service_level`, undefined, everyReader],
  ['GET', 'status changes', () => `${history()}/status_changes`, undefined, everyReader],
  [
    'GET',
    'their stats',
    () => `${history()}/status_changes/${world.history.changeIds.ok}/stats`,
    undefined,
    everyReader,
  ],
  [
    'PUT',
    'a status change',
    () => `${history()}/status_changes/${world.history.changeIds.ok}`,
    { description: 'x' },
    everyWriter,
  ],
  ['GET', 'an address', (at) => `/notification_addresses/${at.addressId}`, undefined, everyReader],
  ['PUT', 'an address', (at) => `/notification_addresses/${at.addressId}`, { address: 'a@example.com' }, everyWriter],
  ['DELETE', 'an address', (at) => `/notification_addresses/${at.addressId}`, undefined, everyWriter],
  ['GET', 'the account', () => `/accounts/${world.people.ids.alice}`, undefined, family],
  [
    'PUT',
    'the account',
    () => `/accounts/${world.people.ids.alice}`,
    { name: 'Alicja' },
    expected(204, 403, 403, 404, 404, 404, 403),
  ],
  ['GET', 'a sub-account', () => `/accounts/${world.people.ids.adam}`, undefined, family],
  [
    'PUT',
    'a sub-account',
    () => `/accounts/${world.people.ids.adam}`,
    { name: 'Adam' },
    expected(204, 204, 403, 404, 404, 404, 403),
  ],
  [
    'PUT',
    'a read-only sub-account',
    () => `/accounts/${world.people.ids.rita}`,
    { name: 'R' },
    expected(204, 403, 403, 404, 404, 404, 403),
  ],
  [
    'GET',
    'private data',
    () => `/user_data/${world.people.ids.alice}`,
    undefined,
    expected(200, 404, 404, 404, 404, 404, 403),
  ],
  [
    'GET',
    'private data of a sub-account',
    () => `/user_data/${world.people.ids.adam}`,
    undefined,
    expected(200, 200, 404, 404, 404, 404, 403),
  ],
  [
    'PUT',
    'private data of a sub-account',
    () => `/user_data/${world.people.ids.adam}`,
    { phone_number: '1' },
    expected(204, 204, 404, 404, 404, 404, 403),
  ],
  [
    'PUT',
    'private data of a reader',
    () => `/user_data/${world.people.ids.rita}`,
    { phone_number: '1' },
    expected(204, 404, 403, 404, 404, 404, 403),
  ],
  [
    'GET',
    'a session',
    () => `/sessions/${world.sessionIds.alice}`,
    undefined,
    expected(200, 404, 404, 404, 404, 404, 404),
  ],
  ['GET', 'the list of sensors', () => '/sensors', undefined, expected(200, 200, 200, 200, 200, 200, 200)],
  ['GET', 'a dictionary', () => '/dictionaries/languages', undefined, expected(200, 200, 200, 200, 200, 200, 200)],
]

describe.each(matrix)('%s %s', (method, _what, path, body, statuses) => {
  test.each(names)('by %s', async (person) => {
    const reply = await world.call(person, method, path(ground), body)
    expect([reply.status, reply.text]).toEqual([statuses[person], expect.any(String)])
  })
})

describe('putting something into a shared group', () => {
  const statuses = expected(201, 201, 403, 201, 403, 422, 403)
  test.each(names)('by %s', async (person) => {
    const into = { group_id: ground.groupId }
    expect((await world.call(person, 'POST', '/services', { ...http, ...into })).status).toBe(statuses[person])
    expect((await world.call(person, 'POST', '/notification_addresses', { ...address, ...into })).status).toBe(
      statuses[person],
    )
  })
})

describe('the flags', () => {
  const none: readonly string[] = []
  const group = [
    'create_notification_addresses',
    'create_periodic_report_addresses',
    'create_services',
    'read',
    'update',
  ]
  const service = ['archive', 'create_suspensions', 'delete', 'force_analyses', 'read', 'restore', 'update']
  const sms = 'send_test_sms_notifications'
  const flags: Readonly<Record<string, Readonly<Partial<Record<Person, readonly string[]>>>>> = {
    groups: {
      alice: [...group, 'delete', 'own', sms, 'share'],
      adam: [...group, 'delete', sms],
      rita: ['read'],
      bob: group,
      carol: ['read'],
      charlie: none,
    },
    services: {
      alice: [...service, 'own', sms],
      adam: [...service, sms],
      rita: ['read'],
      bob: service,
      carol: ['read'],
      charlie: none,
    },
    notification_addresses: {
      alice: ['delete', 'own', 'read', sms, 'update'],
      adam: ['delete', 'read', sms, 'update'],
      rita: ['read'],
      bob: ['delete', 'read', 'update'],
      carol: ['read'],
      charlie: none,
    },
  }
  const rows = Object.entries(flags).flatMap(([resource, people]) =>
    Object.entries(people).map(([person, held]) => [resource, person as Person, held] as const),
  )
  test.each(rows)('of %s for %s', async (resource, person, held) => {
    const ids: Readonly<Record<string, number>> = {
      groups: ground.groupId,
      services: ground.serviceId,
      notification_addresses: ground.addressId,
    }
    const { body, status } = await world.call(person, 'GET', `/${resource}/${ids[resource]}/permissions`)
    const shown = status === 200 ? Object.entries(body as Record<string, boolean>) : []
    expect(
      shown
        .filter(([, value]) => value)
        .map(([flag]) => flag)
        .toSorted(),
    ).toEqual(held.toSorted())
  })
})

/** Everything that is stored, but who logged in when. */
async function stored(): Promise<string> {
  const tables = await world.database.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in ('authentications', 'sessions') order by 1`)
  const digests: string[] = []
  for (const { name } of tables) {
    const [row] = await world.database.query<{ digest: string }>(
      raw(`select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${name}" t`),
    )
    digests.push(`${name} ${row?.digest}`)
  }
  return digests.join('\n')
}

/** Operations that need a caller; the others are the same for everybody. */
const operations = allOperations(declaredResources()).filter(({ access }) => access !== 'open' && access !== 'public')
const description = descriptionOf(interfaceDescription())

/** A bare text is sent as JSON too. */
const sendable = (example: unknown) => (typeof example === 'string' ? JSON.stringify(example) : example)

/** Logging in, registering and resetting a password have nothing to do with who calls. */
const isForAnybody = ({ access }: Operation) => access === 'open' || access === 'public'

/** A passkey is the caller's own way to log in, so a read-only user has one too (test/auth/passkeys). */
const isOwnLogin = ({ id }: Operation) => id === 'passkeys.options' || id === 'passkeys.register'

test('a read-only user changes nothing anywhere', async () => {
  const before = await stored()
  const changing = operations.filter((one) => one.method !== 'GET' && !isForAnybody(one) && !isOwnLogin(one))
  expect(changing.length).toBeGreaterThan(50)
  for (const operation of changing) {
    const reply = await world.call(
      'rita',
      operation.method,
      world.fill(operation.path),
      sendable(description.exampleOf(operation)),
    )
    // A preview sends nothing and keeps nothing.
    const isSearch =
      /\/search$|^\/(templates|status_pages)\/preview$/.test(operation.path) && operation.access !== 'administrator'
    const isBulk = operation.path.includes('/bulk_')
    expect([operation.id, reply.status]).toEqual([
      operation.id,
      isSearch || isBulk ? 200 : expect.toBeOneOf([403, 404]),
    ])
  }
  expect(await stored()).toBe(before)
})

test('a stranger changes nothing of somebody else, whatever is tried', async () => {
  const before = await stored()
  const ofOthers = operations
    .filter(({ path, access }) => path.includes('{') && access !== 'administrator')
    .filter((one) => !isForEverybody(one.path) && !isForAnybody(one))
  expect(ofOthers.length).toBeGreaterThan(50)
  for (const operation of ofOthers) {
    const reply = await world.call(
      'charlie',
      operation.method,
      world.fill(operation.path),
      sendable(description.exampleOf(operation)),
    )
    expect([operation.id, reply.status]).toEqual([operation.id, 404])
  }
  expect(await stored()).toBe(before)
})

test('nobody finds in a list what they cannot read alone', async () => {
  const lists = declaredResources().all.filter(
    ({ operations: known, path, access }) =>
      known.includes('list') && !path.includes('{') && access !== 'administrator' && !isForEverybody(path),
  )
  expect(lists.length).toBeGreaterThan(10)
  for (const { path, name } of lists) {
    const rows = async (person: Person) =>
      ((await world.call(person, 'GET', `${path}?limit=1000`)).body as readonly { id: unknown }[]).map((row) => row.id)
    const [hers, his] = [await rows('alice'), await rows('charlie')]
    expect(hers.length).toBeGreaterThan(0)
    expect([name, his.filter((one) => hers.includes(one))]).toEqual([name, []])
  }
})

describe('a sub-account', () => {
  test('has everything of its parent, also what others share with the parent', async () => {
    const [bobs] = await world.database.query<{ id: number }>(sql`
      select id from groups where owner_id = ${world.people.ids.bob} and is_default`)
    await world.database.execute(
      sql`insert into shares (group_id, account_id) values (${bobs?.id}, ${world.people.ids.alice})`,
    )
    for (const list of ['/groups', '/services', '/notification_addresses', '/service_statuses']) {
      const [hers, his] = await Promise.all(
        (['alice', 'adam'] as const).map((person) => world.call(person, 'GET', `${list}?limit=1000&sort=id`)),
      )
      expect(his?.body).toEqual(expect.arrayContaining(hers?.body as unknown[]))
    }
    expect((await world.call('adam', 'GET', `/groups/${bobs?.id}`)).status).toBe(200)
    expect((await world.call('adam', 'PUT', `/groups/${bobs?.id}`, { name: 'x' })).status).toBe(403)
  })

  test('unites the rights that it has by itself and through its parent', async () => {
    const [bobs] = await world.database.query<{ id: number }>(sql`
      insert into groups (owner_id, name, assigned_sensor_ids)
      select owner_id, 'Boba', assigned_sensor_ids from groups where owner_id = ${world.people.ids.bob} and is_default
      returning id`)
    await world.database.execute(sql`
      insert into shares (group_id, account_id, can_modify_group, can_create_services) values
        (${bobs?.id}, ${world.people.ids.alice}, true, false), (${bobs?.id}, ${world.people.ids.adam}, false, true)`)
    const flags = await world.call(
      'adam',
      'GET',
      `/groups/${bobs?.id}/permissions?fields=update,create_services,delete,own`,
    )
    expect(flags.body).toEqual({ update: true, create_services: true, delete: false, own: false })
  })

  test('puts what it makes in a group of its parent into the account of its parent', async () => {
    const { body: home } = await world.call('alice', 'GET', '/groups/my_default_group?fields=id')
    const { id: group_id } = home as { id: number }
    const { body } = await world.call('adam', 'POST', '/services', { ...http, group_id })
    const service = await world.call(
      'adam',
      'GET',
      `/services/${(body as { id: number }).id}?embed=group&fields=owner_id`,
    )
    expect(service.body).toMatchObject({ owner_id: world.people.ids.alice, group: { is_default: true } })
  })
})
