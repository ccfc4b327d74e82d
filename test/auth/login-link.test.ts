import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLinkLifeMinutes, makeLoginLink } from '../../src/auth/login-links.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

async function linkFor(username: string): Promise<string> {
  const link = await makeLoginLink(world.database, username, world.clock.now())
  if (!('token' in link)) throw new Error(link.refused)
  return link.token
}

const open = (token: string) =>
  world.server.inject({ url: `/login/link?token=${token}`, headers: { 'accept-language': 'en' } })

/** With the cookie and the field of a form that this browser was served. */
async function use(token: string, site = 'same-origin') {
  const page = await world.server.inject({ url: '/login' })
  const form_token = /latarnik_form=([^;]*)/.exec(String(page.headers['set-cookie']))?.[1] ?? 'none'
  return world.server.inject({
    ...{ method: 'POST', url: '/login/link', payload: new URLSearchParams({ token, form_token }).toString() },
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', cookie: `latarnik_form=${form_token}` },
      ...{ 'sec-fetch-site': site, 'accept-language': 'en' },
    },
  })
}

const sessionIn = (headers: { readonly 'set-cookie'?: string | string[] | number | undefined }) =>
  /latarnik_console=([\w-]{43});/.exec(String(headers['set-cookie']))?.[1]

test('a link shows whom it logs in, and logs in once; looking at it changes nothing', async () => {
  const token = await linkFor('alice')
  for (let look = 0; look < 3; look++)
    expect(await open(token)).toMatchObject({
      statusCode: 200,
      payload: expect.stringContaining('logs you in as alice'),
    })
  const used = await use(token)
  expect([used.statusCode, used.headers.location]).toEqual([303, '/'])
  const session = sessionIn(used.headers)
  const mine = await world.server.inject({
    url: '/v3/accounts/my_account?fields=username',
    headers: { authorization: `Bearer ${session}` },
  })
  expect(mine.json()).toEqual({ username: 'alice' })
  expect(await open(token)).toMatchObject({ statusCode: 404, payload: expect.stringContaining('was used already') })
  const logged = await world.database.query(sql`select method, success from authentications order by id desc limit 1`)
  expect(logged).toEqual([{ method: 'session', success: true }])
})

test('of many who use a link at the same moment one is let in', async () => {
  const token = await linkFor('alice')
  const replies = await Promise.all(Array.from({ length: 8 }, () => use(token)))
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([303, ...Array(7).fill(404)])
})

test('a link ends after its time, with the next link, and with a change of the password', async () => {
  const late = await linkFor('alice')
  world.clock.advance(loginLinkLifeMinutes * 60_000)
  expect((await use(late)).statusCode).toBe(404)
  const [first, second] = [await linkFor('alice'), await linkFor('alice')]
  expect((await open(first)).statusCode).toBe(404)
  expect((await open(second)).statusCode).toBe(200)
  const changed = await world.call('alice', 'POST', '/accounts/my_account/change_password', {
    ...{ current_password: passwordOf('alice'), new_password: 'another password' },
  })
  expect(changed.status).toBe(204)
  expect((await open(second)).statusCode).toBe(404)
})

test('a form of another site logs nobody in', async () => {
  const token = await linkFor('bob')
  const forged = await use(token, 'cross-site')
  expect([forged.statusCode, sessionIn(forged.headers)]).toEqual([403, undefined])
  expect((await open(token)).statusCode).toBe(200)
})

test('who is blocked is told so and stays out; a second factor, an administrator and nobody get no link', async () => {
  const token = await linkFor('bob')
  await world.database.execute(sql`update accounts set is_blocked = true where username = 'bob'`)
  const blocked = await use(token)
  expect([blocked.statusCode, sessionIn(blocked.headers)]).toEqual([403, undefined])
  expect(blocked.payload).toContain('blocked')
  await world.database.execute(sql`
    update user_data set has_2fa_enabled = true where id = (select id from accounts where username = 'alice')`)
  const refusals = []
  for (const username of ['alice', 'dora', 'who']) {
    const link = await makeLoginLink(world.database, username, world.clock.now())
    refusals.push('refused' in link ? link.refused : 'token')
  }
  expect(refusals).toEqual(['second_factor', 'administrator', 'nobody'])
})

test('a second factor that is switched on after the link was made is not passed by', async () => {
  const token = await linkFor('carol')
  await world.database.execute(sql`
    update user_data set has_2fa_enabled = true where id = (select id from accounts where username = 'carol')`)
  const reply = await use(token)
  expect([reply.statusCode, sessionIn(reply.headers)]).toEqual([404, undefined])
})
