import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { exposed, watchedBy } from '../support/exposed.ts'

const { metrics, telemetry } = watchedBy()
const lines: string[] = []
let world: ApiWorld

beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const { requests } = telemetry
  world = await apiWorld({ log, ...(requests === undefined ? {} : { telemetry: requests }) })
})
afterAll(() => world.drop())
beforeEach(() => {
  lines.length = 0
})

const logged = () => lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

async function requestCounts(): Promise<Readonly<Record<string, number>>> {
  const prefix = 'latarnik_api_request_seconds_count'
  const found = [...(await exposed(metrics))].filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]))
}

test('requests are counted by operation and class of status, never by what was asked for', async () => {
  await world.call('alice', 'GET', '/groups')
  await world.call('alice', 'GET', '/groups?name=hush')
  await world.call('alice', 'GET', '/groups/4711')
  await world.call(null, 'GET', '/groups/4712')
  await world.call(null, 'GET', '/hush/hush')
  await world.call('alice', 'PATCH', '/groups/4711')
  await world.server.inject({ method: 'PROPFIND' as 'GET', url: '/v3/groups' })
  const counts = await requestCounts()
  expect(counts).toMatchObject({
    '{method="GET",route="/v3/groups",status="2xx"}': 2,
    '{method="GET",route="/v3/groups/:_id",status="4xx"}': 2,
    '{method="GET",route="unknown",status="4xx"}': 1,
    '{method="PATCH",route="/v3/groups/:_id",status="4xx"}': 1,
    '{method="other",route="/v3/groups",status="4xx"}': 1,
  })
  expect(JSON.stringify(counts)).not.toMatch(/471|hush/)
})

test('a caller’s name for a request comes back and stands in the log', async () => {
  const reply = await world.call('alice', 'GET', '/groups', undefined, { 'x-request-id': 'shop/order-7:1' })
  expect(reply.headers['x-request-id']).toBe('shop/order-7:1')
  expect(logged()).toMatchObject([
    { request_id: 'shop/order-7:1', method: 'GET', route: '/v3/groups', status: 200, ms: expect.any(Number) },
  ])
})

test.each(['', 'a b', 'é', '{"level":60}', 'x'.repeat(129), '\u0085'])('%j is no name for a request', async (given) => {
  const reply = await world.call(null, 'GET', '/nowhere', undefined, { 'x-request-id': given })
  expect(reply.headers['x-request-id']).toMatch(/^req-[0-9a-f]{20}$/)
})

test('every answer has an id of its own: refusals, pages, 304 and health', async () => {
  const answers = await Promise.all([
    ...['/v3/groups', '/nowhere', '/healthz', '/oauth/authorize', '/v3/dictionaries/languages'].map((url) =>
      world.server.inject({ url }),
    ),
    world.server.inject({ method: 'OPTIONS', url: '/v3/groups' }),
    world.server.inject({ method: 'POST', url: '/v3/groups', payload: '{' }),
  ])
  const ids = answers.map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) expect(id).toMatch(/^req-[0-9a-f]{20}$/)
  expect(new Set(ids).size).toBe(answers.length)
})

test('no line of requests carries what was sent', async () => {
  await world.call('alice', 'GET', '/accounts/my_account?token=hush', undefined, { cookie: 'hush=hush' })
  expect(lines.join('')).toContain('/v3/accounts')
  expect(lines.join('')).not.toMatch(/hush|Basic/)
})
