import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tell, tellStatuses } from '../../src/database/services/stream-events.ts'
import { eventLines } from '../../src/domain/stream-event.ts'
import type { StreamLimits } from '../../src/resources/event-stream/feed.ts'
import { StreamListener } from '../../src/resources/event-stream/listener.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import { anotherApi, type Heard, listenTo, patience } from '../support/event-stream.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

let api: ApiWorld
let url: string
const heard: Heard[] = []
const others: FastifyInstance[] = []

/** A service that the tests leave alone: once its change is heard, everything before it has been told. */
let last = 0
let isSpoilt = true

/** Nobody after this test can use its accounts or events. */
function spoil(): void {
  isSpoilt = true
}

beforeEach(async () => {
  if (!isSpoilt) return
  api = await apiWorld()
  url = await api.server.listen({ host: '127.0.0.1', port: 0 })
  last = await newService()
  isSpoilt = false
})
afterEach(async () => {
  for (const one of heard.splice(0)) one.close()
  for (const other of others.splice(0)) await other.close()
  if (isSpoilt) return api.drop()
  const alice = await listen('alice')
  await fails(last)
  await untilHeard(alice, last)
  alice.close()
})
afterAll(() => (isSpoilt ? undefined : api.drop()))

interface Listening {
  readonly at?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function listen(person: Person, { at = url, query = '', headers = {} }: Listening = {}): Promise<Heard> {
  const one = await listenTo(at, { authorization: authorizationOf(person), ...headers }, query)
  heard.push(one)
  return one
}

/** The API at another process of the installation. */
async function anotherProcess(limits?: StreamLimits): Promise<string> {
  const server = await anotherApi(api, limits)
  others.push(server)
  return server.listen({ host: '127.0.0.1', port: 0 })
}

async function newService(person: Person = 'alice', more: object = {}): Promise<number> {
  const body = { type_id: 'http', name: 'Shop', address: 'shop.example.com', ...more }
  return idOf(await api.call(person, 'POST', '/services', body))
}

const fails = (...ids: readonly number[]) =>
  api.database.transaction(async (transaction) => {
    await transaction.execute(sql`
      update service_statuses set check_status = 'failure', valid_until = ${new Date(api.clock.now() + 60_000)}
      where service_id = any(${[...ids]}::int[])`)
    await tellStatuses(transaction, ids)
  })

const statusesIn = ({ events }: Heard) =>
  events.flatMap(({ event, data }) => (event === 'service_status' ? [Number(data['id'])] : []))

/** Once this listener has heard of a service, the others have been told too. */
async function untilHeard(listener: Heard, id: number): Promise<void> {
  await vi.waitFor(() => expect(statusesIn(listener)).toContain(id), patience)
}

describe('the event stream', () => {
  test('tells a status exactly as its reader reads it, and begins with an id', async () => {
    const id = await newService()
    const alice = await listen('alice')
    const { headers } = alice.response
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(headers['cache-control']).toContain('no-store')
    expect(headers['x-accel-buffering']).toBe('no')
    await fails(id)
    await untilHeard(alice, id)
    const { body } = await api.call('alice', 'GET', `/service_statuses/${id}`)
    expect(alice.events.at(-1)).toEqual({ event: 'service_status', id: alice.lastId(), data: body })
    expect(body).toMatchObject({ summary: 'failure' })
  })

  test('is not compressed, and answers HEAD without beginning', async () => {
    const alice = await listen('alice', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(alice.response.headers['content-encoding']).toBeUndefined()
    const reply = await api.call('alice', 'HEAD', '/event_stream')
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await vi.waitFor(() => expect(api.events.size).toBe(1), patience)
  })

  test('tells nothing of a transaction before it is committed, and all of it however late that is', async () => {
    const [early, late] = [await newService(), await newService()]
    const alice = await listen('alice')
    await api.database.transaction(async (transaction) => {
      await tellStatuses(transaction, [late])
      await fails(early)
      await untilHeard(alice, early)
      expect(statusesIn(alice)).not.toContain(late)
    })
    await untilHeard(alice, late)
    expect(statusesIn(alice)).toEqual([early, late])
  })

  test('tells each what they may read: the owner, their sub-account, receivers of a share; nobody else', async () => {
    const shared = await newService('alice', { group_id: api.people.sharedGroupId })
    const [own, strangers] = [await newService(), await newService('charlie')]
    const all = new Map<Person, Heard>()
    for (const person of ['alice', 'adam', 'rita', 'bob', 'carol', 'charlie'] as const)
      all.set(person, await listen(person))
    await fails(shared)
    await fails(own)
    await fails(strangers)
    await untilHeard(all.get('alice') as Heard, own)
    await untilHeard(all.get('charlie') as Heard, strangers)
    const told = Object.fromEntries([...all].map(([person, one]) => [person, statusesIn(one)]))
    expect(told).toEqual({
      ...{ alice: [shared, own], adam: [shared, own], rita: [shared, own] },
      ...{ bob: [shared], carol: [shared], charlie: [strangers] },
    })
  })

  test('falls silent at once where a share is taken away, and speaks again where it is given', async () => {
    const shared = await newService('alice', { group_id: api.people.sharedGroupId })
    const [bob, carol] = [await listen('bob'), await listen('carol')]
    await api.database.execute(sql`delete from shares where account_id = ${api.people.ids.bob}`)
    await fails(shared)
    await untilHeard(carol, shared)
    expect(statusesIn(bob)).toEqual([])
    await api.database.execute(sql`
      insert into shares (group_id, account_id) values (${api.people.sharedGroupId}, ${api.people.ids.bob})`)
    await fails(shared)
    await untilHeard(bob, shared)
  })

  test.each([
    ['the account is blocked', (id: number) => sql`update accounts set is_blocked = true where id = ${id}`],
    ['the password changes', (id: number) => sql`update accounts set password_hash = 'another' where id = ${id}`],
    ['the account is removed', (id: number) => sql`delete from accounts where id = ${id}`],
  ])('ends where %s', async (_what, change) => {
    spoil()
    const shared = await newService('alice', { group_id: api.people.sharedGroupId })
    const [bob, carol] = [await listen('bob'), await listen('carol')]
    await api.database.execute(change(api.people.ids.bob))
    await fails(shared)
    await untilHeard(carol, shared)
    await vi.waitFor(() => expect(bob.isEnded()).toBe(true), patience)
    expect(bob.events).toEqual([])
  })

  test('ends with its session: when that is ended, and when it expires; listening does not extend it', async () => {
    const id = await newService()
    const logIn = async () => {
      const login = { username: 'alice', password: passwordOf('alice'), expiration_duration: 60 }
      const { token } = (await api.call(null, 'POST', '/sessions', login)).answer
      return { token, listener: await listen('alice', { headers: { authorization: `Bearer ${token}` } }) }
    }
    const [left, expiring, basic] = [await logIn(), await logIn(), await listen('alice')]
    await api.call(null, 'DELETE', '/sessions/my_session', undefined, { authorization: `Bearer ${left.token}` })
    await fails(id)
    await untilHeard(expiring.listener, id)
    await vi.waitFor(() => expect(left.listener.isEnded()).toBe(true), patience)
    expect(left.listener.events).toEqual([])
    api.clock.advance(61_000)
    await fails(id)
    await vi.waitFor(() => expect(expiring.listener.isEnded()).toBe(true), patience)
    await vi.waitFor(() => expect(statusesIn(basic)).toEqual([id, id]), patience)
    expect(statusesIn(expiring.listener)).toEqual([id])
  })

  test('is opened by the cookie of the console from our own pages, and by no cookie from elsewhere', async () => {
    const login = { username: 'alice', password: passwordOf('alice') }
    const { token } = (await api.call(null, 'POST', '/sessions', login)).answer
    const cookie = `latarnik_console=${token}`
    const ours = await listenTo(url, { cookie, 'sec-fetch-site': 'same-origin' })
    heard.push(ours)
    expect(ours.response.statusCode).toBe(200)
    for (const headers of [{ cookie, 'sec-fetch-site': 'cross-site' }, { cookie: 'latarnik_console=x' }]) {
      expect((await listenTo(url, headers)).response.statusCode).toBe(401)
    }
    expect((await api.call(null, 'GET', '/groups', undefined, { cookie })).status).toBe(401)
  })

  test('leaves out what its filters do not name', async () => {
    const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Elsewhere' }))
    const [web, shop, plain] = [
      await newService('alice', { tags: ['Web'] }),
      await newService('alice', { tags: ['shop'] }),
      await newService('alice', { group_id: group }),
    ]
    const [all, tagged, grouped] = [
      await listen('alice'),
      await listen('alice', { query: '?tags=web&tags=shop' }),
      await listen('alice', { query: `?group_id=${group}` }),
    ]
    await api.database.transaction((transaction) =>
      tell(transaction, [{ kind: 'sensor', subjectId: api.people.sensorIds[0] ?? 0 }]),
    )
    for (const id of [web, shop, plain]) await fails(id)
    await untilHeard(all, plain)
    expect([tagged.events.map(({ event }) => event), statusesIn(tagged)]).toEqual([
      ['service_status', 'service_status'],
      [web, shop],
    ])
    expect(statusesIn(grouped)).toEqual([plain])
    expect(all.events.map(({ event }) => event)).toContain('sensor')
  })

  test.each(['?group_id=x', '?tag=web', `?tags=${'x'.repeat(51)}`])('refuses %s', async (query) => {
    expect((await listen('alice', { query })).response.statusCode).toBe(422)
  })

  test('tells a new period as the history of its service shows it', async () => {
    const id = await newService()
    const alice = await listen('alice')
    await api.call('alice', 'PUT', `/services/${id}`, { is_active: false })
    await vi.waitFor(() => expect(alice.events.map(({ event }) => event)).toContain('status_change'), patience)
    const change = alice.events.find(({ event }) => event === 'status_change')
    const path = `/services/${id}/history/status_changes/${change?.data['change_id']}`
    expect(change?.data).toEqual((await api.call('alice', 'GET', path)).body)
    await untilHeard(alice, id)
  })

  test('tells notifications to those who read the log, and a report to the side of its owner', async () => {
    const id = await newService('alice', { group_id: api.people.sharedGroupId })
    const [alice, adam, bob] = [await listen('alice'), await listen('adam'), await listen('bob')]
    const { ids } = api.people
    const [intent] = await api.database.query<{ id: number }>(sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, created_at, next_attempt_at, status)
      values (${id}, 'failure:1', 1, ${ids.alice}, ${api.people.sharedGroupId}, 'email', 'failure', 'a@example.com', '{}',
        ${new Date(api.clock.now())}, ${new Date(api.clock.now())}, 'sent') returning id`)
    await api.database.execute(sql`
      insert into stream_events (kind, owner_id, service_id, subject_id)
      values ('notification', ${ids.alice}, ${id}, ${intent?.id})`)
    await fails(id)
    for (const one of [alice, adam, bob]) await untilHeard(one, id)
    const kinds = [alice, adam, bob].map(({ events }) => events.map(({ event }) => event))
    expect(kinds).toEqual([['notification', 'service_status'], ['notification', 'service_status'], ['service_status']])
    expect(alice.events[0]?.data).toMatchObject({ address: 'a@example.com', status: 'sent' })
  })

  test('tells notifications of contacts as the log of contacts shows them', async () => {
    const id = await newService('alice', { group_id: api.people.sharedGroupId })
    const contact = idOf(await api.call('alice', 'POST', '/contacts', { name: 'Anna' }))
    const [alice, bob] = [await listen('alice'), await listen('bob')]
    const { ids } = api.people
    const [intent] = await api.database.query<{ id: number }>(sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, contact_id,
        notification_channel_id, notification_condition_id, address, facts, created_at, next_attempt_at, status)
      values (${id}, 'failure:1', 1, ${ids.alice}, ${api.people.sharedGroupId}, ${contact}, 'email', 'failure',
        'anna@example.com', '{}', ${new Date(api.clock.now())}, ${new Date(api.clock.now())}, 'sent') returning id`)
    await api.database.execute(sql`
      insert into stream_events (kind, owner_id, service_id, subject_id)
      values ('notification', ${ids.alice}, ${id}, ${intent?.id})`)
    await fails(id)
    for (const one of [alice, bob]) await untilHeard(one, id)
    const [told] = alice.events.filter(({ event }) => event === 'notification')
    const path = `/accounts/my_account/logs/contact_notifications/${intent?.id}`
    expect(told?.data).toEqual((await api.call('alice', 'GET', path)).body)
    expect(told?.data).toMatchObject({ contact_id: contact, address: 'anna@example.com' })
    expect(bob.events.map(({ event }) => event)).toEqual(['service_status'])
  })

  test('says nothing but a comment every 15 seconds while nothing happens', async () => {
    const alice = await listen('alice')
    const before = alice.lastId()
    api.clock.advance(15_000)
    await vi.waitFor(() => expect(alice.text()).toContain('\n\n:\nid: '), patience)
    expect([alice.events, alice.lastId() === before]).toEqual([[], false])
  })

  test('ids give nothing away: nobody reads from them how much happens to others', async () => {
    const alice = await listen('alice')
    const strangers = await newService('charlie')
    await fails(strangers)
    expect(alice.lastId()).toMatch(/^[\w-]{22}$/)
  })
})

describe('taking the stream up again', () => {
  test('tells what was missed, at another process too', async () => {
    const [first, second] = [await newService(), await newService()]
    const alice = await listen('alice')
    await fails(first)
    await untilHeard(alice, first)
    alice.close()
    await fails(second)
    const elsewhere = await anotherProcess()
    const again = await listen('alice', { at: elsewhere, headers: { 'last-event-id': alice.lastId() } })
    await untilHeard(again, second)
    expect(again.events.map(({ event }) => event)).not.toContain('reset')
  })

  test('asks the permissions of now', async () => {
    spoil()
    const shared = await newService('alice', { group_id: api.people.sharedGroupId })
    const [bob, alice] = [await listen('bob'), await listen('alice')]
    bob.close()
    await fails(shared)
    await untilHeard(alice, shared)
    await api.database.execute(sql`delete from shares where account_id = ${api.people.ids.bob}`)
    const again = await listen('bob', { headers: { 'last-event-id': bob.lastId() } })
    const own = await newService('bob')
    await fails(own)
    await untilHeard(again, own)
    expect(statusesIn(again)).not.toContain(shared)
  })

  test.each(['too long ago', 'nonsense', 'another installation'])('says reset: %s', async (why) => {
    const alice = await listen('alice')
    alice.close()
    if (why === 'too long ago') api.clock.advance(301_000)
    if (why === 'another installation') spoil()
    if (why === 'another installation') await api.database.execute(sql`update stream_epochs set epoch = epoch / 2`)
    const lastId = why === 'nonsense' ? 'nonsense' : alice.lastId()
    const again = await listen('alice', { headers: { 'last-event-id': lastId } })
    await vi.waitFor(() => expect(again.events.map(({ event }) => event)).toEqual(['reset']), patience)
  })

  test('says reset to those who listen when a crash of the database took events away', async () => {
    spoil()
    const alice = await listen('alice')
    await api.database.execute(sql`truncate stream_events, stream_epochs`)
    await vi.waitFor(() => expect(alice.events.map(({ event }) => event)).toEqual(['reset']), patience)
    const id = await newService()
    await fails(id)
    await untilHeard(alice, id)
  })
})

describe('limits of the stream', () => {
  test('a reader that takes nothing costs a bounded memory, is told to read again when it goes on, and is given up', () => {
    const parts = { filter: { groupIds: null, tags: null }, language: 'en', resumesAt: null } as const
    const holder = { accountId: 1, sessionId: null, key: null, ipAddress: '192.0.2.1', passwordHash: null }
    const listener = new StreamListener({ ...parts, holder })
    const event = Buffer.from(eventLines('service_status', JSON.stringify({ name: 'x'.repeat(500) })))
    listener.begin('first', 0)
    for (let count = 0; count < 10_000; count++) listener.send([event], `at ${count}`, 0)
    const { readableLength: waiting } = listener.stream
    expect(waiting).toBeGreaterThan(262_144)
    expect(waiting).toBeLessThan(262_144 + 2 * event.length)
    listener.keepAlive('later', 15_000)
    expect(listener.stream.readableLength).toBe(waiting)
    listener.stream.read()
    listener.keepAlive('later', 16_000)
    expect(String(listener.stream.read())).toBe('event: reset\ndata: {}\nid: later\n\n')
    for (let count = 0; count < 1000; count++) listener.send([event], `at ${count}`, 17_000)
    listener.keepAlive('given up', 77_001)
    expect(listener.stream.destroyed).toBe(true)
  })

  test('one stream too many of an account is refused; a closed one makes room', async () => {
    const at = await anotherProcess({ ofAccount: 2, ofAddress: 3 })
    const [first] = [await listen('alice', { at }), await listen('alice', { at })]
    const refused = await listen('alice', { at })
    expect([refused.response.statusCode, refused.text()]).toEqual([429, expect.stringContaining('too_many_streams')])
    first?.close()
    await vi.waitFor(async () => expect((await listen('alice', { at })).response.statusCode).toBe(200), patience)
    expect((await listen('bob', { at })).response.statusCode).toBe(200)
    expect((await listen('carol', { at })).response.statusCode).toBe(429)
  })

  test('the stream ends cleanly when the program stops', async () => {
    const at = await anotherProcess()
    const alice = await listen('alice', { at })
    await others[0]?.close()
    await vi.waitFor(() => expect(alice.isEnded()).toBe(true), patience)
    expect(alice.response.complete).toBe(true)
  })

  test('nobody without an account listens', async () => {
    expect((await listenTo(url, {})).response.statusCode).toBe(401)
    expect((await listenTo(url, { authorization: authorizationOf('dora') })).response.statusCode).toBe(403)
  })
})
