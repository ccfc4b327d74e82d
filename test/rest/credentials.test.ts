import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { type Person, passwordOf } from '../support/people.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.clock.advance(60_000))

const problem = (error: string, field?: string) => expect.objectContaining({ error, ...(field && { field }) })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function logIn(person: Person, more: object = {}): Promise<Reply> {
  return world.call(null, 'POST', '/sessions', { username: person, password: passwordOf(person), ...more })
}

async function tokenOf(person: Person): Promise<string> {
  return ((await logIn(person)).body as { token: string }).token
}

function withToken(token: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Reply> {
  return world.call(null, method, path, body, bearer(token))
}

describe('changing a password', () => {
  const path = '/accounts/my_account/change_password'

  test('asks for the present one, ends every other session, and ends remembered Basic at once', async () => {
    const [own, other] = [await tokenOf('bob'), await tokenOf('bob')]
    expect((await world.call('bob', 'GET', '/accounts')).status).toBe(200)
    expect(await withToken(own, 'POST', path, { new_password: 'something else' })).toMatchObject({
      status: 422,
      body: [problem('missing_value', 'data.current_password')],
    })
    const wrong = { new_password: 'something else', current_password: 'a guess' }
    expect(await withToken(own, 'POST', path, wrong)).toMatchObject({
      status: 422,
      body: [problem('incorrect_value', 'data.current_password')],
    })
    expect(await withToken(own, 'POST', path, { new_password: 'short' })).toMatchObject({
      body: [problem('value_too_short', 'data.new_password'), problem('missing_value', 'data.current_password')],
    })
    const right = { new_password: 'something else', current_password: passwordOf('bob') }
    expect((await withToken(own, 'POST', path, right)).status).toBe(204)
    expect((await withToken(own, 'GET', '/accounts')).status).toBe(200)
    expect((await withToken(other, 'GET', '/accounts')).status).toBe(401)
    expect((await world.call('bob', 'GET', '/accounts')).status).toBe(401)
    const back = { new_password: passwordOf('bob'), current_password: 'something else' }
    expect((await withToken(own, 'POST', path, back)).status).toBe(204)
  })

  test('guesses count against the limit of attempts', async () => {
    const token = await tokenOf('charlie')
    const guess = { new_password: 'something else', current_password: 'a guess' }
    const replies = await Promise.all(Array.from({ length: 101 }, () => withToken(token, 'POST', path, guess)))
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(replies.find(({ status }) => status === 429)?.headers['retry-after']).toBe('60')
  })

  test('a parent sets its sub-accounts’ without knowing it; nobody else does', async () => {
    const { adam, alice, rita } = world.people.ids
    const other = await tokenOf('adam')
    const change = (person: Person, id: number) =>
      world.call(person, 'POST', `/accounts/${id}/change_password`, { new_password: passwordOf('adam') })
    expect((await change('alice', adam)).status).toBe(204)
    expect((await withToken(other, 'GET', '/accounts')).status).toBe(401)
    expect((await change('adam', alice)).status).toBe(403)
    expect((await change('adam', rita)).status).toBe(403)
    expect((await change('charlie', adam)).status).toBe(404)
    expect((await change('dora', adam)).status).toBe(403)
  })

  test('a read-only user changes its own: nothing but the login changes', async () => {
    const same = { new_password: passwordOf('rita'), current_password: passwordOf('rita') }
    expect((await world.call('rita', 'POST', path, same)).status).toBe(204)
    expect((await world.call('rita', 'GET', '/accounts')).status).toBe(200)
  })
})

describe('a second factor', () => {
  const code = (person: Person) => codeOf(world.database, world.people.ids[person], world.clock.now())

  async function switchOn(person: Person): Promise<{ token: string; recoveryCodes: string[] }> {
    const token = await tokenOf(person)
    expect((await withToken(token, 'POST', '/accounts/my_account/2fa/setup')).status).toBe(200)
    const verified = await withToken(token, 'POST', '/accounts/my_account/2fa/verify', { code: await code(person) })
    expect(verified.status).toBe(200)
    world.clock.advance(60_000)
    return { token, recoveryCodes: (verified.body as { recovery_codes: string[] }).recovery_codes }
  }

  test('is begun with the password, unless somebody has just logged in', async () => {
    const token = await tokenOf('bob')
    const setUp = (body?: object) => withToken(token, 'POST', '/accounts/my_account/2fa/setup', body)
    world.clock.advance(599_000)
    expect((await setUp()).status).toBe(200)
    world.clock.advance(1000)
    const [missing, wrong] = ['missing_value', 'incorrect_value'].map((error) => ({
      status: 422,
      body: [problem(error, 'data.current_password')],
    }))
    expect(await setUp()).toMatchObject({ ...missing })
    expect(await setUp({})).toMatchObject({ ...missing })
    expect(await setUp({ current_password: 'a guess' })).toMatchObject({ ...wrong })
    expect((await setUp({ current_password: passwordOf('bob') })).status).toBe(200)
    expect((await world.call('bob', 'POST', '/accounts/my_account/2fa/setup')).status).toBe(200)
  })

  test('is on once its first code was verified; other sessions end, Basic stops', async () => {
    const [token, other] = [await tokenOf('carol'), await tokenOf('carol')]
    const setup = await withToken(token, 'POST', '/accounts/my_account/2fa/setup')
    expect(setup.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: expect.stringContaining('otpauth://totp/Latarnik:carol?secret='),
    })
    expect((await world.call('carol', 'GET', '/accounts')).status).toBe(200)
    const verify = (sent: object) => withToken(token, 'POST', '/accounts/my_account/2fa/verify', sent)
    expect(await verify({})).toMatchObject({ status: 422, body: [problem('missing_value', 'data.code')] })
    expect(await verify({ code: 'x' })).toMatchObject({ status: 422, body: [problem('incorrect_value', 'data.code')] })
    const verified = await verify({ code: await code('carol') })
    expect(verified.body).toEqual({
      recovery_codes: expect.arrayContaining([expect.stringMatching(/^(\w{4}-){3}\w{4}$/)]),
    })
    expect((verified.body as { recovery_codes: string[] }).recovery_codes).toHaveLength(10)
    expect((await withToken(token, 'GET', '/user_data/my_user_data')).body).toMatchObject({ has_2fa_enabled: true })
    expect((await withToken(other, 'GET', '/accounts')).status).toBe(401)
    const basic = await world.call('carol', 'GET', '/accounts')
    const wrong = await world.call(null, 'GET', '/accounts', undefined, { authorization: `Basic ${btoa('carol:no')}` })
    expect(basic).toMatchObject({ status: 401, text: wrong.text })
    expect(await withToken(token, 'POST', '/accounts/my_account/2fa/setup')).toMatchObject({
      status: 422,
      body: [problem('second_factor_is_on')],
    })
    world.clock.advance(60_000)
    const disabled = await withToken(token, 'POST', '/accounts/my_account/2fa/disable', { code: await code('carol') })
    expect(disabled.status).toBe(204)
    expect((await world.call('carol', 'GET', '/accounts')).status).toBe(200)
    expect(await withToken(token, 'POST', '/accounts/my_account/2fa/disable', { code: '123456' })).toMatchObject({
      status: 422,
      body: [problem('second_factor_is_off')],
    })
  })

  test('is asked for at login, or afterwards', async () => {
    const { recoveryCodes } = await switchOn('bob')
    expect((await logIn('bob', { code: '000' })).status).toBe(401)
    const direct = await logIn('bob', { code: await code('bob') })
    expect(direct).toMatchObject({ status: 201, body: { id: expect.any(String), token: expect.any(String) } })
    expect(direct.body).not.toHaveProperty('is_2fa_verification_required')

    const half = (await logIn('bob')).body as { id: string; token: string }
    expect(half).toMatchObject({ is_2fa_verification_required: true })
    expect(await withToken(half.token, 'GET', '/accounts')).toMatchObject({
      status: 401,
      body: [problem('second_factor_required')],
      headers: { 'www-authenticate': expect.anything() },
    })
    for (const path of ['/sessions/my_session', `/sessions/${half.id}`, '/auth_token', '/sensors']) {
      expect((await withToken(half.token, 'GET', path)).status).toBe(401)
    }
    expect((await withToken(half.token, 'DELETE', `/sessions/${half.id}`)).status).toBe(401)
    const verify = (id: string, sent: unknown) => withToken(half.token, 'POST', `/sessions/${id}/2fa/verify`, sent)
    expect((await verify('x', { code: recoveryCodes[0] })).status).toBe(404)
    expect(await verify(half.id, { code: 'x' })).toMatchObject({
      status: 422,
      body: [problem('incorrect_value', 'data.code')],
    })
    expect((await verify(half.id, { code: recoveryCodes[0] })).status).toBe(204)
    expect((await withToken(half.token, 'GET', '/sessions/my_session')).body).toMatchObject({ id: half.id })
    expect((await verify(half.id, { code: recoveryCodes[1] })).status).toBe(404)
    expect((await logIn('bob', { code: recoveryCodes[0] })).status).toBe(401)

    const tokenOnly = await world.call(null, 'POST', '/auth_token', { username: 'bob', password: passwordOf('bob') })
    expect(tokenOnly.status).toBe(401)
    const off = await withToken(half.token, 'POST', '/accounts/my_account/2fa/disable', { code: recoveryCodes[1] })
    expect(off.status).toBe(204)
  })

  test('is set up by nobody for another, and switched off for a sub-account by its parent', async () => {
    const { adam, alice } = world.people.ids
    await switchOn('adam')
    expect((await world.call('alice', 'POST', `/accounts/${adam}/2fa/setup`)).status).toBe(403)
    expect((await world.call('bob', 'POST', `/accounts/${adam}/2fa/disable`, {})).status).toBe(404)
    expect((await world.call('rita', 'POST', `/accounts/${adam}/2fa/disable`, {})).status).toBe(403)
    expect((await world.call('rita', 'POST', `/accounts/${alice}/2fa/disable`, {})).status).toBe(403)
    expect((await world.call('alice', 'POST', `/accounts/${adam}/2fa/disable`, {})).status).toBe(204)
    expect((await world.call('adam', 'GET', '/accounts')).status).toBe(200)
  })

  test('cannot be verified before it is set up, nor completed without a session', async () => {
    expect(await world.call('charlie', 'POST', '/accounts/my_account/2fa/verify', { code: '123456' })).toMatchObject({
      status: 422,
      body: [problem('second_factor_is_off')],
    })
    expect((await world.call('charlie', 'POST', '/sessions/my_session/2fa/verify', { code: '1' })).status).toBe(404)
    expect((await world.call(null, 'POST', '/sessions/my_session/2fa/verify', { code: '1' })).status).toBe(401)
  })

  test('its secrets are in no answer', async () => {
    const { token } = await switchOn('charlie')
    const [factor] = await world.database.query<{ secret: Buffer }>(sql`select secret from second_factors limit 1`)
    for (const path of ['/accounts/my_account?embed=user_data', '/user_data/my_user_data', '/sessions', '/accounts']) {
      const { text } = await withToken(token, 'GET', path)
      expect(text).not.toMatch(/secret|recovery/)
      expect(text).not.toContain(factor?.secret.toString('hex'))
    }
  })
})

describe('the older auth_token', () => {
  test('is its own id, is shown again, and is interchangeable with sessions', async () => {
    const made = await world.call(null, 'POST', '/auth_token', {
      username: 'alice',
      password: passwordOf('alice'),
      timeout: 120,
    })
    expect(made).toMatchObject({ status: 201, headers: { location: 'http://api.test/v3/auth_token' } })
    const { id } = made.answer
    expect(Object.keys(made.body as object)).toEqual(['id'])
    world.clock.advance(30_000)
    expect((await withToken(id, 'GET', '/auth_token')).body).toEqual({
      account_id: world.people.ids.alice,
      expires_in: 120,
      id,
      scope: 'customer',
    })
    expect((await withToken(id, 'GET', '/sessions/my_session')).body).toMatchObject({ expiration_duration: 120 })
    const session = await tokenOf('dora')
    expect((await withToken(session, 'GET', '/auth_token')).body).toMatchObject({ id: session, scope: 'administrator' })
    expect((await withToken(id, 'DELETE', '/auth_token')).status).toBe(204)
    expect((await withToken(id, 'GET', '/auth_token')).status).toBe(401)
  })

  test('is nothing without a token, and takes the same lives as a session', async () => {
    expect((await world.call('alice', 'GET', '/auth_token')).status).toBe(404)
    expect((await world.call('alice', 'DELETE', '/auth_token')).status).toBe(404)
    const body = { username: 'alice', password: passwordOf('alice'), timeout: 59 }
    expect(await world.call(null, 'POST', '/auth_token', body)).toMatchObject({
      body: [problem('incorrect_value', 'data.timeout')],
    })
    expect((await world.call(null, 'POST', '/auth_token', { username: 'alice', password: 'x' })).status).toBe(401)
  })

  test('is marked as deprecated', async () => {
    const { payload } = await world.server.inject('/v3/public/swagger.json')
    const paths = (JSON.parse(payload) as { paths: Record<string, Record<string, { deprecated?: boolean }>> }).paths
    expect(Object.values(paths['/auth_token'] ?? {}).map(({ deprecated }) => deprecated)).toEqual([true, true, true])
  })
})
