import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { tokenInLetter } from '../support/credentials.ts'

/** The page that mails a link for a new password. */
let world: ApiWorld
const path = '/login/forgotten-password'

beforeAll(async () => {
  world = await apiWorld()
  await world.database.execute(sql`
    update user_data set email_address = 'alice@example.com' where id = ${world.people.ids.alice}`)
})
afterAll(() => world.drop())
// The limit counts by the minute.
beforeEach(() => world.clock.advance(61_000))

async function ask(username: string, more: { readonly token?: string; readonly site?: string } = {}) {
  const page = await world.server.inject({ url: path, headers: { 'accept-language': 'pl' } })
  const token = /latarnik_form=([^;]*)/.exec(String(page.headers['set-cookie']))?.[1] ?? ''
  return world.server.inject({
    ...{ method: 'POST', url: path },
    payload: new URLSearchParams({ username, form_token: more.token ?? token }).toString(),
    headers: {
      'accept-language': 'pl',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `latarnik_form=${token}`,
      'sec-fetch-site': more.site ?? 'same-origin',
    },
  })
}

const letters = () => world.database.query(sql`select account_id from account_tokens where purpose = 'password_reset'`)

test('the login page leads to it, in the language of the reader', async () => {
  const login = await world.server.inject({ url: '/login', headers: { 'accept-language': 'pl' } })
  expect(login.payload).toContain(`<a href="${path}">Nie pamiętasz hasła?</a>`)
  const page = await world.server.inject({ url: path, headers: { 'accept-language': 'en' } })
  expect(page.payload).toContain('Send the link')
})

test('it mails a link that sets a password, and says the same of a user who does not exist', async () => {
  const known = await ask('alice')
  expect([known.statusCode, known.payload.includes('odnośnik jest już w drodze')]).toEqual([200, true])
  const token = await tokenInLetter(world.database, world.people.ids.alice)
  const set = { token, new_password: 'a wholly new password' }
  expect((await world.call(null, 'POST', '/system/reset_password/confirm', set)).status).toBe(204)
  const before = (await letters()).length
  const unknown = await ask('nobody-here')
  expect([unknown.statusCode, unknown.payload]).toEqual([known.statusCode, known.payload])
  expect((await letters()).length).toBe(before)
})

test.each([
  ['a form that we did not serve', { token: 'x'.repeat(43) }],
  ['another site', { site: 'cross-site' }],
])('%s mails nothing', async (_, more) => {
  const before = (await letters()).length
  expect((await ask('alice', more)).statusCode).toBe(403)
  expect((await letters()).length).toBe(before)
})

test('an address that asks too often is refused for a while', async () => {
  const replies = await Promise.all(Array.from({ length: 110 }, () => ask('nobody-here')))
  const refused = replies.filter(({ statusCode }) => statusCode === 429)
  expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBe(100)
  expect(refused.length).toBe(10)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused[0]?.payload).toContain('role="alert"')
})
