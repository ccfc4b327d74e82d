import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDialler } from '../../src/outgoing/dial.ts'
import { failureNotice, recoveryNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

/** The end of a failure answers the message that told it, where the far end names its messages. */
let world: World
const heard: Record<string, unknown>[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    heard.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answer(heard.length)))
  })
})
let answer: (count: number) => object = () => ({})
let place = ''
const dialler = createDialler({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] })
const changeId = '176372358000000'

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place = `http://far.example.com:${(server.address() as AddressInfo).port}`
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
})

let addressId = 700

async function tell(channelId: string, settings: object): Promise<void> {
  addressId += 1
  const [group] = await world.database.query<{ id: number }>(sql`
    insert into groups (name, owner_id, assigned_sensor_ids) select 'Told', id, '{}' from accounts order by id limit 1 returning id`)
  await world.database.execute(sql`
    insert into notification_addresses (id, group_id, notification_channel_id, address, settings, destination)
    values (${addressId}, ${group?.id}, ${channelId}, 'far', ${JSON.stringify(settings)}::jsonb, 'far.example.com')`)
  const change = { id: changeId, startedAt: failureNotice().sinceAt, endedAt: null }
  const to = { addressId, channelId, address: 'far', destination: 'far.example.com' }
  await world.intent({ ...to, eventId: `failure:${changeId}`, facts: failureNotice({ change }) })
  await world.intent({ ...to, eventId: `recovery:${changeId}`, facts: recoveryNotice({ change }) })
  const notifier = await world.notifier({
    integrations: { dialler, places: new Map([['telegram', place.replace('far.example.com', '127.0.0.1')]]) },
  })
  await notifier.drain()
}

test('in Matrix it is a reply', async () => {
  answer = (count) => ({ event_id: `$event${count}` })
  await tell('matrix', { server: place, room_id: '!room:example.com', access_token: 'token' })
  expect(heard).toHaveLength(2)
  expect(heard[0]).not.toHaveProperty('m.relates_to')
  expect(heard[1]).toMatchObject({ 'm.relates_to': { 'm.in_reply_to': { event_id: '$event1' } } })
})

test('in Telegram it is a reply, and goes by itself where the failure was deleted there', async () => {
  answer = (count) => ({ ok: true, result: { message_id: 41 + count } })
  await tell('telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: '5' })
  expect(heard).toHaveLength(2)
  expect(heard[0]).not.toHaveProperty('reply_parameters')
  expect(heard[1]).toMatchObject({ reply_parameters: { message_id: 42, allow_sending_without_reply: true } })
})

test('a far end that names nothing gets a message as ever', async () => {
  answer = () => ({ ok: true })
  await tell('telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: '5' })
  expect(heard).toHaveLength(2)
  expect(heard[1]).not.toHaveProperty('reply_parameters')
})
