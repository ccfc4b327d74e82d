import { pino } from 'pino'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { connect } from '../../src/database/connect.ts'
import { machineAwayError } from '../../src/database/failures.ts'
import { all, always, any, contains, is, not } from '../../src/domain/queries/condition.ts'
import type { Operation } from '../../src/rest/call.ts'
import { registryOf, resource, view } from '../../src/rest/declare.ts'
import { identifier } from '../../src/rest/fields.ts'
import { bulkByIds } from '../../src/rest/operations/bulk.ts'
import { refuse } from '../../src/rest/problems.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { readPage } from '../../src/rest/select.ts'
import { buildApi } from '../../src/rest/server.ts'
import { authorizationOf } from '../support/api.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { makePeople } from '../support/people.ts'
import { callOf } from '../support/things.ts'

let world: TestDatabase
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
const clock = { now: () => Date.UTC(2026, 10, 21, 9) }

beforeAll(async () => {
  world = await testDatabase()
  await makePeople(world.database, clock.now())
})
afterAll(() => world.drop())

const numbers = resource('numbers', {
  about: 'Numbers.',
  singular: 'number',
  source: view(() => sql`select 1 as id`),
  fields: { id: identifier() },
  visible: () => always(true),
  operations: ['list'],
})

function operation(id: string, handle: Operation['handle']): Operation {
  return { id, method: 'GET', path: `/${id}`, tag: 'tests', summary: id, access: 'public', answers: {}, handle }
}

function api(database = world.database) {
  return buildApi({
    database,
    clock,
    registry: registryOf([numbers]),
    operations: [
      bulkByIds({
        ...{ resource: 'numbers', name: 'bulk_break', summary: 'Breaks the first.' },
        each: async (_resource, call) => refuse(call.parameters['_id'] === '1' ? 'internal_error' : 'not_found'),
      }),
      operation('impossible', async () => refuse('internal_error')),
      operation('broken', () => Promise.reject(new Error('the secret is 42'))),
      operation('statement', (call) =>
        call.database.query(sql`select secret from nowhere`).then(() => ({ status: 200 })),
      ),
      { ...operation('private', async () => ({ status: 200, body: {} })), access: 'customer' },
      operation('machine', () => Promise.reject(machineAwayError('w1:5432'))),
      operation('full', () => Promise.reject(Object.assign(new Error('No space left on device'), { code: '53100' }))),
      operation('asking', (call) => call.database.query(sql`select 1`).then(() => ({ status: 200, body: {} }))),
    ],
    authenticate: createAuthenticator({ database, clock, loginLimit: 10 }).authenticate,
    collation: raw(''),
    requestsPerMinute: unlimited,
    publicUrl: undefined,
    trustedProxies: [],
    log,
  })
}

test.each(['broken', 'statement'])('a fault of ours is logged and told to nobody: %s', async (path) => {
  const server = await api()
  lines.length = 0
  const reply = await server.inject({ method: 'GET', url: `/v3/${path}`, headers: { 'accept-language': 'pl' } })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([500, 'application/json'])
  expect(reply.json()).toMatchObject([{ code: 5000001, error: 'internal_error' }])
  expect(reply.body.replaceAll(/req-\w+/g, '')).not.toMatch(/secret|nowhere|42/)
  expect(lines.join('')).toMatch(/secret|nowhere/)
  expect(lines.join('')).toMatch(/"request_id":"req-/)
  await server.close()
})

test('what should be impossible is logged like any fault, under the number that the caller is told', async () => {
  const server = await api()
  lines.length = 0
  const reply = await server.inject({ method: 'GET', url: '/v3/impossible' })
  const [{ message }] = reply.json<[{ message: string }]>()
  const number = /req-\w+/.exec(message)?.[0]
  expect([reply.statusCode, number]).toEqual([500, expect.any(String)])
  expect(lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id)).toEqual([number])
  await server.close()
})

test('a fault within an answer to many is told in its place, and logged under the number of the request', async () => {
  const server = await api()
  lines.length = 0
  const reply = await server.inject({
    ...{ method: 'POST', url: '/v3/numbers/bulk_break', headers: { authorization: authorizationOf('alice') } },
    payload: { ids: [1, 2] },
  })
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject([
    { id: 1, ok: false, problems: [{ error: 'internal_error' }] },
    { id: 2, ok: false, problems: [{ error: 'not_found' }] },
  ])
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logged).toMatchObject([{ msg: 'a part of a request failed', request_id: reply.headers['x-request-id'] }])
  await server.close()
})

test.each([
  ['full', 'en', 'The disk of the database is full: what is there can be read, and nothing can be changed.'],
  ['full', 'pl', 'Dysk bazy danych jest pełny: dane można czytać, ale nie można niczego zmienić.'],
  ['machine', 'en', 'The part of the history that is asked for lies on a machine that does not answer.'],
  ['machine', 'pl', 'Ta część historii leży na maszynie, która nie odpowiada.'],
])('the 503 names its cause: %s, in %s', async (path, language, sentence) => {
  const server = await api()
  const reply = await server.inject({ method: 'GET', url: `/v3/${path}`, headers: { 'accept-language': language } })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  expect(reply.json()).toMatchObject([{ error: 'service_unavailable', message: expect.stringContaining(sentence) }])
  await server.close()
})

test('a database that is away: 503 that tells when to come again, and no word in the log as if it were a fault', async () => {
  const away = connect({ url: 'postgres://nobody@127.0.0.1:9/nothing' })
  const server = await api(away)
  lines.length = 0
  for (const [url, headers] of [
    ['/v3/asking', {}],
    ['/v3/private', { authorization: authorizationOf('alice') }],
  ] as const) {
    const reply = await server.inject({ method: 'GET', url, headers })
    expect([url, reply.statusCode, reply.headers['content-type']]).toEqual([url, 503, 'application/json'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(reply.json()).toMatchObject([{ code: 5030001, error: 'service_unavailable' }])
  }
  expect(lines).toEqual([])
  expect((await server.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
  expect((await server.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(503)
  await server.close()
  await away.close()
})

test('a caller who asks in ever new ways does not fill the connections with plans', async () => {
  const one = connect({ url: world.url, maximumConnections: 1 })
  const call = await callOf(one, registryOf([numbers]))
  const page = { sort: [], limit: 1000, offset: 0, columns: ['id'], flags: [] }
  const kept = async () =>
    (
      await one.query<{ rows: number; longest: number }>(sql`
      select count(*)::int as rows, coalesce(max(length(statement)), 0) as longest from pg_prepared_statements`)
    )[0]
  for (let ways = 2; ways <= 100; ways += 1) {
    const where = any(...Array.from({ length: ways }, (_, index) => is('id', index)))
    await readPage(numbers, call, { ...page, where })
  }
  // Values are one comparison, however many they are.
  expect((await kept())?.rows).toBeLessThanOrEqual(2)
  // Each number in binary is a statement of its own, and some are longer than any that is kept.
  for (let way = 1; way <= 600; way += 1) {
    const digits = Array.from({ length: 10 }, (_, place) => (way >> place) % 2 === 1)
    const where = all(...digits.map((isOne) => (isOne ? contains('id', '1') : not(contains('id', '1')))))
    await readPage(numbers, call, { ...page, where })
  }
  for (const ways of [50, 500]) {
    const where = any(...Array.from({ length: ways }, (_, index) => contains('id', String(index))))
    await readPage(numbers, call, { ...page, where })
  }
  const { rows, longest } = (await kept()) ?? { rows: 0, longest: 0 }
  await one.close()
  expect(rows).toBeGreaterThan(100)
  expect(rows).toBeLessThanOrEqual(500)
  expect(longest).toBeLessThanOrEqual(20_000)
})
