import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { tokenInLetter } from '../support/credentials.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

const open = (token: string, language = 'en') =>
  world.server.inject({ url: `/password?token=${token}`, headers: { 'accept-language': language } })

function send(form: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' }
  return world.server.inject({
    method: 'POST',
    url: '/password',
    headers,
    payload: new URLSearchParams(form).toString(),
  })
}

async function tokenOf(username: string): Promise<{ id: number; token: string }> {
  const user_data = { email_address: 'eve@example.com' }
  const reply = await world.call('alice', 'POST', '/accounts', { username, user_data })
  const { id } = reply.body as { id: number }
  return { id, token: await tokenInLetter(world.database, id) }
}

test('the link of an invitation opens a form that sets the password, once', async () => {
  const { id, token } = await tokenOf('eve')
  const page = await open(token, 'pl')
  expect(page.statusCode).toBe(200)
  expect(page.payload).toContain('Hasło, którym będzie się logować eve.')
  expect(page.headers).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  const password = 'zażółć gęślą jaźń'
  const done = await send({ token, password, password_again: password })
  expect(done).toMatchObject({ statusCode: 200, payload: expect.stringContaining('You can log in as eve now.') })
  expect((await world.call(null, 'POST', '/sessions', { username: 'eve', password })).status).toBe(201)
  const [last] = await world.database.query(sql`
    select owner_id, account_id, source, operation, object_id, before, after from audit_log order by id desc limit 1`)
  expect(last).toEqual({
    ...{ owner_id: world.people.ids.alice, account_id: id, source: 'console', before: {}, after: {} },
    ...{ operation: 'accounts.change_password', object_id: String(id) },
  })
  expect((await open(token)).statusCode).toBe(404)
  expect((await send({ token, password, password_again: password })).payload).toContain('This link does not work')
})

test('a password that is too short, or typed differently twice, is asked for again', async () => {
  const { token } = await tokenOf('ewa')
  expect(await send({ token, password: 'short', password_again: 'short' })).toMatchObject({
    statusCode: 422,
    payload: expect.stringContaining('A password has 8 to 256 characters.'),
  })
  const reply = await send({ token, password: 'long enough', password_again: 'long enougH' })
  expect(reply).toMatchObject({ statusCode: 422, payload: expect.stringContaining('The two passwords differ.') })
  expect(reply.payload).not.toContain('long enough')
  expect((await open(token)).statusCode).toBe(200)
})

test.each(['', 'x', 'a"><script>', '%00'])('the token %j opens nothing', async (token) => {
  const page = await open(encodeURIComponent(token))
  expect(page.statusCode).toBe(404)
  expect(page.payload).not.toContain('<script')
  expect((await send({ token, password: 'long enough', password_again: 'long enough' })).statusCode).toBe(404)
})
