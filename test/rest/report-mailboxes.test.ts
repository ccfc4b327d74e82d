import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConfirmingWorld, confirmingWorld } from '../support/confirming.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

let world: ConfirmingWorld

beforeAll(async () => {
  world = await confirmingWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.begin())

const mine = 'Me@Example.com'
const strange = 'stranger@example.com'

async function confirmMine(): Promise<number> {
  const id = await world.add(['email_extended', 'me@example.com'])
  await world.confirm(id, await world.arrivingCode())
  return id
}

const post = (path: string, body: object) => world.call('alice', 'POST', path, body)
const put = (path: string, body: object) => world.call('alice', 'PUT', path, body)

test('a periodic report goes to confirmed mailboxes alone', async () => {
  const body = { group_id: world.groupId(), report_frequency: 'daily', address: mine }
  expect(pointersOf(await post('/periodic_report_addresses', body))).toEqual(['incorrect_value data.address'])
  await world.add(['email', 'me@example.com'])
  expect(pointersOf(await post('/periodic_report_addresses', body))).toEqual(['incorrect_value data.address'])
  const addressId = await confirmMine()
  const path = `/periodic_report_addresses/${idOf(await post('/periodic_report_addresses', body))}`
  expect(pointersOf(await put(path, { address: strange }))).toEqual(['incorrect_value data.address'])
  // A mailbox that was named before stays, even without its confirmation.
  await world.call('alice', 'DELETE', `/notification_addresses/${addressId}`)
  expect((await put(path, { address: mine, report_frequency: 'weekly' })).status).toBe(204)
})

test('so do the reports of a template, and those that name mailboxes of their own', async () => {
  await confirmMine()
  const template = { name: 'Shop', email_addresses: [mine, strange] }
  expect(pointersOf(await post('/report_templates', template))).toEqual(['incorrect_value data.email_addresses[1]'])
  const id = idOf(await post('/report_templates', { name: 'Shop', email_addresses: [mine] }))
  const refused = ['incorrect_value data.email_addresses[0]']
  expect(pointersOf(await put(`/report_templates/${id}`, { email_addresses: [strange, mine] }))).toEqual(refused)
  expect((await put(`/report_templates/${id}`, { description: 'x' })).status).toBe(204)
  const order = { template_id: id, from: -7200, to: -3600 }
  expect(pointersOf(await post('/reports', { ...order, email_addresses: [strange] }))).toEqual(refused)
  expect((await post('/reports', order)).status).toBe(201)
  expect((await post('/reports', { ...order, email_addresses: [] })).status).toBe(201)
})

test('a mailbox that another account has confirmed is nothing to this one', async () => {
  await confirmMine()
  const template = { name: 'Shop', email_addresses: ['me@example.com'] }
  const reply = await world.call('charlie', 'POST', '/report_templates', template)
  expect(pointersOf(reply)).toEqual(['incorrect_value data.email_addresses[0]'])
  expect(problemsOf(reply)[0].message).not.toMatch(/[{}]/)
})
