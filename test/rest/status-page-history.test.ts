import { describe, expect, test } from 'vitest'
import { StatusPageRig } from '../support/status-page-rig.ts'

/** The documents of a page that tell of its incidents. */

const rig = new StatusPageRig()
const { component, incident, visit } = rig
const call: typeof rig.world.call = (...given) => rig.world.call(...given)

const moment = (hours: number) => new Date(rig.world.clock.now() + hours * 3_600_000).toISOString()

async function say(id: number, status: string, body: string): Promise<void> {
  const said = await call('alice', 'POST', `/status_page_incidents/${id}/updates`, { status, body })
  expect(said.status).toBe(201)
}

/** Titles of the articles below each heading, in order. */
function outline(text: string): readonly string[] {
  return [...text.matchAll(/<h([23])[^>]*>(?:<a href="[^"]*">)?([^<]*)/g)].map(
    ([, level, title]) => `${level} ${title}`,
  )
}

/** An incident that was resolved, one that lasts, maintenance under way, and maintenance to come. */
async function furnish() {
  const shop = await component({ name: 'Shop', status: 'operational' })
  const shown = { is_published: true, component_ids: [shop] }
  const over = await incident({ ...shown, name: 'Over', started_at: moment(-40 * 24), body: 'First <words>' })
  await say(over, 'resolved', 'Done.')
  const lasting = await incident({ ...shown, name: 'Lasting', body: 'We look.' })
  const planned = { ...shown, is_maintenance: true }
  await incident({ ...planned, name: 'Under way', scheduled_for: moment(-1), scheduled_until: moment(9000) })
  await incident({ ...planned, name: 'To come', scheduled_for: moment(9000), scheduled_until: moment(9001) })
  return { over, lasting }
}

/** Later, what is over is no longer on the page. */
async function aMonthLater(): Promise<void> {
  rig.world.clock.advance(20 * 86_400_000)
}

describe('an incident', () => {
  test('has a document of its own with everything that was said, as long as it is history', async () => {
    const { over } = await furnish()
    await aMonthLater()
    expect((await visit()).text).not.toContain('Over')
    const { status, headers, text } = await visit(`/incidents/${over}.html`)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
    expect(text).toContain('<title>Over – Sklep &lt;b&gt;</title>')
    expect(text).toMatch(/<h1>Over<\/h1>[\s\S]*Done\.[\s\S]*First &lt;words&gt;/)
    expect(text).toContain('Affects: Shop')
    expect(text).not.toMatch(/<script|style=|\bon\w+=/)
    const known = await visit(`/incidents/${over}.html`, { 'if-none-match': String(headers['etag']) })
    expect([known.status, known.text]).toEqual([304, ''])
  })

  test('that is no longer there says so, and leads to the history; nothing tells it from one that never was', async () => {
    const draft = await incident({ name: 'A draft' })
    const { status, text, headers } = await visit(`/incidents/${draft}.html`)
    expect([status, headers['cache-control']]).toEqual([404, expect.stringContaining('no-store')])
    expect(text).toContain('<h1>This is no longer on the page</h1>')
    expect(text).toContain(`/status/${rig.slug}/history.html">History</a>`)
    expect(text).not.toContain('A draft')
    for (const other of ['999999', 'suspension-7']) expect((await visit(`/incidents/${other}.html`)).text).toBe(text)
    expect((await visit('/incidents/no<b>.html')).text).not.toContain('no longer on the page')
    await call('alice', 'PUT', `/status_pages/${rig.id}`, { access: 'password', password: 'open sesame' })
    expect((await visit(`/incidents/${draft}.html`)).text, 'a hidden page').not.toContain('no longer on the page')
  })

  test('is where the page, the feeds and the read API lead', async () => {
    const { lasting } = await furnish()
    const address = `/status/${rig.slug}/incidents/${lasting}.html`
    expect((await visit()).text).toContain(`${address}">Lasting</a></h3>`)
    expect((await visit('/history.rss')).text).toContain(`${address}</link>`)
    expect((await visit('/history.atom')).text).toContain(`${address}"/>`)
    const [shown] = (await visit('/api/v2/incidents/unresolved.json')).json().incidents
    expect(shown.shortlink).toMatch(new RegExp(`${address}$`))
  })

  test('that is a draft, of another page, or none has no document', async () => {
    const draft = await incident({ name: 'Draft' })
    const { lasting } = await furnish()
    for (const name of [`${draft}`, '999999', '..', '%2e%2e%2fbanner', `${lasting}.html`, `0${lasting}`])
      expect([name, (await visit(`/incidents/${name}.html`)).status]).toEqual([name, 404])
    rig.slug = `other-${rig.number}`
    rig.id = await rig.page({})
    expect((await visit(`/incidents/${lasting}.html`)).status).toBe(404)
  })

  test('of a hidden page is hidden', async () => {
    const { lasting } = await furnish()
    await call('alice', 'PUT', `/status_pages/${rig.id}`, { access: 'password', password: 'open sesame' })
    for (const name of [`incidents/${lasting}.html`, 'history.html']) {
      const { status, text } = await visit(`/${name}`)
      expect([name, status]).toEqual([name, 404])
      expect(text).not.toMatch(/Lasting|Sklep/)
    }
  })
})

describe('the history', () => {
  test('has everything month by month, the latest first, and nothing to come', async () => {
    await furnish()
    await aMonthLater()
    const { status, text } = await visit('/history.html')
    expect(status).toBe(200)
    const told = outline(text)
    expect(told.filter((one) => one.startsWith('3 '))).toEqual(['3 Lasting', '3 Under way', '3 Over'])
    expect(told.filter((one) => one.startsWith('2 ')).length).toBeGreaterThan(1)
    expect(told[0]).toMatch(/^2 \w+ 20\d\d$/)
    expect((await visit()).text).toContain('/history.html">History</a>')
  })

  test('speaks Polish if the page does, and says that nothing happened', async () => {
    await call('alice', 'PUT', `/status_pages/${rig.id}`, { language_id: 'pl' })
    const { text } = await visit('/history.html')
    expect(text).toMatch(/<html lang="pl">[\s\S]*<h1>Historia<\/h1>[\s\S]*Nic się jeszcze nie wydarzyło\./)
  })
})

test('Markdown has the parts of the page in its order', async () => {
  await furnish()
  const { text } = await visit('', { accept: 'text/markdown' })
  const headings = [...text.matchAll(/^#{2,3} (.*)$/gm)].map(([, title]) => title)
  expect(headings).toEqual([
    ...['Current incidents', 'Lasting', 'Maintenance under way', 'Under way', 'Planned maintenance', 'To come'],
    ...['Components', 'Past incidents', 'Over'],
  ])
  expect(text).toMatch(/\[History\]\(<http[^>]*\/status\/[^>]*\/history\.html>\)\n$/)
})
