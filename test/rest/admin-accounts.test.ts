import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/password.ts'
import { sweepRemovedServices } from '../../src/service-state/services.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

type Shown = Readonly<Record<string, unknown>>

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

let made = 0
let username = ''
beforeEach(() => {
  made += 1
  username = `eva.${made}`
})

const password = 'correct horse battery'

function wanted(more: Shown = {}): Shown {
  const { unlimited } = world.people.packageIds
  return { username, package_id: unlimited, email_address: `${username}@example.com`, password, ...more }
}

async function createAccount(more: Shown = {}): Promise<number> {
  const reply = await world.call('dora', 'POST', '/admin/accounts', wanted(more))
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.answer.id
}

async function read(id: number): Promise<Shown> {
  return (await world.call('dora', 'GET', `/admin/accounts/${id}`)).body as Shown
}

/** Calls as a new account, by Basic. */
function as(name: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  return world.call(null, method, path, body, { authorization })
}

describe('an account made by an administrator', () => {
  test('is active, has what was given, flat, and can work at once', async () => {
    const id = await createAccount({
      name: 'Ewa',
      language_id: 'en',
      contact_person: 'Ewa Nowak',
      address: { street: 'Wąska 1', postal_code: null, city: 'Łódź', country: null },
      tax_identification_number: '123',
      ip_whitelist: ['127.0.0.0/8'],
      ip_whitelist_enabled: true,
      can_share_groups: true,
      can_create_subaccounts: true,
    })
    expect(await read(id)).toEqual({
      id,
      username,
      name: 'Ewa',
      language_id: 'en',
      time_zone_id: 'europe_warsaw',
      package_id: world.people.packageIds.unlimited,
      parent_account_id: null,
      is_activated: true,
      is_blocked: false,
      is_read_only: false,
      can_share_groups: true,
      can_create_subaccounts: true,
      created_at: '2026-11-21T09:00:00Z',
      contact_person: 'Ewa Nowak',
      email_address: `${username}@example.com`,
      phone_number: '',
      address: { street: 'Wąska 1', postal_code: null, city: 'Łódź', country: null },
      tax_identification_number: '123',
      settings: [],
      ip_whitelist: ['127.0.0.0/8'],
      ip_whitelist_enabled: true,
      has_2fa_enabled: false,
    })
    const service = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }
    expect((await as(username, 'POST', '/services', service)).status).toBe(201)
    expect(
      (await as(username, 'POST', '/accounts', { username: `${username}.sub`, user_data: { email_address: 'a@b.c' } }))
        .status,
    ).toBe(201)
  })

  test('takes its private data nested too; what is given twice counts as it stands outside', async () => {
    const user_data = { email_address: 'nested@example.com', phone_number: '1', contact_person: 'Nested' }
    const { email_address: _none, ...rest } = wanted({ user_data, contact_person: 'Flat' })
    const reply = await world.call('dora', 'POST', '/admin/accounts', rest)
    expect(await read(reply.answer.id)).toMatchObject({
      email_address: 'nested@example.com',
      phone_number: '1',
      contact_person: 'Flat',
    })
  })

  test('without a password is invited by a letter and cannot log in', async () => {
    const { password: _none, ...rest } = wanted()
    const reply = await world.call('dora', 'POST', '/admin/accounts', rest)
    const { id } = reply.answer
    const letters = await world.database.query(sql`select kind, address from messages where account_id = ${id}`)
    expect(letters).toEqual([{ kind: 'invitation', address: `${username}@example.com` }])
    expect((await as(username, 'GET', '/accounts/my_account')).status).toBe(401)
  })

  test('says everything that is wrong at once', async () => {
    const reply = await world.call('dora', 'POST', '/admin/accounts', {
      username: 'DORA',
      package_id: world.people.packageIds['sub-account'],
      password: 'short',
      ip_whitelist: ['nowhere'],
      is_blocked: true,
      parent_account_id: world.people.ids.alice,
      distribution_id: 1,
    })
    expect([reply.status, pointersOf(reply)]).toEqual([
      422,
      [
        'field_is_read_only data.is_blocked',
        'field_is_read_only data.parent_account_id',
        'incorrect_value data.ip_whitelist[0]',
        'incorrect_value data.package_id',
        'missing_value data.email_address',
        'unknown_field data.distribution_id',
        'value_is_not_unique data.username',
        'value_too_short data.password',
      ],
    ])
  })

  test('of two that want the same name at once, one wins', async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => world.call('dora', 'POST', '/admin/accounts', wanted())),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422])
  })
})

describe('changing an account', () => {
  test('changes what is its own and its private data, together or not at all', async () => {
    const id = await createAccount()
    const path = `/admin/accounts/${id}`
    const change = { name: 'Inna', phone_number: '+48 1', ip_whitelist: ['10.0.0.0/8'], can_share_groups: true }
    expect((await world.call('dora', 'PUT', path, change)).status).toBe(204)
    expect(await read(id)).toMatchObject(change)
    const wrong = await world.call('dora', 'PUT', path, { name: 'Nie', ip_whitelist: ['x'], username: 'other' })
    expect(pointersOf(wrong)).toEqual(['field_is_immutable data.username', 'incorrect_value data.ip_whitelist[0]'])
    expect(await read(id)).toMatchObject(change)
  })

  test('a new package holds for what is written from then on', async () => {
    const id = await createAccount()
    const path = `/admin/accounts/${id}`
    const service = { type_id: 'http', name: 'Shop', address: 'shop.example.com', interval: 10 }
    const { id: serviceId } = (await as(username, 'POST', '/services', service)).body as { id: number }
    expect((await world.call('dora', 'PUT', path, { package_id: world.people.packageIds.free })).status).toBe(204)
    expect((await as(username, 'GET', `/services/${serviceId}`)).body).toMatchObject({ interval: 10 })
    expect((await as(username, 'PUT', `/services/${serviceId}`, { name: 'Other' })).status).toBe(204)
    expect(pointersOf(await as(username, 'POST', '/services', service))).toEqual(['interval_too_short data.interval'])
    const sub = await world.call('dora', 'PUT', path, { package_id: world.people.packageIds['sub-account'] })
    expect(pointersOf(sub)).toEqual(['incorrect_value data.package_id'])
  })

  test('a new mailbox ends the links that went to the old one', async () => {
    const { password: _none, ...rest } = wanted()
    const { id } = (await world.call('dora', 'POST', '/admin/accounts', rest)).answer
    await world.call('dora', 'PUT', `/admin/accounts/${id}`, { email_address: 'new@example.com' })
    const letters = await world.database.query(sql`
      select address from messages where account_id = ${id} and status = 'pending'`)
    expect(letters).toEqual([{ address: 'new@example.com' }])
  })
})

describe('blocking', () => {
  const service = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }

  async function statusOf(serviceId: number): Promise<Shown | undefined> {
    const [row] = await world.database.query<Shown>(sql`
      select monitoring_status, state, pause_reason from service_statuses s
      left join status_changes c on c.service_id = s.service_id and c.end_time is null where s.service_id = ${serviceId}`)
    return row
  }

  async function blocked(): Promise<{ id: number; serviceIds: readonly [number, number]; token: string; sub: string }> {
    const id = await createAccount({ can_create_subaccounts: true })
    const sub = `${username}.sub`
    await as(username, 'POST', '/accounts', { username: sub, password, user_data: { email_address: 'a@b.c' } })
    const serviceIds: number[] = []
    for (const more of [{}, { is_active: false }]) {
      const reply = await as(username, 'POST', '/services', { ...service, ...more })
      serviceIds.push((reply.body as { id: number }).id)
    }
    const session = await world.call(null, 'POST', '/sessions', { username, password })
    const [running = 0, paused = 0] = serviceIds
    return { id, serviceIds: [running, paused], token: session.answer.token, sub }
  }

  test('ends sessions at once, locks out the account and its sub-accounts, stops what it monitors', async () => {
    const { id, serviceIds, token, sub } = await blocked()
    const authorization = `Bearer ${token}`
    expect((await world.call(null, 'GET', '/services', undefined, { authorization })).status).toBe(200)
    expect((await world.call('dora', 'POST', `/admin/accounts/${id}/block`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ is_blocked: true })
    const bySession = await world.call(null, 'GET', '/services', undefined, { authorization })
    expect([bySession.status, pointersOf(bySession)]).toEqual([401, ['incorrect_credentials']])
    for (const name of [username, sub]) {
      const reply = await as(name, 'GET', '/services')
      expect([reply.status, pointersOf(reply)]).toEqual([403, ['account_blocked']])
      const logIn = await world.call(null, 'POST', '/sessions', { username: name, password })
      expect([logIn.status, pointersOf(logIn)]).toEqual([403, ['account_blocked']])
    }
    expect(await statusOf(serviceIds[0])).toEqual({
      monitoring_status: 'off',
      state: 'paused',
      pause_reason: 'account_blocked',
    })
    expect(await statusOf(serviceIds[1])).toMatchObject({ pause_reason: 'user' })
  })

  test('is taken back whole: what was running is monitored again, what was paused is not', async () => {
    const { id, serviceIds } = await blocked()
    await world.call('dora', 'POST', `/admin/accounts/${id}/block`)
    expect((await world.call('dora', 'POST', `/admin/accounts/${id}/unblock`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ is_blocked: false })
    expect((await as(username, 'GET', '/services')).status).toBe(200)
    expect(await statusOf(serviceIds[0])).toMatchObject({ monitoring_status: 'on' })
    expect(await statusOf(serviceIds[1])).toMatchObject({ monitoring_status: 'off', pause_reason: 'user' })
  })

  test('done twice is done once', async () => {
    const { id, serviceIds } = await blocked()
    for (const name of ['block', 'block', 'unblock', 'unblock']) {
      expect((await world.call('dora', 'POST', `/admin/accounts/${id}/${name}`)).status).toBe(204)
    }
    expect(await statusOf(serviceIds[0])).toMatchObject({ monitoring_status: 'on' })
  })

  test('holds while somebody else may write: a share cannot switch monitoring on', async () => {
    const { id, serviceIds } = await blocked()
    await world.database.execute(sql`
      insert into shares (group_id, account_id, can_modify_services)
      select group_id, ${world.people.ids.bob}, true from services where id = ${serviceIds[1]}`)
    await world.call('dora', 'POST', `/admin/accounts/${id}/block`)
    expect((await world.call('bob', 'PUT', `/services/${serviceIds[1]}`, { is_active: true })).status).toBe(204)
    expect(await statusOf(serviceIds[1])).toMatchObject({ monitoring_status: 'off' })
    await world.call('dora', 'POST', `/admin/accounts/${id}/unblock`)
    expect(await statusOf(serviceIds[1])).toMatchObject({ monitoring_status: 'on' })
  })
})

describe('deleting', () => {
  test('removes the account with everything that it owns, and nothing else', async () => {
    const everything = async () => {
      // The audit log outlives accounts. Logins of deleted accounts are kept: for a minute the wrong ones per address,
      // for a month the digest of a name and a network, this test's included.
      const tables = await world.database.query<{ name: string }>(sql`
        select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and relname not in ('analyses_hot', 'authentications', 'known_devices', 'login_failures',
            'stream_events', 'audit_log', 'audit_chains') order by 1`)
      const counts: Record<string, number> = {}
      for (const { name } of tables) {
        const [row] = await world.database.query<{ n: number }>(sql`select count(*)::int as n from ${raw(`"${name}"`)}`)
        counts[name] = row?.n ?? 0
      }
      return counts
    }
    await sweepRemovedServices(world.database)
    const before = await everything()
    const id = await createAccount({ can_create_subaccounts: true, can_share_groups: true })
    const sub = { username: `${username}.sub`, user_data: { email_address: 'a@b.c' } }
    await as(username, 'POST', '/accounts', sub)
    const groups = await as(username, 'POST', '/groups', { name: 'Mine' })
    const group_id = (groups.body as { id: number }).id
    const service = { type_id: 'http', name: 'Shop', address: 'shop.example.com', group_id }
    const { id: service_id } = (await as(username, 'POST', '/services', service)).body as { id: number }
    const address = { address: 'a@b.c', notification_channel_id: 'email', group_id }
    await as(username, 'POST', '/notification_addresses', address)
    await as(username, 'POST', '/suspensions', { service_id, end_time: '2026-12-24T00:00:00Z' })
    await as(username, 'PUT', `/groups/${group_id}/shares/${world.people.ids.bob}`, {})
    await as(username, 'POST', '/system/dns_diagnostics', { host: 'a.example' })
    await world.call(null, 'POST', '/sessions', { username, password })
    await world.database.execute(sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, status, created_at)
      values (${service_id}, 'x', 1, ${id}, ${group_id}, 'email', 'failure', '', '{}', 'sent', ${new Date(0)})`)
    await world.database.execute(sql`
      insert into usage_counters values ('2026-11-01', ${id}, ${group_id}, 'http', 1, 1)`)
    expect((await world.call('dora', 'DELETE', `/admin/accounts/${id}`)).status).toBe(204)
    expect((await world.call('dora', 'GET', `/admin/accounts/${id}`)).status).toBe(404)
    expect((await as(username, 'GET', '/services')).status).toBe(401)
    expect((await world.call('bob', 'GET', `/groups/${group_id}`)).status).toBe(404)
    await sweepRemovedServices(world.database)
    expect(await everything()).toEqual(before)
  })

  test('a thousand services go in one step that nobody sees half done', async () => {
    const id = await createAccount()
    await world.database.execute(sql`
      with made as (
        insert into services (owner_id, group_id, name, type_id, address, interval, notification_channel_ids,
          notification_condition_ids)
        select g.owner_id, g.id, 'S' || n, 'http', 'a.example', 60, '{}', '{}'
        from groups g, generate_series(1, 1000) n where g.owner_id = ${id} returning id),
      statuses as (insert into service_statuses (service_id) select id from made)
      insert into schedule (service_id, due_at) select id, ${new Date(world.clock.now())} from made`)
    const seen = new Set<number>()
    let isDone = false
    const looking = (async () => {
      while (!isDone) {
        const [row] = await world.database.query<{ n: number }>(
          sql`select count(*)::int as n from services where owner_id = ${id}`,
        )
        seen.add(row?.n ?? -1)
      }
    })()
    expect((await world.call('dora', 'DELETE', `/admin/accounts/${id}`)).status).toBe(204)
    isDone = true
    await looking
    expect([...seen].filter((count) => count !== 1000 && count !== 0)).toEqual([])
    expect(await world.database.query(sql`select from services where owner_id = ${id}`)).toEqual([])
  })
})

describe('two distributions', () => {
  async function stranger(): Promise<string> {
    const passwordHash = await hashPassword(password)
    await world.database.execute(sql`
      with other as (insert into distributions (name) values ('Other') returning id),
      package as (insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids,
        available_service_types) select id, 'other', 60, '{}', '[]' from other)
      insert into administrators (distribution_id, username, password_hash)
      select id, ${username}, ${passwordHash} from other`)
    return username
  }

  test('see nothing of each other', async () => {
    const other = await stranger()
    const { ids, packageIds } = world.people
    for (const list of [
      'accounts',
      'oauth_clients',
      'usage_stats/by_account/2026/11',
      'usage_stats/by_group/2026/11',
    ]) {
      expect((await as(other, 'GET', `/admin/${list}`)).body).toEqual([])
    }
    expect((await as(other, 'GET', '/admin/packages?fields=name')).body).toEqual([{ name: 'other' }])
    for (const path of [`accounts/${ids.alice}`, `packages/${packageIds.free}`]) {
      expect((await as(other, 'GET', `/admin/${path}`)).status).toBe(404)
    }
    for (const name of ['block', 'unblock']) {
      expect((await as(other, 'POST', `/admin/accounts/${ids.alice}/${name}`)).status).toBe(404)
    }
    expect((await as(other, 'PUT', `/admin/accounts/${ids.alice}`, { name: 'x' })).status).toBe(404)
    const intoOther = await as(other, 'POST', '/admin/accounts', { ...wanted(), username: `${username}.x` })
    expect(pointersOf(intoOther)).toEqual(['incorrect_value data.package_id'])
  })
})

test('administrators search, sort and filter by private data; customers reach nothing of it', async () => {
  const found = await world.call(
    'dora',
    'GET',
    '/admin/accounts?email_address~=BOB@&fields=username&embed=package.name',
  )
  expect(found.body).toEqual([{ username: 'bob', package: { name: 'unlimited' } }])
  const searched = await world.call('dora', 'POST', '/admin/accounts/search', {
    filters: { parent_account_id: world.people.ids.alice },
    sort: ['-username'],
    fields: ['username'],
  })
  expect(searched.body).toEqual([{ username: 'rita' }, { username: 'adam' }])
  expect((await world.call('dora', 'GET', '/services')).status).toBe(403)
  expect((await world.call('alice', 'GET', '/admin/accounts')).status).toBe(403)
})
