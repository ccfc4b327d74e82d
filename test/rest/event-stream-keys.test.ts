import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tell, tellStatuses } from '../../src/database/services/stream-events.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type Heard, listenTo, patience } from '../support/event-stream.ts'
import { idOf } from '../support/replies.ts'

/** The event stream under keys that are narrowed to a group or a tag. */

let api: ApiWorld
let url: string
const heard: Heard[] = []

beforeEach(async () => {
  api = await apiWorld()
  url = await api.server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const one of heard.splice(0)) one.close()
  await api.drop()
})

interface Key {
  readonly id: number
  readonly key: string
}

async function keyWith(narrowing: object, scopes: readonly string[] = ['read']): Promise<Key> {
  const reply = await api.call('alice', 'POST', '/api_keys', { name: 'Screen', scopes, ...narrowing })
  expect([reply.status, reply.text]).toEqual([201, expect.anything()])
  return reply.body as Key
}

async function listen({ key }: Pick<Key, 'key'>, headers: Record<string, string> = {}): Promise<Heard> {
  const one = await listenTo(url, { authorization: `Bearer ${key}`, ...headers })
  expect(one.response.statusCode).toBe(200)
  heard.push(one)
  return one
}

async function newService(name: string, more: object = {}): Promise<number> {
  const body = { type_id: 'http', name, address: `${name}.example.com`, ...more }
  return idOf(await api.call('alice', 'POST', '/services', body))
}

/** Everything that streams tell, about each of the services, then about stations and reports. */
async function happen(...ids: readonly number[]): Promise<void> {
  const { ids: people, sensorIds, sharedGroupId } = api.people
  await api.database.transaction(async (transaction) => {
    await transaction.execute(sql`
      update service_statuses set check_status = 'failure', valid_until = ${new Date(api.clock.now() + 60_000)}
      where service_id = any(${[...ids]}::int[])`)
    for (const id of ids)
      await transaction.execute(sql`
        with intent as (
          insert into notification_intents (service_id, event_id, address_id, account_id, group_id,
            notification_channel_id, notification_condition_id, address, facts, created_at, next_attempt_at, status)
          select ${id}, 'failure:' || ${id} || ':' || count(*), 1, ${people.alice}, ${sharedGroupId}, 'email', 'failure',
            'a@example.com', '{}', ${new Date(api.clock.now())}, ${new Date(api.clock.now())}, 'sent'
          from notification_intents
          returning id)
        insert into stream_events (kind, owner_id, service_id, subject_id)
        select 'notification', ${people.alice}, ${id}, id from intent`)
    await tellStatuses(transaction, [...ids])
    await tell(transaction, [{ kind: 'sensor', subjectId: sensorIds[0] ?? 0 }])
  })
}

const statusesIn = ({ events }: Heard) =>
  events.flatMap(({ event, data }) => (event === 'service_status' ? [Number(data['id'])] : []))

const untilHeard = (one: Heard, id: number, times = 1) =>
  vi.waitFor(() => expect(statusesIn(one).filter((heardId) => heardId === id)).toHaveLength(times), patience)

/** The whole text of a stream names no other service and no address. Stations are the same for everybody. */
function expectNothingElse(one: Heard, own: readonly number[], others: readonly string[]): void {
  const events = one.events.filter(({ event }) => event !== 'sensor')
  const kinds = new Set(events.map(({ event }) => event))
  expect([...kinds].filter((kind) => !['service_status', 'status_change'].includes(kind))).toEqual([])
  const ids = new Set(events.map(({ data }) => Number(data['service_id'] ?? data['id'])))
  expect([...ids].filter((id) => !own.includes(id))).toEqual([])
  expect([...others, 'a@example.com'].filter((name) => one.text().includes(name))).toEqual([])
}

test('a key for a group or a tag hears of its services alone, and of nothing else that happens', async () => {
  const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Inside' }))
  const inside = await newService('inside', { group_id: group, tags: ['web'] })
  const tagged = await newService('tagged', { tags: ['web'] })
  const outside = await newService('outside')
  const scopes = ['read', 'notifications']
  const byGroup = await listen(await keyWith({ group_ids: [group] }, scopes))
  const byTag = await listen(await keyWith({ tags: ['WEB'] }, scopes))
  const byBoth = await listen(await keyWith({ group_ids: [group], tags: ['web'] }))
  const whole = await listen(await keyWith({}, scopes))
  await happen(outside, tagged, inside)
  // Two events about one service in one look are told once.
  for (const one of [byGroup, byTag, byBoth, whole]) await untilHeard(one, inside)
  await api.call('alice', 'PUT', `/services/${outside}`, { is_active: false })
  await happen(inside)
  for (const one of [byGroup, byTag, byBoth, whole]) await untilHeard(one, inside, 2)
  expect(new Set(whole.events.map(({ event }) => event))).toEqual(
    new Set(['service_status', 'status_change', 'notification', 'sensor']),
  )
  expectNothingElse(byGroup, [inside], ['outside', 'tagged'])
  expectNothingElse(byTag, [inside, tagged], ['outside'])
  expectNothingElse(byBoth, [inside], ['outside', 'tagged'])
})

test.each([
  ['the group', { group_id: 'group' }, (other: number) => ({ group_id: other })],
  ['the tag', { tags: ['web'] }, () => ({ tags: ['elsewhere'] })],
])('a service that leaves %s falls silent at once, also for a stream that resumes', async (what, kept, moved) => {
  const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Inside' }))
  const other = idOf(await api.call('alice', 'POST', '/groups', { name: 'Elsewhere' }))
  const place = 'group_id' in kept ? { group_id: group } : kept
  const [leaving, staying] = [await newService('leaving', place), await newService('staying', place)]
  const key = await keyWith(what === 'the group' ? { group_ids: [group] } : { tags: ['web'] })
  const [open, gone] = [await listen(key), await listen(key)]
  await happen(leaving)
  await untilHeard(open, leaving)
  await untilHeard(gone, leaving)
  gone.close()
  // The event is written while it is inside, but read after it left: a reader who comes back gets it no more.
  await happen(leaving)
  await untilHeard(open, leaving, 2)
  expect((await api.call('alice', 'PUT', `/services/${leaving}`, moved(other))).status).toBe(204)
  const before = open.text().length
  await happen(leaving)
  await api.call('alice', 'PUT', `/services/${leaving}`, { is_active: false, name: 'gone away' })
  await happen(leaving, staying)
  await untilHeard(open, staying)
  const again = await listen(key, { 'last-event-id': gone.lastId() })
  await untilHeard(again, staying)
  expect(statusesIn(open)).toEqual([leaving, leaving, staying])
  expect(open.text().slice(before)).not.toContain('gone away')
  expect(statusesIn(again)).toEqual([staying])
  expectNothingElse(again, [staying], ['leaving', 'gone away'])
  expect((await api.call('alice', 'PUT', `/services/${leaving}`, place)).status).toBe(204)
  await happen(leaving)
  await vi.waitFor(() => expect(statusesIn(open).slice(3)).toContain(leaving), patience)
})

test('a stream ends when its key is revoked, and keeps nothing of a scope that the key lost', async () => {
  const service = await newService('shop')
  const [revoked, reduced] = [await keyWith({}), await keyWith({}, ['read', 'notifications'])]
  const [ending, losing] = [await listen(revoked), await listen(reduced)]
  await happen(service)
  for (const one of [ending, losing]) await untilHeard(one, service)
  expect((await api.call('alice', 'DELETE', `/api_keys/${revoked.id}`)).status).toBe(204)
  expect((await api.call('alice', 'PUT', `/api_keys/${reduced.id}`, { scopes: ['read'] })).status).toBe(204)
  const before = losing.events.length
  await happen(service)
  await untilHeard(losing, service, 2)
  await vi.waitFor(() => expect(ending.isEnded()).toBe(true), patience)
  expect(statusesIn(ending)).toEqual([service])
  expect(losing.events.slice(before).map(({ event }) => event)).not.toContain('notification')
})
