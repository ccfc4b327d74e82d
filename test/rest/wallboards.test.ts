import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { apiWorld } from '../support/api.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { errorsOf, idOf } from '../support/replies.ts'

interface Board {
  readonly name: string | null
  readonly groups: readonly {
    readonly id: number | null
    readonly name: string
    readonly failure: number
    readonly failing: readonly { readonly name: string; readonly address: string | null; readonly since: string }[]
  }[]
}

let world: FurnishedWorld
let id: number
let token: string

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

beforeEach(async () => {
  id = idOf(await world.call('alice', 'POST', '/wallboards', { name: 'Wall' }))
  token = (await world.call('alice', 'POST', `/wallboards/${id}/link`)).answer.token
})

const shown = (by = token) => world.call(null, 'GET', '/public/wallboard', undefined, { authorization: `Bearer ${by}` })
const namesOf = ({ body }: { readonly body: unknown }) => (body as Board).groups.map(({ name }) => name)

test('a link is shown once; afterwards only its beginning is', async () => {
  const made = await world.call('alice', 'POST', `/wallboards/${id}/link`)
  const { token: fresh, url } = made.answer
  expect(made.status).toBe(201)
  expect(url).toBe(`http://api.test/wallboard/shared#${fresh}`)
  expect(made.headers['cache-control']).toBe('no-store')
  const { body } = await world.call('alice', 'GET', `/wallboards/${id}`)
  expect(body).toMatchObject({ token_prefix: fresh.slice(0, 12), owner_id: world.people.ids.alice })
  expect(JSON.stringify(body)).not.toContain(fresh)
  const stored = await world.database.query(sql`select * from wallboards where id = ${id}`)
  expect(JSON.stringify(stored)).not.toContain(fresh)
})

test('without a login it shows names and states of the owner’s groups, and nothing else', async () => {
  const reply = await shown()
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-store')
  const group = (reply.body as Board).groups.find(({ name }) => name === 'Shared')
  expect(group).toEqual({
    ...{ id: null, name: 'Shared', failure: 1, ok: 0, unknown: expect.any(Number), paused: expect.any(Number) },
    suspended: expect.any(Number),
    degraded: 0,
    failing: [{ id: null, name: 'Sklep Łódź', address: null, since: formatMoment(world.history.failedAt) }],
  })
  expect(reply.text).not.toMatch(/example\.com|Charlie/)
  expect(Object.keys(reply.body as object)).toEqual(['name', 'time', 'groups'])
})

test('somebody who is logged in sees all that they may read, with what leads there', async () => {
  const { body } = await world.call('bob', 'GET', '/wallboard')
  expect((body as Board).groups).toMatchObject([
    { id: world.groupIds.shared, failing: [{ id: world.serviceIds.shared, address: expect.any(String) }] },
  ])
  expect(namesOf(await world.call('charlie', 'GET', '/wallboard'))).not.toContain('Shared')
  expect((await world.call(null, 'GET', '/wallboard')).status).toBe(401)
})

test('the address of a service has the port that is a setting of its own', async () => {
  const { shared } = world.serviceIds
  const before = await world.database.query<{ type_id: string; address: string; extended_settings: object }>(
    sql`select type_id, address, extended_settings from services where id = ${shared}`,
  )
  await world.database.execute(sql`
    update services set type_id = 'redis', address = 'cache.example.com', extended_settings = '{"port": 23130}'
    where id = ${shared}`)
  try {
    const { body } = await world.call('alice', 'GET', '/wallboard')
    const failing = (body as Board).groups.flatMap((group) => group.failing)
    expect(failing.map(({ address }) => address)).toContain('cache.example.com:23130')
  } finally {
    const [{ type_id, address, extended_settings } = { type_id: '', address: '', extended_settings: {} }] = before
    await world.database.execute(sql`
      update services set type_id = ${type_id}, address = ${address},
        extended_settings = ${JSON.stringify(extended_settings)}::jsonb where id = ${shared}`)
  }
})

test('addresses are shown where the wallboard says so', async () => {
  await world.call('alice', 'PUT', `/wallboards/${id}`, { shows_addresses: true })
  const group = ((await shown()).body as Board).groups.find(({ name }) => name === 'Shared')
  expect(group?.failing[0]?.address).toEqual(expect.any(String))
})

test('only the groups that it names are shown, and only while the owner may read them', async () => {
  await world.call('alice', 'PUT', `/wallboards/${id}`, { group_ids: [world.groupIds.shared] })
  expect(namesOf(await shown())).toEqual(['Shared'])
  const bobs = idOf(await world.call('bob', 'POST', '/wallboards', { name: 'B', group_ids: [world.groupIds.shared] }))
  const link = (await world.call('bob', 'POST', `/wallboards/${bobs}/link`)).answer
  expect(namesOf(await shown(link.token))).toEqual(['Shared'])
  await world.database.execute(sql`delete from shares where account_id = ${world.people.ids.bob}`)
  expect(namesOf(await shown(link.token))).toEqual([])
  // It stays named, and can be written back.
  const { body } = await world.call('bob', 'GET', `/wallboards/${bobs}`)
  expect((await world.call('bob', 'PUT', `/wallboards/${bobs}`, body)).status).toBe(204)
})

test('groups of others are refused', async () => {
  const body = { name: 'X', group_ids: [world.groupIds.shared, world.groupIds.foreign, 999_999] }
  const { status, body: problems } = await world.call('alice', 'POST', '/wallboards', body)
  expect([status, errorsOf(problems)]).toEqual([
    422,
    [
      ['incorrect_value', 'data.group_ids[1]'],
      ['incorrect_value', 'data.group_ids[2]'],
    ],
  ])
})

test('a new link, a revoked one, an expired one and a deleted wallboard end the old link at once', async () => {
  const gone = async (by: string) => expect(errorsOf((await shown(by)).body)).toEqual([['not_found', undefined]])
  const fresh = (await world.call('alice', 'POST', `/wallboards/${id}/link`)).answer.token
  await gone(token)
  expect((await shown(fresh)).status).toBe(200)
  const expired = formatMoment(world.clock.now() - 1000)
  await world.call('alice', 'PUT', `/wallboards/${id}`, { expires_at: expired })
  await gone(fresh)
  await world.call('alice', 'PUT', `/wallboards/${id}`, { expires_at: null })
  expect((await shown(fresh)).status).toBe(200)
  expect((await world.call('alice', 'DELETE', `/wallboards/${id}/link`)).status).toBe(204)
  await gone(fresh)
  expect((await world.call('alice', 'GET', `/wallboards/${id}`)).body).toMatchObject({ token_prefix: null })
  const last = (await world.call('alice', 'POST', `/wallboards/${id}/link`)).answer.token
  expect((await world.call('alice', 'DELETE', `/wallboards/${id}`)).status).toBe(204)
  await gone(last)
})

test('without a token, or with one of a session, there is nothing', async () => {
  expect((await world.call(null, 'GET', '/public/wallboard')).status).toBe(404)
  expect((await shown(world.tokens.alice)).status).toBe(404)
  // The link opens nothing else.
  const services = await world.call(null, 'GET', '/services', undefined, { authorization: `Bearer ${token}` })
  expect(services.status).toBe(401)
})

test('the link of a blocked account shows nothing, and the address filter of the owner holds for it', async () => {
  const { ids } = world.people
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${ids.alice}`)
  expect((await shown()).status).toBe(404)
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${ids.alice}`)
  await world.database.execute(sql`
    update user_data set ip_whitelist_enabled = true, ip_whitelist = '{192.0.2.0/24}' where id = ${ids.alice}`)
  expect((await shown()).status).toBe(404)
  await world.database.execute(sql`update user_data set ip_whitelist_enabled = false where id = ${ids.alice}`)
  expect((await shown()).status).toBe(200)
})

test('a read-only user reads wallboards and makes no links; strangers see none', async () => {
  expect((await world.call('rita', 'GET', `/wallboards/${id}`)).status).toBe(200)
  expect((await world.call('rita', 'POST', '/wallboards', { name: 'R' })).status).toBe(403)
  expect((await world.call('rita', 'POST', `/wallboards/${id}/link`)).status).toBe(403)
  expect((await world.call('rita', 'DELETE', `/wallboards/${id}/link`)).status).toBe(403)
  for (const person of ['charlie', 'bob'] as const) {
    expect((await world.call(person, 'GET', `/wallboards/${id}`)).status).toBe(404)
    expect((await world.call(person, 'POST', `/wallboards/${id}/link`)).status).toBe(404)
  }
  expect((await shown()).status).toBe(200)
})

test('a sub-account makes one for its main account', async () => {
  const made = idOf(await world.call('adam', 'POST', '/wallboards', { name: 'A' }))
  expect((await world.call('alice', 'GET', `/wallboards/${made}`)).body).toMatchObject({
    owner_id: world.people.ids.alice,
  })
})

test('the use of a link is noted once a minute', async () => {
  const usedAt = async () => (await world.call('alice', 'GET', `/wallboards/${id}`)).answer.last_used_at
  expect(await usedAt()).toBe(null)
  await shown()
  const first = await usedAt()
  expect(first).toBe(formatMoment(world.clock.now()))
  world.clock.advance(30_000)
  await shown()
  expect(await usedAt()).toBe(first)
  world.clock.advance(31_000)
  await shown()
  expect(await usedAt()).toBe(formatMoment(world.clock.now()))
})

test('requests by a link count as those of the network that they come from', async () => {
  const limited = await apiWorld({ requestsPerMinute: { anonymous: 2, account: 100 } })
  try {
    const made = idOf(await limited.call('alice', 'POST', '/wallboards', { name: 'Wall' }))
    const link = (await limited.call('alice', 'POST', `/wallboards/${made}/link`)).answer
    const asked = () =>
      limited.call(null, 'GET', '/public/wallboard', undefined, { authorization: `Bearer ${link.token}` })
    const statuses = [(await asked()).status, (await asked()).status]
    const refused = await asked()
    expect([...statuses, refused.status]).toEqual([200, 200, 429])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await limited.call('alice', 'GET', '/wallboard')).status).toBe(200)
  } finally {
    await limited.drop()
  }
})
