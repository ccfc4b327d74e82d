import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Message, Transport } from '../../src/channels/delivery.ts'
import { emlFiles } from '../../src/channels/email/eml-files.ts'
import { emailTransport } from '../../src/channels/email/mail.ts'
import { smsOverHttp } from '../../src/channels/sms/sms-over-http.ts'
import { wordSmsLimit } from '../../src/notifications/letter-text.ts'
import { type DeliveryWorkerOptions, startDeliveryWorkers } from '../../src/notifications/start.ts'
import { gaugeDatabase } from '../../src/telemetry/database-gauges.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { silentLog } from '../support/monitoring.ts'
import { errorsOf, idOf } from '../support/replies.ts'
import { gatewayAt, startSmsGateway, usualForm } from '../support/sms-gateway.ts'

let world: ApiWorld
let groupId: number
let serviceId: number

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

beforeEach(async () => {
  await world.database.execute(sql`truncate notification_intents`)
  groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Tested' }))
  const service = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: groupId }
  serviceId = idOf(await world.call('alice', 'POST', '/services', service))
  await world.call('alice', 'PUT', `/groups/${groupId}/shares/${world.people.ids.bob}`, { can_modify_group: true })
})

async function addAddress(channelId: string, address: string): Promise<number> {
  const body = { group_id: groupId, notification_channel_id: channelId, address }
  return idOf(await world.call('alice', 'POST', '/notification_addresses', body))
}

function send(path: string, person: 'alice' | 'adam' | 'rita' | 'bob' | 'charlie' = 'alice') {
  return world.call(person, 'POST', `${path}/send_test_sms_notification`)
}

type Limited = Partial<Pick<DeliveryWorkerOptions, 'smsLimit' | 'smsDaily' | 'perMinute' | 'log'>>

async function deliverThrough(channels: readonly Transport[], limits: Limited = {}): Promise<void> {
  const { database, clock } = world
  const notifier = await startDeliveryWorkers(
    {
      ...{ database, clock, log: silentLog, publicUrl: 'http://api.test', diagnose: () => null },
      ...limits,
    },
    channels,
  )
  await notifier.drain()
  await notifier.stop()
}

/** A gateway that only remembers. */
function remembering(messages: Message[]): Transport {
  return {
    ...{ id: 'sms', notificationChannelIds: ['sms'], concurrency: 1, close: () => undefined },
    async deliver(message) {
      messages.push(message)
      return { status: 'sent' }
    },
  }
}

/** Delivers what is due. */
async function delivered(smsLimit?: number, smsRate?: number): Promise<Message[]> {
  const messages: Message[] = []
  await deliverThrough([remembering(messages)], {
    ...(smsLimit === undefined ? {} : { smsLimit }),
    ...(smsRate === undefined ? {} : { perMinute: { sms: smsRate } }),
  })
  return messages
}

/** How the account's log tells of the tests. */
async function logged(): Promise<unknown> {
  const { body } = await world.call(
    'alice',
    'GET',
    '/accounts/my_account/logs/notifications?fields=address,status,error_message',
  )
  return body
}

test('a test arrives through the configured gateway, and the log says so', async () => {
  const gateway = await startSmsGateway()
  const id = await addAddress('sms', '+48 500-100-200')
  await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'pl' })
  expect((await send(`/notification_addresses/${id}`)).status).toBe(204)
  await deliverThrough([smsOverHttp(gatewayAt(gateway.url), usualForm)])
  await gateway.stop()
  expect(gateway.calls.map(({ body }) => JSON.parse(body))).toEqual([
    {
      to: '+48500100200',
      text: 'To jest proba: powiadomienia "Tested" docieraja tutaj. Nic sie nie stalo.',
      id: expect.any(String),
    },
  ])
  expect(await logged()).toEqual([{ address: '+48 500-100-200', status: 'sent', error_message: null }])
})

test('a gateway that refuses the number ends the test, and the log says why', async () => {
  const gateway = await startSmsGateway()
  gateway.manners.answer = (_, response) => response.writeHead(400).end('no such number')
  const id = await addAddress('sms', '+48500100200')
  await send(`/notification_addresses/${id}`)
  await deliverThrough([smsOverHttp(gatewayAt(gateway.url), usualForm)])
  await gateway.stop()
  const error_message = 'The SMS gateway answered 400: no such number'
  expect(await logged()).toEqual([{ address: '+48500100200', status: 'failed', error_message }])
})

test('without a gateway a test fails at once, and the log says why', async () => {
  const id = await addAddress('sms', '+48500100200')
  expect((await send(`/notification_addresses/${id}`)).status).toBe(204)
  await deliverThrough([])
  const error_message = 'No gateway is configured for the channel sms'
  expect(await logged()).toEqual([{ address: '+48500100200', status: 'failed', error_message }])
})

test('a test of a group reaches each of its numbers and no other address, in the language of the owner', async () => {
  await addAddress('sms', '+48500100200')
  await addAddress('sms', '+48500100201')
  await addAddress('email', 'alice@example.com')
  await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'en' })
  expect((await send(`/groups/${groupId}`)).status).toBe(204)
  const messages = await delivered()
  expect(messages.map(({ address, subject }) => [address, subject]).sort()).toEqual([
    ['+48500100200', 'Tested: a test message'],
    ['+48500100201', 'Tested: a test message'],
  ])
  const stored = await world.database.query(sql`
    select account_id, group_id, notification_condition_id, status from notification_intents`)
  const row = {
    account_id: world.people.ids.alice,
    group_id: groupId,
    notification_condition_id: 'test',
    status: 'sent',
  }
  expect(stored).toEqual([row, row])
})

test('every test is a message of its own', async () => {
  const id = await addAddress('sms', '+48500100200')
  await send(`/notification_addresses/${id}`)
  await send(`/notification_addresses/${id}`)
  expect((await delivered()).map(({ address }) => address)).toEqual(['+48500100200', '+48500100200'])
})

test('a test of a service names it, and needs the channel sms switched on', async () => {
  await addAddress('sms', '+48500100200')
  expect((await send(`/services/${serviceId}`)).status).toBe(204)
  await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'pl' })
  const [message] = await delivered()
  expect(message?.text).toBe('To jest próba: powiadomienia „Shop” docierają tutaj. Nic się nie stało.\n')
  await world.call('alice', 'PUT', `/services/${serviceId}`, { notification_channel_ids: ['email'] })
  const refused = await send(`/services/${serviceId}`)
  expect([refused.status, errorsOf(refused.body)]).toEqual([422, [['no_sms_address', undefined]]])
})

test('without a number the request is refused', async () => {
  const emailId = await addAddress('email', 'alice@example.com')
  for (const path of [`/groups/${groupId}`, `/services/${serviceId}`, `/notification_addresses/${emailId}`]) {
    const { status, body } = await send(path)
    expect([path, status, errorsOf(body)]).toEqual([path, 422, [['no_sms_address', undefined]]])
  }
  expect(await delivered()).toEqual([])
})

test('tests go only to numbers of own groups and services', async () => {
  const addressId = await addAddress('sms', '+48500100200')
  for (const path of [`/groups/${groupId}`, `/services/${serviceId}`, `/notification_addresses/${addressId}`]) {
    expect((await send(path, 'bob')).status).toBe(403)
    expect((await send(path, 'rita')).status).toBe(403)
    expect((await send(path, 'charlie')).status).toBe(404)
    expect((await send(path, 'adam')).status).toBe(204)
  }
  await world.call('alice', 'POST', `/services/${serviceId}/archive`)
  const archived = await send(`/services/${serviceId}`)
  expect([archived.status, errorsOf(archived.body)]).toEqual([422, [['service_is_archived', undefined]]])
})

test('an account sends as many SMS a day as it may; the others fail with the reason, and it is told once', async () => {
  await world.database.execute(
    sql`update user_data set email_address = 'alice@example.com' where id = ${world.people.ids.alice}`,
  )
  await world.database.execute(sql`delete from sms_days`)
  await world.database.execute(sql`delete from messages`)
  for (const end of [1, 2, 3, 4]) await addAddress('sms', `+4850010020${end}`)
  await send(`/groups/${groupId}`)
  expect(await delivered(2)).toHaveLength(2)
  const error_message = 'The account has sent as many SMS today (UTC) as it may: 2'
  const states = await world.database.query(sql`
    select status, error_message, count(*)::int as count from notification_intents group by 1, 2 order by 1`)
  expect(states).toEqual([
    { status: 'failed', error_message, count: 2 },
    { status: 'sent', error_message: null, count: 2 },
  ])
  const letters = await world.database.query(sql`select account_id, kind, address, facts from messages`)
  const letter = { account_id: world.people.ids.alice, kind: 'sms_limit_reached', facts: { limit: 2 } }
  expect(letters).toEqual([{ ...letter, address: 'alice@example.com' }])
  world.clock.advance(86_400_000)
  await send(`/groups/${groupId}`)
  expect(await delivered(2)).toHaveLength(2)
})

test('all accounts together send as many SMS a day as they may; it is logged once, and costs no account its own', async () => {
  await world.database.execute(sql`delete from sms_days`)
  for (const end of [1, 2, 3, 4]) await addAddress('sms', `+4850010020${end}`)
  const smsToday = async () => {
    const { body } = await world.call('dora', 'GET', '/system/installation')
    const metrics = new Metrics()
    const { database, clock } = world
    gaugeDatabase(metrics, { database, clock, pools: () => ({}), isFull: () => false, smsDaily: 2 })
    const { text } = await metrics.expose('')
    return [(body as { sms_today: unknown }).sms_today, /^latarnik_sms_kept_back (\d+)$/m.exec(text)?.[1]]
  }
  expect(await smsToday()).toEqual([{ limit: 2, sent: 0, kept_back: 0 }, '0'])
  const warnings: unknown[] = []
  const deliverDaily = async (smsDaily: number) => {
    const sent: Message[] = []
    const log = { ...silentLog, warn: (facts: object, text: string) => void warnings.push([facts, text]) }
    await deliverThrough([remembering(sent)], { smsLimit: 3, smsDaily, log })
    return sent.length
  }
  await send(`/groups/${groupId}`)
  expect(await deliverDaily(2)).toBe(2)
  const text = 'All accounts together have sent as many SMS today (UTC) as SMS_DAILY allows'
  expect(warnings).toEqual([[{ limit: 2 }, text]])
  const error_message = 'All accounts together have sent as many SMS today (UTC) as they may: 2'
  const states = await world.database.query(sql`
    select status, error_message, count(*)::int as count from notification_intents group by 1, 2 order by 1`)
  expect(states).toEqual([
    { status: 'failed', error_message, count: 2 },
    { status: 'sent', error_message: null, count: 2 },
  ])
  expect(await world.database.query(sql`select count from sms_days`)).toEqual([{ count: 2 }])
  expect(await smsToday()).toEqual([{ limit: 2, sent: 2, kept_back: 2 }, '2'])
  world.clock.advance(86_400_000)
  expect(await smsToday()).toEqual([{ limit: 2, sent: 0, kept_back: 0 }, '0'])
  await send(`/groups/${groupId}`)
  expect(await deliverDaily(3)).toBe(3)
})

test('an SMS that the limit refuses takes no turn of the gateway: the next one goes at once, however slow it is fed', async () => {
  await world.database.execute(sql`delete from sms_days`)
  await addAddress('sms', '+48500100200')
  await send(`/groups/${groupId}`)
  expect(await delivered(1, 1)).toHaveLength(1)
  for (const _ of [1, 2, 3]) await send(`/groups/${groupId}`)
  const body = { notification_channel_id: 'sms', address: '+48500100209' }
  const id = idOf(await world.call('charlie', 'POST', '/notification_addresses', body))
  await send(`/notification_addresses/${id}`, 'charlie')
  expect((await delivered(1, 1)).map(({ address }) => address)).toEqual(['+48500100209'])
})

test('an SMS that is tried again is counted once', async () => {
  await world.database.execute(sql`delete from sms_days`)
  await addAddress('sms', '+48500100200')
  await send(`/groups/${groupId}`)
  let attempts = 0
  const failing: Transport = {
    ...{ id: 'sms', notificationChannelIds: ['sms'], concurrency: 1, close: () => undefined },
    async deliver() {
      attempts += 1
      return { status: 'failed', permanent: false, error: 'busy' }
    },
  }
  await deliverThrough([failing], { smsLimit: 1 })
  world.clock.advance(60_000)
  expect(await delivered(1)).toHaveLength(1)
  expect(attempts).toBe(1)
  expect(await world.database.query(sql`select count from sms_days`)).toEqual([{ count: 1 }])
})

test('the letter about the limit names the account and the limit, in both languages', () => {
  const reader = { accountId: 1, username: 'alice', publicUrl: 'http://api.test', zone: 'UTC' }
  for (const language of ['en', 'pl'] as const) {
    const { subject, text } = wordSmsLimit({ ...reader, language }, { limit: 200 })
    expect([subject.includes('alice'), text.includes(': 200'), /[{}]/.test(subject + text)]).toEqual([
      true,
      true,
      false,
    ])
  }
})

describe('a test message to one address', () => {
  const tryAddress = (id: number, person: 'alice' | 'adam' | 'rita' | 'bob' | 'charlie' = 'alice') =>
    world.call(person, 'POST', `/notification_addresses/${id}/send_test_notification`)
  const tryIn = (id: number, language: 'en' | 'pl') =>
    world.call('alice', 'POST', `/notification_addresses/${id}/send_test_notification`, undefined, {
      'accept-language': language,
    })
  const mailing = (deliver: Transport['deliver']): Transport => ({
    ...{ id: 'email', notificationChannelIds: ['email'], concurrency: 1, close: () => undefined, deliver },
  })

  /** Delivers what the call has written while the call waits for it. */
  async function tried(id: number, channel: Transport, language: 'en' | 'pl' = 'en') {
    const asking = tryIn(id, language)
    await vi.waitFor(async () =>
      expect(await world.database.query(sql`select from notification_intents`)).toHaveLength(1),
    )
    await deliverThrough([channel])
    return asking
  }

  test('says that it was sent, once, and stands in the log', async () => {
    const messages: Message[] = []
    const id = await addAddress('email', 'me@example.com')
    await addAddress('email', 'other@example.com')
    const reply = await tried(
      id,
      mailing(async (message) => {
        messages.push(message)
        return { status: 'sent' }
      }),
    )
    expect([reply.status, reply.body]).toEqual([200, { status: 'sent', error_message: null }])
    expect(messages.map(({ address, subject }) => [address, subject])).toEqual([
      ['me@example.com', expect.stringContaining('Tested')],
    ])
    expect(await logged()).toMatchObject([{ address: 'me@example.com', status: 'sent' }])
  })

  test('without a mail server it says that the message went no further than a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'outbox-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const id = await addAddress('email', 'me@example.com')
    const channel = emailTransport('Latarnik <latarnik@example.com>', emlFiles(directory))
    const reply = await tried(id, channel, 'pl')
    const error_message = expect.stringMatching(/^Nie skonfigurowano serwera poczty \(SMTP_URL\)/)
    expect(reply.body).toEqual({ status: 'sent', error_message })
    expect(await logged()).toMatchObject([{ error_message: expect.stringMatching(/^No mail server is configured/) }])
    expect(await readdir(directory)).toHaveLength(1)
  })

  test('says why it failed', async () => {
    const id = await addAddress('email', 'me@example.com')
    const reply = await tried(
      id,
      mailing(async () => ({ status: 'failed', permanent: true, error: '550 no such mailbox' })),
    )
    expect(reply.body).toEqual({ status: 'failed', error_message: '550 no such mailbox' })
  })

  test('is for whoever may change the address; telephones only for the owner’s side', async () => {
    const [mail, phone] = [await addAddress('email', 'me@example.com'), await addAddress('sms', '+48600100200')]
    expect((await tryAddress(mail, 'rita')).status).toBe(403)
    expect((await tryAddress(mail, 'charlie')).status).toBe(404)
    expect((await tryAddress(phone, 'bob')).status).toBe(403)
    expect(await world.database.query(sql`select from notification_intents`)).toEqual([])
  })

  test('is refused for an address that is not confirmed, and counts with the test SMS', async () => {
    const [id, phone] = [await addAddress('email', 'me@example.com'), await addAddress('sms', '+48600100200')]
    await world.database.execute(sql`update notification_addresses set confirmed_at = null where id = ${id}`)
    expect(errorsOf((await tryAddress(id)).body)).toEqual([['address_is_not_confirmed', undefined]])
    for (let count = 0; count < 30; count++) expect((await send(`/notification_addresses/${phone}`)).status).toBe(204)
    await world.database.execute(sql`update notification_addresses set confirmed_at = now() where id = ${id}`)
    expect(errorsOf((await tryAddress(id)).body)).toEqual([['test_sms_limit_exceeded', undefined]])
  })
})
