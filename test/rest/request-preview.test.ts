import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { failureNotice } from '../support/notices.ts'
import { idOf } from '../support/replies.ts'

/** The request that a notification becomes, shown before its address is saved. */
let world: ApiWorld
let serviceId = 0

beforeAll(async () => {
  world = await apiWorld()
  serviceId = idOf(
    await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'shop.example', name: 'Shop' }),
  )
  const facts = failureNotice({
    service: { id: serviceId, name: 'Shop', address: 'shop.example', type_id: 'http' },
    change: { id: '176372358000000', startedAt: failureNotice().sinceAt, endedAt: null },
  })
  await world.database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, status)
    select ${serviceId}, 'failure:1', 1, owner_id, group_id, 'email', 'failure', 'a@b.example', ${JSON.stringify(facts)}, 'sent'
    from services where id = ${serviceId}`)
})
afterAll(() => world.drop())

interface Shown {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

async function preview(body: object, person: 'alice' | 'bob' = 'alice') {
  const reply = await world.call(person, 'POST', '/notification_addresses/preview', body)
  return { status: reply.status, text: reply.text, shown: reply.body as Shown }
}

const settings = {
  url: 'https://hooks.example.com/latarnik',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  method: 'PUT',
  headers: 'Authorization: Bearer very-secret\nContent-Type: application/json',
  body_template: '{"service":"{{data.service.name}}","failed":{{data.analysis.error}}}',
}

test('a webhook shows its method, its headers and its body with a notification that was sent, and none of its secrets', async () => {
  const { status, shown, text } = await preview({
    notification_channel_id: 'webhook',
    settings,
    service_id: serviceId,
  })
  expect(status, text).toBe(200)
  expect(shown).toMatchObject({ method: 'PUT', url: settings.url, body: '{"service":"Shop","failed":2}' })
  expect(shown.headers).toMatchObject({ Authorization: '***', 'Content-Type': 'application/json' })
  expect(shown.headers['webhook-id']).toMatch(/^\w+/)
  expect(text).not.toContain('very-secret')
  expect(text).not.toContain(settings.secret)
})

test('without a service an example is told, of the condition that is asked for', async () => {
  const { shown } = await preview({
    notification_channel_id: 'webhook',
    settings: { url: settings.url },
    condition: 'recovery',
  })
  expect(JSON.parse(shown.body ?? '')).toMatchObject({ type: 'service.recovery', data: { service: { id: 12 } } })
})

test('nothing is kept and nothing is sent', async () => {
  const count = () =>
    world.database.query(sql`
      select (select count(*) from notification_intents) as intents, (select count(*) from notification_addresses) as addresses`)
  const before = await count()
  await preview({ notification_channel_id: 'webhook', settings })
  expect(await count()).toEqual(before)
})

test.each([
  [
    'a fault of the template',
    { notification_channel_id: 'webhook', settings: { ...settings, body_template: '{{nobody}}' } },
    'data.settings.body_template',
  ],
  [
    'a channel without settings',
    { notification_channel_id: 'email', address: 'a@example.com' },
    'data.notification_channel_id',
  ],
  [
    'a condition that the channel does not tell',
    { notification_channel_id: 'pagerduty', settings: { routing_key: 'a'.repeat(32) }, condition: 'pause' },
    'data.condition',
  ],
  ['a change without its service', { notification_channel_id: 'webhook', settings, change_id: '1' }, 'data.service_id'],
])('%s is named', async (_what, body, field) => {
  const { status, text } = await preview(body)
  expect(status, text).toBe(422)
  expect(text).toContain(`"field":"${field}"`)
})

test('somebody else’s notification is not told', async () => {
  const { status, text } = await preview({ notification_channel_id: 'webhook', settings, service_id: serviceId }, 'bob')
  expect(status, text).toBe(422)
  expect(text).toContain('data.service_id')
  expect(text).not.toContain('Shop')
})

test('an address of a contact is shown the same way, for one’s own contacts alone', async () => {
  const contact_id = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Anna' }))
  const body = { contact_id, notification_channel_id: 'webhook', settings: { url: settings.url } }
  const own = await world.call('alice', 'POST', '/contact_addresses/preview', body)
  expect([own.status, (own.body as Shown).method]).toEqual([200, 'POST'])
  const foreign = await world.call('bob', 'POST', '/contact_addresses/preview', body)
  expect(foreign.status, foreign.text).toBe(422)
  expect(foreign.text).toContain('data.contact_id')
})
