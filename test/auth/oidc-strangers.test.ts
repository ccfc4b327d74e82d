import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Provider } from '../../src/auth/oidc/provider.ts'
import { type OidcRule, parseOidcRules, usualOidcRules } from '../../src/domain/oidc-rules.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { clientId, clientSecret, type IdentityProvider, identityProvider } from '../support/identity-provider.ts'

const root = 'http://api.test'

let provider: IdentityProvider
let world: ApiWorld
let rules: readonly OidcRule[] = usualOidcRules

beforeAll(async () => {
  provider = await identityProvider(root)
  const login = new Provider({ issuer: provider.issuer, clientId, clientSecret })
  world = await apiWorld({
    oidc: (clock) => ({
      ...{ provider: login, name: 'Example ID', clock },
      get rules() {
        return rules
      },
      defaults: { languageId: 'en', timeZoneId: 'europe_warsaw' },
    }),
  })
})
afterAll(async () => {
  await world.drop()
  await provider.stop()
})
beforeEach(() => {
  rules = usualOidcRules
})

function ruled(json: unknown): void {
  const parsed = parseOidcRules(JSON.stringify(json))
  if ('fault' in parsed) throw new Error(parsed.fault)
  rules = parsed
}

type Cookies = Map<string, string>

/** One request of a browser, which keeps its cookies. */
async function browse(cookies: Cookies, url: string, form?: Record<string, string>) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const reply = await world.server.inject({
    url,
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      ...{ host: 'api.test', cookie, 'accept-language': 'en' },
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
  })
  for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return reply
}

/** Logs in at the provider as the person, and comes back. */
async function logIn(subject: string, cookies: Cookies = new Map()) {
  const begun = await browse(cookies, '/auth/oidc/login?to=/services')
  expect(begun.statusCode).toBe(303)
  const back = await provider.visit(String(begun.headers.location), subject)
  expect(back.startsWith(`${root}/auth/oidc/callback?`)).toBe(true)
  return { reply: await browse(cookies, back.slice(root.length)), back, cookies }
}

/** Answers the form that asks for the password of the account. */
async function prove(login: Awaited<ReturnType<typeof logIn>>, password: string, more: Record<string, string> = {}) {
  const address = String(login.reply.headers.location)
  expect(address).toMatch(/^\/auth\/oidc\/proof\?/)
  expect(login.cookies.has('latarnik_console')).toBe(false)
  const page = await browse(login.cookies, address)
  const fields = [...page.body.matchAll(/name="(to|form_token|username)" value="([^"]*)"/g)]
  const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
  return browse(login.cookies, '/auth/oidc/proof', { ...form, password, ...more })
}

/** Logs in, and proves the account where it is asked for. */
async function comeIn(subject: string, name: string) {
  const login = await logIn(subject)
  const reply = await prove(login, `${name} may come in`)
  return { ...login, reply }
}

/** The account of the console's session. */
async function accountIn(cookies: Cookies) {
  const headers = { authorization: `Bearer ${cookies.get('latarnik_console')}` }
  const { body } = await world.call(null, 'GET', '/accounts/my_account', undefined, headers)
  return body as Record<string, unknown>
}

const emailOf = async (id: number) =>
  (await world.database.query<{ email_address: string }>(sql`select email_address from user_data where id = ${id}`))[0]
    ?.email_address ?? ''

/** Another account with the address, as its maker leaves it: invited, and never opened. */
async function invited(path: string, address: string) {
  const body = { username: `made-${path.length}-${address.length}`, user_data: { email_address: address } }
  const made = await world.call('alice', 'POST', path, body)
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return (made.body as { id: number }).id
}

describe('an account that a stranger made with the address', () => {
  test('does not keep its owner from the own account: a registration never activated, an invitation never accepted', async () => {
    const { bob } = world.people.ids
    const address = await emailOf(bob)
    const made = [await invited('/accounts', address), await invited('/accounts/subaccount', address)]
    provider.people.set('n-1', { email: address, email_verified: true })
    expect(await accountIn((await comeIn('n-1', 'bob')).cookies)).toMatchObject({ id: bob })
    await world.database.execute(sql`delete from oidc_identities where subject = 'n-1'`)
    await world.database.execute(sql`
      update accounts set is_activated = false, password_hash = 'x' where id = any(${made}::int[])`)
    expect(await accountIn((await comeIn('n-1', 'bob')).cookies)).toMatchObject({ id: bob })
    await world.database.execute(sql`delete from accounts where id = any(${made}::int[])`)
  })

  test('is not linked at the first login while it depends on its maker and nobody accepted its invitation', async () => {
    const id = await invited('/accounts/subaccount', 'stranger@example.com')
    provider.people.set('n-2', { email: 'stranger@example.com', email_verified: true })
    expect((await logIn('n-2')).reply.statusCode).toBe(403)
    expect(await world.database.query(sql`select 1 from oidc_identities where account_id = ${id}`)).toEqual([])
    await world.database.execute(sql`
      update accounts set password_hash = (select password_hash from accounts where username = 'bob') where id = ${id}`)
    expect((await logIn('n-2')).reply.headers.location).toMatch(/^\/auth\/oidc\/proof/)
  })
})

test.each(['sub', 'email', 'name', 'preferred_username'])('NUL in the claim %s is the usual refusal', async (claim) => {
  ruled([{ link_by: 'email', create: { package_id: world.people.packageIds.free } }])
  const subject = claim === 'sub' ? 'o\0-1' : 'o-1'
  const claims = { email: 'nul@example.com', email_verified: true, preferred_username: 'nul', [claim]: 'a\0bc' }
  provider.people.set(subject, { ...claims, sub: subject })
  const { reply, cookies } = await logIn(subject)
  expect([reply.statusCode, cookies.has('latarnik_console')]).toEqual([403, false])
  // Failed logins of an address have a limit.
  world.clock.advance(61_000)
})
