import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { templateChooser } from '../../src/notifications/chosen-templates.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const usual = { name: 'T', notification_channel_id: 'email', language_id: 'en', subject: 'S', body: 'B' }
const make = async (more: object = {}) => idOf(await world.call('alice', 'POST', '/templates', { ...usual, ...more }))

test('of templates that become active at once one stays so, and no request fails', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => make({ is_active: false })))
  for (let round = 0; round < 3; round += 1) {
    const replies = await Promise.all(
      ids.map((id) => world.call('alice', 'PUT', `/templates/${id}`, { is_active: true })),
    )
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 204))
    const active = await world.database.query(sql`select from templates where id = any(${ids}::int[]) and is_active`)
    expect(active).toHaveLength(1)
  }
})

test('a template that a contact has for one channel words none of another', async () => {
  const id = await make({ body: 'Own', is_active: false })
  const contact = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Anna' }))
  const [address] = await world.database.query<{ id: number }>(sql`
    insert into notification_addresses (contact_id, notification_channel_id, address)
    values (${contact}, 'sms', '+48600000000') returning id`)
  const path = `/contacts/${contact}/custom_templates/email`
  expect((await world.call('alice', 'PUT', path, { template_id: id })).status).toBe(204)
  const moved = await world.call('alice', 'PUT', `/templates/${id}`, { notification_channel_id: 'sms' })
  const chosen = await templateChooser(world.database)({
    ...{ account_id: world.people.ids.alice, address_id: address?.id ?? 0 },
    ...{ language_id: 'en', notification_channel_id: 'sms' },
  })
  expect([moved.status, chosen]).toEqual([204, null])
})
