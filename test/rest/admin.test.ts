import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

type Shown = Readonly<Record<string, unknown>>

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

test('administrators see all packages, with the flag that customers do not see', async () => {
  const reply = await world.call('dora', 'GET', '/admin/packages?fields=name,create_accounts&sort=name')
  expect(reply.body).toEqual([
    { name: 'free', create_accounts: true },
    { name: 'sub-account', create_accounts: false },
    { name: 'unlimited', create_accounts: true },
  ])
  const [row] = (await world.call('alice', 'GET', '/packages')).body as readonly Shown[]
  expect(Object.keys(row ?? {})).not.toContain('create_accounts')
  const some = await world.call('dora', 'POST', '/admin/packages/search', { filters: { create_accounts: false } })
  expect(some.body).toMatchObject([{ name: 'sub-account' }])
})

describe('usage', () => {
  test('of an account and of its groups, by type, with notifications by channel', async () => {
    const { alice } = world.people.ids
    const group = await world.call('dora', 'GET', '/admin/usage_stats/by_group/2026/11?sort=service_type_id')
    const account = await world.call('dora', 'GET', '/admin/usage_stats/by_account/2026/11?sort=service_type_id')
    const rows = [
      { service_type_id: 'dns', checks: 30, analyses: 10, notifications_by_channel: {} },
      { service_type_id: 'http', checks: 300, analyses: 100, notifications_by_channel: { email: 4 } },
      { service_type_id: null, checks: 0, analyses: 0, notifications_by_channel: { sms: 1 } },
    ]
    expect(group.body).toEqual(rows.map((row) => ({ group_id: world.groupIds.shared, ...row })))
    expect(account.body).toEqual(rows.map((row) => ({ account_id: alice, ...row })))
    expect(account.headers['x-total-count']).toBe('3')
  })

  test('of several groups adds up for the account', async () => {
    const { alice, bob } = world.people.ids
    await world.database.execute(sql`
      insert into usage_counters (month, account_id, group_id, service_type_id, analyses, checks) values
        ('2026-09-01', ${alice}, 1, 'http', 1, 2), ('2026-09-01', ${alice}, 2, 'http', 10, 20),
        ('2026-09-01', ${bob}, 3, 'http', 5, 5), ('2026-08-01', ${alice}, 1, 'http', 1000, 1000)`)
    await world.database.execute(sql`
      insert into usage_notifications (month, account_id, group_id, service_type_id, notification_channel_id, sent) values
        ('2026-09-01', ${alice}, 1, 'http', 'email', 1), ('2026-09-01', ${alice}, 2, 'http', 'email', 2)`)
    const path = `/admin/usage_stats/by_account/2026/9`
    expect((await world.call('dora', 'GET', `${path}?account_id=${alice}`)).body).toEqual([
      {
        account_id: alice,
        service_type_id: 'http',
        checks: 22,
        analyses: 11,
        notifications_by_channel: { email: 3 },
      },
    ])
    expect((await world.call('dora', 'GET', `${path}?sort=-checks&limit=1`)).headers['x-total-count']).toBe('2')
  })

  test.each(['2026/13', '2026/0', '26/1', '99999/1', 'x/1', '2026/-1'])('of %s is not found', async (month) => {
    expect((await world.call('dora', 'GET', `/admin/usage_stats/by_account/${month}`)).status).toBe(404)
  })

  test('of a month without any is empty', async () => {
    expect((await world.call('dora', 'GET', '/admin/usage_stats/by_group/1999/12')).body).toEqual([])
  })
})

describe('OAuth clients', () => {
  const client = { client_id: 'board', name: 'Board', redirect_uris: ['https://board.example.com/cb'] }

  async function asks(clientId: string): Promise<number> {
    const query = `response_type=token&client_id=${clientId}&redirect_uri=${encodeURIComponent('https://board.example.com/cb')}`
    return (await world.server.inject({ method: 'GET', url: `/oauth/authorize?${query}` })).statusCode
  }

  test('that an administrator enters may ask for access, until they are deleted', async () => {
    expect(await asks('board')).not.toBe(200)
    const reply = await world.call('dora', 'POST', '/admin/oauth_clients', client)
    const path = `/admin/oauth_clients/${reply.answer.id}`
    expect((await world.call('dora', 'GET', path)).body).toMatchObject({
      ...client,
      created_at: '2026-11-21T09:00:00Z',
    })
    expect((await world.call('dora', 'GET', path)).body).toMatchObject({ is_implicit_flow_allowed: false })
    expect(await asks('board')).toBe(303)
    expect((await world.call('dora', 'PUT', path, { is_implicit_flow_allowed: true })).status).toBe(204)
    expect(await asks('board')).toBe(200)
    expect((await world.call('dora', 'PUT', path, { redirect_uris: ['https://elsewhere.example.com/'] })).status).toBe(
      204,
    )
    expect(await asks('board')).not.toBe(200)
    expect((await world.call('dora', 'DELETE', path)).status).toBe(204)
  })

  test.each<[string, Shown, readonly string[]]>([
    ['a name that is taken by the configuration', { client_id: 'configured' }, ['value_is_not_unique data.client_id']],
    ['a name that another has', { client_id: 'dashboard-1' }, ['value_is_not_unique data.client_id']],
    ['nowhere to go', { redirect_uris: [] }, ['missing_value data.redirect_uris']],
    [
      'addresses that a browser must not be sent to',
      { redirect_uris: ['https://ok.example/', 'javascript:alert(1)', 'https://a.example/#x', '/relative'] },
      [
        'incorrect_value data.redirect_uris[1]',
        'incorrect_value data.redirect_uris[2]',
        'incorrect_value data.redirect_uris[3]',
      ],
    ],
  ])('are refused with %s', async (_what, more, pointers) => {
    const reply = await world.call('dora', 'POST', '/admin/oauth_clients', { ...client, ...more })
    expect([reply.status, pointersOf(reply)]).toEqual([422, pointers])
  })
})
