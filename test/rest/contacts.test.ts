import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type ConfirmingWorld, codeIn, confirmingWorld } from '../support/confirming.ts'
import { type FarEnd, startFarEnd } from '../support/far-end.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { errorsOf, idOf } from '../support/replies.ts'

/** People who are told, their addresses, and who names them. */
let world: ApiWorld
let farEnd: FarEnd
let anna: number

beforeAll(async () => {
  world = await apiWorld()
  farEnd = await startFarEnd(world)
})
afterAll(async () => {
  farEnd?.close()
  await world?.drop()
})
beforeEach(async () => {
  anna = await made('/contacts', { name: 'Anna' })
})

const made = async (path: string, body: object, person: Person = 'alice') =>
  idOf(await world.call(person, 'POST', path, body))
const shown = async (path: string) => (await world.call('alice', 'GET', path)).body as Record<string, unknown>
const refused = async (path: string, body: object, person: Person = 'alice', method: 'POST' | 'PUT' = 'POST') =>
  pointersOf(await world.call(person, method, path, body))
const ntfy = { notification_channel_id: 'ntfy', settings: { topic: 'anna' } }

describe('a contact', () => {
  test('has the language and the zone of its owner unless others are given', async () => {
    const { language_id, time_zone_id } = await shown('/accounts/my_account')
    expect(await shown(`/contacts/${anna}`)).toMatchObject({
      name: 'Anna',
      language_id,
      time_zone_id,
      account_id: null,
    })
    const john = await made('/contacts', { name: 'John', language_id: 'en', time_zone_id: 'america_new_york' })
    expect(await shown(`/contacts/${john}`)).toMatchObject({ language_id: 'en', time_zone_id: 'america_new_york' })
  })

  test('is the login of the owner or of a sub-account, never of a stranger', async () => {
    const { alice, adam, bob } = world.people.ids
    for (const account_id of [alice, adam, null])
      expect((await world.call('alice', 'PUT', `/contacts/${anna}`, { account_id })).status).toBe(204)
    expect(await refused(`/contacts/${anna}`, { account_id: bob }, 'alice', 'PUT')).toEqual([
      'incorrect_value data.account_id',
    ])
  })

  test('is read and written by its owner’s side alone, and read-only logins write nothing', async () => {
    const address = await made('/contact_addresses', { contact_id: anna, ...ntfy })
    const paths = [`/contacts/${anna}`, `/contact_addresses/${address}`]
    for (const path of paths) {
      for (const person of ['bob', 'charlie'] as const)
        expect([person, (await world.call(person, 'GET', path)).status]).toEqual([person, 404])
      expect((await world.call('rita', 'GET', path)).status).toBe(200)
      expect((await world.call('rita', 'DELETE', path)).status).toBe(403)
      expect((await world.call('adam', 'GET', path)).status).toBe(200)
    }
    const stranger = await made('/contacts', { name: 'Charlie’s' }, 'charlie')
    expect(await refused('/contact_addresses', { contact_id: stranger, ...ntfy })).toEqual([
      'incorrect_value data.contact_id',
    ])
    expect(await refused('/contact_suspensions', { contact_id: stranger, end_time: '2031-01-01T00:00:00Z' })).toEqual([
      'incorrect_value data.contact_id',
    ])
    expect(await refused('/contact_groups', { name: 'Mixed', contact_ids: [anna, stranger] })).toEqual([
      'incorrect_value data.contact_ids[1]',
    ])
  })

  test('that is deleted is named by nobody any more, and stays while an escalation or a rotation needs it', async () => {
    const group = await made('/contact_groups', { name: 'Ops', contact_ids: [anna] })
    const services = await made('/groups', { name: 'Shop', contact_ids: [anna], contact_group_ids: [group] })
    const service = await made('/services', {
      ...{ type_id: 'http', address: 'shop.example', name: 'Shop', group_id: services },
      ...{ contact_ids: [anna], contact_group_ids: [group] },
    })
    const rotation = await made('/rotations', {
      ...{ name: 'Duty', time_zone_id: 'utc', contact_ids: [anna], starts_on: '2026-11-02' },
      shift: { every: 'day', at: '09:00' },
    })
    const kept = await world.call('alice', 'DELETE', `/contacts/${anna}`)
    expect([kept.status, errorsOf(kept.body)]).toEqual([422, [['object_is_in_use', undefined]]])
    await world.call('alice', 'DELETE', `/rotations/${rotation}`)
    expect((await world.call('alice', 'DELETE', `/contacts/${anna}`)).status).toBe(204)
    expect(await shown(`/contact_groups/${group}`)).toMatchObject({ contact_ids: [] })
    expect(await shown(`/groups/${services}`)).toMatchObject({ contact_ids: [], contact_group_ids: [group] })
    expect((await world.call('alice', 'DELETE', `/contact_groups/${group}`)).status).toBe(204)
    expect(await shown(`/services/${service}`)).toMatchObject({ contact_ids: [], contact_group_ids: [] })
  })
})

describe('an address of a contact', () => {
  test('is made of fields or of a pasted URL, and its secrets are shown to nobody', async () => {
    const pasted = await made('/contact_addresses', { contact_id: anna, address: 'https://ntfy.sh/on_call' })
    expect(await shown(`/contact_addresses/${pasted}`)).toMatchObject({
      ...{ contact_id: anna, notification_channel_id: 'ntfy', address: 'ntfy.sh/on_call', is_confirmed: true },
      settings: { topic: 'on_call', token: null },
    })
    expect(await shown(`/contact_addresses/${pasted}/channel`)).toMatchObject({ id: 'ntfy' })
    expect(await shown(`/contact_addresses/${pasted}/contact`)).toMatchObject({ id: anna })
    const wrong = { contact_id: anna, notification_channel_id: 'ntfy', settings: { topic: 'two words' } }
    expect(await refused('/contact_addresses', wrong)).toEqual(['incorrect_value data.settings.topic'])
    const listed = await world.call('alice', 'GET', '/notification_addresses?limit=1000')
    expect(listed.answer.filter(({ address }) => address.includes('on_call'))).toEqual([])
  })

  test('is tried before and after it is saved', async () => {
    const address = await made('/contact_addresses', { contact_id: anna, ...ntfy })
    await farEnd.during('ntfy', async () => {
      const trial = await world.call('alice', 'POST', '/contact_addresses/trial', { contact_id: anna, ...ntfy })
      expect([trial.status, trial.body]).toEqual([200, { status: 'sent', error_message: null }])
      const saved = await world.call('alice', 'POST', `/contact_addresses/${address}/send_test_notification`)
      expect([saved.status, saved.body]).toEqual([200, { status: 'sent', error_message: null }])
    })
    expect(farEnd.heard.map(({ title }) => title)).toEqual(Array(2).fill(expect.stringContaining('Anna')))
    const log = await world.call('alice', 'GET', `/accounts/my_account/logs/contact_notifications?contact_id=${anna}`)
    expect(log.body).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  })

  test('takes a test SMS by its owner, and none when it is no telephone', async () => {
    const mail = await made('/contact_addresses', {
      ...{ contact_id: anna, notification_channel_id: 'email', address: 'anna@example.com' },
    })
    const phone = await made('/contact_addresses', {
      ...{ contact_id: anna, notification_channel_id: 'sms', address: '+48600100200' },
    })
    const send = (id: number) => world.call('alice', 'POST', `/contact_addresses/${id}/send_test_sms_notification`)
    expect((await send(mail)).status).toBe(422)
    expect((await send(phone)).status).toBe(204)
    const waiting = await world.database.query(sql`
      select contact_id, address from notification_intents where address_id = ${phone}`)
    expect(waiting).toEqual([{ contact_id: anna, address: '+48600100200' }])
  })
})

describe('where addresses are confirmed', () => {
  let confirming: ConfirmingWorld
  beforeAll(async () => {
    confirming = await confirmingWorld()
  })
  afterAll(() => confirming?.drop())

  test('one of a contact is told nothing before its code came back', async () => {
    const contact = idOf(await confirming.call('alice', 'POST', '/contacts', { name: 'Anna' }))
    const mail = { contact_id: contact, notification_channel_id: 'email', address: 'anna@example.com' }
    const path = `/contact_addresses/${idOf(await confirming.call('alice', 'POST', '/contact_addresses', mail))}`
    const isConfirmed = async () =>
      ((await confirming.call('alice', 'GET', path)).body as { is_confirmed: boolean }).is_confirmed
    expect(await isConfirmed()).toBe(false)
    const [first] = await confirming.delivered()
    expect(first?.address).toBe('anna@example.com')
    expect((await confirming.call('alice', 'POST', `${path}/send_confirmation_code`)).status).toBe(204)
    const [second] = await confirming.delivered()
    expect((await confirming.call('alice', 'POST', `${path}/confirm`, { code: codeIn(first) })).status).toBe(422)
    expect((await confirming.call('alice', 'POST', `${path}/confirm`, { code: codeIn(second) })).status).toBe(204)
    expect(await isConfirmed()).toBe(true)
  })
})

describe('services and groups', () => {
  test('name only their owner’s people, and a share gives no right to name any', async () => {
    const group = await made('/groups', { name: 'Shared' })
    await world.call('alice', 'PUT', `/groups/${group}/shares/${world.people.ids.bob}`, { can_modify_group: true })
    const foreign = await made('/contacts', { name: 'Charlie’s' }, 'charlie')
    const bobs = await made('/contacts', { name: 'Bob’s' }, 'bob')
    const path = `/groups/${group}`
    expect(await refused(path, { contact_ids: [anna, foreign] }, 'alice', 'PUT')).toEqual([
      'incorrect_value data.contact_ids[1]',
    ])
    for (const contact of [bobs, anna])
      expect(await refused(path, { contact_ids: [contact] }, 'bob', 'PUT')).toEqual([
        'incorrect_value data.contact_ids[0]',
      ])
    expect((await world.call('alice', 'PUT', path, { contact_ids: [anna] })).status).toBe(204)
    expect((await world.call('bob', 'PUT', path, { name: 'Renamed', contact_ids: [anna] })).status).toBe(204)
  })
})
