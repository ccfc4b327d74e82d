import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { SoftAuthenticator, type Twist } from '../support/passkeys.ts'
import { type Person, passwordOf } from '../support/people.ts'

const site = { origin: 'https://api.test', rpId: 'api.test' }
const regressions: unknown[] = []
let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld({ onRegression: (passkey) => regressions.push(passkey) })
})
afterAll(() => world.drop())

type Options = { readonly challenge: string; readonly user: { readonly id: string; readonly name: string } }

const withToken = (token: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  world.call(null, method, path, body, { authorization: `Bearer ${token}` })

function logIn(person: Person): Promise<Reply> {
  return world.call(null, 'POST', '/sessions', { username: person, password: passwordOf(person) })
}
const tokenOf = async (person: Person) => ((await logIn(person)).body as { token: string }).token
const symbolsOf = ({ body }: Reply) => (body as readonly { error: string }[]).map(({ error }) => error)

/** Registers a new passkey with this session. */
async function register(token: string, twist: Twist = {}, device = new SoftAuthenticator(site)) {
  const options = (await withToken(token, 'POST', '/passkeys/options')).body as Options
  const body = { name: 'Telephone', response: device.register(options, twist) }
  return { device, body, options, reply: await withToken(token, 'POST', '/passkeys', body) }
}

async function passkeyOf(person: Person) {
  const token = await tokenOf(person)
  const { device, reply } = await register(token)
  expect(reply.status).toBe(201)
  return { token, device, id: (reply.body as { id: number }).id }
}

async function loginOptions() {
  const reply = await world.call(null, 'POST', '/sessions/passkey/options')
  expect(reply.status).toBe(200)
  return reply.body as { readonly challenge: string }
}

async function logInBy(device: SoftAuthenticator, twist: Twist = {}): Promise<Reply> {
  return world.call(null, 'POST', '/sessions/passkey', { response: device.answer(await loginOptions(), twist) })
}

async function setBlocked(person: Person, isBlocked: boolean): Promise<void> {
  await world.database.execute(
    sql`update accounts set is_blocked = ${isBlocked} where id = ${world.people.ids[person]}`,
  )
}

describe('a new passkey', () => {
  test('is listed with its facts, renamed, told of by mail and in the audit log, and removed', async () => {
    const { token, id, device } = await passkeyOf('bob')
    const shown = await withToken(token, 'GET', `/passkeys/${id}`)
    expect(shown.body).toEqual({
      ...{ id, owner_id: world.people.ids.bob, name: 'Telephone', rp_id: 'api.test', is_synced: true },
      ...{ created_at: expect.any(String), last_used_at: null },
    })
    const [stored] = await world.database.query(sql`select transports from passkeys where id = ${id}`)
    expect(stored).toEqual({ transports: ['internal'] })
    expect((await withToken(token, 'PUT', `/passkeys/${id}`, { name: 'Laptop' })).status).toBe(204)
    const mails = await world.database.query(sql`select facts from messages where kind = 'passkey_added'`)
    expect(mails).toEqual([{ facts: { name: 'Telephone' } }])
    const told = await withToken(token, 'GET', '/accounts/my_account/logs/audit?resource=passkeys&sort=id')
    expect((told.body as readonly { operation: string }[]).map(({ operation }) => operation)).toEqual([
      'passkeys.register',
      'passkeys.update',
    ])
    expect((await withToken(token, 'DELETE', `/passkeys/${id}`)).status).toBe(204)
    expect([(await logInBy(device)).status, (await withToken(token, 'GET', '/passkeys')).body]).toEqual([401, []])
  })

  test.each<[string, Twist]>([
    ['of another origin', { origin: 'https://evil.test' }],
    ['of another site', { rpId: 'evil.test' }],
    ['with another challenge', { challenge: 'AAAA' }],
    ['without a verified person', { isVerified: false }],
    ['from a page in a frame of another site', { isFramed: true }],
    ['that is a login', { type: 'webauthn.get' }],
  ])('%s is refused', async (_what, twist) => {
    const { reply } = await register(await tokenOf('bob'), twist)
    expect([reply.status, symbolsOf(reply)]).toEqual([422, ['incorrect_value']])
    expect(reply.body).toMatchObject([{ field: 'data.response' }])
  })

  test('uses up its challenge, which serves no other session and only five minutes', async () => {
    const [token, other] = [await tokenOf('bob'), await tokenOf('bob')]
    const { body, device } = await register(token)
    expect((await withToken(token, 'POST', '/passkeys', body)).status).toBe(422)
    const begin = async () => (await withToken(token, 'POST', '/passkeys/options')).body as Options
    const elsewhere = { name: 'Other', response: device.register(await begin()) }
    expect((await withToken(other, 'POST', '/passkeys', elsewhere)).status).toBe(422)
    const late = { name: 'Late', response: device.register(await begin()) }
    world.clock.advance(300_000)
    expect((await withToken(token, 'POST', '/passkeys', late)).status).toBe(422)
  })

  test('that somebody has already is not registered again', async () => {
    const { device } = await passkeyOf('bob')
    const { reply } = await register(await tokenOf('charlie'), {}, device)
    expect([reply.status, symbolsOf(reply)]).toEqual([422, ['value_is_not_unique']])
  })

  test('needs the password when the login is long ago', async () => {
    const token = await tokenOf('bob')
    world.clock.advance(11 * 60_000)
    expect(symbolsOf(await withToken(token, 'POST', '/passkeys/options'))).toEqual(['missing_value'])
    const wrong = await withToken(token, 'POST', '/passkeys/options', { current_password: 'wrong' })
    expect(symbolsOf(wrong)).toEqual(['incorrect_value'])
    const right = await withToken(token, 'POST', '/passkeys/options', { current_password: passwordOf('bob') })
    expect(right.status).toBe(200)
  })
})

describe('a login with a passkey', () => {
  test('needs neither name nor password nor code, and is logged', async () => {
    const { device, id } = await passkeyOf('carol')
    const reply = await logInBy(device)
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([201, ['id', 'token']])
    const { token } = reply.body as { token: string }
    expect((await withToken(token, 'GET', '/accounts/my_account')).body).toMatchObject({ id: world.people.ids.carol })
    expect((await withToken(token, 'GET', `/passkeys/${id}`)).body).toMatchObject({ last_used_at: expect.any(String) })
    const log = await withToken(token, 'GET', '/accounts/my_account/logs/authentications?method=passkey')
    expect(log.body).toMatchObject([{ method: 'passkey', success: true }])
  })

  test.each<[string, Twist]>([
    ['of another origin', { origin: 'https://evil.test' }],
    ['of another site', { rpId: 'evil.test' }],
    ['with an invented challenge', { challenge: 'AAAA' }],
    ['with a wrong signature', { isForged: true }],
    ['without a verified person', { isVerified: false }],
    ['from a page in a frame of another site', { isFramed: true }],
    ['for another account', { userHandle: 'AAAA' }],
    ['that is a registration', { type: 'webauthn.create' }],
  ])('%s is refused like a wrong password', async (_what, twist) => {
    const { device } = await passkeyOf('carol')
    const reply = await logInBy(device, twist)
    expect([reply.status, symbolsOf(reply)]).toEqual([401, ['incorrect_credentials']])
    const unknown = await logInBy(new SoftAuthenticator(site))
    expect([unknown.status, unknown.body]).toEqual([reply.status, reply.body])
  })

  test.each([null, 1, 'text', {}, { id: 'a', rawId: 'a', type: 'public-key', response: {} }])(
    'with %j in place of an answer is refused',
    async (response) => {
      const reply = await world.call(null, 'POST', '/sessions/passkey', { response })
      expect([401, 422]).toContain(reply.status)
    },
  )

  test('takes each challenge once, and none of another purpose', async () => {
    const { device, token } = await passkeyOf('carol')
    const answer = { response: device.answer(await loginOptions()) }
    expect((await world.call(null, 'POST', '/sessions/passkey', answer)).status).toBe(201)
    expect((await world.call(null, 'POST', '/sessions/passkey', answer)).status).toBe(401)
    const { challenge } = (await withToken(token, 'POST', '/passkeys/options')).body as Options
    const crossed = { response: device.answer({ challenge }) }
    expect((await world.call(null, 'POST', '/sessions/passkey', crossed)).status).toBe(401)
    const late = { response: device.answer(await loginOptions()) }
    world.clock.advance(300_000)
    expect((await world.call(null, 'POST', '/sessions/passkey', late)).status).toBe(401)
  })

  test('is refused and told of when the counter does not grow', async () => {
    const { device, id } = await passkeyOf('carol')
    expect((await logInBy(device, { count: 9 })).status).toBe(201)
    expect((await logInBy(device, { count: 9 })).status).toBe(401)
    expect(regressions).toEqual([{ accountId: world.people.ids.carol, passkeyId: id }])
    expect((await logInBy(device, { count: 10 })).status).toBe(201)
  })

  test('opens no blocked account, and none from a foreign address', async () => {
    const { device, token } = await passkeyOf('carol')
    await setBlocked('carol', true)
    expect(symbolsOf(await logInBy(device))).toEqual(['account_blocked'])
    await setBlocked('carol', false)
    await world.database.execute(sql`
      update user_data set ip_whitelist_enabled = true, ip_whitelist = '{192.0.2.1}'
      where id = ${world.people.ids.carol}`)
    expect(symbolsOf(await logInBy(device))).toEqual(['ip_address_not_allowed'])
    await world.database.execute(
      sql`update user_data set ip_whitelist_enabled = false where id = ${world.people.ids.carol}`,
    )
    expect((await withToken(token, 'GET', '/accounts/my_account')).status).toBe(200)
  })
})

describe('a passkey as the second factor', () => {
  test('completes the password, and switches the factor off', async () => {
    const { device, token } = await passkeyOf('charlie')
    const enabled = await withToken(token, 'POST', '/accounts/my_account/2fa/enable')
    expect((enabled.body as { recovery_codes: unknown[] }).recovery_codes).toHaveLength(10)
    expect((await world.call('charlie', 'GET', '/groups')).status).toBe(401)
    const half = (await logIn('charlie')).body as { id: string; token: string }
    expect(half).toMatchObject({ is_2fa_verification_required: true })
    const path = `/sessions/${half.id}/2fa`
    const begin = async (by: string) =>
      (await withToken(by, 'POST', `/sessions/my_session/2fa/passkey_options`)).body as Options & {
        readonly allowCredentials: readonly { readonly id: string }[]
      }
    const options = await begin(half.token)
    expect(options.allowCredentials.map(({ id }) => id)).toContain(device.id)
    const wrong = { response: device.answer(options, { isForged: true }) }
    expect((await withToken(half.token, 'POST', `${path}/verify_passkey`, wrong)).status).toBe(422)
    const foreign = { response: device.answer(await begin(token)) }
    expect((await withToken(half.token, 'POST', `${path}/verify_passkey`, foreign)).status).toBe(422)
    expect((await withToken(half.token, 'GET', '/groups')).status).toBe(401)
    const right = { response: device.answer(await begin(half.token)) }
    expect((await withToken(half.token, 'POST', `${path}/verify_passkey`, right)).status).toBe(204)
    expect((await withToken(half.token, 'GET', '/groups')).status).toBe(200)
    const off = { passkey: device.answer(await begin(half.token)) }
    expect((await withToken(half.token, 'POST', '/accounts/my_account/2fa/disable', off)).status).toBe(204)
    expect((await world.call('charlie', 'GET', '/groups')).status).toBe(200)
  })

  test('takes no passkey of somebody else', async () => {
    const { token } = await passkeyOf('charlie')
    const { device: foreign } = await passkeyOf('bob')
    await withToken(token, 'POST', '/accounts/my_account/2fa/enable')
    const half = (await logIn('charlie')).body as { token: string }
    const options = (await withToken(half.token, 'POST', '/sessions/my_session/2fa/passkey_options')).body as Options
    const body = { response: foreign.answer(options) }
    expect((await withToken(half.token, 'POST', '/sessions/my_session/2fa/verify_passkey', body)).status).toBe(422)
    await world.database.execute(
      sql`update user_data set has_2fa_enabled = false where id = ${world.people.ids.charlie}`,
    )
  })

  test('takes an application beside it, whose code counts once it is confirmed', async () => {
    const { rita } = world.people.ids
    const { token, id } = await passkeyOf('rita')
    await withToken(token, 'POST', '/accounts/my_account/2fa/enable')
    expect((await withToken(token, 'POST', '/accounts/my_account/2fa/setup')).status).toBe(200)
    const code = () => codeOf(world.database, rita, world.clock.now())
    const login = async () => ({ username: 'rita', password: passwordOf('rita'), code: await code() })
    expect((await world.call(null, 'POST', '/sessions', await login())).status).toBe(401)
    const verified = await withToken(token, 'POST', '/accounts/my_account/2fa/verify', { code: await code() })
    expect(verified.status).toBe(200)
    world.clock.advance(60_000)
    expect((await world.call(null, 'POST', '/sessions', await login())).status).toBe(201)
    expect((await withToken(token, 'DELETE', `/passkeys/${id}`)).status).toBe(204)
    world.clock.advance(60_000)
    const off = await withToken(token, 'POST', '/accounts/my_account/2fa/disable', { code: await code() })
    expect(off.status).toBe(204)
  })

  test('stays while it is the last one', async () => {
    const { token, id } = await passkeyOf('rita')
    await withToken(token, 'POST', '/accounts/my_account/2fa/enable')
    expect(symbolsOf(await withToken(token, 'DELETE', `/passkeys/${id}`))).toEqual(['last_second_factor'])
    const { reply } = await register(token)
    expect(reply.status).toBe(201)
    expect((await withToken(token, 'DELETE', `/passkeys/${id}`)).status).toBe(204)
    const { id: second } = reply.body as { id: number }
    expect(symbolsOf(await withToken(token, 'DELETE', `/passkeys/${second}`))).toEqual(['last_second_factor'])
  })
})

describe('an account that must have a second factor', () => {
  const login = { username: 'careful', password: 'nobody guesses this' }

  test('may set up passkeys as one, and then cannot be without', async () => {
    const made = await world.call('alice', 'POST', '/accounts/subaccount', {
      ...{ ...login, is_2fa_setup_required: true },
      user_data: { email_address: 'careful@example.com' },
    })
    expect(made.status).toBe(201)
    const { token } = (await world.call(null, 'POST', '/sessions', login)).body as { token: string }
    expect((await withToken(token, 'GET', '/groups')).status).toBe(403)
    const { device, reply } = await register(token)
    expect(reply.status).toBe(201)
    // The passkey alone does not meet the rule: a password would still log in by itself.
    const by = (await logInBy(device)).body as { token: string }
    expect((await withToken(by.token, 'GET', '/groups')).status).toBe(403)
    expect((await withToken(token, 'POST', '/accounts/my_account/2fa/enable')).status).toBe(200)
    expect((await withToken(token, 'GET', '/groups')).status).toBe(200)
    const options = (await withToken(token, 'POST', '/sessions/my_session/2fa/passkey_options')).body as Options
    const off = { passkey: device.answer(options) }
    expect(symbolsOf(await withToken(token, 'POST', '/accounts/my_account/2fa/disable', off))).toEqual([
      'last_second_factor',
    ])
  })
})

test('the parent sees and removes the passkeys of its sub-account, and nobody else does', async () => {
  const { id } = await passkeyOf('adam')
  expect((await world.call('bob', 'GET', `/passkeys/${id}`)).status).toBe(404)
  expect((await world.call('alice', 'PUT', `/passkeys/${id}`, { name: 'Mine' })).status).toBe(403)
  expect((await world.call('alice', 'DELETE', `/passkeys/${id}`)).status).toBe(204)
})

test('without PUBLIC_URL they work at localhost alone', async () => {
  const { createAuthenticator } = await import('../../src/auth/authenticate.ts')
  const { database, clock } = world
  const { passkeys } = createAuthenticator({ database, clock, loginLimit: 100 })
  const at = (root: string) => passkeys.beginLogin({ root, ipAddress: '192.0.2.1', userAgent: '' })
  expect(await at('http://localhost:3000')).toMatchObject({ options: { rpId: 'localhost' } })
  for (const root of ['http://192.0.2.7', 'http://status.example.com']) {
    expect(await at(root)).toEqual({ problems: [{ error: 'passkeys_unavailable', facts: { address: root } }] })
  }
})

test('challenges and wrong answers are limited by address', async () => {
  const { createAuthenticator } = await import('../../src/auth/authenticate.ts')
  const { database, clock } = world
  const { passkeys } = createAuthenticator({ database, clock, loginLimit: 2, publicUrl: 'https://api.test' })
  const origin = { root: '', ipAddress: '198.51.100.9', userAgent: '' }
  const device = new SoftAuthenticator(site)
  const tried: string[] = []
  for (let round = 0; round < 21; round++) {
    const begun = await passkeys.beginLogin(origin)
    if ('problems' in begun) tried.push('challenge')
    if (round > 2 || 'problems' in begun) continue
    const outcome = await passkeys.logIn({ ...origin, response: device.answer(begun.options) })
    if ('problems' in outcome) tried.push(outcome.problems[0]?.error ?? '')
  }
  expect(tried).toEqual(['incorrect_credentials', 'incorrect_credentials', 'too_many_requests', 'challenge'])
})
