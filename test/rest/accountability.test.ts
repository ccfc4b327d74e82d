import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serveAccountability } from '../../src/accountability/serve.ts'
import type { Database } from '../../src/database/connect.ts'
import { languageOf } from '../../src/rest/language.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let server: ReturnType<typeof Fastify>
let faults: unknown[]
let isAway: boolean
let statements: number

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

beforeEach(() => {
  faults = []
  isAway = false
  statements = 0
  server = Fastify()
  const { database, clock } = world
  const query: Database['query'] = async (...given) => {
    statements += 1
    if (isAway) throw new Error('away')
    return database.query(...given)
  }
  const onFault = (fault: unknown) => void faults.push(fault)
  serveAccountability(server, { database: { ...database, query }, clock, languageOf, onFault })
})

const visit = (url = '/accountability', headers: Record<string, string> = {}) => server.inject({ url, headers })

describe('the public page about the installation itself', () => {
  test('shows the numbers of the console, in the language of the visitor, without accounts and services', async () => {
    const hour = new Date(Math.floor(world.clock.now() / 3_600_000) * 3_600_000)
    await world.database.execute(sql`insert into missed_rounds (hour, rounds) values (${hour}, 4321)`)
    const own = (await world.call('dora', 'GET', '/system/installation')).body as Record<string, unknown>
    const [page, polish, data] = [
      await visit(),
      await visit('/accountability', { 'accept-language': 'pl' }),
      await visit('/accountability.json'),
    ]
    expect([page.statusCode, polish.statusCode, data.statusCode]).toEqual([200, 200, 200])
    expect(page.payload).toContain('<html lang="en">')
    expect(polish.payload).toContain('<html lang="pl">')
    expect(page.payload).toContain('4,321')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.payload).not.toContain('<script')
    const told = (JSON.parse(data.payload) as Record<string, Record<string, unknown>>)['24h']
    for (const name of ['missed_rounds', 'lateness', 'stations', 'failures', 'false_alarms_corrected'])
      expect(told?.[name], name).toEqual(own[name])
    const names = await world.database.query<{ name: string }>(sql`
      select name from services where length(name) > 5 union select username from accounts where length(username) > 4
      union select name from groups where length(name) > 5`)
    const stations = new Set((own['stations'] as { name: string }[]).map(({ name }) => name))
    const secret = names.filter(({ name }) => !stations.has(name))
    expect(secret.length).toBeGreaterThan(3)
    for (const { name } of secret) expect(`${page.payload}${data.payload}`).not.toContain(name)
    await world.database.execute(sql`delete from missed_rounds`)
  })

  test('is counted once a minute for all visitors', async () => {
    await Promise.all(Array.from({ length: 20 }, () => visit()))
    const once = statements
    expect(once).toBeGreaterThan(0)
    await visit('/accountability.json')
    expect(statements).toBe(once)
    world.clock.advance(60_000)
    await visit()
    expect(statements).toBe(2 * once)
  })

  test('shows the last numbers with their time while the database is away, and says so', async () => {
    isAway = true
    const none = await visit()
    expect([none.statusCode, none.headers['retry-after']]).toEqual([503, '60'])
    expect(none.payload).toContain('Try again in a minute')
    isAway = false
    world.clock.advance(60_000)
    expect((await visit()).payload).not.toContain('cannot be counted')
    isAway = true
    world.clock.advance(60_000)
    const last = await visit()
    expect(last.statusCode).toBe(200)
    expect(last.payload).toContain('cannot be counted anew')
    expect(faults).toHaveLength(2)
  })

  test('a browser that has it gets no second copy', async () => {
    const first = await visit()
    const again = await visit('/accountability', { 'if-none-match': String(first.headers['etag']) })
    expect([first.statusCode, again.statusCode, again.payload]).toEqual([200, 304, ''])
  })
})
