import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type FarEnd, startFarEnd } from '../support/far-end.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

let world: ApiWorld
let groupId: number
let farEnd: FarEnd

beforeAll(async () => {
  world = await apiWorld()
  farEnd = await startFarEnd(world)
})
afterAll(async () => {
  farEnd.close()
  await world.drop()
})
beforeEach(async () => {
  farEnd.heard.length = 0
  await world.database.execute(sql`truncate notification_intents`)
  groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Told' }))
  await world.call('alice', 'PUT', `/groups/${groupId}/shares/${world.people.ids.bob}`, { can_modify_group: true })
})

const path = '/notification_addresses'
const make = (body: object) => world.call('alice', 'POST', path, { group_id: groupId, ...body })
const readBack = async (id: number) => (await world.call('alice', 'GET', `${path}/${id}`)).body
const byFields = (settings: object) => ({ notification_channel_id: 'ntfy', settings })
const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

async function stored(id: number): Promise<unknown> {
  const [row] = await world.database.query<{ settings: unknown }>(
    sql`select settings from notification_addresses where id = ${id}`,
  )
  return row?.settings
}

describe('an address with fields', () => {
  test('takes its settings, makes its address, and shows no secret', async () => {
    const id = idOf(await make(byFields({ topic: 'shop', token })))
    expect(await readBack(id)).toMatchObject({
      ...{ address: 'ntfy.sh/shop', notification_channel_id: 'ntfy', is_enabled: true, disabled_reason: null },
      settings: { server: 'https://ntfy.sh', topic: 'shop', token: null, priority: 'default' },
    })
    expect(await stored(id)).toEqual({ topic: 'shop', token })
  })

  test('written back as it was read changes nothing; null keeps a secret, an empty text removes it', async () => {
    const id = idOf(await make(byFields({ topic: 'shop', token })))
    expect((await world.call('alice', 'PUT', `${path}/${id}`, await readBack(id))).status).toBe(204)
    expect(await stored(id)).toEqual({ topic: 'shop', token })
    await world.call('alice', 'PUT', `${path}/${id}`, { settings: { token: '', priority: 'max' } })
    expect(await stored(id)).toEqual({ topic: 'shop', priority: 'max' })
  })

  test.each([[[]], ['x'], [7], [true], [['topic']]])(
    'settings that are no object are refused: %j',
    async (settings) => {
      const mail = { notification_channel_id: 'email', address: 'alice@example.com' }
      const ids = [idOf(await make(mail)), idOf(await make(byFields({ topic: 'shop' })))]
      for (const id of ids) {
        const refused = await world.call('alice', 'PUT', `${path}/${id}`, { settings })
        expect(pointersOf(refused)).toEqual(['incorrect_type data.settings'])
      }
      for (const body of [mail, byFields({}), { address: 'https://ntfy.sh/shop' }])
        expect(pointersOf(await make({ ...body, settings }))).toEqual(['incorrect_type data.settings'])
      expect((await world.call('alice', 'GET', path)).status).toBe(200)
    },
  )

  test.each([
    ['https://ntfy.sh/shop', { server: 'https://ntfy.sh', topic: 'shop' }],
    ['ntfys://push.example.com/shop', { server: 'https://push.example.com', topic: 'shop' }],
    ['ntfy://shop', { server: 'https://ntfy.sh', topic: 'shop' }],
  ])('is made of the URL %s alone', async (address, settings) => {
    const id = idOf(await make({ address }))
    expect(await readBack(id)).toMatchObject({ notification_channel_id: 'ntfy', settings })
  })

  test.each([
    ['a field that is wrong', byFields({ topic: 'two words' }), 'incorrect_value data.settings.topic'],
    ['a field that is missing', byFields({}), 'missing_value data.settings.topic'],
    ['a field that is none', byFields({ topic: 'a', room: 1 }), 'unknown_field data.settings.room'],
    ['a server that is no address', byFields({ topic: 'a', server: 'x' }), 'incorrect_value data.settings.server'],
    [
      'a host that is none',
      byFields({ topic: 'a', server: 'http://1.2.3.999' }),
      'incorrect_value data.settings.server',
    ],
    ['a URL that says nothing', { address: 'https://example.com/hook' }, 'incorrect_value data.address'],
    [
      'none of two fields of which one is needed',
      { notification_channel_id: 'apprise', settings: { server: 'http://apprise.example.com' } },
      'missing_value data.settings.key',
    ],
    ['no channel', { address: 'alice@example.com' }, 'missing_value data.notification_channel_id'],
    ['a text for an address', { notification_channel_id: 'ntfy', address: 'shop' }, 'incorrect_value data.address'],
    [
      'settings of a channel without fields',
      { notification_channel_id: 'email', address: 'a@example.com', settings: { topic: 'a' } },
      'unknown_field data.settings.topic',
    ],
    ['no address where there are no fields', { notification_channel_id: 'email' }, 'missing_value data.address'],
  ])('says which part is wrong: %s', async (_name, body, pointer) => {
    const reply = await make(body)
    expect([reply.status, pointersOf(reply)]).toEqual([422, [pointer]])
  })

  test('is not led elsewhere with its secret by somebody who has it by a share', async () => {
    const id = idOf(await make(byFields({ topic: 'shop', token })))
    const elsewhere = await world.call('bob', 'PUT', `${path}/${id}`, { settings: { server: 'https://evil.example' } })
    expect(pointersOf(elsewhere)).toEqual(['incorrect_value data.settings.token'])
    const own = { settings: { server: 'https://evil.example', token: 'tk_of_bob' } }
    expect((await world.call('bob', 'PUT', `${path}/${id}`, own)).status).toBe(204)
    expect((await world.call('bob', 'PUT', `${path}/${id}`, { description: 'On call' })).status).toBe(204)
  })

  test('changes to another channel, and back', async () => {
    const id = idOf(await make(byFields({ topic: 'shop', token })))
    await world.call('alice', 'PUT', `${path}/${id}`, { notification_channel_id: 'email', address: 'a@example.com' })
    expect(await readBack(id)).toMatchObject({ address: 'a@example.com', settings: {} })
    expect(await stored(id)).toEqual({})
    expect((await world.call('alice', 'PUT', `${path}/${id}`, byFields({ topic: 'b' }))).status).toBe(204)
    expect(await readBack(id)).toMatchObject({ address: 'ntfy.sh/b', settings: { topic: 'b', token: null } })
  })
})

test('the dictionary says what an address of the channel consists of', async () => {
  const { body } = await world.call('alice', 'GET', '/dictionaries/notification_channels/ntfy')
  expect(body).toMatchObject({
    detects: true,
    fields: [
      { name: 'server', type: 'url', required: false, default: 'https://ntfy.sh' },
      { name: 'topic', type: 'text', required: true, default: null, label: 'Topic' },
      { name: 'token', type: 'secret', required: false, default: null },
      { name: 'priority', type: 'choice', choices: ['min', 'low', 'default', 'high', 'max'], default: 'default' },
    ],
  })
  const email = await world.call('alice', 'GET', '/dictionaries/notification_channels/email')
  expect(email.body).toMatchObject({ fields: [], detects: false })
})

test('a new service of a group notifies by what people connected the group to', async () => {
  const service = { name: 'Shop', type_id: 'http', address: 'shop.example', group_id: groupId }
  const channelsOf = async (more: object = {}) => {
    const id = idOf(await world.call('alice', 'POST', '/services', { ...service, ...more }))
    const { body } = await world.call('alice', 'GET', `/services/${id}`)
    return (body as { notification_channel_ids: string[] }).notification_channel_ids
  }
  const usual = await channelsOf()
  await make(byFields({ topic: 'shop' }))
  expect(await channelsOf()).toEqual([...usual, 'ntfy'])
  expect(await channelsOf({ notification_channel_ids: ['email'] })).toEqual(['email'])
  const { body } = await world.call('alice', 'GET', `/groups/${groupId}/available_service_types?limit=1`)
  expect(body).toMatchObject([{ default_notification_channel_ids: [...usual, 'ntfy'] }])
})

describe('a test message', () => {
  test('goes to the saved address', async () => {
    const id = idOf(await make(byFields({ topic: 'shop' })))
    const reply = await farEnd.during('ntfy', () => world.call('alice', 'POST', `${path}/${id}/send_test_notification`))
    expect([reply.status, reply.body]).toEqual([200, { status: 'sent', error_message: null }])
    expect(farEnd.heard.map(({ topic }) => topic)).toEqual(['shop'])
  })

  test('goes to an address that is not saved, and leaves none', async () => {
    const body = { group_id: groupId, ...byFields({ topic: 'tried' }) }
    const reply = await farEnd.during('ntfy', () => world.call('alice', 'POST', `${path}/trial`, body))
    expect([reply.status, reply.body]).toEqual([200, { status: 'sent', error_message: null }])
    expect(farEnd.heard.map(({ topic }) => topic)).toEqual(['tried'])
    expect((await world.call('alice', 'GET', `${path}?group_id=${groupId}`)).body).toEqual([])
  })

  test('to what is not there fails at once, and its secrets are kept nowhere', async () => {
    const settings = { server: 'http://127.0.0.1:9', token: 'secret of a trial' }
    const body = { group_id: groupId, notification_channel_id: 'gotify', settings }
    const reply = await farEnd.during('ntfy', () => world.call('alice', 'POST', `${path}/trial`, body))
    expect(reply.body).toMatchObject({ status: 'failed', error_message: expect.stringContaining('ECONNREFUSED') })
    const kept = await world.database.query(sql`select * from notification_intents`)
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('secret of a trial')
  })

  test('is refused with its wrong field, for a group of others, and for a telephone', async () => {
    const wrong = await world.call('alice', 'POST', `${path}/trial`, { group_id: groupId, ...byFields({}) })
    expect(pointersOf(wrong)).toEqual(['missing_value data.settings.topic'])
    const foreign = await world.call('charlie', 'POST', `${path}/trial`, {
      group_id: groupId,
      ...byFields({ topic: 'a' }),
    })
    expect(pointersOf(foreign)).toEqual(['incorrect_value data.group_id'])
    const phone = { group_id: groupId, notification_channel_id: 'sms', address: '+48600100200' }
    expect((await world.call('alice', 'POST', `${path}/trial`, phone)).status).toBe(422)
  })
})
