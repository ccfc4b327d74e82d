import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { tokenInLetter } from '../support/credentials.ts'
import { type Person, passwordOf } from '../support/people.ts'

/** An e-mail address decides who can set a new password: a session or a token alone must not change it. */

const mine = '/user_data/my_user_data'
const problem = (error: string, field?: string) => expect.objectContaining({ error, ...(field && { field }) })
const isMissing = { status: 422, body: [problem('missing_value', 'data.current_password')] }
const isWrong = { status: 422, body: [problem('incorrect_value', 'data.current_password')] }

/** Ten minutes after a login its session alone is no proof any more. */
async function tokenOf(world: ApiWorld, person: Person, sinceLogIn = 600_000): Promise<Record<string, string>> {
  const body = { username: person, password: passwordOf(person) }
  const { token } = (await world.call(null, 'POST', '/sessions', body)).answer
  world.clock.advance(sinceLogIn)
  return { authorization: `Bearer ${token}` }
}

async function addressOf(world: ApiWorld, person: Person): Promise<unknown> {
  const { body } = await world.call(person, 'GET', `${mine}?fields=email_address,pending_email_address`)
  return body
}

async function begin(world: ApiWorld): Promise<void> {
  world.clock.advance(2 * 86_400_000)
  await world.database.execute(sql`truncate messages, account_tokens`)
  await world.database.execute(sql`update user_data set email_address = 'alice@example.com', pending_email_address = null
    where id = ${world.people.ids.alice}`)
}

const lettersTo = (world: ApiWorld) => world.database.query(sql`select kind, address from messages order by id`)

describe('where addresses are not confirmed', () => {
  let world: ApiWorld
  beforeAll(async () => {
    world = await apiWorld()
  })
  afterAll(() => world.drop())
  beforeEach(() => begin(world))

  test('a token that was stolen changes nothing', async () => {
    const stolen = await tokenOf(world, 'alice')
    const email_address = 'thief@example.com'
    expect(await world.call(null, 'PUT', mine, { email_address }, stolen)).toMatchObject(isMissing)
    const guess = { email_address, current_password: 'not the password' }
    expect(await world.call(null, 'PUT', mine, guess, stolen)).toMatchObject(isWrong)
    expect(await world.call(null, 'PUT', mine, { email_address: '' }, stolen)).toMatchObject(isMissing)
    expect(await addressOf(world, 'alice')).toMatchObject({ email_address: 'alice@example.com' })
    expect(await lettersTo(world)).toEqual([])
  })

  test('the password changes it, and the mailbox before is told', async () => {
    const token = await tokenOf(world, 'alice')
    const body = { email_address: 'new@example.com', current_password: passwordOf('alice') }
    expect((await world.call(null, 'PUT', mine, body, token)).status).toBe(204)
    expect(await addressOf(world, 'alice')).toEqual({ email_address: 'new@example.com', pending_email_address: null })
    expect(await lettersTo(world)).toEqual([{ kind: 'address_changed', address: 'alice@example.com' }])
  })

  test('who has just logged in, or sends the password with the call, is not asked for it again', async () => {
    const token = await tokenOf(world, 'alice', 599_000)
    expect((await world.call(null, 'PUT', mine, { email_address: 'one@example.com' }, token)).status).toBe(204)
    expect((await world.call('alice', 'PUT', mine, { email_address: 'two@example.com' })).status).toBe(204)
    expect(await addressOf(world, 'alice')).toMatchObject({ email_address: 'two@example.com' })
  })

  test('what was read can be written back, and other fields change without the password', async () => {
    const token = await tokenOf(world, 'alice')
    const { body } = await world.call(null, 'GET', mine, undefined, token)
    expect((await world.call(null, 'PUT', mine, body, token)).status).toBe(204)
    const change = { contact_person: 'Alicja', email_address: 'alice@example.com' }
    expect((await world.call(null, 'PUT', mine, change, token)).status).toBe(204)
    expect((await world.call(null, 'GET', mine, undefined, token)).body).not.toHaveProperty('current_password')
  })

  test('all that is wrong is told at once', async () => {
    const token = await tokenOf(world, 'alice')
    const body = { email_address: 'new@example.com', ip_whitelist: ['nowhere'], no_field: 1 }
    expect((await world.call(null, 'PUT', mine, body, token)).body).toEqual([
      problem('unknown_field', 'data.no_field'),
      problem('incorrect_value', 'data.ip_whitelist[0]'),
      problem('missing_value', 'data.current_password'),
    ])
    const typed = await world.call(null, 'PUT', mine, { email_address: 'new@example.com', current_password: 1 }, token)
    expect(typed.body).toContainEqual(problem('incorrect_type', 'data.current_password'))
  })

  test('wrong passwords are counted like those of logins', async () => {
    const token = await tokenOf(world, 'bob')
    const guess = (n: number) => ({ email_address: 'thief@example.com', current_password: `guess ${n}` })
    const replies = await Promise.all(
      Array.from({ length: 101 }, (_, n) => world.call(null, 'PUT', mine, guess(n), token)),
    )
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(100)
    expect(replies.find(({ status }) => status === 429)?.headers['retry-after']).toBe('60')
    const right = { email_address: 'thief@example.com', current_password: passwordOf('bob') }
    expect((await world.call(null, 'PUT', mine, right, token)).status).toBe(429)
  })

  test('a parent changes that of a sub-account, whose password it may set as well, without one; a read-only user changes none', async () => {
    const { adam } = world.people.ids
    const email_address = 'adam@example.com'
    expect((await world.call('alice', 'PUT', `/user_data/${adam}`, { email_address })).status).toBe(204)
    const given = { email_address: 'b@example.com', current_password: passwordOf('adam') }
    expect((await world.call('bob', 'PUT', `/user_data/${adam}`, given)).status).toBe(404)
    const read = { email_address, current_password: passwordOf('rita') }
    expect((await world.call('rita', 'PUT', mine, read)).status).toBe(403)
  })
})

describe('where addresses are confirmed', () => {
  let world: ApiWorld
  beforeAll(async () => {
    world = await apiWorld({ mustConfirmAddresses: true })
  })
  afterAll(() => world.drop())
  beforeEach(() => begin(world))

  const ask = (email_address: string) =>
    world.call('alice', 'PUT', mine, { email_address, current_password: passwordOf('alice') })
  const open = (token: string, language = 'en') =>
    world.server.inject({ url: `/email?token=${token}`, headers: { 'accept-language': language } })
  const press = (token: string) =>
    world.server.inject({
      ...{ method: 'POST', url: '/email', payload: new URLSearchParams({ token }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
    })
  const letter = () => tokenInLetter(world.database, world.people.ids.alice)

  test('the new address counts once its mailbox has pressed the button', async () => {
    expect((await ask('new@example.com')).status).toBe(204)
    const pending = { email_address: 'alice@example.com', pending_email_address: 'new@example.com' }
    expect(await addressOf(world, 'alice')).toEqual(pending)
    expect(await lettersTo(world)).toEqual([{ kind: 'email_change', address: 'new@example.com' }])
    const token = await letter()
    const page = await open(token, 'pl')
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.payload).toContain('Konto alice będzie mieć adres e-mail new@example.com.')
    expect(await addressOf(world, 'alice')).toEqual(pending)
    const done = await press(token)
    expect([done.statusCode, done.payload]).toEqual([200, expect.stringContaining('now go to new@example.com')])
    expect(await addressOf(world, 'alice')).toEqual({ email_address: 'new@example.com', pending_email_address: null })
    expect((await lettersTo(world)).at(-1)).toEqual({ kind: 'address_changed', address: 'alice@example.com' })
    expect((await press(token)).statusCode).toBe(404)
    expect((await open(token)).statusCode).toBe(404)
    expect((await press('made up')).statusCode).toBe(404)
  })

  test('a forgotten password is mailed to the old address until then', async () => {
    await ask('new@example.com')
    await world.call(null, 'POST', '/system/reset_password/initialize', { username: 'alice' })
    expect((await lettersTo(world)).at(-1)).toEqual({ kind: 'password_reset', address: 'alice@example.com' })
  })

  test('writing back what was read keeps what waits, another address replaces it, a new password ends it', async () => {
    await ask('new@example.com')
    const first = await letter()
    const { body } = await world.call('alice', 'GET', mine)
    expect((await world.call('alice', 'PUT', mine, body)).status).toBe(204)
    expect((await open(first)).statusCode).toBe(200)
    await ask('newer@example.com')
    expect((await press(first)).statusCode).toBe(404)
    const second = await letter()
    expect((await open(second)).payload).toContain('newer@example.com')
    const password = { current_password: passwordOf('alice'), new_password: passwordOf('alice') }
    expect((await world.call('alice', 'POST', '/accounts/my_account/change_password', password)).status).toBe(204)
    expect((await press(second)).statusCode).toBe(404)
    expect(await addressOf(world, 'alice')).toEqual({ email_address: 'alice@example.com', pending_email_address: null })
  })

  test('a link works for a day', async () => {
    await ask('new@example.com')
    const token = await letter()
    world.clock.advance(86_400_000)
    expect((await press(token)).statusCode).toBe(404)
    expect(await addressOf(world, 'alice')).toMatchObject({ pending_email_address: null })
  })

  test('an account asks ten mailboxes a day', async () => {
    for (let n = 0; n < 10; n += 1) {
      await ask(`new${n}@example.com`)
      await world.database.execute(sql`update messages set status = 'sent', handed_over_at = created_at`)
    }
    expect(await ask('next@example.com')).toMatchObject({
      status: 422,
      body: [problem('confirmation_code_limit_exceeded')],
    })
    expect(await addressOf(world, 'alice')).toMatchObject({ pending_email_address: 'new9@example.com' })
  })

  test('who was invited and has not come in yet is invited at the new address', async () => {
    const user_data = { email_address: 'wrong@example.com' }
    const { id } = (await world.call('alice', 'POST', '/accounts', { username: 'invited', user_data })).body as {
      id: number
    }
    const moved = await world.call('alice', 'PUT', `/user_data/${id}`, { email_address: 'right@example.com' })
    expect(moved.status).toBe(204)
    expect(await lettersTo(world)).toEqual([{ kind: 'invitation', address: 'right@example.com' }])
  })

  test('an administrator changes it at once, which ends what waits', async () => {
    await ask('new@example.com')
    const token = await letter()
    const { alice } = world.people.ids
    await world.call('dora', 'PUT', `/admin/accounts/${alice}`, { email_address: 'helped@example.com' })
    expect((await press(token)).statusCode).toBe(404)
    expect(await addressOf(world, 'alice')).toMatchObject({ email_address: 'helped@example.com' })
  })
})
