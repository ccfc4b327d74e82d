import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { names, type Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

type Shown = Readonly<Record<string, unknown>>

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const logs = ['notifications', 'status_changes', 'authentications'] as const

function read(person: Person, of: Person | string, log: (typeof logs)[number], query = '') {
  const account = of in world.people.ids ? world.people.ids[of as Person] : of
  return world.call(person, 'GET', `/accounts/${account}/logs/${log}?${query}`)
}

describe.each(logs)('the log of %s', (log) => {
  const statuses: Readonly<Record<'alice' | 'adam', Readonly<Record<Person, number>>>> = {
    // Read by the account itself, its parent, and its sub-accounts; siblings see each other but not their logs.
    alice: { alice: 200, adam: 200, rita: 200, bob: 404, carol: 404, charlie: 404, dora: 403 },
    adam: { alice: 200, adam: 200, rita: 403, bob: 404, carol: 404, charlie: 404, dora: 403 },
  }
  test.each(names)('of an account and of its sub-account, by %s', async (person) => {
    for (const of of ['alice', 'adam'] as const) {
      const reply = await read(person, of, log)
      expect([of, reply.status]).toEqual([of, statuses[of][person]])
    }
  })

  test('is read under my_account too', async () => {
    const [byAlias, byId] = [await read('alice', 'my_account', log), await read('alice', 'alice', log)]
    expect([byAlias.status, byAlias.body]).toEqual([200, byId.body])
  })

  test('holds nothing of anybody else', async () => {
    const rows = async (person: Person) => {
      const reply = await read(person, person, log, 'limit=1000')
      return (reply.body as readonly Shown[]).map((row) => JSON.stringify(row))
    }
    const [hers, his] = [await rows('alice'), await rows('charlie')]
    expect(hers.length).toBeGreaterThan(0)
    expect(his.filter((row) => hers.includes(row))).toEqual([])
  })
})

describe('notifications', () => {
  test('tell to whom, about what, and how the delivery went', async () => {
    const reply = await read('alice', 'alice', 'notifications', 'status=failed')
    expect(reply.body).toEqual([
      {
        id: expect.any(Number),
        time: '2026-11-21T08:59:00Z',
        service_id: world.serviceIds.shared,
        group_id: world.groupIds.shared,
        notification_address_id: world.addressIds.shared,
        notification_channel_id: 'email',
        notification_condition_id: 'recovery',
        address: 'Ops@example.com',
        subject: 'Sklep: działa',
        status: 'failed',
        attempts: 1,
        error_message: '550 no such user',
      },
    ])
  })

  test('of a test message name no service', async () => {
    const [sms] = await world.database.query<{ id: number }>(sql`
      insert into notification_addresses (group_id, notification_channel_id, address)
      values (${world.groupIds.private}, 'sms', '+48600000000') returning id`)
    const path = `/notification_addresses/${sms?.id}/send_test_sms_notification`
    expect((await world.call('alice', 'POST', path)).status).toBe(204)
    const reply = await read('alice', 'alice', 'notifications', 'notification_condition_id=test')
    expect(reply.body).toMatchObject([{ service_id: null, notification_channel_id: 'sms', status: 'pending' }])
  })

  test('take a half-open range', async () => {
    const total = async (query: string) =>
      (await read('alice', 'alice', 'notifications', `notification_condition_id=failure&${query}`)).headers[
        'x-total-count'
      ]
    expect(await total('from=2026-11-21T08:59:00Z')).toBe('1')
    expect(await total('from=2026-11-21T08:59:01Z')).toBe('0')
    expect(await total('to=2026-11-21T08:59:00Z')).toBe('0')
    expect(await total('from=-60&to=2026-11-21T08:59:01Z')).toBe('1')
    const wrong = await read('alice', 'alice', 'notifications', 'from=never&to=x&sort=facts&service=1')
    expect(pointersOf(wrong)).toEqual([
      'incorrect_value query.from',
      'incorrect_value query.service',
      'incorrect_value query.sort[0]',
      'incorrect_value query.to',
    ])
  })

  test('sort by time and embed what they speak of', async () => {
    const reply = await read(
      'alice',
      'alice',
      'notifications',
      'sort=-id&limit=1&embed=service.name&fields=status&status=sent',
    )
    expect(reply.body).toEqual([{ status: 'sent', service: { name: 'Sklep Łódź' } }])
  })
})

describe('status changes', () => {
  test('are those of all services of the account, with group and name', async () => {
    const query = `service_id=${world.serviceIds.shared}&sort=-start_time&limit=1`
    expect((await read('alice', 'alice', 'status_changes', query)).body).toEqual([
      {
        change_id: world.history.changeIds.failure,
        service_id: world.serviceIds.shared,
        first_analysis_id: world.history.failureId,
        status: 'failure',
        description: '',
        pause_reason: null,
        start_time: '2026-11-21T08:55:00Z',
        end_time: null,
        duration: 300,
        group_id: world.groupIds.shared,
        service_name: 'Sklep Łódź',
      },
    ])
  })

  test('of a shared group stay with its owner', async () => {
    expect((await read('bob', 'bob', 'status_changes')).body).toEqual([])
  })
})

describe('authentications', () => {
  test('tell right and wrong attempts, never a password', async () => {
    const attempt = (password: string) =>
      world.call(null, 'POST', '/sessions', { username: 'carol', password }, { 'user-agent': 'phone' })
    expect((await attempt('carol may come in')).status).toBe(201)
    expect((await attempt('a guess')).status).toBe(401)
    await expect
      .poll(async () => (await read('carol', 'carol', 'authentications', 'user_agent=phone&sort=id')).body)
      .toEqual([
        {
          id: expect.any(Number),
          time: '2026-11-21T09:00:00Z',
          ip_address: '127.0.0.1',
          user_agent: 'phone',
          method: 'session',
          success: true,
        },
        expect.objectContaining({ success: false }),
      ])
  })
})
