import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { integrationTransport } from '../../src/channels/integration-transport.ts'
import { pruneDeliveries } from '../../src/history/retention.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { silentLog } from '../support/monitoring.ts'
import { errorsOf, idOf } from '../support/replies.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const token = 'Bearer-of-news-123'

interface Heard {
  readonly headers: Record<string, string>
  readonly body: string
}

let world: ApiWorld
const heard: Heard[] = []
let answer = { status: 200, body: 'ok' }
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    heard.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
    response.writeHead(answer.status, { 'x-request-id': 'r-1', 'set-cookie': 'a=b' }).end(answer.body)
  })
})
let hook = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  world = await apiWorld()
})
afterAll(async () => {
  server.close()
  await world.drop()
})
beforeEach(async () => {
  heard.length = 0
  answer = { status: 200, body: 'ok' }
  await world.database.execute(sql`truncate notification_intents, deliveries`)
})

/** Delivers what is due; the message keeps waiting where it is to be tried again. */
async function deliverAll(): Promise<void> {
  const { database, clock } = world
  const transport = integrationTransport({
    clock: { now: () => Date.now() },
    dialler: createDialler({ allow: 'all' }),
    vendorUrls: new Map(),
  })
  const common = { database, clock, log: silentLog, publicUrl: 'http://api.test', diagnose: () => null }
  const notifier = await startDeliveryWorkers(common, [transport])
  await notifier.drain()
  await notifier.stop()
}

async function newHook(): Promise<number> {
  const settings = { url: hook, secret, headers: `Authorization: ${token}\nX-Team: ops` }
  const body = { notification_channel_id: 'webhook', settings, group_id: world.people.sharedGroupId }
  return idOf(await world.call('alice', 'POST', '/notification_addresses', body))
}

/** A test message to the address, as it is written before its call waits for it. */
async function told(addressId: number): Promise<void> {
  const now = new Date(world.clock.now())
  const facts = { condition: 'test', service: null, group: { id: 1, name: 'Shop' }, decidedAt: world.clock.now() }
  await world.database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    select 0, 'test:one', a.id, g.owner_id, g.id, a.notification_channel_id, 'failure', a.address, a.destination,
      ${JSON.stringify(facts)}::jsonb, ${now}, ${now}
    from notification_addresses a join groups g on g.id = a.group_id where a.id = ${addressId}`)
}

interface Delivery {
  readonly id: number
  readonly notification_id: number
  readonly status: string
  readonly error_message: string | null
  readonly response_status: number | null
  readonly request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> }
  readonly response: { readonly status: number; readonly headers: object; readonly body: string } | null
}

async function deliveries(addressId: number, person: 'alice' | 'rita' = 'alice'): Promise<readonly Delivery[]> {
  return (await world.call(person, 'GET', `/notification_addresses/${addressId}/deliveries`)).body as Delivery[]
}

test('an attempt is kept with request and answer, without secrets', async () => {
  const id = await newHook()
  await told(id)
  answer = { status: 500, body: `You sent ${token} and ${secret}` }
  await deliverAll()
  const [delivery, ...others] = await deliveries(id)
  expect(others).toEqual([])
  expect(delivery).toMatchObject({
    status: 'retried',
    attempt: 1,
    response_status: 500,
    notification_channel_id: 'webhook',
  })
  expect(delivery?.response).toMatchObject({ status: 500, headers: { 'x-request-id': 'r-1' } })
  expect(delivery?.request).toMatchObject({ method: 'POST', body: heard[0]?.body })
  expect(delivery?.request.headers).toMatchObject({
    Authorization: '***',
    'X-Team': '***',
    'webhook-id': heard[0]?.headers['webhook-id'],
    'webhook-signature': heard[0]?.headers['webhook-signature'],
  })
  const { body: alone } = await world.call('alice', 'GET', `/notification_addresses/${id}/deliveries/${delivery?.id}`)
  expect(alone).toEqual(delivery)
  const [stored] = await world.database.query<{ text: string }>(sql`select exchanged::text as text from deliveries`)
  for (const hidden of [token, secret, 'ops"', 'set-cookie']) expect(stored?.text).not.toContain(hidden)
})

test('a message is sent again under its key, with a signature of its own', async () => {
  const id = await newHook()
  await told(id)
  await deliverAll()
  const [first] = await deliveries(id)
  const path = `/notification_addresses/${id}/deliveries/${first?.id}/redeliver`
  const reply = await world.call('alice', 'POST', path)
  expect(reply.status).toBe(202)
  await deliverAll()
  const [again] = await deliveries(id)
  expect(again?.notification_id).toBe((reply.body as Delivery).notification_id)
  expect(again?.notification_id).not.toBe(first?.notification_id)
  expect(heard.map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(heard[0]?.headers['webhook-id']))
  for (const { headers, body } of heard) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
  expect(heard[1]?.body).toBe(heard[0]?.body)

  // One of what was sent again has the first key, too.
  await world.call('alice', 'POST', path.replace(`${first?.id}/redeliver`, `${again?.id}/redeliver`))
  await deliverAll()
  expect(heard[2]?.headers['webhook-id']).toBe(heard[0]?.headers['webhook-id'])
})

test('only those send again who may change the address, and nobody where it is off or of another channel', async () => {
  const id = await newHook()
  await told(id)
  await deliverAll()
  const [first] = await deliveries(id)
  const again = (person: 'alice' | 'rita' | 'charlie', address = id) =>
    world.call(person, 'POST', `/notification_addresses/${address}/deliveries/${first?.id}/redeliver`)
  expect((await again('rita')).status).toBe(403)
  expect((await again('charlie')).status).toBe(404)
  expect((await again('alice', await newHook())).status).toBe(404)
  const change = (body: object) => world.call('alice', 'PUT', `/notification_addresses/${id}`, body)
  await change({ is_enabled: false })
  expect(errorsOf((await again('alice')).body)).toEqual([['delivery_cannot_be_repeated', undefined]])
  await change({ is_enabled: true, notification_channel_id: 'ntfy', settings: { topic: 'shop' } })
  expect(errorsOf((await again('alice')).body)).toEqual([['delivery_cannot_be_repeated', undefined]])
  expect(heard).toHaveLength(1)
})

test('messages sent again are counted with test messages', async () => {
  const id = await newHook()
  await told(id)
  await deliverAll()
  const [first] = await deliveries(id)
  const path = `/notification_addresses/${id}/deliveries/${first?.id}/redeliver`
  const statuses: number[] = []
  for (let time = 0; time < 31; time += 1) statuses.push((await world.call('alice', 'POST', path)).status)
  expect(statuses).toEqual([...Array(30).fill(202), 422])
})

test('an address that came to another group shows nothing of the one before', async () => {
  const id = await newHook()
  await told(id)
  await deliverAll()
  expect(await deliveries(id)).toHaveLength(1)
  const groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Other' }))
  await world.call('alice', 'PUT', `/notification_addresses/${id}`, { group_id: groupId })
  expect(await deliveries(id)).toEqual([])
})

test('the newest of an address are kept, for a while', async () => {
  const id = await newHook()
  await world.database.execute(sql`
    insert into deliveries (address_id, account_id, group_id, notification_id, notification_channel_id, time, attempt, status, exchanged)
    select ${id}, g.owner_id, g.id, n, 'webhook', ${new Date(world.clock.now())}::timestamptz - interval '1 day' * (5 - n), 1, 'sent', '{}'
    from groups g, generate_series(1, 5) n where g.id = ${world.people.sharedGroupId}`)
  expect(await pruneDeliveries(world.database, world.clock.now() - 3.5 * 86_400_000, 2)).toBe(3)
  expect((await deliveries(id)).map(({ notification_id }) => notification_id)).toEqual([5, 4])
})

test('a secret is changed without a gap: for a day both sign', async () => {
  const id = await newHook()
  const reply = await world.call('alice', 'POST', `/notification_addresses/${id}/rotate_secret`)
  const { secret: fresh } = reply.answer
  expect(fresh).not.toBe(secret)
  await told(id)
  await deliverAll()
  const [both] = heard
  for (const one of [secret, fresh]) expect(new Webhook(one).verify(both?.body ?? '', both?.headers ?? {})).toBeTruthy()

  // A day later nobody who knows the old one alone can be fooled by it.
  await world.database.execute(sql`
    update notification_addresses set old_secret_until = ${new Date(world.clock.now())} where id = ${id}`)
  await world.database.execute(sql`truncate notification_intents`)
  await told(id)
  await deliverAll()
  const [, later] = heard
  expect(later?.headers['webhook-signature']).not.toContain(' ')
  expect(new Webhook(fresh).verify(later?.body ?? '', later?.headers ?? {})).toBeTruthy()
  const [shown] = await world.database.query<{ text: string }>(
    sql`select exchanged::text as text from deliveries limit 1`,
  )
  expect(shown?.text).not.toContain(fresh)
})

test('addresses of contacts have deliveries and secrets, too', async () => {
  const contactId = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Anna' }))
  const body = { contact_id: contactId, notification_channel_id: 'webhook', settings: { url: hook } }
  const id = idOf(await world.call('alice', 'POST', '/contact_addresses', body))
  expect((await world.call('alice', 'POST', `/contact_addresses/${id}/rotate_secret`)).body).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    old_secret_until: null,
  })
  await world.database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select 0, 'test:two', a.id, ${world.people.ids.alice}, 0, 'webhook', 'test', a.address, a.destination,
      ${JSON.stringify({ condition: 'test', service: null, group: { id: 0, name: 'Anna' }, decidedAt: world.clock.now() })}::jsonb,
      ${new Date(world.clock.now())}, ${new Date(world.clock.now())}, a.contact_id
    from notification_addresses a where a.id = ${id}`)
  await deliverAll()
  const list = await world.call('alice', 'GET', `/contact_addresses/${id}/deliveries`)
  const [first] = list.body as readonly Delivery[]
  expect(first?.status).toBe('sent')
  const again = `/contact_addresses/${id}/deliveries/${first?.id}/redeliver`
  expect((await world.call('charlie', 'POST', again)).status).toBe(404)
  expect((await world.call('alice', 'POST', again)).status).toBe(202)
})
