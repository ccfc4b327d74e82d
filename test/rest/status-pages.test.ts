import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { readLevelHistories } from '../../src/database/reports/report-data.ts'
import type { State } from '../../src/domain/judging/status-change.ts'
import { lastDays } from '../../src/domain/service-level/history-bars.ts'
import { serviceLevel } from '../../src/domain/service-level/service-level.ts'
import { noPageHosts } from '../../src/domain/status-pages/page-host.ts'
import { StatusPages } from '../../src/status-pages/pages.ts'
import { idOf } from '../support/replies.ts'

import { refusalsOf, StatusPageRig } from '../support/status-page-rig.ts'

const rig = new StatusPageRig()
const { component, visit } = rig

describe('a page', () => {
  test('needs no script, loads nothing, sets no cookie, and escapes what people wrote', async () => {
    await component({ name: '<script>alert(1)</script>', service_id: rig.world.serviceIds.shared })
    const { status, headers, text } = await visit()
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['cache-control']).toContain('max-age=30')
    expect(text).toContain('<title>Sklep &lt;b&gt;</title>')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toMatch(/<script|style=|\bon\w+=/)
  })

  test('that is made eight times at once is made once, and the others hear that the name is taken', async () => {
    const page = { slug: `race-${rig.slug}`, title: 'Race', language_id: 'en', time_zone_id: 'utc' }
    const makes = Array.from({ length: 8 }, () => rig.world.call('alice', 'POST', '/status_pages', page))
    const replies = await Promise.all(makes)
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 422),
    ])
  })

  test('says nothing of a service but what its owner wrote', async () => {
    await component({ service_id: rig.world.serviceIds.shared })
    const documents = ['', '/api/v2/summary.json', '/api/v2/incidents.json', '/history.rss', '/history.atom']
    for (const document of [...documents, '/maintenance.ics']) {
      const { status, text } = await visit(document)
      expect([document, status]).toEqual([document, 200])
      expect(text).not.toMatch(/Sklep Łódź|shop\.example\.com|koszyk|503|refused|192\.0\.2/)
    }
  })

  test('stays fresh, and there, whatever names strangers ask for', async () => {
    const ask = (name: string) => rig.world.server.inject({ url: `/status/${name}`, remoteAddress: '192.0.2.99' })
    for (const name of ['%00', '%F0%9F%8C%8D', 'a'.repeat(500)])
      expect([name, (await ask(name)).statusCode]).toEqual([name, 404])
    const replies = await Promise.all(Array.from({ length: 80 }, (_, at) => ask(`unknown-${rig.slug}-${at}`)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    // The page was not in memory.
    expect((await ask(rig.slug)).statusCode).toBe(200)
    const { status, text } = await visit()
    expect(status).toBe(200)
    expect(text).not.toContain('class="stale"')
  })

  test('that is not in memory is found while many networks ask for unknown names', async () => {
    let [lookups, lists] = [0, 0]
    const database: Database = {
      ...rig.world.database,
      query: (...parts) => {
        if (parts[1] === 'status-page') lookups += 1
        if (parts[1] === 'status-page-slugs') lists += 1
        return rig.world.database.query(...parts)
      },
    }
    const pages = new StatusPages({
      ...{ database, clock: rig.world.clock, publicUrl: 'http://api.test', hosts: noPageHosts },
      onFault: (error) => {
        throw error
      },
    })
    const asking = Array.from({ length: 15 * 70 }, (_, at) => pages.find(`none-${at}`, `network ${at % 15}`))
    expect(new Set(await Promise.all(asking))).toEqual(new Set([null]))
    expect([lookups <= 600, lists]).toEqual([true, 1])
    expect((await pages.find(rig.slug, 'network 1'))?.snapshot.page.slug).toBe(rig.slug)
    expect((await pages.find(rig.slug, 'other'))?.snapshot.page.slug).toBe(rig.slug)
  })

  test('of a blocked account is not public', async () => {
    expect((await visit()).status).toBe(200)
    await rig.world.database.execute(
      sql`update accounts set is_blocked = true where id = ${rig.world.people.ids.alice}`,
    )
    expect((await visit()).status).toBe(404)
    await rig.world.database.execute(
      sql`update accounts set is_blocked = false where id = ${rig.world.people.ids.alice}`,
    )
  })

  test('answers a known version with 304', async () => {
    const first = await visit()
    const again = await visit('', { 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('goes compressed to those who accept it', async () => {
    const { headers } = await visit('', { 'accept-encoding': 'gzip, br' })
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept, Accept-Encoding' })
  })

  test('is Markdown for those who ask for it', async () => {
    await component({ name: 'A*B', status: 'operational' })
    const { headers, text } = await visit('', { accept: 'text/markdown' })
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(text).toContain('- **A\\*B**: Operational')
  })

  test('speaks Polish if it is Polish', async () => {
    await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { language_id: 'pl' })
    const { text } = await visit()
    expect(text).toContain('<html lang="pl">')
    expect(text).toContain('Składniki')
  })

  test('follows changes within a look, with a new updated_at', async () => {
    const first = (await visit('/api/v2/summary.json')).json()
    await component({ status: 'degraded_performance' })
    const next = (await visit('/api/v2/summary.json')).json()
    expect(next.status).toEqual({ indicator: 'minor', description: 'Some systems are degraded' })
    expect(Date.parse(next.page.updated_at)).toBeGreaterThan(Date.parse(first.page.updated_at))
    const still = (await visit('/api/v2/summary.json')).json()
    expect(still.page.updated_at).toBe(next.page.updated_at)
  })

  test('is served at / of its own host, and nothing else is', async () => {
    const host = `${rig.slug}.pages.test`
    await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { host })
    rig.world.pages.start()
    await expect.poll(() => rig.world.pages.slugOfHost(host)).toBe(rig.slug)
    await rig.world.pages.stop()
    const at = async (url: string) => (await rig.world.server.inject({ url, headers: { host } })).statusCode
    expect(await at('/')).toBe(200)
    expect(await at('/api/v2/status.json')).toBe(200)
    expect(await at('/v3/groups')).toBe(404)
    expect(await at('/login')).toBe(404)
  })

  test('without components knows nothing, and does not say that all is well', async () => {
    const { text } = await visit()
    expect(text).toContain('No data')
    expect(text).not.toContain('All systems operational')
  })
})

describe('the ledger', () => {
  test('a failure is public once it has lasted for the delay', async () => {
    await component({ service_id: rig.world.serviceIds.shared })
    const wait = 600 + Math.ceil((rig.world.clock.now() - rig.world.history.failedAt) / 1000)
    await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { publish_after_seconds: wait })
    expect((await visit('/api/v2/components.json')).json().components[0].status).not.toBe('major_outage')
    rig.world.clock.advance(600_000)
    const shown = (await visit('/api/v2/components.json')).json().components[0]
    expect(shown.status).toBe('major_outage')
    expect(Date.parse(shown.updated_at)).toBe(rig.world.history.failedAt + wait * 1000)
  })

  test('a failure is public before the delay if a person says so, and stays', async () => {
    const shop = await component({ service_id: rig.world.serviceIds.shared })
    const wait = 600 + Math.ceil((rig.world.clock.now() - rig.world.history.failedAt) / 1000)
    await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { publish_after_seconds: wait })
    const shown = async () => (await visit('/api/v2/components.json')).json().components[0].status
    expect(await shown()).not.toBe('major_outage')
    const affected_components = [{ component_id: shop, status: 'major_outage' }]
    const said = { status_page_id: rig.id, name: 'Down', body: 'We look.', is_published: true, affected_components }
    await rig.world.call('alice', 'POST', '/status_page_incidents', said)
    expect(await shown()).toBe('major_outage')
    rig.world.clock.advance(600_000)
    expect(await shown()).toBe('major_outage')
  })

  test('a degraded service is public once it has been degraded for the delay, and recovers so', async () => {
    const body = { type_id: 'http', name: 'Slow', address: 'slow.example.com' }
    const serviceId = idOf(await rig.world.call('alice', 'POST', '/services', body))
    await component({ service_id: serviceId })
    const { database, clock } = rig.world
    const now = clock.now()
    const second = (number: number) => new Date(now + number * 1000)
    await database.execute(sql`delete from status_changes where service_id = ${serviceId}`)
    await database.execute(sql`insert into status_changes (service_id, change_id, status, start_time)
      values (${serviceId}, 1, 'ok', ${second(-900)})`)
    await database.execute(sql`update service_statuses set state = 'ok', monitoring_status = 'on', check_status = 'ok',
      valid_until = ${second(86_400)} where service_id = ${serviceId}`)
    await database.execute(sql`insert into degraded_periods (service_id, period_id, start_time, end_time, is_noticeable) values
      (${serviceId}, 1, ${second(-900)}, ${second(-400)}, false), (${serviceId}, 2, ${second(-90)}, null, true)`)
    const shown = async () => {
      const { status, components } = (await visit('/api/v2/summary.json')).json()
      return [components[0].status, status.indicator, Date.parse(components[0].updated_at)]
    }
    expect((await shown()).slice(0, 2)).toEqual(['operational', 'none'])
    clock.advance(60_000)
    const degradedAt = Math.floor((now + 90_000) / 1000) * 1000
    expect(await shown()).toEqual(['degraded_performance', 'minor', degradedAt])
    expect((await visit()).text).toContain('Degraded')
    expect((await visit('/banner.svg')).text).toContain('Some systems are degraded')
    const endedAt = clock.now()
    await database.execute(
      sql`update degraded_periods set end_time = ${new Date(endedAt)} where service_id = ${serviceId}`,
    )
    expect((await shown())[0]).toBe('degraded_performance')
    clock.advance(150_000)
    const recoveredAt = Math.floor((endedAt + 180_000) / 1000) * 1000
    expect(await shown()).toEqual(['operational', 'none', recoveredAt])
  })

  test('bars are the seconds of the service level, corrections included', async () => {
    await component({ service_id: rig.world.serviceIds.shared })
    await visit()
    const [bars] = (await rig.world.pages.find(rig.slug, '192.0.2.0'))?.snapshot.components ?? []
    const { body } = await rig.world.call(
      'alice',
      'GET',
      `/services/history_bars?id=${rig.world.serviceIds.shared}&days=90`,
    )
    const days = (body as { days: object[] }[])[0]?.days ?? []
    expect(bars?.bars).toHaveLength(90)
    expect(days.map((day) => ({ ...day, degraded: undefined }))).toEqual(
      bars?.bars.map((bar) => ({ ...bar, degraded: undefined })),
    )
  })
})

describe('random histories with corrections', () => {
  const dayMs = 86_400_000

  /** Seconds before now at which the state changes, the oldest first, and corrections over them. */
  const story = fc.record({
    edges: fc.uniqueArray(fc.integer({ min: 60, max: 88 * 86_400 }), { minLength: 1, maxLength: 12 }),
    first: fc.constantFrom<State>('ok', 'failure', 'paused'),
    corrections: fc.array(
      fc.record({
        status: fc.constantFrom<State>('ok', 'failure', 'paused'),
        ago: fc.integer({ min: 1, max: 89 * 86_400 }),
        lasts: fc.integer({ min: 1, max: 4 * 86_400 }),
      }),
      { maxLength: 5 },
    ),
  })

  const states: readonly State[] = ['ok', 'failure', 'paused']

  async function write(
    serviceId: number,
    { edges, first, corrections }: typeof story extends fc.Arbitrary<infer T> ? T : never,
  ) {
    const now = rig.world.clock.now()
    const starts = edges.toSorted((one, other) => other - one).map((ago) => now - ago * 1000)
    await rig.world.database.execute(sql`delete from corrections where service_id = ${serviceId}`)
    await rig.world.database.execute(sql`delete from status_changes where service_id = ${serviceId}`)
    for (const [index, at] of starts.entries()) {
      const [status, next] = [states[(states.indexOf(first) + index) % 3], starts[index + 1]]
      const end = next === undefined ? null : new Date(next)
      await rig.world.database.execute(sql`insert into status_changes (service_id, change_id, status, start_time, end_time)
        values (${serviceId}, ${at * 100}, ${status}, ${new Date(at)}, ${end})`)
    }
    for (const { status, ago, lasts } of corrections) {
      const at = now - ago * 1000
      await rig.world.database.execute(sql`insert into corrections (service_id, start_time, end_time, status, created_at)
        values (${serviceId}, ${new Date(at)}, ${new Date(at + lasts * 1000)}, ${status}, ${new Date(now)})`)
    }
  }

  test('the bars agree with the service level and the report to the second', async () => {
    const body = { type_id: 'http', name: 'Aged', address: 'aged.example.com' }
    const serviceId = idOf(await rig.world.call('alice', 'POST', '/services', body))
    const createdAt = new Date(rig.world.clock.now() - 85 * dayMs)
    await rig.world.database.execute(sql`update services set created_at = ${createdAt} where id = ${serviceId}`)
    await component({ service_id: serviceId })
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.array(fc.integer({ min: 0, max: 89 }), { minLength: 3, maxLength: 3 }),
        async (told, picked) => {
          await write(serviceId, told)
          await visit()
          const bars = (await rig.world.pages.find(rig.slug, '192.0.2.0'))?.snapshot.components[0]?.bars ?? []
          const now = (await rig.world.pages.find(rig.slug, '192.0.2.0'))?.snapshot.madeAt ?? 0
          const days = lastDays(now, 90, 'Europe/Warsaw')
          const secondsOf = async (fromAt: number, toAt: number) => {
            const query = `from=${Math.floor(fromAt / 1000)}&to=${Math.floor(Math.min(toAt, now) / 1000)}`
            return (await rig.world.call('alice', 'GET', `/services/${serviceId}/history/service_level?${query}`)).body
          }
          for (const index of [89, ...picked]) {
            const [bar, day] = [bars[index], days[index]]
            if (bar === undefined || day === undefined) throw new Error('There is no such day.')
            const { ok, failure, paused } = bar
            expect({ ok, failure, paused }).toEqual(await secondsOf(day.fromAt, day.toAt))
          }
          const range = { fromAt: days[0]?.fromAt ?? 0, toAt: now }
          const history = (await readLevelHistories(rig.world.database, [serviceId], range)).get(serviceId)
          if (history === undefined) throw new Error('There is no history.')
          const report = serviceLevel({ ...history, ...range, now })
          const total = (name: State) => bars.reduce((sum, bar) => sum + bar[name], 0)
          expect({ ok: total('ok'), failure: total('failure'), paused: total('paused') }).toEqual(report)
          expect(await secondsOf(range.fromAt, now)).toEqual(report)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('access', () => {
  const put = (body: object) => rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, body)
  const enter = (password: string) =>
    rig.world.server.inject({
      method: 'POST',
      url: `/status/${rig.slug}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `password=${password}`,
    })

  test('by password: a form, then a cookie for this page alone', async () => {
    expect(refusalsOf(await put({ access: 'password' }))).toEqual(['incorrect_value'])
    expect((await put({ access: 'password', password: 'open sesame' })).status).toBe(204)
    const stored = await rig.world.database.query(sql`select * from status_pages where id = ${rig.id}`)
    expect(JSON.stringify(stored)).not.toContain('sesame')
    const form = await visit()
    expect([form.status, form.headers['cache-control']]).toEqual([403, 'private, no-store'])
    expect(form.text).not.toContain('Sklep')
    expect((await visit('/api/v2/summary.json')).status).toBe(404)
    expect((await enter('wrong')).statusCode).toBe(403)
    const right = await enter('open+sesame')
    expect(right.statusCode).toBe(303)
    const cookie = String(right.headers['set-cookie'])
    expect(cookie).toMatch(new RegExp(`; Path=/status/${rig.slug}; Max-Age=\\d+; HttpOnly; SameSite=Lax$`))
    const pass = { cookie: cookie.split(';')[0] ?? '' }
    expect((await visit('', pass)).text).toContain('Sklep')
    await put({ password: 'another one' })
    expect((await visit('', pass)).status).toBe(403)
  })

  test('guessing ends', async () => {
    await put({ access: 'password', password: 'open sesame' })
    await visit()
    const statuses = []
    for (let tries = 0; tries < 7; tries++) statuses.push((await enter('wrong')).statusCode)
    expect(statuses.at(-1)).toBe(429)
    rig.world.clock.advance(61_000)
  })

  test('by link, by address and by login others see what they see where no page is', async () => {
    const { url } = (await rig.world.call('alice', 'POST', `/status_pages/${rig.id}/link`)).answer
    const key = new URL(url).search
    const nowhere = await rig.world.server.inject({ url: '/status/nowhere-at-all' })
    for (const access of ['link', 'addresses', 'login']) {
      await put({ access, allowed_addresses: ['192.0.2.0/24'] })
      const hidden = await visit()
      expect([access, hidden.status, hidden.text]).toEqual([access, 404, nowhere.payload])
    }
    await put({ access: 'link' })
    const shown = await visit(key)
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store'])
    await rig.world.call('alice', 'DELETE', `/status_pages/${rig.id}/link`)
    expect((await visit(key)).status).toBe(404)
    await put({ access: 'addresses', allowed_addresses: ['127.0.0.0/8'] })
    expect((await visit()).status).toBe(200)
    await put({ access: 'login' })
    const session = (person: 'alice' | 'charlie') => ({ cookie: `latarnik_console=${rig.world.tokens[person]}` })
    expect((await visit('', session('alice'))).status).toBe(200)
    expect((await visit('', session('charlie'))).status).toBe(404)
  })
})
