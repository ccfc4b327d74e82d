import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeLetter } from '../../src/auth/letters.ts'
import { countUnasked, mailDestination } from '../../src/database/accounts/unasked.ts'
import type { Executor } from '../../src/database/connect.ts'
import { unaskedLimit } from '../../src/domain/notification/unasked.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { tokenInLetter } from '../support/credentials.ts'

const day = 86_400_000
const patience = { timeout: 30_000, interval: 20 }

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.clock.advance(60_000))

let made = 0

function wanted(more: object = {}) {
  const user_data = { email_address: 'new@example.com', phone_number: '+48 600 000 000' }
  const package_id = world.people.packageIds.free
  return { username: `new${++made}`, password: 'new may come in', name: 'New', package_id, user_data, ...more }
}

async function register(body: object): Promise<number> {
  const reply = await world.call(null, 'POST', '/accounts/register', body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.answer.id
}

const logIn = (username: string, password = 'new may come in') =>
  world.call(null, 'POST', '/sessions', { username, password })
const problem = (error: string, field?: string) => expect.objectContaining({ error, ...(field && { field }) })

describe('registration', () => {
  test('makes an account that can log in once its mailed link was followed', async () => {
    const account = wanted({ language_id: 'en' })
    const id = await register(account)
    expect(await logIn(account.username)).toMatchObject({ status: 403, body: [problem('account_not_activated')] })
    expect(await logIn(account.username, 'wrong')).toMatchObject({
      status: 401,
      body: [problem('incorrect_credentials')],
    })
    expect(await world.database.query(sql`select kind, address from messages where account_id = ${id}`)).toEqual([
      { kind: 'activation', address: 'new@example.com' },
    ])
    const link = `/accounts/${id}/activate?token=${await tokenInLetter(world.database, id)}`
    for (const _again of [1, 2]) {
      expect(await world.call(null, 'GET', link)).toMatchObject({ status: 200, body: { id, is_activated: true } })
    }
    const session = await logIn(account.username)
    const authorization = `Bearer ${session.answer.token}`
    const shown = await world.call(null, 'GET', '/accounts/my_account?embed=package', undefined, { authorization })
    expect(shown.body).toMatchObject({ id, name: 'New', language_id: 'en', package: { name: 'free' } })
    expect((await world.call(null, 'GET', '/user_data/my_user_data', undefined, { authorization })).body).toMatchObject(
      { phone_number: '+48 600 000 000' },
    )
    expect((await world.call(null, 'GET', '/groups/my_default_group', undefined, { authorization })).status).toBe(200)
  })

  test.each([
    [undefined, undefined, 'pl', 'Grupa domyślna'],
    ['en-GB,en;q=0.8', undefined, 'en', 'Default group'],
    ['pl', undefined, 'pl', 'Grupa domyślna'],
    ['de, *;q=0.1', 'en', 'en', 'Default group'],
    ['pl', 'en', 'en', 'Default group'],
  ])(
    'with Accept-Language %j and language_id %j the account and its group speak %j',
    async (asked, given, language, group) => {
      const account = wanted({ time_zone_id: 'asia_tokyo', ...(given === undefined ? {} : { language_id: given }) })
      const headers = asked === undefined ? {} : { 'accept-language': asked }
      const reply = await world.call(null, 'POST', '/accounts/register', account, headers)
      const { id } = reply.answer
      expect(
        await world.database.query(sql`
        select a.language_id, a.time_zone_id, g.name from accounts a join groups g on g.owner_id = a.id where a.id = ${id}`),
      ).toEqual([{ language_id: language, time_zone_id: 'asia_tokyo', name: group }])
    },
  )

  test('offers its packages to strangers, and takes each of them', async () => {
    const offered = await world.call(null, 'GET', '/packages/available_for_new_accounts?fields=id,name')
    expect(offered.body).toEqual([{ id: world.people.packageIds.free, name: 'free' }])
    for (const { id } of offered.answer) await register(wanted({ package_id: id }))
    for (const package_id of [world.people.packageIds.unlimited, world.people.packageIds['sub-account'], 987654]) {
      expect((await world.call(null, 'POST', '/accounts/register', wanted({ package_id }))).body).toEqual([
        problem('incorrect_value', 'data.package_id'),
      ])
    }
    expect((await world.call(null, 'GET', '/packages')).status).toBe(401)
  })

  test('shows browsers a page whose button activates, in their language', async () => {
    const account = wanted()
    const id = await register(account)
    const token = await tokenInLetter(world.database, id)
    const link = `/accounts/${id}/activate?token=${token}`
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'pl-PL,pl;q=0.9' }
    const page = await world.call(null, 'GET', link, undefined, browser)
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(page.text).toContain('Aktywuj konto')
    const mailed = await world.server.inject({ url: `/activate?token=${token}`, headers: browser })
    expect([mailed.statusCode, mailed.payload]).toEqual([200, page.text])
    // Programs that look at the links of a mail open them, too.
    expect((await logIn(account.username)).status).toBe(403)
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'pl' }
    for (const _again of [1, 2]) {
      const pressed = { method: 'POST', url: '/activate', headers: form, payload: `token=${token}` } as const
      expect((await world.server.inject(pressed)).payload).toContain('Konto jest aktywne')
    }
    expect((await logIn(account.username)).status).toBe(201)
    expect((await world.call(null, 'GET', link, undefined, browser)).text).toContain('Konto jest aktywne')
    const broken = await world.call(null, 'GET', `${link}x`, undefined, { ...browser, 'accept-language': 'en' })
    expect(broken).toMatchObject({ status: 404, text: expect.stringContaining('This link does not work') })
  })

  test.each([
    ['a wrong token', (id: number, _token: string) => `/accounts/${id}/activate?token=abc`],
    ['no token', (id: number, _token: string) => `/accounts/${id}/activate`],
    ['the token of another account', (id: number, token: string) => `/accounts/${id + 1}/activate?token=${token}`],
    ['no number', (_id: number, token: string) => `/accounts/x/activate?token=${token}`],
  ])('is not completed with %s', async (_, linkOf) => {
    const account = wanted()
    const id = await register(account)
    const reply = await world.call(null, 'GET', linkOf(id, await tokenInLetter(world.database, id)))
    expect(reply).toMatchObject({ status: 404, body: [problem('not_found')] })
    expect((await logIn(account.username)).status).toBe(403)
  })

  test('that is not completed in seven days is forgotten, and its name is free', async () => {
    const account = wanted()
    const id = await register(account)
    const token = await tokenInLetter(world.database, id)
    expect((await world.call(null, 'POST', '/accounts/register', account)).status).toBe(422)
    world.clock.advance(7 * day)
    expect((await world.call(null, 'GET', `/accounts/${id}/activate?token=${token}`)).status).toBe(404)
    expect(await register(account)).toBeGreaterThan(id)
    expect(await world.database.query(sql`select 1 from accounts where id = ${id}`)).toEqual([])
  })

  test('lists everything that is wrong', async () => {
    const { packageIds } = world.people
    const reply = await world.call(null, 'POST', '/accounts/register', { username: 'a b', is_activated: true })
    expect(reply).toMatchObject({ status: 422 })
    expect(reply.body).toEqual([
      problem('incorrect_value', 'data.username'),
      problem('unknown_field', 'data.is_activated'),
      ...['password', 'name', 'package_id', 'user_data'].map((name) => problem('missing_value', `data.${name}`)),
    ])
    for (const package_id of [packageIds.unlimited, packageIds['sub-account'], 12_345]) {
      const taken = await world.call(null, 'POST', '/accounts/register', wanted({ username: 'Alice', package_id }))
      expect(taken).toMatchObject({
        status: 422,
        body: [problem('value_is_not_unique', 'data.username'), problem('incorrect_value', 'data.package_id')],
      })
    }
  })

  test('of one name at once by many makes one account', async () => {
    const account = wanted()
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => world.call(null, 'POST', '/accounts/register', account)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
  })

  test('fills nobody’s mailbox: a hundred letters to one address in a day', async () => {
    const user_data = { email_address: 'Victim@example.com' }
    const written = () =>
      world.database.query<{ id: number }>(sql`select id from messages where lower(address) = 'victim@example.com'`)
    await register(wanted({ user_data }))
    await world.database.execute(sql`
      insert into messages (account_id, kind, address, status, created_at, expires_at)
      select account_id, kind, lower(address), 'sent', created_at, expires_at
      from messages, generate_series(1, 98) where address = 'Victim@example.com'`)
    await register(wanted({ user_data: { email_address: 'victim@EXAMPLE.com' } }))
    await register(wanted({ user_data }))
    expect(await written()).toHaveLength(100)
    world.clock.advance(day)
    await register(wanted({ user_data }))
    expect(await written()).toHaveLength(101)
  })

  test('fills nobody’s mailbox by many names of it, nor by many requests at once', async () => {
    const to = (tag: string) => wanted({ user_data: { email_address: `flood${tag}@example.com` } })
    await register(to('+0'))
    await world.database.execute(sql`
      insert into messages (account_id, kind, address, status, created_at, expires_at)
      select account_id, kind, 'Flood+' || number || '@example.com', 'sent', created_at, expires_at
      from messages, generate_series(1, 97) as number where address = 'flood+0@example.com'`)
    const replies = await Promise.all(['', '+a', '+b+c', '', '+d', '+e'].map((tag) => register(to(tag))))
    expect(replies).toHaveLength(6)
    const written = await world.database.query(sql`select id from messages where address ilike 'flood%'`)
    expect(written).toHaveLength(100)
    for (const other of ['flood.other', 'floodgate', '+flood', '+flood+a']) {
      await register(wanted({ user_data: { email_address: `${other}@example.com` } }))
    }
    expect(await world.database.query(sql`select id from messages where address ilike '%flood%'`)).toHaveLength(104)
  })

  test('writes the last letter to a mailbox once, where two are about to', { timeout: 60_000 }, async () => {
    const [first, second] = [await register(wanted()), await register(wanted())]
    const to = sql`'last@example.com'`
    await world.database.execute(sql`update user_data set email_address = ${to} where id in (${first}, ${second})`)
    for (let count = 1; count < unaskedLimit.most; count += 1)
      await countUnasked(world.database, mailDestination('last@example.com'), world.clock.now())
    const write = (transaction: Executor, accountId: number) =>
      writeLetter(transaction, { accountId, kind: 'invitation', now: world.clock.now() })
    let later: Promise<unknown> = Promise.resolve()
    await world.database.transaction(async (transaction) => {
      await write(transaction, first)
      let isDone = false
      later = world.database.transaction((other) => write(other, second)).finally(() => (isDone = true))
      await vi.waitFor(async () => {
        const waiting = await world.database.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        expect(isDone || waiting.length > 0).toBe(true)
      }, patience)
    })
    await later
    expect(await world.database.query(sql`select id from messages where address = ${to}`)).toHaveLength(1)
  })

  test('is forbidden where it is not open', async () => {
    const closed = await apiWorld({ isRegistrationOpen: false })
    expect((await closed.call(null, 'GET', '/packages/available_for_new_accounts')).body).toEqual([])
    try {
      const body = { ...wanted(), package_id: closed.people.packageIds.free }
      expect(await closed.call(null, 'POST', '/accounts/register', body)).toMatchObject({
        status: 403,
        body: [problem('forbidden')],
      })
    } finally {
      await closed.drop()
    }
  })
})

describe('a forgotten password', () => {
  const initialize = (username: unknown) => world.call(null, 'POST', '/system/reset_password/initialize', { username })
  const confirm = (token: string, new_password: string) =>
    world.call(null, 'POST', '/system/reset_password/confirm', { token, new_password })

  async function person(): Promise<{ id: number; username: string }> {
    const account = wanted()
    const id = await register(account)
    await world.call(null, 'GET', `/accounts/${id}/activate?token=${await tokenInLetter(world.database, id)}`)
    return { id, username: account.username }
  }

  test('is replaced by the mailed link, once, and every session ends', async () => {
    const { id, username } = await person()
    const session = await logIn(username)
    const authorization = `Bearer ${session.answer.token}`
    expect((await initialize(username.toUpperCase())).status).toBe(204)
    const token = await tokenInLetter(world.database, id)
    expect(await confirm(token, 'short')).toMatchObject({ body: [problem('value_too_short', 'data.new_password')] })
    expect((await confirm(token, 'brand new password')).status).toBe(204)
    expect((await world.call(null, 'GET', '/accounts', undefined, { authorization })).status).toBe(401)
    expect((await logIn(username)).status).toBe(401)
    expect((await logIn(username, 'brand new password')).status).toBe(201)
    expect(await confirm(token, 'brand new password')).toMatchObject({
      status: 422,
      body: [problem('incorrect_value', 'data.token')],
    })
  })

  test('is answered alike for everybody, and as slowly', async () => {
    const { username } = await person()
    await world.database.execute(sql`update accounts set is_blocked = true where username = 'charlie'`)
    const timed = async (name: string) => {
      const startedAt = performance.now()
      const { status, text } = await initialize(name)
      return { status, text, isSlow: performance.now() - startedAt > 240 }
    }
    const names = [username, 'nobody.at.all', 'dora', 'charlie', 'no user!']
    for (const name of names) expect(await timed(name)).toEqual({ status: 204, text: '', isSlow: true })
    const letters = await world.database.query(sql`select address from messages where kind = 'password_reset'
      and created_at = ${new Date(world.clock.now())}`)
    expect(letters).toHaveLength(1)
    expect((await initialize(7)).status).toBe(422)
  })

  test('has a link for an hour, and other letters’ links are none', async () => {
    const { id, username } = await person()
    await initialize(username)
    const token = await tokenInLetter(world.database, id)
    world.clock.advance(3_600_000)
    expect((await confirm(token, 'brand new password')).status).toBe(422)
    const other = await register(wanted())
    expect((await confirm(await tokenInLetter(world.database, other), 'brand new password')).status).toBe(422)
  })

  test('also activates an account whose activation letter was lost', async () => {
    const account = wanted()
    const id = await register(account)
    await initialize(account.username)
    await confirm(await tokenInLetter(world.database, id), 'brand new password')
    expect((await logIn(account.username, 'brand new password')).status).toBe(201)
  })

  test('sets the first password of an invited sub-account', async () => {
    const username = `new${++made}`
    const user_data = { email_address: 'eve@example.com' }
    const reply = await world.call('alice', 'POST', '/accounts', { username, user_data })
    const { id } = reply.answer
    const invitation = await tokenInLetter(world.database, id)
    await world.call('alice', 'PUT', `/user_data/${id}`, { email_address: 'eva@example.com' })
    expect((await confirm(invitation, 'eve may come in')).status).toBe(422)
    expect((await confirm(await tokenInLetter(world.database, id), 'eve may come in')).status).toBe(204)
    expect((await logIn(username, 'eve may come in')).status).toBe(201)
  })

  test('strangers are not answered for ever', async () => {
    const replies = await Promise.all(Array.from({ length: 103 }, () => initialize('nobody.at.all')))
    const late = replies.find(({ status }) => status === 429)
    expect(late?.headers['retry-after']).toBeDefined()
  })
})
