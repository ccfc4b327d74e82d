// Secrets that a running program gives away once, each got and used as people and programs do.
import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { WebSocket } from 'ws'
import { oneTimePassword } from '../../src/auth/one-time-password.ts'
import type { Database } from '../../src/database/connect.ts'
import { documentationClientId, documentationReturnPath } from '../../src/domain/access/oauth-client.ts'
import { connectionPath } from '../../src/sensor/far/wire.ts'

export interface Planting {
  /** Without `/v3`. */
  readonly root: string
  readonly database: Database
  readonly passwords: { readonly administrator: string; readonly account: string }
  /** Answers of the program that must tell none of them, whole. */
  readonly answers: string[]
}

type Answer = { readonly status: number; readonly text: string; readonly headers: Headers }
type Shown = Readonly<Record<string, string>>

const basic = (username: string, password: string) => `Basic ${btoa(`${username}:${password}`)}`
const bearer = (token: string) => `Bearer ${token}`

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

async function ask(root: string, path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(root + path, { redirect: 'manual', ...init })
  const { status, headers } = response
  // A stream has no end: its beginning will do.
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  return { status, headers, text: await (isStream ? beginningOf(response) : response.text()) }
}

function asJson(method: string, authorization: string | null, body?: unknown): RequestInit {
  const headers = {
    ...(authorization === null ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

function shown({ status, text }: Answer, wanted: number): Shown {
  if (status !== wanted) throw new Error(`${status}: ${text}`)
  return JSON.parse(text) as Shown
}

function posted(fields: Shown, headers: Shown = {}): RequestInit {
  return { method: 'POST', headers, body: new URLSearchParams(fields) }
}

/** The parameters with which the documentation page's login form sends a browser back. */
async function logInByForm({ root, passwords }: Planting, wanted: Shown): Promise<URLSearchParams> {
  const parameters = { client_id: documentationClientId, redirect_uri: root + documentationReturnPath, ...wanted }
  const form = await ask(root, `/oauth/authorize?${new URLSearchParams(parameters)}`, {})
  const hidden = [...form.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const login = { username: 'user', password: passwords.account, code: '' }
  const { headers } = await ask(root, '/oauth/authorize', posted({ ...fields, ...login }, { cookie }))
  const { search, hash } = new URL(headers.get('location') ?? '')
  return new URLSearchParams(search.slice(1) || hash.slice(1))
}

async function plantOauth(planting: Planting): Promise<Shown> {
  const { root, answers } = planting
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { response_type: 'code', code_challenge, code_challenge_method: 'S256' }
  const code = (await logInByForm(planting, asked)).get('code') ?? ''
  const exchange = {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ client_id: documentationClientId, redirect_uri: root + documentationReturnPath },
  }
  const { access_token: access = '' } = shown(await ask(root, '/oauth/token', posted(exchange)), 200)
  await planting.database.execute(sql`
    insert into oauth_clients (distribution_id, client_id, name, redirect_uris, is_implicit_flow_allowed)
    select id, 'implicit', 'Implicit', array[${root + documentationReturnPath}], true from distributions`)
  const asksForToken = { response_type: 'token', client_id: 'implicit' }
  const implicit = (await logInByForm(planting, asksForToken)).get('access_token') ?? ''
  // A second use ends the session of the first, and says nothing of either.
  answers.push((await ask(root, '/v3/groups', asJson('GET', bearer(access)))).text)
  answers.push((await ask(root, '/oauth/token', posted(exchange))).text)
  answers.push((await ask(root, '/v3/groups', asJson('GET', bearer(access)))).text)
  return { 'code of OAuth': code, 'verifier of OAuth': verifier, 'token by code': access, 'token by form': implicit }
}

async function plantSessions({ root, passwords, answers }: Planting): Promise<Shown> {
  const login = { username: 'user', password: passwords.account }
  const session = shown(await ask(root, '/v3/sessions', asJson('POST', null, login)), 201)
  const older = shown(await ask(root, '/v3/auth_token', asJson('POST', null, login)), 201)
  const [token = '', id = ''] = [session['token'], older['id']]
  const uses: readonly (readonly [string, RequestInit])[] = [
    ['/v3/sessions', asJson('GET', bearer(token))],
    [`/v3/nothing?access_token=${token}`, asJson('GET', bearer(token))],
    [`/v3/sessions/${token}`, asJson('GET', bearer(token))],
    ['/v3/groups', asJson('POST', bearer(token), { name: 1 })],
    ['/v3/accounts', asJson('GET', `Bearer ${token}x`)],
    ['/v3/accounts', asJson('GET', `bearer  ${id} `)],
    ['/v3/logs/authentications', asJson('GET', bearer(id))],
  ]
  for (const [path, init] of uses) answers.push((await ask(root, path, init)).text)
  return { session: token, auth_token: id }
}

function fromBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/\d{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

async function plantSecondFactor({ root, passwords, answers }: Planting): Promise<Shown> {
  const password = 'marker-of-sub-account'
  const [user, own] = [basic('user', passwords.account), basic('factored', password)]
  const account = { username: 'factored', password, user_data: { email_address: 'factored@example.com' } }
  shown(await ask(root, '/v3/accounts', asJson('POST', user, account)), 201)
  const setup = await ask(root, '/v3/accounts/my_account/2fa/setup', asJson('POST', own))
  const secret = fromBase32(shown(setup, 200)['secret'] ?? '')
  const code = oneTimePassword(secret, Date.now())
  const verify = await ask(root, '/v3/accounts/my_account/2fa/verify', asJson('POST', own, { code }))
  const [used = '', kept = ''] = shown(verify, 200)['recovery_codes'] ?? []
  const login = { username: 'factored', password, code: used }
  const { token = '' } = shown(await ask(root, '/v3/sessions', asJson('POST', null, login)), 201)
  for (const sent of [used, `${kept}x`]) {
    answers.push((await ask(root, '/v3/sessions', asJson('POST', null, { ...login, code: sent }))).text)
  }
  answers.push((await ask(root, '/v3/user_data/my_user_data', asJson('GET', bearer(token)))).text)
  return {
    ...{ 'password of a sub-account': password, 'used recovery code': used, 'recovery code': kept },
    ...{ 'session with a factor': token, 'secret of a factor': secret.toString('hex') },
  }
}

/** Links of letters that wait, since nobody takes the mail. */
async function plantLinks({ root, database, passwords, answers }: Planting): Promise<Shown> {
  const [user, invited] = [basic('user', passwords.account), { email_address: 'invited@example.com' }]
  const guest = asJson('POST', user, { username: 'invited', user_data: invited })
  shown(await ask(root, '/v3/accounts', guest), 201)
  const forgotten = { username: 'factored' }
  await ask(root, '/v3/system/reset_password/initialize', asJson('POST', null, forgotten))
  const letters = await database.query<{ kind: string; token: string }>(
    sql`select kind, token from messages where token is not null`,
  )
  const links = Object.fromEntries(letters.map(({ kind, token }) => [`link of ${kind}`, token]))
  for (const token of Object.values(links)) {
    const uses: readonly (readonly [string, RequestInit])[] = [
      [`/v3/accounts/1/activate?token=${token}`, {}],
      [`/v3/groups?token=${token}`, {}],
      ['/v3/system/reset_password/confirm', asJson('POST', null, { token, new_password: 'short' })],
    ]
    // The page itself carries the token back in its form.
    for (const page of ['/password', '/activate', '/email']) await ask(root, `${page}?token=${token}`, {})
    await ask(root, '/password', posted({ token, password: 'x', password_again: 'y' }))
    for (const [path, init] of uses) answers.push((await ask(root, path, init)).text)
  }
  return links
}

async function plantStation({ root, passwords, answers }: Planting): Promise<Shown> {
  const administrator = basic('admin', passwords.administrator)
  const made = shown(await ask(root, '/v3/admin/sensors', asJson('POST', administrator, { name: 'Gdańsk' })), 201)
  const issued = await ask(root, `/v3/admin/sensors/${made['id']}/token`, asJson('POST', administrator))
  const { token = '' } = shown(issued, 201)
  for (const authorization of [bearer(token), bearer(`${token}x`)]) {
    const socket = new WebSocket(root.replace('http', 'ws') + connectionPath, { headers: { authorization } })
    socket.on('error', (error) => answers.push(String(error)))
    socket.on('open', () => socket.send(`No JSON is ${token}`))
    await new Promise((closed) => socket.on('close', closed))
  }
  answers.push((await ask(root, '/v3/admin/sensors', asJson('GET', administrator))).text)
  answers.push((await ask(root, '/v3/sensors', asJson('GET', bearer(token)))).text)
  const gone = shown(await ask(root, '/v3/admin/sensors', asJson('POST', administrator, { name: 'Hel' })), 201)
  const givenToGone = await ask(root, `/v3/admin/sensors/${gone['id']}/token`, asJson('POST', administrator))
  const { token: revoked = '' } = shown(givenToGone, 201)
  const removal = await ask(root, `/v3/admin/sensors/${gone['id']}/token`, asJson('DELETE', administrator))
  if (removal.status !== 204) throw new Error(removal.text)
  answers.push(await refusalOfStation(root, revoked))
  return { 'token of a station': token, 'revoked token of a station': revoked }
}

/** The core's refusal of a station with an invalid token. */
function refusalOfStation(root: string, token: string): Promise<string> {
  const socket = new WebSocket(root.replace('http', 'ws') + connectionPath, {
    headers: { authorization: bearer(token) },
  })
  return new Promise((told, failed) => {
    socket.on('open', () => failed(new Error('a station is let in whose token was revoked')))
    socket.on('error', (error) => told(String(error)))
  })
}

/** Somebody of an account of their own, who looks at every list that there is. */
async function plantStranger({ root, database, answers }: Planting): Promise<Shown> {
  const [{ id: package_id } = {}] = await database.query<{ id: number }>(
    sql`select id from packages where is_available_for_new_accounts and not is_for_sub_accounts`,
  )
  const password = 'marker-of-stranger'
  const user_data = { email_address: 'stranger@example.com' }
  const wanted = { username: 'stranger', name: 'Stranger', password, package_id, user_data }
  const { id } = shown(await ask(root, '/v3/accounts/register', asJson('POST', null, wanted)), 201)
  const [letter] = await database.query<{ token: string }>(
    sql`select token from messages where kind = 'activation' and token is not null`,
  )
  const link = letter?.token ?? ''
  for (const path of [`/v3/accounts/1/activate?token=${link}`, `/v3/accounts/${id}/activate?token=${link}x`]) {
    answers.push((await ask(root, path, {})).text)
  }
  for (let time = 0; time < 2; time += 1) {
    answers.push(JSON.stringify(shown(await ask(root, `/v3/accounts/${id}/activate?token=${link}`, {}), 200)))
  }
  const { paths } = JSON.parse((await ask(root, '/v3/public/swagger.json', {})).text) as { paths: object }
  for (const path of Object.keys(paths).filter((one) => !one.includes('{'))) {
    answers.push((await ask(root, `/v3${path.replace(/^\/v3/, '')}`, asJson('GET', basic('stranger', password)))).text)
  }
  return { 'password of a stranger': password, 'link of activation': link }
}

/** Name → secret, of everything that is shown once. */
export async function plantSecrets(planting: Planting): Promise<Shown> {
  return {
    ...(await plantSessions(planting)),
    ...(await plantOauth(planting)),
    ...(await plantSecondFactor(planting)),
    ...(await plantLinks(planting)),
    ...(await plantStation(planting)),
    ...(await plantStranger(planting)),
  }
}
