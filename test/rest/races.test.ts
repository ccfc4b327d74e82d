import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutLostRaces } from '../../src/rest/lost-races.ts'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

test('work that lost a race for rows is done again', async () => {
  const { database } = world
  await database.execute(sql`create table raced (id integer primary key, visits integer not null default 0)`)
  await database.execute(sql`insert into raced (id) values (1), (2)`)
  const hasFirst = { 1: signal(), 2: signal() }
  const isOver = { 1: signal(), 2: signal() }
  let tries = 0
  const visit = async (first: 1 | 2, second: 1 | 2) => {
    let own = 0
    await withoutLostRaces(database).transaction(async (transaction) => {
      tries += 1
      own += 1
      // Sooner, it could take the row again before the winner awakes, and lose once more.
      if (own > 1) await isOver[second].given
      await transaction.execute(sql`update raced set visits = visits + 1 where id = ${first}`)
      hasFirst[first].give()
      await hasFirst[second].given
      await transaction.execute(sql`update raced set visits = visits + 1 where id = ${second}`)
    })
    isOver[first].give()
  }
  await Promise.all([visit(1, 2), visit(2, 1)])
  expect(await database.query(sql`select id, visits from raced order by id`)).toEqual([
    { id: 1, visits: 2 },
    { id: 2, visits: 2 },
  ])
  expect(tries).toBe(3)
})

test('a group is deleted while everything in it is being changed, and everybody gets an answer', async () => {
  const replies: Reply[] = []
  for (let round = 0; round < 6; round += 1) {
    const groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Doomed' }))
    const service = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: groupId }
    const ids = [
      await world.call('alice', 'POST', '/services', service),
      await world.call('alice', 'POST', '/services', service),
    ]
    const suspension = { service_id: ids.map(idOf)[0], end_time: '2027-01-01T00:00:00Z' }
    const address = { group_id: groupId, notification_channel_id: 'email', address: 'alice@example.com' }
    const addressId = idOf(await world.call('alice', 'POST', '/notification_addresses', address))
    const suspensionId = idOf(await world.call('alice', 'POST', '/suspensions', suspension))
    const changes = ids
      .map(idOf)
      .flatMap((id) => [
        world.call('alice', 'PUT', `/services/${id}`, { is_active: false }),
        world.call('alice', 'PUT', `/services/${id}`, { interval: 300 }),
        world.call('alice', 'POST', `/services/${id}/archive`),
      ])
    replies.push(
      ...(await Promise.all([
        ...changes,
        world.call('alice', 'DELETE', `/groups/${groupId}`),
        world.call('alice', 'POST', '/suspensions', suspension),
        world.call('alice', 'PUT', `/suspensions/${suspensionId}`, { description: 'x' }),
        world.call('alice', 'PUT', `/notification_addresses/${addressId}`, { address: 'adam@example.com' }),
        world.call('alice', 'PUT', `/groups/${groupId}/shares/${world.people.ids.bob}`, {}),
        world.call('alice', 'POST', '/services', service),
      ])),
    )
    expect((await world.call('alice', 'GET', `/groups/${groupId}`)).status).toBe(404)
  }
  expect(replies.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
})

test.each([
  ['bob', '/contacts', { name: 'Anna' }],
  ['carol', '/status_pages', { slug: 'late', title: 'Late' }],
  ['charlie', '/wallboards', { name: 'Late' }],
] as const)(
  '%s, who is removed while creating one of %s, hears that there is no such thing',
  async (person, path, body) => {
    const { database, people } = world
    const waiting = sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
    const creating = await database.transaction(async (transaction) => {
      await transaction.execute(sql`delete from accounts where id = ${people.ids[person]}`)
      const reply = world.call(person, 'POST', path, body)
      await expect.poll(async () => (await database.query<{ count: number }>(waiting))[0]?.count).toBeGreaterThan(0)
      return { reply }
    })
    const { status, body: problems } = await creating.reply
    expect([status, errorsOf(problems)]).toEqual([404, [['not_found', undefined]]])
  },
)
