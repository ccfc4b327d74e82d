import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { Provider } from '../../src/auth/oidc/provider.ts'
import { type OidcRule, parseOidcRules, usualOidcRules } from '../../src/domain/access/oidc-rules.ts'
import { type ApiWorld, apiWorld } from './api.ts'
import { clientId, clientSecret, type IdentityProvider, identityProvider } from './identity-provider.ts'

export const root = 'http://api.test'

export type Cookies = Map<string, string>

/** An API that takes the logins of a real provider, for the tests of one file, and browsers that come by both. */
export function oidcWorld() {
  let provider: IdentityProvider | undefined
  let world: ApiWorld | undefined
  let rules: readonly OidcRule[] = usualOidcRules

  beforeAll(async () => {
    const started = await identityProvider(root)
    provider = started
    const login = new Provider({ issuer: started.issuer, clientId, clientSecret })
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
    await world?.drop()
    await provider?.stop()
  })
  beforeEach(() => {
    rules = usualOidcRules
  })

  /** Both are there once the tests run. */
  const oidc = {
    get provider() {
      if (provider === undefined) throw new Error('The provider has not started.')
      return provider
    },
    get world() {
      if (world === undefined) throw new Error('The API has not started.')
      return world
    },
  }

  function ruled(json: unknown): void {
    const parsed = parseOidcRules(JSON.stringify(json))
    if ('fault' in parsed) throw new Error(parsed.fault)
    rules = parsed
  }

  /** One request of a browser, which keeps its cookies. */
  async function browse(cookies: Cookies, url: string, form?: Record<string, string>) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await oidc.world.server.inject({
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
    const back = await oidc.provider.visit(String(begun.headers.location), subject)
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
    const { body } = await oidc.world.call(null, 'GET', '/accounts/my_account', undefined, headers)
    return body as Record<string, unknown>
  }

  const emailOf = async (id: number) =>
    (
      await oidc.world.database.query<{ email_address: string }>(
        sql`select email_address from user_data where id = ${id}`,
      )
    )[0]?.email_address ?? ''

  return { oidc, ruled, browse, logIn, prove, comeIn, accountIn, emailOf }
}
