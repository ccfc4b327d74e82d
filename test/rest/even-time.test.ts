import { afterAll, beforeAll, expect, test } from 'vitest'
import { evenUp, inEvenTime } from '../../src/auth/even-time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** Answers that do not tell by their time what was found: they come after a pause, which a test ends here. */
const pauses: { readonly milliseconds: number; readonly end: () => void }[] = []
let world: ApiWorld

beforeAll(async () => {
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => void pauses.push({ milliseconds, end: resolve }))
  world = await apiWorld({ pause })
  for (const [slug, access] of [
    ['open', 'public'],
    ['hidden', 'link'],
    ['inside', 'login'],
  ]) {
    const { status } = await world.call('alice', 'POST', '/status_pages', { slug, title: 'Shop', access })
    expect(status).toBe(201)
  }
})
afterAll(() => world.drop())

const subscribe = (address: string) => ({
  method: 'POST' as const,
  url: '/status/open/subscribe',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams({ kind: 'email', address, scope: 'all' }).toString(),
})

test.each([
  ['a page that only a link opens', { url: '/status/hidden' }, 404],
  ['the same again, from memory', { url: '/status/hidden' }, 404],
  ['a page for those who are logged in', { url: '/status/inside' }, 404],
  ['a document of a page that is hidden', { url: '/status/hidden/api/v2/summary.json' }, 404],
  ['a link of a subscriber that leads nowhere', { url: '/status/hidden/subscribe/manage?token=x' }, 404],
  ['a password for no such page', { method: 'POST' as const, url: '/status/absent' }, 404],
  ['a name that no page has', { url: '/status/absent' }, 404],
  ['the same again, known to be none', { url: '/status/absent' }, 404],
  ['an address that is new to a page', subscribe('anna@example.com'), 200],
  ['the same address again', subscribe('anna@example.com'), 200],
  ['an address that the page cannot take', subscribe('anna'), 422],
])('%s is answered after the pause', async (_what, request, status) => {
  let answered = false
  const reply = world.server.inject(request).then((one) => {
    answered = true
    return one
  })
  await expect.poll(() => pauses.length).toBe(1)
  // The pause has begun, so nothing else can send the answer.
  await new Promise(setImmediate)
  expect(answered).toBe(false)
  const [pause] = pauses.splice(0)
  expect(pause?.milliseconds).toBeGreaterThan(0)
  pause?.end()
  expect((await reply).statusCode).toBe(status)
})

test('a page that everybody may see is sent at once', async () => {
  expect((await world.server.inject({ url: '/status/open' })).statusCode).toBe(200)
  expect(pauses).toEqual([])
})

test('whatever time the work takes, it counts towards the pause', async () => {
  const paused: number[] = []
  const pause = async (milliseconds: number) => void paused.push(milliseconds)
  expect(await inEvenTime(async () => 'found', pause)).toBe('found')
  for (const took of [0, 100, 250, 9000]) await evenUp(took, pause)
  expect(paused).toEqual([250, 250, 150, 0, 0])
})
