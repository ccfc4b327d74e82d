import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { Provider } from '../../src/auth/oidc/provider.ts'
import { addIdentity, listIdentities, removeIdentities } from '../../src/cli/identities.ts'
import { usualOidcRules } from '../../src/domain/access/oidc-rules.ts'
import { apiWorld } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { clientId, clientSecret } from '../support/identity-provider.ts'
import { type Cookies, oidcWorld, root } from '../support/oidc-world.ts'
import { deviceOf } from '../support/own-passkey.ts'

const { oidc, ruled, browse, logIn, prove, comeIn, accountIn, emailOf } = oidcWorld()

describe('whoever the provider vouches for', () => {
  test('logs in to the account with the same verified e-mail address, and stays linked with it', async () => {
    const { bob } = oidc.world.people.ids
    oidc.provider.people.set('a-1', { email: (await emailOf(bob)).toUpperCase(), email_verified: true })
    const { reply, cookies } = await comeIn('a-1', 'bob')
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/services'])
    expect(await accountIn(cookies)).toMatchObject({ id: bob })
    oidc.provider.people.set('a-1', { email: 'another@example.com', email_verified: true })
    expect(await accountIn((await logIn('a-1')).cookies)).toMatchObject({ id: bob })
    const logged = await oidc.world.call('bob', 'GET', `/accounts/${bob}/logs/authentications?success=true&limit=1000`)
    expect(
      (logged.body as readonly { method: string }[]).filter(({ method }) => method === 'session').length,
    ).toBeGreaterThan(1)
  })

  test('is nobody here without an account, or with an address that was not verified', async () => {
    oidc.provider.people.set('b-1', { email: await emailOf(oidc.world.people.ids.bob), email_verified: false })
    oidc.provider.people.set('b-2', { email: 'nobody@example.com', email_verified: true })
    for (const subject of ['b-1', 'b-2']) {
      const { reply, cookies } = await logIn(subject)
      expect([reply.statusCode, cookies.has('latarnik_console')]).toEqual([403, false])
      expect(reply.body).toContain('no account here is yours')
    }
  })

  test('gets an account of its own where a rule makes one, once', async () => {
    ruled([{ when: { groups: ['ops', 'dev'] }, create: { package_id: oidc.world.people.packageIds.free } }])
    oidc.provider.people.set('c-1', {
      ...{ preferred_username: 'nína', name: 'Nína', groups: ['all', 'dev'], locale: 'pl-PL' },
      ...{ email: 'nina@example.com', email_verified: true },
    })
    const made = await accountIn((await logIn('c-1')).cookies)
    expect(made).toMatchObject({
      ...{ username: 'nina', name: 'Nína', language_id: 'pl', parent_account_id: null },
    })
    const [rights] = await oidc.world.database.query(sql`
      select can_create_subaccounts from accounts where id = ${Number(made['id'])}`)
    expect(rights).toEqual({ can_create_subaccounts: false })
    expect(await accountIn((await logIn('c-1')).cookies)).toMatchObject({ id: made['id'] })
    oidc.provider.people.set('c-2', { preferred_username: 'nina', groups: 'ops' })
    expect(await accountIn((await logIn('c-2')).cookies)).toMatchObject({ username: 'nina-2' })
    oidc.provider.people.set('c-3', { preferred_username: 'out', groups: ['sales'] })
    expect((await logIn('c-3')).reply.statusCode).toBe(403)
  })

  test('becomes a sub-account with the rights that its groups give, at each login', async () => {
    ruled([
      { when: { groups: 'admins' }, create: { sub_account_of: 'alice' }, is_read_only: false },
      { when: { groups: 'readers' }, create: { sub_account_of: 'alice' }, is_read_only: true },
    ])
    oidc.provider.people.set('d-1', { preferred_username: 'reader', groups: ['readers'] })
    const reader = await accountIn((await logIn('d-1')).cookies)
    expect(reader).toMatchObject({ parent_account_id: oidc.world.people.ids.alice, is_read_only: true })
    oidc.provider.people.set('d-1', { preferred_username: 'reader', groups: ['readers', 'admins'] })
    expect(await accountIn((await logIn('d-1')).cookies)).toMatchObject({ id: reader['id'], is_read_only: false })
    oidc.provider.people.set('d-1', { preferred_username: 'reader', groups: [] })
    expect((await logIn('d-1')).reply.statusCode).toBe(403)
  })

  test('is refused where the account is blocked', async () => {
    ruled([{ link_by: 'username' }])
    oidc.provider.people.set('e-1', { preferred_username: 'CHARLIE' })
    const { charlie } = oidc.world.people.ids
    expect(await accountIn((await comeIn('e-1', 'charlie')).cookies)).toMatchObject({ id: charlie })
    await oidc.world.database.execute(sql`update accounts set is_blocked = true where id = ${charlie}`)
    try {
      const { reply, cookies } = await logIn('e-1')
      expect([reply.statusCode, cookies.has('latarnik_console')]).toEqual([403, false])
      expect(reply.body).toMatch(/account is blocked[\s\S]*<a href="\/login">/)
    } finally {
      await oidc.world.database.execute(sql`update accounts set is_blocked = false where id = ${charlie}`)
    }
  })

  test('still gives the code of the second factor', async () => {
    const { carol } = oidc.world.people.ids
    const session = await oidc.world.call(null, 'POST', '/sessions', {
      username: 'carol',
      password: 'carol may come in',
    })
    const bearer = { authorization: `Bearer ${(session.body as { token: string }).token}` }
    await oidc.world.call(null, 'POST', `/accounts/${carol}/2fa/setup`, undefined, bearer)
    const first = await codeOf(oidc.world.database, carol, oidc.world.clock.now())
    await oidc.world.call(null, 'POST', `/accounts/${carol}/2fa/verify`, { code: first }, bearer)
    oidc.world.clock.advance(60_000)
    oidc.provider.people.set('f-1', { email: await emailOf(carol), email_verified: true })
    const first2fa = await logIn('f-1')
    const withoutCode = await prove(first2fa, 'carol may come in')
    expect([withoutCode.statusCode, first2fa.cookies.has('latarnik_console')]).toEqual([422, false])
    const given = await codeOf(oidc.world.database, carol, oidc.world.clock.now())
    expect((await prove(first2fa, 'carol may come in', { code: given })).headers.location).toBe('/services')
    expect(await accountIn(first2fa.cookies)).toMatchObject({ id: carol })
    oidc.world.clock.advance(60_000)
    const { reply, cookies } = await logIn('f-1')
    expect(String(reply.headers.location)).toBe('/login/second-step?to=%2Fservices')
    expect(cookies.has('latarnik_console')).toBe(false)
    const page = await browse(cookies, '/login/second-step?to=/services')
    const form = { to: '/services', form_token: /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? '' }
    const wrong = await browse(cookies, '/login/second-step', { ...form, code: '000000' })
    expect([wrong.statusCode, cookies.has('latarnik_console')]).toEqual([422, false])
    const code = await codeOf(oidc.world.database, carol, oidc.world.clock.now())
    const right = await browse(cookies, '/login/second-step', { ...form, code })
    expect([right.statusCode, right.headers.location]).toEqual([303, '/services'])
    expect(await accountIn(cookies)).toMatchObject({ id: carol })
  })
})

describe('an address that anybody could have written', () => {
  test('gives nobody the account of another: its password is asked for first', async () => {
    const { charlie } = oidc.world.people.ids
    const own = await emailOf(charlie)
    const written = { email_address: 'boss@example.com' }
    expect((await oidc.world.call('charlie', 'PUT', `/user_data/${charlie}`, written)).status).toBe(204)
    oidc.provider.people.set('k-1', { email: 'boss@example.com', email_verified: true })
    const login = await logIn('k-1')
    expect((await prove(login, 'not the password')).statusCode).toBe(422)
    // The password of another account proves nothing.
    const other = await prove(login, 'bob may come in', { username: 'bob' })
    expect([other.statusCode, login.cookies.has('latarnik_console')]).toEqual([403, false])
    const rows = await oidc.world.database.query(sql`
      select account_id from oidc_identities where subject = 'k-1' and proof_digest is null`)
    expect(rows).toEqual([])
    expect((await logIn('k-1')).reply.headers.location).toMatch(/^\/auth\/oidc\/proof/)
    await oidc.world.call('charlie', 'PUT', `/user_data/${charlie}`, { email_address: own })
  })

  test('is proven within ten minutes, in the browser that logged in, once', async () => {
    oidc.provider.people.set('k-2', { email: await emailOf(oidc.world.people.ids.bob), email_verified: true })
    const late = await logIn('k-2')
    oidc.world.clock.advance(601_000)
    expect((await prove(late, 'bob may come in')).statusCode).toBe(403)
    expect((await browse(new Map(), '/auth/oidc/proof?username=bob')).statusCode).toBe(403)
  })

  test('is proven by a passkey instead, where the account has no code', async () => {
    const { bob } = oidc.world.people.ids
    const device = await deviceOf(oidc.world, 'bob')
    oidc.provider.people.set('k-5', { email: await emailOf(bob), email_verified: true })
    const login = await logIn('k-5')
    expect(login.reply.headers.location).toMatch(/^\/auth\/oidc\/proof/)
    const page = await browse(login.cookies, String(login.reply.headers.location))
    const [, part = ''] = /<form class="passkey"([\s\S]*?)<\/form>/.exec(page.body) ?? []
    const fields = [...part.matchAll(/name="([^"]*)" value="([^"]*)"/g)]
    const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    const answer = async () => {
      const asked = await browse(login.cookies, '/auth/oidc/proof/options', { form_token: form['form_token'] ?? '' })
      return JSON.stringify(device.answer((JSON.parse(asked.body) as { options: { challenge: string } }).options))
    }
    const wrong = await browse(login.cookies, '/auth/oidc/proof', { ...form, response: '{}' })
    expect([wrong.statusCode, login.cookies.has('latarnik_console')]).toEqual([422, false])
    const right = await browse(login.cookies, '/auth/oidc/proof', { ...form, response: await answer() })
    expect([right.statusCode, right.headers.location]).toEqual([303, '/services'])
    expect(await accountIn(login.cookies)).toMatchObject({ id: bob })
    // The passkey of somebody else proves nothing.
    oidc.provider.people.set('k-6', { email: await emailOf(oidc.world.people.ids.adam), email_verified: true })
    const other = await logIn('k-6')
    const others = { ...form, response: await answer() }
    expect((await browse(other.cookies, '/auth/oidc/proof', others)).statusCode).toBe(403)
    expect(other.cookies.has('latarnik_console')).toBe(false)
  })

  test('leads to an account without a password only while no other identity opens it', async () => {
    ruled([{ when: { groups: 'ops' }, create: { sub_account_of: 'alice' } }, { link_by: 'email' }])
    oidc.provider.people.set('k-3', { preferred_username: 'mallory', groups: 'ops' })
    const { id } = await accountIn((await logIn('k-3')).cookies)
    await oidc.world.database.execute(sql`
      update user_data set email_address = 'chief@example.com' where id = ${Number(id)}`)
    oidc.provider.people.set('k-4', { email: 'chief@example.com', email_verified: true })
    expect((await logIn('k-4')).reply.statusCode).toBe(403)
    await oidc.world.database.execute(sql`delete from oidc_identities where account_id = ${Number(id)}`)
    expect(await accountIn((await logIn('k-4')).cookies)).toMatchObject({ id })
  })
})

test('a rule makes sub-accounts read-only, never the primary account that it links', async () => {
  ruled([{ link_by: 'username', is_read_only: true }])
  oidc.provider.people.set('l-1', { preferred_username: 'alice' })
  const { cookies } = await comeIn('l-1', 'alice')
  expect(await accountIn(cookies)).toMatchObject({ id: oidc.world.people.ids.alice, is_read_only: false })
  expect(await accountIn((await logIn('l-1')).cookies)).toMatchObject({ is_read_only: false })
})

test('the operator sees the identities of an account, and removes them', async () => {
  ruled([{ link_by: 'username' }])
  oidc.provider.people.set('m-1', { preferred_username: 'adam' })
  const waiting = await logIn('m-1')
  expect(await listIdentities(oidc.world.database, 'adam')).toEqual([])
  expect((await prove(waiting, 'adam may come in')).statusCode).toBe(303)
  const at = new Date(oidc.world.clock.now()).toISOString()
  expect(await listIdentities(oidc.world.database, 'ADAM')).toEqual([
    { issuer: oidc.provider.issuer, subject: 'm-1', created_at: at, last_login_at: at },
  ])
  expect(await removeIdentities(oidc.world.database, 'adam', oidc.world.clock.now())).toBe(1)
  expect(await listIdentities(oidc.world.database, 'adam')).toEqual([])
  const headers = { authorization: `Bearer ${waiting.cookies.get('latarnik_console')}` }
  expect((await oidc.world.call(null, 'GET', '/accounts/my_account', undefined, headers)).status).toBe(401)
  expect((await logIn('m-1')).reply.headers.location).toMatch(/^\/auth\/oidc\/proof/)
  await expect(listIdentities(oidc.world.database, 'nobody')).rejects.toThrow('Nobody has the username')
})

test('many logins behind one address lock nobody out; failed ones at the provider do', async () => {
  const cookies: Cookies = new Map()
  for (let times = 0; times < 120; times++) {
    expect((await browse(cookies, '/auth/oidc/login')).statusCode).toBe(303)
  }
  for (let times = 0; times < 100; times++) {
    await browse(cookies, '/auth/oidc/login')
    expect((await browse(cookies, '/auth/oidc/callback?error=access_denied')).statusCode).toBe(403)
  }
  await browse(cookies, '/auth/oidc/login')
  expect((await browse(cookies, '/auth/oidc/callback?error=access_denied')).statusCode).toBe(429)
  expect((await browse(new Map(), '/login')).statusCode).toBe(200)
  oidc.world.clock.advance(61_000)
})

describe('a login that is not as it was begun', () => {
  test('is refused: without the cookie, with another state, or a second time', async () => {
    oidc.provider.people.set('g-1', { email: await emailOf(oidc.world.people.ids.bob), email_verified: true })
    const { back, cookies } = await comeIn('g-1', 'bob')
    expect(cookies.has('latarnik_console')).toBe(true)
    for (const [held, path] of [
      [new Map<string, string>(), back.slice(root.length)],
      [cookies, back.slice(root.length)],
    ] as const) {
      expect((await browse(new Map(held), path)).statusCode).toBe(403)
    }
    const other: Cookies = new Map()
    const begun = await browse(other, '/auth/oidc/login')
    const came = await oidc.provider.visit(String(begun.headers.location), 'g-1')
    const forged = came.replace(/state=[^&]+/, 'state=forged').slice(root.length)
    expect((await browse(new Map(other), forged)).statusCode).toBe(403)
    expect((await browse(new Map([['latarnik_oidc', 'rubbish']]), came.slice(root.length))).statusCode).toBe(403)
    const denied = '/auth/oidc/callback?error=access_denied'
    expect((await browse(new Map(other), denied)).statusCode).toBe(403)
  })

  test('leads to a page of the console and nowhere else', async () => {
    const cookies: Cookies = new Map()
    const begun = await browse(cookies, '/auth/oidc/login?to=https://evil.example/')
    const back = await oidc.provider.visit(String(begun.headers.location), 'g-1')
    expect((await browse(cookies, back.slice(root.length))).headers.location).toBe('/')
  })
})

test('the login page offers the provider, and logging out ends the login there too', async () => {
  const page = await browse(new Map(), '/login?to=/services')
  expect(page.body).toContain('Log in with Example ID')
  expect(page.body).toContain('/auth/oidc/login?to=%2Fservices')
  const { cookies } = await logIn('g-1')
  const token = cookies.get('latarnik_console')
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, host: 'api.test', 'x-latarnik-console': '1' }
  const out = await oidc.world.server.inject({ method: 'DELETE', url: '/console/session', headers })
  expect(out.statusCode).toBe(204)
  expect(String(out.headers['latarnik-continue'])).toMatch(new RegExp(`^${oidc.provider.issuer}/session/end\\?`))
  const after = await oidc.world.call(null, 'GET', '/accounts/my_account', undefined, {
    authorization: `Bearer ${token}`,
  })
  expect(after.status).toBe(401)
})

test('an e-mail address of several accounts links with none of them', async () => {
  const { alice, charlie } = oidc.world.people.ids
  await oidc.world.database.execute(
    sql`update user_data set email_address = 'both@example.com' where id in (${alice}, ${charlie})`,
  )
  oidc.provider.people.set('h-1', { email: 'both@example.com', email_verified: true })
  const { reply } = await logIn('h-1')
  expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining('the identity h-1 of Example ID')])
  const { issuer } = oidc.provider
  const added = { issuer, subject: 'h-1', now: oidc.world.clock.now() }
  await addIdentity(oidc.world.database, 'alice', added)
  await addIdentity(oidc.world.database, 'alice', { ...added, issuer: `${issuer}/` })
  const linked = await listIdentities(oidc.world.database, 'alice')
  expect(linked.filter(({ subject }) => subject === 'h-1')).toHaveLength(1)
  expect(await accountIn((await logIn('h-1')).cookies)).toMatchObject({ id: alice })
  await expect(addIdentity(oidc.world.database, 'charlie', added)).rejects.toThrow('logs in to alice')
  await expect(addIdentity(oidc.world.database, 'nobody', added)).rejects.toThrow('Nobody has the username')
})

test('an identity token with a signature of somebody else is refused', async () => {
  oidc.provider.people.set('k-1', { email: 'k@example.com', email_verified: true })
  const finish = async () => {
    const login = new Provider({ issuer: oidc.provider.issuer, clientId, clientSecret })
    const { url, journey } = await login.begin(`${root}/auth/oidc/callback`, '')
    return login.finish(await oidc.provider.visit(url, 'k-1'), journey)
  }
  expect(await finish()).toMatchObject({ subject: 'k-1' })
  oidc.provider.publishOtherKeys()
  await expect(finish()).rejects.toThrow()
})

test('a provider that does not answer is told, and the password still works', async () => {
  const away = await apiWorld({
    oidc: (clock) => ({
      provider: new Provider({ issuer: 'http://127.0.0.1:9', clientId, clientSecret }),
      ...{ name: 'Away', rules: usualOidcRules, clock, defaults: { languageId: 'en', timeZoneId: 'utc' } },
    }),
  })
  try {
    const reply = await away.server.inject({ url: '/auth/oidc/login', headers: { 'accept-language': 'en' } })
    expect([reply.statusCode, reply.body.includes('Away does not answer')]).toEqual([502, true])
  } finally {
    await away.drop()
  }
})
