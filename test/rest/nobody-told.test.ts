import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import { tellContacts, tellGroups } from '../../src/outbox/recipients.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** Warnings of services whose failures reach nobody, and of addresses that no service uses. */

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())
beforeEach(async () => {
  for (const table of ['notification_intents', 'notification_addresses', 'services', 'escalations', 'contacts', 'tags'])
    await api.database.execute(raw(`delete from ${table}`))
  await api.database.execute(sql`update groups set contact_ids = '{}', escalation_id = null`)
})

interface Made {
  readonly id: number
  readonly warnings: readonly { readonly warning: string; readonly field: string; readonly message: string }[]
}

async function make(path: string, body: object): Promise<Made> {
  const reply = await api.call('alice', 'POST', path, body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.body as Made
}

const names = ({ warnings }: Made) => warnings.map(({ warning, field }) => `${warning} ${field}`)

async function warningsOf(path: string): Promise<readonly string[]> {
  return names((await api.call('alice', 'GET', `${path}?fields=id,warnings`)).body as Made)
}

const http = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }
const webhook = { notification_channel_id: 'webhook', settings: { url: 'https://hooks.example.com/in' } }
const mail = { notification_channel_id: 'email', address: 'alice@shop.example' }

/** How many messages the failure of the service makes. */
async function messagesOf(serviceId: number): Promise<number> {
  const facts = { condition: 'failure' } as NoticeFacts
  const now = api.clock.now()
  const told = [{ serviceId, eventId: 'failure:1', facts }]
  return api.database.transaction(
    async (transaction) => (await tellGroups(transaction, told, now)) + (await tellContacts(transaction, told, now)),
  )
}

test('a webhook that comes after its services is used by none of them: both say so until the channel is theirs', async () => {
  const service = await make('/services', http)
  // Where nobody gave an address yet, nothing is a mistake.
  expect(names(service)).toEqual([])
  const address = await make('/notification_addresses', webhook)
  expect(names(address)).toEqual(['no_service_uses_it notification_channel_id'])
  expect(await warningsOf(`/services/${service.id}`)).toEqual(['nobody_told notification_channel_ids'])
  expect(await messagesOf(service.id)).toBe(0)
  const changed = await api.call('alice', 'PUT', `/services/${service.id}`, { notification_channel_ids: ['webhook'] })
  expect([changed.status, changed.headers['latarnik-warning']]).toEqual([204, undefined])
  expect(await warningsOf(`/services/${service.id}`)).toEqual([])
  expect(await warningsOf(`/notification_addresses/${address.id}`)).toEqual([])
  expect(await messagesOf(service.id)).toBe(1)
})

test('an address in a group without services is used by none; the first address of all is no mistake', async () => {
  expect(names(await make('/notification_addresses', webhook))).toEqual([])
  const group = await make('/groups', { name: 'Other' })
  expect(names(await make('/services', { ...http, group_id: group.id }))).toEqual([
    'nobody_told notification_channel_ids',
  ])
  expect(names(await make('/notification_addresses', webhook))).toEqual(['no_service_uses_it notification_channel_id'])
  const polish = await api.call('alice', 'GET', '/services?fields=warnings', undefined, { 'accept-language': 'pl' })
  expect(JSON.stringify(polish.body)).toContain('O awarii usługi nikt się nie dowie')
})

const silent = 'nobody_told notification_channel_ids'

test.each<[string, object, object | null, readonly string[]]>([
  ['an address on a usual channel', {}, mail, []],
  ['an address that is switched off', {}, { ...mail, is_enabled: false }, [silent]],
  ['an address for other tags', { tags: ['shop'] }, { ...mail, tags: ['mail'] }, [silent]],
  ['an address for its tag', { tags: ['shop'] }, { ...mail, tags: ['shop'] }, []],
  ['an address on another channel', { notification_channel_ids: ['slack'] }, mail, [silent]],
  ['no address at all', {}, null, []],
  ['no address, and paused', { is_active: false }, null, []],
  ['no channel by choice', { notification_channel_ids: [] }, null, []],
  ['no failure by choice', { notification_condition_ids: ['recovery'] }, null, []],
])('%s', async (_what, more, address, warnings) => {
  for (const name of ['shop', 'mail']) await make('/tags', { name })
  if (address !== null) await make('/notification_addresses', address)
  const { id } = await make('/services', { ...http, ...more })
  expect(await warningsOf(`/services/${id}`)).toEqual(warnings)
  // Services that are to tell: the warning stands exactly when the failure makes no message.
  if (Object.keys(more).every((name) => name === 'tags' || name === 'notification_channel_ids') && warnings.length > 0)
    expect(await messagesOf(id)).toBe(0)
  if (address !== null && warnings.length === 0) expect(await messagesOf(id)).toBe(1)
})

test.each(['service', 'group', 'tag', 'escalation'])('people named by the %s are told', async (by) => {
  const contact = await make('/contacts', { name: 'Anna' })
  await make('/contact_addresses', { ...mail, contact_id: contact.id })
  const people = { contact_ids: [contact.id] }
  if (by === 'tag') await make('/tags', { name: 'shop', ...people })
  if (by === 'group') await api.call('alice', 'PUT', '/groups/my_default_group', people)
  const escalation =
    by === 'escalation' ? await make('/escalations', { name: 'E', steps: [{ delay_seconds: 0, ...people }] }) : null
  const named = {
    ...{ service: people, tag: { tags: ['shop'] } }[by],
    ...(escalation === null ? {} : { escalation_id: escalation.id }),
  }
  const { id } = await make('/services', { ...http, ...named })
  expect(await warningsOf(`/services/${id}`)).toEqual([])
  if (escalation === null) expect(await messagesOf(id)).toBe(1)
})
