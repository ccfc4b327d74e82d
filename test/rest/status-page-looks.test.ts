import ICAL from 'ical.js'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { patiently } from '../support/patience.ts'
import { problemsOf } from '../support/refused.ts'
import { refusalsOf, StatusPageRig } from '../support/status-page-rig.ts'

const rig = new StatusPageRig()
const { component, incident, visit } = rig

const call: typeof rig.world.call = (...given) => rig.world.call(...given)
const put = (body: object) => call('alice', 'PUT', `/status_pages/${rig.id}`, body)

/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const base64 = (text: string) => Buffer.from(text).toString('base64')
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><script>alert(1)</script></svg>'

async function logo(content: string, person: 'alice' | 'charlie' = 'alice'): Promise<string> {
  const { status, body } = await call(person, 'POST', '/status_page_logos', { content })
  expect(status).toBe(201)
  return (body as { id: string }).id
}

describe('a logo', () => {
  test('stands above the title, and comes from the page itself', async () => {
    const [light, dark] = [await logo(png), await logo(base64(drawing))]
    await put({ theme: { accent: null, logo_artifact: light, logo_dark_artifact: dark, logo_alt: 'A <lamp>' } })
    const { headers, text } = await visit()
    expect(headers['content-security-policy']).toContain("default-src 'none'; img-src 'self'; ")
    const place = `/status/${rig.slug}/logos/`
    expect(text).toContain(
      `<source media="(prefers-color-scheme: dark)" srcset="${place}${dark}.svg" width="192" height="64">`,
    )
    expect(text).toContain(`<img src="${place}${light}.png" alt="A &lt;lamp&gt;" width="1" height="1">`)
    const picture = await visit(`/logos/${light}.png`)
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
    const known = await visit(`/logos/${light}.png`, { 'if-none-match': String(picture.headers['etag']) })
    expect(known.status).toBe(304)
  })

  test('that is a drawing runs nothing, for whoever opens it', async () => {
    const id = await logo(base64(drawing))
    await put({ theme: { logo_artifact: id } })
    const { headers } = await visit(`/logos/${id}.svg`)
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
  })

  test('is found below its page alone, and only by those who may see the page', async () => {
    const [id, other] = [await logo(png), await logo(png)]
    await put({ theme: { logo_artifact: id } })
    expect((await visit(`/logos/${other}.png`)).status).toBe(404)
    expect((await visit(`/logos/${id}.svg`)).status).toBe(404)
    await put({ access: 'login' })
    expect((await visit(`/logos/${id}.png`)).status).toBe(404)
  })

  test.each([
    ['text', base64('<html><body>no picture</body></html>'), 'picture'],
    ['no bytes', '????', 'picture'],
    ['a cut picture', png.slice(0, 20), 'picture'],
    ['too many pixels', base64('<svg xmlns="http://www.w3.org/2000/svg" width="2001" height="10"></svg>'), 'size'],
    ['too many bytes', Buffer.alloc(102_401).toString('base64'), 'size'],
  ])('is refused: %s', async (_name, content, reason) => {
    const { status, body } = await call('alice', 'POST', '/status_page_logos', { content })
    expect(status).toBe(422)
    expect(body).toMatchObject([{ error: 'incorrect_value', field: 'data.content' }])
    expect(JSON.stringify(body)).toMatch(
      reason === 'picture' ? /Expected a PNG|Oczekiwano obrazu/ : /too large|za duży/,
    )
  })

  test('of somebody else is nobody’s', async () => {
    const foreign = await logo(png, 'charlie')
    for (const member of ['logo_artifact', 'logo_dark_artifact']) {
      const { status, body } = await put({ theme: { [member]: foreign } })
      expect([status, (body as { field: string }[])[0]?.field]).toEqual([422, `data.theme.${member}`])
    }
    const preview = await call('alice', 'POST', '/status_pages/preview', { theme: { logo_artifact: foreign } })
    expect(preview.status).toBe(422)
  })

  test('that no page names goes after a day; the others stay', async () => {
    const [used, unused] = [await logo(png), await logo(png)]
    await put({ theme: { logo_artifact: used } })
    rig.world.clock.advance(2 * 86_400_000)
    await logo(png)
    const kept = await rig.world.database.query<{ id: string }>(
      sql`select id from status_page_logos where id = any(${[used, unused]}::text[])`,
    )
    expect(kept).toEqual([{ id: used }])
  })
})

describe('a preview', () => {
  const preview = (body: object, person: 'alice' | 'charlie' = 'alice') =>
    call(person, 'POST', '/status_pages/preview', body)

  test('is the page with what is typed, and changes nothing', async () => {
    await component({ name: 'The shop', status: 'operational' })
    const theme = { accent: '#ffff00', logo_artifact: await logo(png) }
    const { status, body } = await preview({ status_page_id: rig.id, title: 'New <title>', language_id: 'pl', theme })
    expect(status).toBe(200)
    const { html, accents } = body as { html: string; accents: object }
    expect(html).toContain('<h1>New &lt;title&gt;</h1>')
    expect(html).toContain('The shop')
    expect(html).toContain(`src="data:image/png;base64,${png}"`)
    expect(accents).toEqual({ light: expect.not.stringMatching('#ffff00'), dark: '#ffff00' })
    expect((await visit()).text).toContain('<h1>Sklep &lt;b&gt;</h1>')
  })

  test('of a page that is not there yet has no components', async () => {
    const { body } = await preview({ title: 'First' })
    expect((body as { html: string }).html).toContain('<h1>First</h1>')
  })

  test('of somebody else’s page is refused', async () => {
    expect(refusalsOf(await preview({ status_page_id: rig.id }, 'charlie'))).toEqual(['incorrect_value'])
  })
})

describe('prepared incidents', () => {
  test('belong to their page, and forget its components', async () => {
    const shop = await component({ status: 'operational' })
    const body = { status_page_id: rig.id, name: 'Slow', title: 'The shop is slow', component_ids: [shop] }
    const { body: made } = await call('alice', 'POST', '/status_page_incident_templates', body)
    const wrong = await call('alice', 'POST', '/status_page_incident_templates', {
      ...body,
      component_ids: [shop, 9e6],
    })
    expect(problemsOf(wrong).map(({ field }) => field)).toEqual(['data.component_ids[1]'])
    await call('alice', 'DELETE', `/status_page_components/${shop}`)
    const path = `/status_page_incident_templates/${(made as { id: number }).id}`
    expect((await call('alice', 'GET', path)).body).toMatchObject({
      ...{ title: 'The shop is slow', body: '', status: 'investigating', impact: 'minor', component_ids: [] },
    })
    expect((await call('charlie', 'GET', path)).status).toBe(404)
  })
})

describe('a new incident', () => {
  test('has its first message at once', async () => {
    const shop = await component({ status: 'operational' })
    const affected = [{ component_id: shop, status: 'partial_outage' }]
    const id = await incident({ body: 'We look.', affected_components: affected, is_published: true })
    const [shown] = (await visit('/api/v2/incidents/unresolved.json')).json().incidents
    expect(shown.incident_updates).toMatchObject([{ id: `${id}-1`, body: 'We look.', status: 'investigating' }])
    expect((await visit('/api/v2/components.json')).json().components[0].status).toBe('partial_outage')
    const later = await call('alice', 'PUT', `/status_page_incidents/${id}`, { body: 'Other words.' })
    expect(refusalsOf(later)).toEqual(['field_is_immutable'])
  })

  test('names no component of another page in its first message', async () => {
    const affected = [{ component_id: 9e6, status: 'partial_outage' }]
    const body = { status_page_id: rig.id, name: 'A', body: 'B', affected_components: affected }
    const { body: problems } = await call('alice', 'POST', '/status_page_incidents', body)
    expect((problems as { field: string }[]).map(({ field }) => field)).toEqual([
      'data.affected_components[0].component_id',
    ])
  })
})

describe('weekly suspensions', () => {
  const at = (day_of_week: number, hour: number) => ({ day_of_week, hour, minute: 0 })

  test('are maintenance of the four weeks to come, if the page says so', async () => {
    const serviceId = rig.world.serviceIds.private
    const shop = await component({ service_id: serviceId })
    const body = { service_id: serviceId, start_minute: at(2, 3), end_minute: at(2, 4), description: 'secret words' }
    const { body: made } = await call('alice', 'POST', '/weekly_suspensions', body)
    const planned = async () => (await visit('/api/v2/scheduled-maintenances.json')).json().scheduled_maintenances
    expect(await planned()).toEqual([])
    await put({ shows_weekly_suspensions: true })
    const found = (await planned()) as Record<string, string>[]
    expect(found.length).toBe(4)
    expect(new Set(found.map(({ id }) => id)).size).toBe(4)
    for (const one of found) {
      expect(one).toMatchObject({
        status: 'scheduled',
        components: [{ id: String(shop) }],
        name: 'Planned maintenance',
      })
      const from = new Date(one['scheduled_for'] ?? '')
      expect([from.getUTCDay(), from.getUTCHours()]).toEqual([2, 2])
      expect(Date.parse(one['scheduled_until'] ?? '') - from.getTime()).toBe(3_600_000)
    }
    expect(await planned(), 'the same ids and moments later').toEqual(found)
    const { text } = await visit('/maintenance.ics')
    expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')).toHaveLength(4)
    const html = (await visit()).text
    expect(html.match(/class="incident maintenance"/g), 'the page shows the next one').toHaveLength(1)
    expect(html + text).not.toContain('secret words')
    await call('alice', 'DELETE', `/weekly_suspensions/${(made as { id: number }).id}`)
  })
})

test('a write shows at once, in this process and in others', async () => {
  const heard: string[] = []
  const stop = await rig.world.database.listen('status_pages', (slug) => heard.push(slug))
  rig.world.pages.start()
  const look = async () => (await rig.world.server.inject({ url: `/status/${rig.slug}` })).payload
  // The first look listens; without it a change is found within seconds.
  await expect.poll(look).toContain('<h1>Sklep &lt;b&gt;</h1>')
  await component({ name: 'The new one', status: 'operational' })
  await expect.poll(look, patiently).toContain('The new one')
  await expect.poll(() => heard, patiently).toContain(rig.slug)
  await stop()
  await rig.world.pages.stop()
})
