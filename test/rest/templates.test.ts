import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { templateChooser } from '../../src/notifications/chosen-templates.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { givenIntent } from '../support/intents.ts'
import { failureNotice } from '../support/notices.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const usual = { name: 'T', notification_channel_id: 'email', language_id: 'en', subject: 'S', body: 'B' }
const make = async (more: object = {}, person: 'alice' | 'charlie' = 'alice') =>
  idOf(await world.call(person, 'POST', '/templates', { ...usual, ...more }))
const isActive = async (id: number) => (await world.call('alice', 'GET', `/templates/${id}`)).answer.is_active

interface Refused {
  readonly field: string
  readonly message: string
}

describe('a template', () => {
  test('that names what there is not is refused, with its place, in the reader’s language', async () => {
    const body = { ...usual, subject: '{{nme}}', body: 'a\n {{#each service}}{{/each}}' }
    const { status, body: problems } = await world.call('alice', 'POST', '/templates', body, {
      'accept-language': 'pl',
    })
    expect(status).toBe(422)
    const [subject, text] = problems as readonly Refused[]
    expect(subject).toMatchObject({
      field: 'data.subject',
      message: expect.stringContaining('Wiersz 1, kolumna 1: Nie ma zmiennej „nme”'),
    })
    expect(text).toMatchObject({
      field: 'data.body',
      message: expect.stringContaining('Wiersz 2, kolumna 2: #each wymaga listy'),
    })
  })

  test('that becomes active makes the others of its channel and language inactive', async () => {
    const first = await make()
    const other = await make({ language_id: 'pl' })
    const idle = await make({ is_active: false })
    expect(await Promise.all([first, other, idle].map(isActive))).toEqual([true, true, false])
    expect((await world.call('alice', 'PUT', `/templates/${idle}`, { is_active: true })).status).toBe(204)
    expect(await Promise.all([first, other, idle].map(isActive))).toEqual([false, true, true])
  })

  test('is nobody else’s', async () => {
    const id = await make({}, 'charlie')
    expect((await world.call('alice', 'GET', `/templates/${id}`)).status).toBe(404)
    const refused = await world.call('alice', 'POST', '/templates', { ...usual, owner_id: world.people.ids.charlie })
    expect(errorsOf(refused.body)).toEqual([['incorrect_value', 'data.owner_id']])
    const foreign = { ...usual, owner_id: world.people.ids.charlie }
    const previewed = await world.call('alice', 'POST', '/templates/preview', foreign)
    expect(errorsOf(previewed.body)).toEqual([['incorrect_value', 'data.owner_id']])
    const listed = await world.call('charlie', 'GET', '/accounts/my_account/templates')
    expect(listed.answer.map((each) => each.id)).toEqual([id])
  })
})

describe('the template of a message', () => {
  const choose = (address: number, language: string, account = world.people.ids.alice) =>
    templateChooser(world.database)({
      ...{ account_id: account, address_id: address, language_id: language, notification_channel_id: 'sms' },
    })

  test('is the one of the contact, else the active one of account, channel and language, else none', async () => {
    const sms = { notification_channel_id: 'sms' }
    await make({ ...sms, body: 'English' })
    const own = await make({ ...sms, body: 'Own', is_active: false })
    const contact = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Anna' }))
    const [address] = await world.database.query<{ id: number }>(sql`
      insert into notification_addresses (contact_id, notification_channel_id, address)
      values (${contact}, 'sms', '+48600000000') returning id`)
    const addressId = address?.id ?? 0
    expect(await choose(addressId, 'en')).toEqual({ subject: 'S', body: 'English' })
    expect(await choose(addressId, 'pl')).toBeNull()
    expect(await choose(addressId, 'en', world.people.ids.charlie)).toBeNull()

    const path = `/contacts/${contact}/custom_templates`
    expect((await world.call('alice', 'PUT', `${path}/sms`, { template_id: own })).status).toBe(204)
    expect((await world.call('alice', 'GET', path)).body).toEqual([
      { contact_id: contact, notification_channel_id: 'sms', template_id: own },
    ])
    expect(await choose(addressId, 'pl')).toEqual({ subject: 'S', body: 'Own' })
    expect((await world.call('charlie', 'GET', path)).status).toBe(404)

    expect((await world.call('alice', 'DELETE', `${path}/sms`)).status).toBe(204)
    expect(await choose(addressId, 'pl')).toBeNull()
  })

  test('of a contact is of its owner and its channel', async () => {
    const contact = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Ola' }))
    const path = `/contacts/${contact}/custom_templates`
    const foreign = await make({ is_active: false }, 'charlie')
    const mail = await make({ is_active: false })
    for (const [channel, template] of [
      ['email', foreign],
      ['sms', mail],
    ] as const) {
      const refused = await world.call('alice', 'PUT', `${path}/${channel}`, { template_id: template })
      expect(errorsOf(refused.body)).toEqual([['incorrect_value', 'data.template_id']])
    }
    expect((await world.call('alice', 'PUT', `${path}/pigeon`, { template_id: mail })).status).toBe(404)
  })
})

describe('a preview', () => {
  const preview = (more: object, person: 'alice' | 'charlie' = 'alice') =>
    world.call(person, 'POST', '/templates/preview', { ...usual, ...more })

  test('words an example of the condition, and keeps and sends nothing', async () => {
    const count = () => world.database.query(sql`select from notification_intents union all select from templates`)
    const before = (await count()).length
    const { status, body } = await preview({
      subject: '{{headline}}',
      body: '<b>{{duration duration}}</b>',
      condition: 'recovery',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      subject: 'WORKS AGAIN',
      text: '<b>5 min 3 s</b>\n',
      html: expect.stringContaining('&lt;b&gt;5 min 3 s'),
    })
    expect((await count()).length).toBe(before)
  })

  test('words a notification of the account, and of no other', async () => {
    const service = world.serviceIds.private
    const facts = failureNotice({
      service: { id: service, name: 'Past', address: 'x', type_id: 'http' },
      change: { id: '77', startedAt: 0, endedAt: null },
    })
    await givenIntent(world.database, {
      accountId: world.people.ids.alice,
      facts,
      createdAt: world.clock.now(),
    })
    const body = '{{service.name}}'
    expect((await preview({ body, service_id: service, change_id: '77' })).body).toMatchObject({ text: 'Past\n' })
    const refused = async (more: object, person: 'alice' | 'charlie' = 'alice') =>
      errorsOf((await preview({ body, ...more }, person)).body)
    expect(await refused({ service_id: service, change_id: '78' })).toEqual([['incorrect_value', 'data.change_id']])
    expect(await refused({ change_id: '77' })).toEqual([['missing_value', 'data.service_id']])
    expect(await refused({ service_id: service }, 'charlie')).toEqual([['incorrect_value', 'data.service_id']])
  })
})

test('each default template and each variable can be read by itself', async () => {
  const { body } = await world.call('alice', 'GET', '/default_templates/email/pl')
  expect(body).toMatchObject({
    notification_channel_id: 'email',
    language_id: 'pl',
    subject: expect.stringContaining('AWARIA'),
  })
  const asIs = { ...(body as object), name: 'As it is', is_active: false }
  expect((await world.call('alice', 'POST', '/templates', asIs)).status).toBe(201)
  expect((await world.call('alice', 'GET', '/default_templates/email/de')).status).toBe(404)
  const variable = await world.call('alice', 'GET', '/dictionaries/template_variables/service.name', undefined, {
    'accept-language': 'pl',
  })
  expect(variable.body).toMatchObject({
    id: 'service.name',
    type: 'text',
    description: expect.stringContaining('Nazwa usługi'),
  })
})
