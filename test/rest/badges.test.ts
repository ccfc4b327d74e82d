import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { Badges, BadgesBusy } from '../../src/status-pages/badges.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

/** Badges and banners of strangers who ask for more than anybody needs. */

let world: FurnishedWorld
let token: string

beforeAll(async () => {
  world = await furnishedWorld()
  const path = `/services/${world.serviceIds.shared}/badge_token`
  token = ((await world.call('alice', 'POST', path)).body as { badge_token: string }).badge_token
  await world.call('alice', 'POST', '/status_pages', { slug: 'banner', title: 'Shop & <Co>', language_id: 'en' })
})
afterAll(() => world.drop())

const limits = { services: 5, ofService: 3, unknownOfNetwork: 4, unknown: 20, waiting: 50 }
const unknownToken = (number: number) => String(number).padStart(43, 'x')

/** Badges with a count of the questions to the database. */
function counted() {
  let queries = 0
  const database: Database = {
    ...world.database,
    query: (...parts) => {
      queries += 1
      return world.database.query(...parts)
    },
  }
  return { badges: new Badges({ database, clock: world.clock, limits }), queries: () => queries }
}

const asked = (more: object = {}) => ({ token, metric: 'uptime' as const, days: 7, ...more })
const badge = (query: string, address = '192.0.2.1') =>
  world.server.inject({ url: `/badges/${query}`, remoteAddress: address })

describe('badges', () => {
  test('say that a service works, but not well', async () => {
    const path = `/services/${world.serviceIds.private}/badge_token`
    const { badge_token: own } = (await world.call('alice', 'POST', path)).body as { badge_token: string }
    const { badges } = counted()
    const textWith = async (reasons: string) => {
      await world.database.execute(sql`update service_statuses set state = 'ok', degraded_reasons = ${reasons}::text[],
        valid_until = ${new Date(world.clock.now() + 600_000)} where service_id = ${world.serviceIds.private}`)
      world.clock.advance(31_000)
      return (await badges.find({ token: own, metric: 'state', days: 30 }, 'a'))?.text
    }
    expect(await textWith('{slow}')).toBe('działa gorzej')
    // A warning for its owner.
    expect(await textWith('{certificate}')).toBe('działa')
  })

  test('are made once for all who ask meanwhile', async () => {
    const { badges, queries } = counted()
    const first = await badges.find(asked(), 'a')
    const once = queries()
    world.clock.advance(31_000)
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => badges.find(asked(), `network ${at}`)))
    expect(queries()).toBe(2 * once)
    expect(new Set(all.map((one) => one?.label))).toEqual(new Set([first?.label]))
  })

  test('of one service are made for a few numbers of days, and each style for nothing', async () => {
    const { badges, queries } = counted()
    for (const days of [1, 2, 3]) await badges.find(asked({ days }), 'a')
    const made = queries()
    await expect(badges.find(asked({ days: 4 }), 'a')).rejects.toThrow(BadgesBusy)
    expect(await badges.find(asked({ days: 2 }), 'a')).not.toBeNull()
    expect(queries()).toBe(made)
    world.clock.advance(31_000)
    expect(await badges.find(asked({ days: 4 }), 'a')).not.toBeNull()
  })

  test('stay in memory, however many unknown tokens others ask for', async () => {
    const { badges, queries } = counted()
    await badges.find(asked(), 'a')
    const answers = []
    for (let number = 0; number < 30; number++) {
      const find = badges.find(asked({ token: unknownToken(number) }), `network ${number % 10}`)
      answers.push(await find.catch((error: unknown) => error))
    }
    expect(answers.filter((answer) => answer === null)).toHaveLength(20)
    expect(answers.filter((answer) => answer instanceof BadgesBusy)).toHaveLength(10)
    const before = queries()
    expect(await badges.find(asked(), 'a')).not.toBeNull()
    expect(queries()).toBe(before)
  })

  test('that are there are found, however many unknown tokens others ask for', async () => {
    const { badges, queries } = counted()
    const find = (number: number) =>
      badges.find(asked({ token: unknownToken(number) }), `network ${number % 30}`).catch((error: unknown) => error)
    const first = await Promise.all(Array.from({ length: 200 }, (_, number) => find(number)))
    expect(first.some((answer) => answer instanceof BadgesBusy)).toBe(true)
    const before = queries()
    for (let number = 200; number < 300; number++) expect(await find(number)).toBeInstanceOf(BadgesBusy)
    expect(queries()).toBe(before)
    expect(await badges.find(asked(), 'network 1')).not.toBeNull()
    expect(await badges.find(asked({ metric: 'state' }), 'network 1')).not.toBeNull()
  })

  test('that are there do not count as unknown', async () => {
    const { badges } = counted()
    for (let number = 0; number < 4; number++) await badges.find(asked({ token: unknownToken(number) }), 'a')
    world.clock.advance(31_000)
    expect(await badges.find(asked(), 'a')).not.toBeNull()
    for (let number = 0; number < 4; number++) {
      expect(await badges.find(asked({ token: unknownToken(number) }), 'a')).toBeNull()
    }
    await expect(badges.find(asked({ token: unknownToken(4) }), 'a')).rejects.toThrow(BadgesBusy)
  })

  test('that are not looked for are not said to be unknown: 503 with a time to wait', async () => {
    const statuses = []
    for (let number = 0; number < 80; number++) {
      statuses.push((await badge(`${unknownToken(number)}.svg`, '192.0.2.66')).statusCode)
    }
    expect(new Set(statuses)).toEqual(new Set([404, 503]))
    const refused = await badge(`${unknownToken(99)}.svg`, '192.0.2.66')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30'])
    expect((await badge(`${token}.svg`, '192.0.2.66')).statusCode).toBe(200)
    expect((await badge(`${token}.svg`, '192.0.2.67')).statusCode).toBe(200)
  })

  test('come in styles', async () => {
    const heights = []
    for (const style of ['flat', 'flat-square', 'for-the-badge']) {
      const { statusCode, payload } = await badge(`${token}.svg?style=${style}`)
      heights.push([statusCode, /height="(\d+)"/.exec(payload)?.[1], payload.includes('rx="0"')])
    }
    expect(heights).toEqual([
      [200, '20', false],
      [200, '20', true],
      [200, '28', false],
    ])
    expect((await badge(`${token}.svg?style=other`)).statusCode).toBe(404)
  })
})

describe('a banner', () => {
  test('is a document that every site may frame, without a script', async () => {
    const { statusCode, headers, payload } = await world.server.inject('/status/banner/banner.html')
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors \*$/,
    )
    expect(payload).toContain('<a href="http://api.test/status/banner" target="_blank" rel="noopener">')
    expect(payload).toContain('Shop &amp; &lt;Co&gt;')
    expect(payload).not.toMatch(/<script|\bon\w+=/)
    const page = await world.server.inject('/status/banner')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('is a picture that every site may show', async () => {
    const { headers, payload } = await world.server.inject('/status/banner/banner.svg')
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'",
    })
    expect(payload).toContain('aria-label="Shop &amp; &lt;Co&gt;: No data"')
  })
})
