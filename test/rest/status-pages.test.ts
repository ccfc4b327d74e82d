import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import ICAL from 'ical.js'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readLevelHistories } from '../../src/database/report-data.ts'
import { lastDays } from '../../src/domain/history-bars.ts'
import { serviceLevel } from '../../src/domain/service-level.ts'
import type { State } from '../../src/domain/status-change.ts'
import { exportPages } from '../../src/status-pages/export.ts'
import { followFailures } from '../../src/status-pages/failure-incidents.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: FurnishedWorld
let slug: string
let id: number
let number = 0

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

beforeEach(async () => {
  number += 1
  slug = `shop-${number}`
  id = await page({})
})

async function page(more: object): Promise<number> {
  const body = { slug, title: 'Sklep <b>', language_id: 'en', time_zone_id: 'europe_warsaw', ...more }
  return idOf(await world.call('alice', 'POST', '/status_pages', body))
}

const component = async (more: object) =>
  idOf(await world.call('alice', 'POST', '/status_page_components', { status_page_id: id, name: 'Shop', ...more }))

const incident = async (more: object = {}) =>
  idOf(await world.call('alice', 'POST', '/status_page_incidents', { status_page_id: id, name: 'Slow & sad', ...more }))

const refusalsOf = ({ body }: { readonly body: unknown }) => errorsOf(body).map(([error]) => error)

/** As a visitor, who looks half a minute later. */
async function visit(path = '', headers: Record<string, string> = {}) {
  world.clock.advance(31_000)
  const reply = await world.server.inject({ method: 'GET', url: `/status/${slug}${path}`, headers })
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.payload,
    json: () => JSON.parse(reply.payload),
  }
}

describe('a page', () => {
  test('needs no script, loads nothing, sets no cookie, and escapes what people wrote', async () => {
    await component({ name: '<script>alert(1)</script>', service_id: world.serviceIds.shared })
    const { status, headers, text } = await visit()
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['cache-control']).toContain('max-age=30')
    expect(text).toContain('<title>Sklep &lt;b&gt;</title>')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toMatch(/<script|style=|\bon\w+=/)
  })

  test('says nothing of a service but what its owner wrote', async () => {
    await component({ service_id: world.serviceIds.shared })
    const documents = ['', '/api/v2/summary.json', '/api/v2/incidents.json', '/history.rss', '/history.atom']
    for (const document of [...documents, '/maintenance.ics']) {
      const { status, text } = await visit(document)
      expect([document, status]).toEqual([document, 200])
      expect(text).not.toMatch(/Sklep Łódź|shop\.example\.com|koszyk|503|refused|192\.0\.2/)
    }
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
    await world.call('alice', 'PUT', `/status_pages/${id}`, { language_id: 'pl' })
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
    const host = `${slug}.pages.test`
    await world.call('alice', 'PUT', `/status_pages/${id}`, { host })
    world.pages.start()
    await expect.poll(() => world.pages.slugOfHost(host)).toBe(slug)
    await world.pages.stop()
    const at = async (url: string) => (await world.server.inject({ url, headers: { host } })).statusCode
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
    await component({ service_id: world.serviceIds.shared })
    const wait = 600 + Math.ceil((world.clock.now() - world.history.failedAt) / 1000)
    await world.call('alice', 'PUT', `/status_pages/${id}`, { publish_after_seconds: wait })
    expect((await visit('/api/v2/components.json')).json().components[0].status).not.toBe('major_outage')
    world.clock.advance(600_000)
    const shown = (await visit('/api/v2/components.json')).json().components[0]
    expect(shown.status).toBe('major_outage')
    expect(Date.parse(shown.updated_at)).toBe(world.history.failedAt + wait * 1000)
  })

  test('bars are the seconds of the service level, corrections included', async () => {
    await component({ service_id: world.serviceIds.shared })
    await visit()
    const [bars] = (await world.pages.find(slug))?.snapshot.components ?? []
    const { body } = await world.call('alice', 'GET', `/services/history_bars?id=${world.serviceIds.shared}&days=90`)
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
    const now = world.clock.now()
    const starts = edges.toSorted((one, other) => other - one).map((ago) => now - ago * 1000)
    await world.database.execute(sql`delete from corrections where service_id = ${serviceId}`)
    await world.database.execute(sql`delete from status_changes where service_id = ${serviceId}`)
    for (const [index, at] of starts.entries()) {
      const [status, next] = [states[(states.indexOf(first) + index) % 3], starts[index + 1]]
      const end = next === undefined ? null : new Date(next)
      await world.database.execute(sql`insert into status_changes (service_id, change_id, status, start_time, end_time)
        values (${serviceId}, ${at * 100}, ${status}, ${new Date(at)}, ${end})`)
    }
    for (const { status, ago, lasts } of corrections) {
      const at = now - ago * 1000
      await world.database.execute(sql`insert into corrections (service_id, start_time, end_time, status, created_at)
        values (${serviceId}, ${new Date(at)}, ${new Date(at + lasts * 1000)}, ${status}, ${new Date(now)})`)
    }
  }

  test('the bars agree with the service level and the report to the second', async () => {
    const body = { type_id: 'http', name: 'Aged', address: 'aged.example.com' }
    const serviceId = idOf(await world.call('alice', 'POST', '/services', body))
    const createdAt = new Date(world.clock.now() - 85 * dayMs)
    await world.database.execute(sql`update services set created_at = ${createdAt} where id = ${serviceId}`)
    await component({ service_id: serviceId })
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.array(fc.integer({ min: 0, max: 89 }), { minLength: 3, maxLength: 3 }),
        async (told, picked) => {
          await write(serviceId, told)
          await visit()
          const bars = (await world.pages.find(slug))?.snapshot.components[0]?.bars ?? []
          const now = (await world.pages.find(slug))?.snapshot.madeAt ?? 0
          const days = lastDays(now, 90, 'Europe/Warsaw')
          const secondsOf = async (fromAt: number, toAt: number) => {
            const query = `from=${Math.floor(fromAt / 1000)}&to=${Math.floor(Math.min(toAt, now) / 1000)}`
            return (await world.call('alice', 'GET', `/services/${serviceId}/history/service_level?${query}`)).body
          }
          for (const index of [89, ...picked]) {
            const [bar, day] = [bars[index], days[index]]
            if (bar === undefined || day === undefined) throw new Error('There is no such day.')
            const { ok, failure, paused } = bar
            expect({ ok, failure, paused }).toEqual(await secondsOf(day.fromAt, day.toAt))
          }
          const range = { fromAt: days[0]?.fromAt ?? 0, toAt: now }
          const history = (await readLevelHistories(world.database, [serviceId], range)).get(serviceId)
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
  const put = (body: object) => world.call('alice', 'PUT', `/status_pages/${id}`, body)
  const enter = (password: string) =>
    world.server.inject({
      method: 'POST',
      url: `/status/${slug}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `password=${password}`,
    })

  test('by password: a form, then a cookie for this page alone', async () => {
    expect(refusalsOf(await put({ access: 'password' }))).toEqual(['incorrect_value'])
    expect((await put({ access: 'password', password: 'open sesame' })).status).toBe(204)
    const stored = await world.database.query(sql`select * from status_pages where id = ${id}`)
    expect(JSON.stringify(stored)).not.toContain('sesame')
    const form = await visit()
    expect([form.status, form.headers['cache-control']]).toEqual([403, 'private, no-store'])
    expect(form.text).not.toContain('Sklep')
    expect((await visit('/api/v2/summary.json')).status).toBe(404)
    expect((await enter('wrong')).statusCode).toBe(403)
    const right = await enter('open+sesame')
    expect(right.statusCode).toBe(303)
    const cookie = String(right.headers['set-cookie'])
    expect(cookie).toMatch(new RegExp(`; Path=/status/${slug}; Max-Age=\\d+; HttpOnly; SameSite=Lax$`))
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
    world.clock.advance(61_000)
  })

  test('by link, by address and by login others see what they see where no page is', async () => {
    const { url } = (await world.call('alice', 'POST', `/status_pages/${id}/link`)).body as { url: string }
    const key = new URL(url).search
    const nowhere = await world.server.inject({ url: '/status/nowhere-at-all' })
    for (const access of ['link', 'addresses', 'login']) {
      await put({ access, allowed_addresses: ['192.0.2.0/24'] })
      const hidden = await visit()
      expect([access, hidden.status, hidden.text]).toEqual([access, 404, nowhere.payload])
    }
    await put({ access: 'link' })
    const shown = await visit(key)
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store'])
    await world.call('alice', 'DELETE', `/status_pages/${id}/link`)
    expect((await visit(key)).status).toBe(404)
    await put({ access: 'addresses', allowed_addresses: ['127.0.0.0/8'] })
    expect((await visit()).status).toBe(200)
    await put({ access: 'login' })
    const session = (person: 'alice' | 'charlie') => ({ cookie: `latarnik_console=${world.tokens[person]}` })
    expect((await visit('', session('alice'))).status).toBe(200)
    expect((await visit('', session('charlie'))).status).toBe(404)
  })
})

describe('incidents', () => {
  test('are drafts until they are published, and go on by updates', async () => {
    const shop = await component({ status: 'operational' })
    const draft = await incident({ component_ids: [shop], impact: 'major' })
    expect((await visit('/api/v2/incidents.json')).json().incidents).toEqual([])
    await world.call('alice', 'POST', `/status_page_incidents/${draft}/publish`)
    const said = await world.call('alice', 'POST', `/status_page_incidents/${draft}/updates`, {
      status: 'identified',
      body: 'A disk <is> full.',
      affected_components: [{ component_id: shop, status: 'partial_outage' }],
    })
    expect(said.body).toEqual({ id: `${draft}-1` })
    const summary = (await visit('/api/v2/summary.json')).json()
    expect(summary.status.indicator).toBe('major')
    expect(summary.components[0]).toMatchObject({ id: String(shop), status: 'partial_outage' })
    expect(summary.incidents[0]).toMatchObject({
      ...{ id: String(draft), status: 'identified', impact: 'major', resolved_at: null },
      incident_updates: [
        {
          ...{ id: `${draft}-1`, body: 'A disk <is> full.', status: 'identified' },
          affected_components: [
            { code: String(shop), name: 'Shop', old_status: 'operational', new_status: 'partial_outage' },
          ],
        },
      ],
    })
    expect((await visit()).text).toContain('A disk &lt;is&gt; full.')
    await world.call('alice', 'POST', `/status_page_incidents/${draft}/updates`, { status: 'resolved', body: 'Done.' })
    expect((await visit('/api/v2/incidents/unresolved.json')).json().incidents).toEqual([])
    expect((await visit('/api/v2/summary.json')).json().status.indicator).toBe('none')
    for (const feed of ['/history.rss', '/history.atom']) {
      expect((await visit(feed)).text).toContain('Slow &amp; sad')
    }
  })

  test('take no status of maintenance, and no component of another page', async () => {
    const other = await component({ status: 'operational' })
    slug = `${slug}-b`
    const [first, second] = [id, await page({})]
    id = second
    expect(first).not.toBe(second)
    const body = { status_page_id: id, name: 'A', status: 'scheduled', component_ids: [other] }
    const refused = await world.call('alice', 'POST', '/status_page_incidents', body)
    expect(refused.status).toBe(422)
    expect((refused.body as { field: string }[]).map(({ field }) => field)).toEqual([
      'data.status',
      'data.component_ids[0]',
    ])
  })

  test('maintenance begins and ends by its time, and stands in the calendar', async () => {
    const shop = await component({ status: 'operational' })
    const now = world.clock.now()
    const [from, until] = [now + 600_000, now + 1_200_000].map((at) => new Date(at).toISOString())
    const plan = { is_maintenance: true, scheduled_for: from, scheduled_until: until, component_ids: [shop] }
    const works = await incident({ ...plan, name: 'New disks, faster', is_published: true })
    const upcoming = (await visit('/api/v2/scheduled-maintenances/upcoming.json')).json().scheduled_maintenances
    expect(upcoming).toMatchObject([{ id: String(works), status: 'scheduled', impact: 'none' }])
    const calendar = new ICAL.Component(ICAL.parse((await visit('/maintenance.ics')).text))
    const [event] = calendar.getAllSubcomponents('vevent').map((part) => new ICAL.Event(part))
    expect([event?.summary, event?.startDate.toUnixTime()]).toEqual([
      'New disks, faster',
      Math.floor((now + 600_000) / 1000),
    ])
    world.clock.advance(600_000)
    const active = (await visit('/api/v2/summary.json')).json()
    expect(active.status.indicator).toBe('maintenance')
    expect(active.components[0].status).toBe('under_maintenance')
    expect(active.scheduled_maintenances[0].status).toBe('in_progress')
    world.clock.advance(600_000)
    const over = (await visit('/api/v2/scheduled-maintenances.json')).json().scheduled_maintenances[0]
    expect(over).toMatchObject({ status: 'completed' })
    expect(Date.parse(over.resolved_at)).toBe(Math.floor((now + 1_200_000) / 1000) * 1000)
  })
})

describe('a failure', () => {
  const incidents = async () =>
    (await world.call('alice', 'GET', `/status_pages/${id}/incidents?sort=id`)).body as Record<string, unknown>[]

  test('opens one draft once it is public, and its recovery ends the draft', async () => {
    await component({ name: 'The shop', service_id: world.serviceIds.shared })
    await component({ name: 'All', group_id: world.groupIds.shared })
    await Promise.all([1, 2, 3].map(() => followFailures(world.database, world.clock.now())))
    await followFailures(world.database, world.clock.now())
    expect(await incidents()).toMatchObject([
      {
        ...{ name: 'The shop, All is down', is_published: false, status: 'investigating' },
        change_ids: [world.history.changeIds.failure],
        updates: [{ status: 'investigating', body: 'Our checks fail. We are looking into it.' }],
      },
    ])
    expect((await visit('/api/v2/incidents.json')).json().incidents).toEqual([])
  })

  test('publishes its incident if the page says so, and ends it after the recovery', async () => {
    await world.call('alice', 'PUT', `/status_pages/${id}`, { auto_publish: true })
    await component({ name: 'The shop', service_id: world.serviceIds.shared })
    await followFailures(world.database, world.clock.now())
    expect((await visit('/api/v2/incidents/unresolved.json')).json().incidents).toMatchObject([
      { status: 'investigating' },
    ])
    const ended = new Date(world.clock.now())
    await world.database.transaction(async (transaction) => {
      await transaction.execute(sql`update status_changes set end_time = ${ended}
        where service_id = ${world.serviceIds.shared} and status = 'failure'`)
    })
    await followFailures(world.database, world.clock.now() + 179_000)
    expect(await incidents()).toMatchObject([{ status: 'investigating' }])
    await followFailures(world.database, world.clock.now() + 180_000)
    expect(await incidents()).toMatchObject([{ status: 'resolved', updates: [{}, { status: 'resolved' }] }])
    await world.database.execute(sql`update status_changes set end_time = null
      where service_id = ${world.serviceIds.shared} and status = 'failure'`)
  })
})

describe('a badge', () => {
  test('shows what is asked, to whoever has its token', async () => {
    const path = `/services/${world.serviceIds.shared}/badge_token`
    const { badge_token: token } = (await world.call('alice', 'POST', path)).body as { badge_token: string }
    const badge = async (query = '') => world.server.inject({ url: `/badges/${token}.svg${query}` })
    const first = await badge()
    expect(first.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=60' })
    expect(first.payload).toContain('<title>stan: awaria</title>')
    expect((await badge('?metric=uptime&days=7')).payload).toMatch(/<title>dostępność 7 d: [\d,]+\u00a0%<\/title>/)
    expect((await badge('?metric=response_time')).payload).toContain('czas odpowiedzi')
    expect(first.payload).not.toMatch(/Sklep|example/)
    expect((await badge('?metric=other')).statusCode).toBe(404)
    await world.call('alice', 'DELETE', path)
    world.clock.advance(31_000)
    expect((await badge()).statusCode).toBe(404)
  })
})

describe('components', () => {
  test('show one thing, of the owner', async () => {
    const make = async (more: object) => {
      const body = { status_page_id: id, name: 'A', ...more }
      return refusalsOf(await world.call('alice', 'POST', '/status_page_components', body))
    }
    expect(await make({ service_id: world.serviceIds.foreign })).toEqual(['incorrect_value'])
    expect(await make({ group_id: world.groupIds.foreign })).toEqual(['incorrect_value'])
    expect(await make({ tag: 'no such tag' })).toEqual(['incorrect_value'])
    expect(await make({ status: 'operational', service_id: world.serviceIds.shared })).toEqual(['incorrect_value'])
  })

  test('fold into groups one level deep', async () => {
    const group = await component({ name: 'Group' })
    const part = await component({ name: 'Part', parent_id: group, status: 'degraded_performance' })
    const deeper = { status_page_id: id, name: 'Deeper', parent_id: part }
    expect(refusalsOf(await world.call('alice', 'POST', '/status_page_components', deeper))).toEqual([
      'incorrect_value',
    ])
    const { components } = (await visit('/api/v2/components.json')).json()
    expect(components).toMatchObject([
      { id: String(group), group: true, group_id: null, status: 'degraded_performance', components: [String(part)] },
      { id: String(part), group: false, group_id: String(group) },
    ])
  })

  test('of a group are under maintenance with it', async () => {
    const group = await component({ name: 'Group' })
    await component({ name: 'Part', parent_id: group, status: 'operational' })
    const [from, until] = [-60_000, 3_600_000].map((more) => new Date(world.clock.now() + more).toISOString())
    const plan = { is_maintenance: true, scheduled_for: from, scheduled_until: until, is_published: true }
    await incident({ ...plan, component_ids: [group] })
    const { components } = (await visit('/api/v2/components.json')).json()
    expect(components.map(({ status }: { status: string }) => status)).toEqual([
      'under_maintenance',
      'under_maintenance',
    ])
  })

  test('five hundred are less than 60 KB as they travel', async () => {
    await world.database.execute(sql`
      insert into status_page_components (status_page_id, position, name, description, service_id, created_at, updated_at)
      select ${id}, number, 'Component ' || md5(number::text), 'Serves ' || md5((number + 1000)::text),
        ${world.serviceIds.shared}, now(), now() from generate_series(1, 500) number`)
    await visit()
    const page = (await world.pages.find(slug))?.get('')
    expect(page?.plain.toString()).toContain('Component c4ca4238a0b923820dcc509a6f75849b')
    expect(page?.br.byteLength).toBeLessThan(60_000)
  })

  test('may hide while they are operational', async () => {
    const hidden = await component({ status: 'operational', only_show_if_degraded: true })
    expect((await visit('/api/v2/components.json')).json().components).toEqual([])
    await world.call('alice', 'PUT', `/status_page_components/${hidden}`, { status: 'major_outage' })
    expect((await visit('/api/v2/components.json')).json().components).toHaveLength(1)
  })
})

test('public pages become files, and no others do', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-pages-'))
  try {
    await component({ name: 'The shop', status: 'operational' })
    slug = `${slug}-hidden`
    await page({ access: 'login' })
    const options = { directory, publicUrl: 'https://status.test', now: world.clock.now() }
    const slugs = await exportPages(world.database, options)
    expect(slugs).toContain(`shop-${number}`)
    expect(await readdir(directory)).not.toContain(slug)
    const text = await readFile(join(directory, `shop-${number}`, 'index.html'), 'utf8')
    expect(text).toContain('The shop')
    const summary = JSON.parse(await readFile(join(directory, `shop-${number}`, 'api/v2/summary.json'), 'utf8'))
    expect(summary.page.url).toBe(`https://status.test/status/shop-${number}`)
  } finally {
    await rm(directory, { recursive: true })
  }
})
