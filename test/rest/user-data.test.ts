import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unaskedLimit } from '../../src/domain/notification/unasked.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import { type Person, passwordOf } from '../support/people.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld({ trustedProxies: ['10.0.0.0/8', '2001:db8:ffff::/48'] })
})
afterAll(() => world.drop())

const problem = (error: string, field?: string) => expect.objectContaining({ error, ...(field && { field }) })

describe('settings', () => {
  const path = '/user_data/my_user_data/settings'
  const put = (key: string, value: unknown) => world.call('alice', 'PUT', `${path}/${key}`, JSON.stringify(value))

  test.each([['text'], [0], [-1.5], [true], [null], [[]], [{ a: [1, { b: null }] }], ['ŻÓŁĆ \u{1F6A8}']])(
    'keep %j as it is',
    async (value) => {
      expect((await put('a.b_c-D9', value)).status).toBe(204)
      const read = await world.call('alice', 'GET', `${path}/a.b_c-D9`)
      expect(read).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
      expect(read.body).toEqual(value)
    },
  )

  test('are shown in user_data, and gone when deleted', async () => {
    await put('theme', 'dark')
    const { body } = await world.call('alice', 'GET', '/user_data/my_user_data')
    expect((body as { settings: unknown[] }).settings).toContainEqual({ key: 'theme', value: 'dark' })
    expect((await world.call('alice', 'DELETE', `${path}/theme`)).status).toBe(204)
    expect((await world.call('alice', 'DELETE', `${path}/theme`)).status).toBe(404)
    expect((await world.call('alice', 'GET', `${path}/theme`)).status).toBe(404)
  })

  test('are bounded in key, size and number', async () => {
    expect((await world.call('alice', 'GET', `${path}/%00`)).status).toBe(404)
    for (const key of ['%00', 'a%20b', 'a'.repeat(101), '%C5%BC']) {
      expect(await put(key, 1)).toMatchObject({ status: 422, body: [problem('incorrect_value')] })
    }
    expect((await put('big', 'x'.repeat(8190))).status).toBe(204)
    expect(await put('big', 'x'.repeat(8191))).toMatchObject({ body: [problem('value_too_long', 'data')] })
    expect(await put('odd', 'a\u0000')).toMatchObject({ body: [problem('incorrect_value', 'data')] })
    expect(await put('odd', { '\ud800': 1 })).toMatchObject({ body: [problem('incorrect_value', 'data')] })
    expect(await world.call('alice', 'PUT', `${path}/none`)).toMatchObject({ body: [problem('missing_value', 'data')] })
    expect((await world.call('alice', 'PUT', `${path}/none`, '{')).status).toBe(400)
    await world.database.execute(sql`delete from user_settings`)
    // Fewer at once than there are connections, because a wait of more than five seconds for one is answered 503, even
    // on a busy machine.
    const statuses: number[] = []
    for (let first = 0; first < 105; first += 7) {
      const replies = await Promise.all(Array.from({ length: 7 }, (_, index) => put(`k${first + index}`, index)))
      statuses.push(...replies.map(({ status }) => status))
    }
    expect(statuses.sort()).toEqual([...Array(100).fill(204), ...Array(5).fill(422)])
    const stored = await world.database.query<{ key: string }>(sql`select key from user_settings`)
    expect(stored).toHaveLength(100)
    expect(await put('one.more', 1)).toMatchObject({ status: 422, body: [problem('too_many_settings')] })
    expect((await put(stored[0]?.key ?? '', 2)).status).toBe(204)
  })

  test('belong to their owner and its parent', async () => {
    const { adam, alice } = world.people.ids
    const at = (id: number) => `/user_data/${id}/settings/theme`
    expect((await world.call('adam', 'PUT', at(adam), '"dark"')).status).toBe(204)
    expect((await world.call('alice', 'GET', at(adam))).body).toBe('dark')
    expect((await world.call('adam', 'GET', at(alice))).status).toBe(404)
    expect((await world.call('bob', 'PUT', at(alice), '1')).status).toBe(404)
    expect((await world.call('rita', 'PUT', '/user_data/my_user_data/settings/theme', '1')).status).toBe(403)
  })
})

describe('another e-mail address', () => {
  const told = () =>
    world.database.query(sql`select address, kind, token from messages where kind = 'address_changed' order by id`)
  const move = (person: Person, id: number, to: string) =>
    world.call(person, 'PUT', `/user_data/${id}`, { email_address: to, current_password: passwordOf(person) })

  test('is told to the mailbox that it was before, whoever changes it, even one full of other letters', async () => {
    const { adam, alice, charlie } = world.people.ids
    await world.database.execute(sql`update user_data set email_address = 'old@example.com' where id = ${adam}`)
    await world.database.execute(sql`
      insert into messages (account_id, kind, address, status, created_at, expires_at)
      select ${charlie}, 'activation', 'old@example.com', 'sent', ${new Date(world.clock.now())}, now() from generate_series(1, 100)`)
    expect((await move('alice', adam, 'old@example.com')).status).toBe(204)
    expect(await told()).toEqual([])
    expect((await move('alice', adam, 'thief@example.com')).status).toBe(204)
    const farewell = { address: 'old@example.com', kind: 'address_changed', token: null }
    expect(await told()).toEqual([farewell])
    await world.database.execute(sql`update user_data set email_address = 'alices@example.com' where id = ${alice}`)
    const admin = await world.call('dora', 'PUT', `/admin/accounts/${alice}`, { email_address: 'moved@example.com' })
    expect(admin.status).toBe(204)
    expect(await told()).toEqual([farewell, { ...farewell, address: 'alices@example.com' }])
  })

  test('is told to nobody where nobody has logged in yet, or no address was', async () => {
    const username = 'still.invited'
    const user_data = { email_address: 'wrong@example.com' }
    const { id } = (await world.call('alice', 'POST', '/accounts', { username, user_data })).answer
    const before = await told()
    expect((await move('alice', id, 'right@example.com')).status).toBe(204)
    await world.database.execute(sql`update user_data set email_address = '' where id = ${world.people.ids.charlie}`)
    expect((await move('charlie', world.people.ids.charlie, 'first@example.com')).status).toBe(204)
    expect(await told()).toEqual(before)
  })

  const fill = (address: string) =>
    world.database.execute(sql`
      insert into messages (account_id, kind, address, status, created_at)
      select null, 'address_changed', ${address}, 'sent', ${new Date(world.clock.now())} from generate_series(1, 100)`)
  const toldAt = async (address: string) =>
    (await world.database.query(sql`select 1 from messages where address = ${address} and account_id is not null`))
      .length

  test('cannot be used to fill a stranger’s mailbox, nor many', async () => {
    const { bob } = world.people.ids
    for (let round = 0; round < 12; round += 1) await move('bob', bob, `stranger${round}@example.com`)
    const written = await world.database.query(sql`select 1 from messages where account_id = ${bob}`)
    expect(written).toHaveLength(10)
    const account = {
      username: 'of.today',
      password: 'a long password',
      user_data: { email_address: 'full@example.com' },
    }
    const { id } = (await world.call('alice', 'POST', '/accounts', account)).answer
    await fill('full@example.com')
    await move('alice', id, 'next@example.com')
    expect(await toldAt('full@example.com')).toBe(0)
  })

  test('is told by an account that is older than a day, once, whatever fills the mailbox', async () => {
    const { rita } = world.people.ids
    await world.database.execute(sql`update accounts set created_at = '2020-01-01' where id = ${rita}`)
    await world.database.execute(sql`update user_data set email_address = 'kept@example.com' where id = ${rita}`)
    await fill('kept@example.com')
    for (const next of ['thief@example.com', 'kept@example.com', 'thief@example.com'])
      expect((await move('alice', rita, next)).status).toBe(204)
    expect(await toldAt('kept@example.com')).toBe(1)
  })

  test('and letters count against a mailbox when their accounts are removed', async () => {
    const letters = () => world.database.query(sql`select id from messages where address = 'flooded@example.com'`)
    const invite = async () => {
      const account = { username: 'short.lived', user_data: { email_address: 'flooded@example.com' } }
      return (await world.call('alice', 'POST', '/accounts', account)).answer.id
    }
    for (let count = 0; count < unaskedLimit.most; count += 1) {
      const id = await invite()
      await world.database.execute(sql`update messages set status = 'sent', token = null where account_id = ${id}`)
      expect((await world.call('alice', 'DELETE', `/accounts/${id}`)).status).toBe(204)
    }
    expect(await letters()).toHaveLength(unaskedLimit.most)
    await invite()
    expect(await letters()).toHaveLength(unaskedLimit.most)
  })
})

describe('the address filter', () => {
  async function from(person: Person, address: string, headers: Record<string, string> = {}) {
    const authorization = authorizationOf(person)
    const url = '/v3/accounts/my_account'
    const reply = await world.server.inject({ url, remoteAddress: address, headers: { authorization, ...headers } })
    return reply.statusCode
  }

  async function allow(person: Person, ranges: readonly string[] | null) {
    await world.database.execute(sql`
      update user_data set ip_whitelist = ${[...(ranges ?? [])]}, ip_whitelist_enabled = ${ranges !== null}
      where id = ${world.people.ids[person]}`)
  }

  test.each([
    ['192.0.2.7', '192.0.2.7', 200],
    ['192.0.2.7', '192.0.2.8', 403],
    ['192.0.2.0/24', '192.0.2.255', 200],
    ['192.0.2.0/24', '192.0.3.0', 403],
    ['192.0.2.0/24', '::ffff:192.0.2.1', 200],
    ['0.0.0.0/0', '198.51.100.1', 200],
    ['0.0.0.0/0', '2001:db8::1', 403],
    ['2001:db8::/32', '2001:db8:1::5', 200],
    ['2001:db8::/32', '2001:db9::5', 403],
    ['2001:0DB8::1', '2001:db8:0:0::1', 200],
  ])('of %s answers %s with %i', async (range, address, status) => {
    await allow('bob', ['203.0.113.1', range])
    expect(await from('bob', address)).toBe(status)
    await allow('bob', null)
  })

  test('believes X-Forwarded-For only from the configured proxies', async () => {
    await allow('bob', ['192.0.2.0/24'])
    const forwarded = { 'x-forwarded-for': '192.0.2.9' }
    expect(await from('bob', '10.1.2.3', forwarded)).toBe(200)
    expect(await from('bob', '2001:db8:ffff::1', forwarded)).toBe(200)
    expect(await from('bob', '198.51.100.1', forwarded)).toBe(403)
    expect(await from('bob', '10.1.2.3', { 'x-forwarded-for': '192.0.2.9, 198.51.100.1' })).toBe(403)
    expect(await from('bob', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1, 192.0.2.9' })).toBe(200)
    expect(await from('bob', '10.1.2.3', { 'x-forwarded-for': '192.0.2.9, 10.9.9.9' })).toBe(200)
    await allow('bob', null)
  })

  test('is refused when it would lock its own maker out', async () => {
    const put = (person: Person, body: object, id: number | string = 'my_user_data') =>
      world.call(person, 'PUT', `/user_data/${id}`, body)
    const lockOut = { status: 422, body: [problem('incorrect_value', 'data.ip_whitelist')] }
    expect(await put('carol', { ip_whitelist_enabled: true })).toMatchObject(lockOut)
    expect(await put('carol', { ip_whitelist_enabled: true, ip_whitelist: ['192.0.2.0/24'] })).toMatchObject(lockOut)
    expect((await put('carol', { ip_whitelist: ['192.0.2.0/24'] })).status).toBe(204)
    expect(await put('carol', { ip_whitelist_enabled: true })).toMatchObject(lockOut)
    const refused = await put('carol', { ip_whitelist_enabled: true })
    expect(refused.text).toContain('you would lock yourself out')
    expect((await put('carol', { ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.0/8'] })).status).toBe(204)
    expect(await put('carol', { ip_whitelist: ['192.0.2.0/24'] })).toMatchObject(lockOut)
    expect((await put('carol', { contact_person: 'Carol' })).status).toBe(204)
    expect((await put('carol', { ip_whitelist_enabled: false, ip_whitelist: [] })).status).toBe(204)
    const { adam } = world.people.ids
    expect((await put('alice', { ip_whitelist_enabled: true, ip_whitelist: ['192.0.2.1'] }, adam)).status).toBe(204)
    expect((await world.call('adam', 'GET', '/accounts')).status).toBe(403)
    expect((await put('alice', { ip_whitelist_enabled: false }, adam)).status).toBe(204)
  })

  test('takes addresses and ranges of both families and nothing else', async () => {
    const wrong = ['192.0.2.1/33', '300.1.1.1', 'localhost', 'fe80::1%eth0', '::1/129', '192.0.2.0/024', '']
    const reply = await world.call('bob', 'PUT', '/user_data/my_user_data', { ip_whitelist: wrong })
    expect(reply.body).toEqual(wrong.map((_, index) => problem('incorrect_value', `data.ip_whitelist[${index}]`)))
  })
})
