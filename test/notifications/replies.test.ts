import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acknowledgedChannelIds } from '../../src/channels/index.ts'
import { tellAcknowledgement } from '../../src/outbox/acknowledgement-intents.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { failureNotice, recoveryNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

/** The end of a failure answers the message that told it, where the far end names its messages. */
let world: World
const heard: Record<string, unknown>[] = []
/** Method and path of each request. */
const asked: string[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    asked.push(`${request.method} ${request.url}`)
    heard.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.setHeader('Content-Type', 'application/json')
    response.statusCode = refusesPatch && request.method === 'PATCH' ? 404 : 200
    response.end(JSON.stringify(answer(heard.length)))
  })
})
let answer: (count: number) => object = () => ({})
let refusesPatch = false
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
  asked.length = 0
  refusesPatch = false
})

const vendors = ['telegram', 'discord', 'slack_api', 'pushover', 'pagerduty']
let addressId = 700

async function tell(channelId: string, settings: object, { isDrained = true, by = 'failure' } = {}): Promise<void> {
  addressId += 1
  const [group] = await world.database.query<{ id: number }>(sql`
    insert into groups (name, owner_id, assigned_sensor_ids) select 'Told', id, '{}' from accounts order by id limit 1 returning id`)
  await world.database.execute(sql`
    insert into notification_addresses (id, group_id, notification_channel_id, address, settings, destination)
    values (${addressId}, ${group?.id}, ${channelId}, 'far', ${JSON.stringify(settings)}::jsonb, 'far.example.com')`)
  const change = { id: changeId, startedAt: failureNotice().sinceAt, endedAt: null }
  const to = { addressId, channelId, address: 'far', destination: 'far.example.com' }
  await world.intent({
    ...to,
    eventId: by === 'failure' ? `failure:${changeId}` : `escalation:${changeId}:${by}:0`,
    facts: failureNotice({ change }),
  })
  await world.intent({ ...to, eventId: `recovery:${changeId}`, facts: recoveryNotice({ change }) })
  if (isDrained) await drain()
}

async function drain(): Promise<void> {
  const notifier = await world.notifier({
    integrations: {
      dialler,
      vendorUrls: new Map(vendors.map((id) => [id, place.replace('far.example.com', '127.0.0.1')])),
    },
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

test('who was told by a step of an escalation is answered there', async () => {
  answer = (count) => ({ ok: true, result: { message_id: 41 + count } })
  await tell('telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: '5' }, { by: '2' })
  expect(heard).toHaveLength(2)
  expect(heard[1]).toMatchObject({ reply_parameters: { message_id: 42 } })
})

test('a far end that names nothing gets a message as ever', async () => {
  answer = () => ({ ok: true })
  await tell('telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: '5' })
  expect(heard).toHaveLength(2)
  expect(heard[1]).not.toHaveProperty('reply_parameters')
})

const hook = { url: `https://discord.com/api/webhooks/1234567890123456789/${'t'.repeat(30)}?thread_id=98765` }

test('in Discord the failure says above itself that it is over, and the end is a message of its own', async () => {
  answer = (count) => ({ id: `10000${count}` })
  await tell('discord', hook)
  expect(asked.map((line) => line.replace(/t{30}/, 'TOKEN'))).toEqual([
    'POST /api/webhooks/1234567890123456789/TOKEN?wait=true&thread_id=98765',
    'PATCH /api/webhooks/1234567890123456789/TOKEN/messages/100001?thread_id=98765',
    'POST /api/webhooks/1234567890123456789/TOKEN?wait=true&thread_id=98765',
  ])
  expect(heard[1]).toMatchObject({ allowed_mentions: { parse: [] }, content: expect.stringContaining('Sklep') })
  expect(heard[1]).not.toHaveProperty('embeds')
})

test('in Discord a failure that was deleted there holds up no recovery', async () => {
  answer = (count) => ({ id: `10000${count}` })
  refusesPatch = true
  await tell('discord', hook)
  expect(asked).toHaveLength(3)
  expect((await world.rows()).map(({ status }) => status)).toEqual(['sent', 'sent'])
})

const bot = { bot_token: 'xoxb-0123456789-abcdef', channel: 'C0123456789' }

test('in Slack a bot answers in the thread of the failure, and shows the answer in the channel', async () => {
  answer = (count) => ({ ok: true, channel: bot.channel, ts: `1503435956.00024${count}` })
  await tell('slack', bot)
  expect(asked).toEqual(['POST /chat.postMessage', 'POST /chat.postMessage'])
  expect(heard[0]).toMatchObject({ channel: bot.channel })
  expect(heard[0]).not.toHaveProperty('thread_ts')
  expect(heard[1]).toMatchObject({ thread_ts: '1503435956.000241', reply_broadcast: true })
})

test('a refusal of Slack is told in its own word, and tried again only where that may help', async () => {
  answer = () => ({ ok: false, error: 'not_in_channel' })
  await tell('slack', bot)
  expect((await world.rows()).map(({ status, error_message: error }) => [status, error])).toEqual([
    ['failed', 'Slack answered 200: not_in_channel'],
    ['failed', 'Slack answered 200: not_in_channel'],
  ])
  await world.reset()
  answer = () => ({ ok: false, error: 'internal_error' })
  await tell('slack', bot)
  expect((await world.rows()).map(({ status }) => status)).toEqual(['pending', 'pending'])
})

test('in Pushover the end of a failure silences its emergency', async () => {
  answer = () => ({ status: 1, receipt: 'r'.repeat(30) })
  await tell('pushover', { token: 'T'.repeat(30), user: 'U'.repeat(30), priority: 'emergency' })
  expect(asked).toEqual([
    ...['POST /1/messages.json', `POST /1/receipts/${'r'.repeat(30)}/cancel.json`, 'POST /1/messages.json'],
  ])
  expect(heard[1]).toEqual({ token: 'T'.repeat(30) })
})

async function acknowledge(at: number): Promise<void> {
  await world.database.transaction((transaction) =>
    tellAcknowledgement(transaction, {
      ...{ serviceId: failureNotice().service.id, changeId: Number(changeId), at },
      ...{ accountId: null, name: 'Anna', comment: 'On it.', channels: acknowledgedChannelIds },
    }),
  )
}

test('an acknowledgement answers the failure once, and no channel that has nothing to answer', async () => {
  answer = (count) => ({ ok: true, result: { message_id: 41 + count } })
  await tell('telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: '5' })
  await tell('ntfy', { server: place, topic: 'shop' })
  heard.length = 0
  await acknowledge(world.now())
  await acknowledge(world.now())
  await drain()
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({
    ...{ reply_parameters: { message_id: 42 }, disable_notification: true },
    text: expect.stringContaining('Anna'),
  })
  expect(String(heard[0]?.['text'])).toContain('On it.')
})

test('an incident that waits is opened before it is acknowledged', async () => {
  answer = () => ({ status: 'success' })
  await tell('pagerduty', { routing_key: 'R'.repeat(32) }, { isDrained: false })
  await world.database.execute(sql`delete from notification_intents where event_id like 'recovery%'`)
  await acknowledge(world.now())
  await drain()
  expect(heard.map(({ event_action: action }) => action)).toEqual(['trigger', 'acknowledge'])
  expect(new Set(heard.map(({ dedup_key: key }) => key)).size).toBe(1)
})
