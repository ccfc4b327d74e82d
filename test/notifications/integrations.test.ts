import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { selfSigned } from '../../src/demo/targets/certificates.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { askScreened } from '../../src/outgoing/exchange.ts'
import { failureNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

let world: World
const heard: string[] = []
/** Topics whose messages are never answered. */
const silent = new Set<string>()
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { topic } = JSON.parse(Buffer.concat(chunks).toString())
    if (silent.has(topic)) return
    heard.push(topic)
    response.end('{}')
  })
})
let port = 0
/** A host for each name: all of them are this machine. */
const dialler = createDialler({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] })

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  world = await newWorld()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world.close()
})
beforeEach(async () => {
  await world.reset()
  heard.length = 0
  silent.clear()
})

let addresses = 900

/** A message by ntfy to a server of its own. */
async function given(topic: string, isEnabled = true): Promise<number> {
  addresses += 1
  const server = `http://${topic}.example.com:${port}`
  const settings = JSON.stringify({ server, topic })
  const [group] = await world.database.query<{ id: number }>(sql`
    insert into groups (name, owner_id, assigned_sensor_ids) select 'Told', id, '{}' from accounts order by id limit 1 returning id`)
  await world.database.execute(sql`
    insert into notification_addresses (id, group_id, notification_channel_id, address, settings, destination, is_enabled)
    values (${addresses}, ${group?.id}, 'ntfy', ${topic}, ${settings}::jsonb, ${new URL(server).host}, ${isEnabled})`)
  await world.intent({ addressId: addresses, channelId: 'ntfy', address: topic, destination: new URL(server).host })
  return addresses
}

const statuses = async () => (await world.rows()).map(({ status }) => status).toSorted()

test('a message reaches the server that its address names', async () => {
  await given('shop')
  const notifier = await world.notifier({ integrations: { dialler, vendorUrls: new Map() } })
  await notifier.drain()
  expect([heard, await statuses()]).toEqual([['shop'], ['sent']])
})

test('far ends that say nothing hold up none of the others', async () => {
  const [dead, live] = [80, 40].map((count) => Array.from({ length: count }, (_, index) => `${count}-${index}`))
  for (const topic of [...(dead ?? []), ...(live ?? [])]) await given(topic)
  for (const topic of dead ?? []) silent.add(topic)
  // All the dead ones were due first, and none of them is given up before the test is.
  const timeouts = { connection: 300_000, whole: 300_000 }
  await world.notifier({ integrations: { dialler, vendorUrls: new Map(), timeouts } })
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(live?.toSorted()), { timeout: 80_000 })
  expect((await statuses()).filter((status) => status === 'pending')).not.toEqual([])
  server.closeAllConnections()
})

test('an address that was switched off, or removed, is told nothing more', async () => {
  await given('off', false)
  const removed = await given('gone')
  await world.database.execute(sql`delete from notification_addresses where id = ${removed}`)
  const notifier = await world.notifier({ integrations: { dialler, vendorUrls: new Map() } })
  await notifier.drain()
  const rows = await world.rows()
  expect([heard, rows.map(({ error_message: error }) => error).toSorted()]).toEqual([
    [],
    ['The address is switched off', 'The address was removed or changed'],
  ])
})

test('a channel of incidents is not told what would open one that nobody closes', async () => {
  const facts = failureNotice({ condition: 'pause' })
  await world.intent({ facts, channelId: 'pagerduty', address: 'pagerduty', destination: 'events.pagerduty.com' })
  const settings = JSON.stringify({ routing_key: 'R'.repeat(32) })
  await world.database.execute(sql`update notification_intents set settings = ${settings}::jsonb`)
  const vendorUrls = new Map([['pagerduty', `http://127.0.0.1:${port}`]])
  const notifier = await world.notifier({ integrations: { dialler, vendorUrls } })
  await notifier.drain()
  const [row] = await world.rows()
  expect(row?.error_message).toBe('The channel does not take messages of this kind')
  expect(world.lines.map(({ text }) => text)).toContain('a notification is not needed any more')
})

test('a server whose certificate nobody trusts is told nothing', async () => {
  const { key, cert } = selfSigned({ names: ['127.0.0.1'] })
  let requests = 0
  const secure = createSecureServer({ key, cert }, (_, response) => {
    requests += 1
    response.end()
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const { port: securePort } = secure.address() as AddressInfo
  const request = { url: `https://shop.example.com:${securePort}/`, method: 'POST', headers: {}, body: '{}' }
  const handOver = () => Promise.reject(new Error('nothing may be sent'))
  const exchange = await askScreened(dialler, request, handOver, { connection: 5000, whole: 10_000 })
  secure.close()
  expect([exchange, requests]).toEqual([{ error: 'self-signed certificate', isSent: false, isStopped: false }, 0])
})

test('a webhook whose far end is gone is switched off, and its account is told once', async () => {
  const account = await world.holder('owner@example.com', 'en')
  const gone = createServer((_, response) => response.writeHead(410).end())
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const host = `hook.example.com:${(gone.address() as AddressInfo).port}`
  const settings = JSON.stringify({ url: `http://${host}/latarnik` })
  const [made] = await world.database.query<{ id: number }>(sql`
    with told as (insert into groups (name, owner_id, assigned_sensor_ids) values ('Told', ${account}, '{}') returning id)
    insert into notification_addresses (group_id, notification_channel_id, address, settings, destination)
    select id, 'webhook', ${host}, ${settings}::jsonb, ${host} from told returning id`)
  const intent = {
    accountId: account,
    addressId: made?.id ?? 0,
    channelId: 'webhook',
    address: host,
    destination: host,
  }
  for (const eventId of ['failure-1', 'failure-2']) await world.intent({ ...intent, eventId })
  const notifier = await world.notifier({ integrations: { dialler, vendorUrls: new Map() } })
  await notifier.drain()
  // The letter was written meanwhile.
  await notifier.drain()
  gone.close()
  const [address] = await world.database.query(sql`
    select is_enabled, disabled_reason from notification_addresses where id = ${made?.id}`)
  expect(address).toEqual({ is_enabled: false, disabled_reason: 'Webhook answered 410' })
  expect((await world.rows()).map(({ error_message: error }) => error)).toEqual([
    'Webhook answered 410',
    expect.stringMatching(/^(The address is switched off|Webhook answered 410)$/),
  ])
  const letters = world.mailbox.mails.map(({ parsed }) => `${parsed.subject}\n${parsed.text}`)
  expect(letters).toHaveLength(1)
  expect(letters[0]).toContain('An address is told nothing more: hook.example.com')
  expect(letters[0]).toContain('Webhook answered 410')
})
