import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acknowledgeToken, readAcknowledgeToken, readLinkKey } from '../../src/outbox/acknowledge-links.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

/** The link of a message that says that somebody knows of the failure. */
let world: FurnishedWorld
let key: Buffer
let addressId: number
let failure: string

beforeAll(async () => {
  world = await furnishedWorld()
  key = await readLinkKey(world.database)
  const group_id = world.groupIds.shared
  const made = { group_id, notification_channel_id: 'email', address: '<b>ops</b>@example.com' }
  const reply = await world.call('alice', 'POST', '/notification_addresses', { ...made, address: 'ops@example.com' })
  addressId = idOf(reply)
  failure = `/services/${world.serviceIds.shared}/history/status_changes/${world.history.changeIds.failure}`
  await world.database.execute(sql`
    update services set name = '<i>Shop</i>' where id = ${world.serviceIds.shared}`)
})
afterAll(() => world.drop())
beforeEach(() => world.call('alice', 'POST', `${failure}/unacknowledge`))

const token = (changes: object = {}) =>
  acknowledgeToken(key, {
    ...{ serviceId: world.serviceIds.shared, changeId: Number(world.history.changeIds.failure), addressId },
    ...changes,
  })
const open = (given: string, language = 'en') =>
  world.server.inject({ url: `/acknowledge?token=${given}`, headers: { 'accept-language': language } })
const press = (given: string, comment = '') =>
  world.server.inject({
    ...{ method: 'POST', url: '/acknowledge', payload: new URLSearchParams({ token: given, comment }).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
  })
const shown = async () => (await world.call('alice', 'GET', failure)).body as Record<string, unknown>
const endFailure = (end: Date | null) =>
  world.database.execute(sql`
    update status_changes set end_time = ${end}
    where service_id = ${world.serviceIds.shared} and change_id = ${Number(world.history.changeIds.failure)}`)

test('looking at the page changes nothing, however often a scanner looks', async () => {
  for (let look = 0; look < 3; look++) {
    const { statusCode, payload, headers } = await open(token())
    expect([statusCode, payload]).toEqual([200, expect.stringContaining('Acknowledge as ops@example.com')])
    expect(payload).toContain('&lt;i&gt;Shop&lt;/i&gt;')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
  expect(await shown()).toMatchObject({ acknowledged_at: null })
  expect((await open(token(), 'pl')).payload).toContain('Potwierdź jako ops@example.com')
})

test('the button says it for whoever was told, with a comment; a second press keeps the first', async () => {
  const { statusCode, payload } = await press(token(), ' Restarting <it> ')
  expect([statusCode, payload]).toEqual([200, expect.stringContaining('The failure is acknowledged')])
  const known = {
    ...{ acknowledged_by_account_id: null, acknowledged_by_name: 'ops@example.com' },
    acknowledgement_comment: 'Restarting <it>',
  }
  expect(await shown()).toMatchObject(known)
  await press(token(), 'Me too')
  expect(await shown()).toMatchObject(known)
  expect((await open(token())).payload).toContain('By ops@example.com')
})

test('a link that was changed in one place, or made elsewhere, leads nowhere', async () => {
  const right = token()
  const wrong = [
    right.slice(0, -1),
    `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`,
    right.replace(/^[^.]+/, (service) => `${service}1`),
    acknowledgeToken(Buffer.alloc(32), { serviceId: 1, changeId: 1, addressId }),
    '',
    '1.1.1.x',
    'x'.repeat(5000),
  ]
  for (const given of wrong) {
    expect([given, readAcknowledgeToken(key, given)]).toEqual([given, null])
    expect((await open(given)).statusCode).toBe(404)
    expect((await press(given)).statusCode).toBe(404)
  }
  expect(await shown()).toMatchObject({ acknowledged_at: null })
})

test('a link to a state that is no failure, or of an address that is gone or of another account, leads nowhere', async () => {
  const { changeIds } = world.history
  const others = Object.entries(changeIds).filter(([name]) => name !== 'failure')
  expect(others).not.toHaveLength(0)
  for (const [, changeId] of others) expect((await press(token({ changeId: Number(changeId) }))).statusCode).toBe(404)
  expect((await press(token({ addressId: 999_999 }))).statusCode).toBe(404)
  const stranger = await world.call('charlie', 'POST', '/notification_addresses', {
    ...{ notification_channel_id: 'email', address: 'charlie@example.com' },
  })
  expect((await press(token({ addressId: idOf(stranger) }))).statusCode).toBe(404)
  expect(await shown()).toMatchObject({ acknowledged_at: null })
})

test('of a failure that is over the page says so, and acknowledges nothing', async () => {
  await endFailure(new Date(world.clock.now()))
  for (const { statusCode, payload } of [await open(token()), await press(token())])
    expect([statusCode, payload]).toEqual([200, expect.stringContaining('The failure is over')])
  expect(await shown()).toMatchObject({ acknowledged_at: null })
  await endFailure(null)
})

test('of two who press at once one is first, and both are told who', async () => {
  const replies = await Promise.all([press(token(), 'one'), press(token(), 'two')])
  for (const { payload } of replies) expect(payload).toContain('By ops@example.com')
  expect(['one', 'two']).toContain((await shown())['acknowledgement_comment'])
})
