import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setBlocked } from '../../src/cli/accounts.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import { assistantWith, keyOf, mcpUrl } from '../support/assistant.ts'
import { type Heard, listenTo, patience } from '../support/event-stream.ts'
import { type Person, passwordOf } from '../support/people.ts'

/** Blocking an account ends everything that somebody left open with it, at once, and it stays ended afterwards. */

let world: ApiWorld
const heard: Heard[] = []
const back = 'http://127.0.0.1:7777/callback'
beforeEach(async () => {
  const clients = [{ client_id: 'known', name: 'Known', redirect_uris: [back] }]
  world = await apiWorld({ clients })
})
afterEach(async () => {
  for (const one of heard.splice(0)) one.close()
  await world.drop()
})

type Values = Readonly<Record<string, string>>
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

function send(url: string, fields: Values, headers: Values = {}) {
  const payload = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return world.server.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } })
}

/** A code of a login at the page of an application. */
async function codeFor(person: Person, more: Values = {}): Promise<string> {
  const asked = {
    ...{ response_type: 'code', client_id: 'known', redirect_uri: back, state: 's' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
  }
  const page = await world.server.inject(`/oauth/authorize?${new URLSearchParams(asked)}`)
  const [form = ''] = page.payload.split('</form>')
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
  const cookie = /^latarnik_form=[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
  const reply = await send(
    '/oauth/authorize',
    { ...fields, username: person, password: passwordOf(person) },
    { cookie },
  )
  return new URL(String(reply.headers.location)).searchParams.get('code') ?? ''
}

const ofAssistant = { resource: 'http://api.test/mcp' }

const exchanged = (code: string, more: Values = {}) =>
  send('/oauth/token', {
    ...{ grant_type: 'authorization_code', code, client_id: 'known', redirect_uri: back },
    ...{ code_verifier: verifier, ...more },
  })

async function tokensFor(person: Person, more: Values = {}): Promise<Values> {
  return JSON.parse((await exchanged(await codeFor(person, more), more)).payload) as Values
}

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token ?? ''}` })

async function get(path: string, headers: Values): Promise<number> {
  return (await world.call(null, 'GET', path, undefined, headers)).status
}

async function statusOfMcp(token: string | undefined): Promise<number> {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { ...bearer(token), accept: 'application/json, text/event-stream' }
  return (await world.server.inject({ method: 'POST', url: '/mcp', payload, headers })).statusCode
}

/** The headers of a browser that is logged in to the console. */
async function consoleOf(person: Person): Promise<Values> {
  const page = await world.server.inject('/login')
  const formToken = /latarnik_form=([^;]*)/.exec(String(page.headers['set-cookie']))?.[1] ?? ''
  const login = { username: person, password: passwordOf(person), form_token: formToken }
  const reply = await send('/login', login, { cookie: `latarnik_form=${formToken}`, 'sec-fetch-site': 'same-origin' })
  const session = /latarnik_console=[\w-]{43}/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
  return { cookie: session, 'sec-fetch-site': 'same-origin' }
}

/** Each way in, as a status that is 200 while it is open. */
type Ways = Readonly<Record<string, () => Promise<number>>>

async function waysOf(person: Person): Promise<Ways> {
  const login = { username: person, password: passwordOf(person) }
  const session = (await world.call(null, 'POST', '/sessions', login)).body as Values
  const { cookie: kept = '' } = await consoleOf(person)
  // The console sends what its cookie holds like any other client.
  const browser = bearer(kept.slice(kept.indexOf('=') + 1))
  const key = await keyOf(world, person)
  const client = { grant_type: 'client_credentials', client_id: key.slice(0, 12), client_secret: key }
  const machine = JSON.parse((await send('/oauth/token', client)).payload) as Values
  const application = await tokensFor(person)
  const assistant = await tokensFor(person, ofAssistant)
  const code = await codeFor(person)
  const refresh = { grant_type: 'refresh_token', client_id: 'known', refresh_token: assistant['refresh_token'] ?? '' }
  return {
    password: () => get('/groups', { authorization: authorizationOf(person) }),
    'a session of the API': () => get('/groups', bearer(session['token'])),
    'a session of the console': () => get('/groups', browser),
    'an API key': () => get('/groups', bearer(key)),
    'metrics by a key': () => get('/metrics/services', bearer(key)),
    'an access token of client credentials': () => get('/groups', bearer(machine['access_token'])),
    'metrics by an access token': () => get('/metrics/services', bearer(machine['access_token'])),
    'client credentials': async () => (await send('/oauth/token', client)).statusCode,
    'an application after a login': () => get('/groups', bearer(application['access_token'])),
    'a key at /mcp': () => statusOfMcp(key),
    'an assistant after a login': () => statusOfMcp(assistant['access_token']),
    // These two use up what they are tried with, so they are tried last.
    'a refresh token': async () => (await send('/oauth/token', refresh)).statusCode,
    'a code that waits': async () => (await exchanged(code)).statusCode,
  }
}

async function statusesOf(ways: Ways): Promise<Readonly<Record<string, number>>> {
  const statuses: Record<string, number> = {}
  for (const [name, way] of Object.entries(ways)) statuses[name] = await way()
  return statuses
}

/** Streams by the password, by a key, and by the token of a login. */
async function streamsOf(person: Person): Promise<readonly Heard[]> {
  const url = (await mcpUrl(world)).replace(/\/mcp$/, '')
  const login = { username: person, password: passwordOf(person) }
  const session = (await world.call(null, 'POST', '/sessions', login)).body as Values
  const ways = [
    { authorization: authorizationOf(person) },
    bearer(await keyOf(world, person)),
    bearer(session['token']),
    await consoleOf(person),
  ]
  const streams: Heard[] = []
  for (const headers of ways) streams.push(await listenTo(url, headers))
  heard.push(...streams)
  return streams
}

interface Blocking {
  readonly who: Person
  block(): Promise<unknown>
  unblock(): Promise<unknown>
}

const byCommand = (who: Person): Blocking => ({
  who,
  block: () => setBlocked(world.database, who, true, world.clock.now()),
  unblock: () => setBlocked(world.database, who, false, world.clock.now()),
})

const byAdministrator = (who: Person, owner: Person): Blocking => ({
  who,
  block: () => world.call('dora', 'POST', `/admin/accounts/${world.people.ids[owner]}/block`),
  unblock: () => world.call('dora', 'POST', `/admin/accounts/${world.people.ids[owner]}/unblock`),
})

const cases: readonly (readonly [string, Blocking])[] = [
  ['by `latarnik account block`', byCommand('bob')],
  ['with its parent, by an administrator', byAdministrator('adam', 'alice')],
]

test.each(cases)('an account that is blocked %s loses every way in at once', async (_how, { who, block, unblock }) => {
  const [spent, ways] = [await waysOf(who), await waysOf(who)]
  const open = await statusesOf(spent)
  expect(open).toEqual(Object.fromEntries(Object.keys(ways).map((name) => [name, 200])))
  expect(Object.keys(open).length).toBeGreaterThan(12)
  const streams = await streamsOf(who)
  const bystander = await waysOf('carol')

  await block()
  for (const [name, status] of Object.entries(await statusesOf(ways))) {
    expect([name, status < 200 || status >= 400]).toEqual([name, true])
  }
  for (const stream of streams) await vi.waitFor(() => expect(stream.isEnded()).toBe(true), patience)
  expect(new Set(Object.values(await statusesOf(bystander)))).toEqual(new Set([200]))

  await unblock()
  const after = await statusesOf(ways)
  const opened = Object.entries(after).flatMap(([name, status]) => (status === 200 ? [name] : []))
  expect(opened).toEqual(['password', 'an API key', 'metrics by a key', 'client credentials', 'a key at /mcp'])
})

test('an assistant that is connected is refused with its next message', async () => {
  const assistant = await assistantWith(world, await keyOf(world, 'bob'))
  expect((await assistant.call('list_services')).isError).toBe(false)
  await byCommand('bob').block()
  await expect(assistant.call('list_services')).rejects.toThrow(/blocked|403/)
})
