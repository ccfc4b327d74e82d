import { DOMParser, type Element } from '@xmldom/xmldom'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import ICAL from 'ical.js'
import { raw } from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { type FeedKind, feedFaults } from '../support/feed-faults.ts'
import { StatusPageRig } from '../support/status-page-rig.ts'
import { documentSchemas } from '../support/statuspage-schemas.ts'

const rig = new StatusPageRig()
const { component, incident, visit } = rig
const call: typeof rig.world.call = (...given) => rig.world.call(...given)

const say = (id: number, more: object) => call('alice', 'POST', `/status_page_incidents/${id}/updates`, more)

/** A page with everything that a page can tell, in words that markup would mistake. */
beforeEach(async () => {
  const words = {
    title: 'Shop & <Co>',
    description: 'All "states"; 100%, always\u0001',
    shows_weekly_suspensions: true,
  }
  await call('alice', 'PUT', `/status_pages/${rig.id}`, words)
  const group = await component({ name: 'Group' })
  const shop = await component({ name: 'The shop', parent_id: group, service_id: rig.world.serviceIds.private })
  const mail = await component({ name: 'Mail', status: 'operational', description: 'Post; out, in' })
  const slow = { name: 'Slow, & <sad>', is_published: true, component_ids: [shop, mail] }
  const affected_components = [{ component_id: mail, status: 'partial_outage' }]
  const over = await incident({ ...slow, body: 'First ]]> message', affected_components })
  await say(over, { status: 'resolved', body: 'Done.' })
  await say(over, { status: 'postmortem', body: 'It was a disk.' })
  const lasting = await incident({ ...slow, impact: 'critical' })
  await say(lasting, { status: 'identified', body: 'Line one\nLine two', affected_components })
  const hour = 3_600_000
  const at = (more: number) => new Date(rig.world.clock.now() + more).toISOString()
  const plan = { is_maintenance: true, scheduled_for: at(5 * hour), scheduled_until: at(6 * hour), is_published: true }
  await incident({ ...plan, scheduled_for: at(-hour), name: 'Under way', component_ids: [mail] })
  await incident({ ...plan, name: `Works; ${'ż'.repeat(80)}, more`, component_ids: [mail], body: 'Expect nothing.' })
  const [start_minute, end_minute] = [3, 4].map((hour) => ({ day_of_week: 2, hour, minute: 0 }))
  await call('alice', 'POST', '/weekly_suspensions', {
    ...{ service_id: rig.world.serviceIds.private, start_minute, end_minute },
  })
})

const ajv = new Ajv({ allErrors: true, strict: true })
addFormats.default(ajv)

describe('the read API', () => {
  test.each(Object.entries(documentSchemas))('%s is what clients of version 2 expect', async (name, schema) => {
    const { status, headers, json } = await visit(`/api/v2/${name}.json`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(headers['access-control-allow-origin']).toBe('*')
    const validate = ajv.compile(schema)
    validate(json())
    expect(validate.errors ?? []).toEqual([])
    for (const found of Object.values(json()))
      if (Array.isArray(found)) expect([name, found.length]).not.toEqual([name, 0])
  })

  test('keeps its ids and moments while nothing changes, and moves updated_at with what changes', async () => {
    const first = (await visit('/api/v2/summary.json')).json()
    expect((await visit('/api/v2/summary.json')).json()).toEqual(first)
    const { id } = first.incidents[0]
    const before = rig.world.clock.now()
    await say(Number(id), { status: 'monitoring', body: 'Better.' })
    const next = (await visit('/api/v2/summary.json')).json()
    expect(next.incidents[0]).toMatchObject({ id, status: 'monitoring' })
    const second = (text: string) => Math.floor(Date.parse(text) / 1000)
    for (const text of [next.incidents[0].updated_at, next.page.updated_at])
      expect(second(text)).toBe(second(new Date(before).toISOString()))
    expect(next.incidents[0].incident_updates.slice(1)).toEqual(first.incidents[0].incident_updates)
  })
})

test('old names whose signs would turn the order of reading around are shown without them in every form', async () => {
  const turned = (column: string, table: string) =>
    rig.world.database.execute(
      raw(`
    update ${table} set ${column} = 'kod' || U&'\\202E' || 'gpj.exe', updated_at = updated_at + interval '1 minute'`),
    )
  await turned('title', 'status_pages')
  await turned('name', 'status_page_components')
  await turned('name', 'status_page_incidents')
  const forms = [
    '/api/v2/summary.json',
    '/api/v2/incidents.json',
    '/history.rss',
    '/history.atom',
    '/maintenance.ics',
    '/',
  ]
  for (const form of forms) {
    const { status, text } = await visit(form)
    expect([form, status, text.includes('kodgpj.exe'), /[\u202a-\u202e]/.test(text)]).toEqual([form, 200, true, false])
  }
})

test('each document has a tag, and answers it with 304', async () => {
  const names = ['history.rss', 'history.atom', 'maintenance.ics']
  for (const name of [...names, ...Object.keys(documentSchemas).map((one) => `api/v2/${one}.json`)]) {
    const { headers } = await visit(`/${name}`)
    const again = await visit(`/${name}`, { 'if-none-match': String(headers['etag']) })
    expect([name, again.status, again.text]).toEqual([name, 304, ''])
    expect((await visit(`/${name}`, { 'if-none-match': 'W/"another"' })).status).toBe(200)
  }
})

/** Any fault of the text is an error. */
function strict(text: string): Element {
  const onError = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`)
  }
  const root = new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement
  if (root === null) throw new Error('There is no root.')
  return root
}

const childrenOf = (parent: Element, name: string) =>
  [...parent.childNodes].filter((node): node is Element => node.nodeName === name)

function textsOf(parent: Element, name: string): readonly string[] {
  return childrenOf(parent, name).map((one) => one.textContent ?? '')
}

/** The one child of the name. */
function only(parent: Element, name: string): string {
  const texts = textsOf(parent, name)
  expect([name, texts.length]).toEqual([name, 1])
  return texts[0] ?? ''
}

const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/

/** Changes after which a feed is none any more. */
const breaks: Readonly<Record<FeedKind, readonly (readonly [from: RegExp, to: string])[]>> = {
  rss: [
    [/<description>[^<]*<\/description>\n<language>/, '<language>'],
    [/<item>\n<title>[^<]*<\/title>/, '<item>\n<title/><title/>'],
    [/<pubDate>[^<]*/, '<pubDate>2026-11-28T12:00:00Z'],
    [/isPermaLink="false"/, 'isPermaLink="true" x="1"'],
    [/<item>/, '<entry/><item>'],
    [/<channel>/, ''],
  ],
  atom: [
    [/<entry>\n<id>[^<]*<\/id>/, '<entry>'],
    [/<published>[^<]*/, '<published>Sat, 28 Nov 2026 12:00:00 GMT'],
    [/<updated>([^<T]*)T[^<]*/, '<updated>$1T12:00:00'],
    [/<author>.*<\/author>/, ''],
    [/<link href="[^"]*"/, '<link'],
    [/<entry>/, '<item/><entry>'],
    [/<\/feed>/, ''],
  ],
}

describe.each(['rss', 'atom'] as const)('the schema of %s', (kind) => {
  const feed = async () => (await visit(`/history.${kind}`)).text

  test('takes the feed of a page with everything, and of one in Polish with nothing', async () => {
    expect(feedFaults(kind, await feed())).toEqual([])
    rig.slug = `${rig.slug}-pl`
    rig.id = await rig.page({ language_id: 'pl', title: 'Żółw & <b> 🐢', description: ']]>\u0001' })
    const text = await feed()
    expect(text).toContain('Żółw &amp; &lt;b&gt; 🐢')
    expect(feedFaults(kind, text)).toEqual([])
  })

  test.each(breaks[kind])('refuses it after a change of %s', async (from, to) => {
    const text = await feed()
    const broken = text.replace(from, to)
    expect(broken).not.toBe(text)
    expect(feedFaults(kind, broken)).not.toEqual([])
  })
})

test('RSS keeps the rules of RSS 2.0', async () => {
  const { headers, text } = await visit('/history.rss')
  expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  const root = strict(text)
  expect([root.nodeName, root.getAttribute('version')]).toEqual(['rss', '2.0'])
  const [channel] = childrenOf(root, 'channel')
  if (channel === undefined) throw new Error('There is no channel.')
  expect(only(channel, 'title')).toBe('Shop & <Co>')
  expect(only(channel, 'description')).toBe('All "states"; 100%, always')
  expect(only(channel, 'language')).toBe('en')
  for (const name of ['pubDate', 'lastBuildDate']) expect(only(channel, name)).toMatch(rfc822)
  const url = only(channel, 'link')
  expect(URL.canParse(url)).toBe(true)
  const [self] = childrenOf(channel, 'atom:link')
  expect([self?.getAttribute('rel'), self?.getAttribute('href')]).toEqual(['self', `${url}/history.rss`])
  const items = childrenOf(channel, 'item')
  expect(items).toHaveLength(5)
  for (const item of items) {
    expect(only(item, 'title')).not.toBe('')
    expect(URL.canParse(only(item, 'link'))).toBe(true)
    expect(only(item, 'pubDate')).toMatch(rfc822)
    expect(Date.parse(only(item, 'atom:updated'))).toBe(Date.parse(only(item, 'pubDate')))
    expect(childrenOf(item, 'guid')[0]?.getAttribute('isPermaLink')).toBe('false')
    only(item, 'description')
  }
  expect(new Set(items.map((item) => only(item, 'guid'))).size).toBe(5)
  const told = items.map((item) => only(item, 'description')).join()
  expect(told).toContain('First ]]&gt; message')
  expect(told).toContain('<br>Line one<br>Line two')
  expect(told).not.toContain('<sad>')
})

test('Atom keeps the rules of RFC 4287', async () => {
  const { headers, text } = await visit('/history.atom')
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  const root = strict(text)
  expect([root.localName, root.namespaceURI]).toEqual(['feed', 'http://www.w3.org/2005/Atom'])
  // Sections 4.1.1 and 4.2.15: one id, one title, one updated; an author of all entries.
  expect(URL.canParse(only(root, 'id'))).toBe(true)
  expect(only(root, 'title')).toBe('Shop & <Co>')
  expect(only(root, 'updated')).toMatch(rfc3339)
  expect(childrenOf(root, 'author').map((author) => only(author, 'name'))).toEqual(['Shop & <Co>'])
  const links = childrenOf(root, 'link').map((link) => [
    link.getAttribute('rel') || 'alternate',
    link.getAttribute('href'),
  ])
  expect(links.map(([rel]) => rel)).toEqual(['alternate', 'self'])
  const entries = childrenOf(root, 'entry')
  expect(entries).toHaveLength(5)
  for (const entry of entries) {
    expect(URL.canParse(only(entry, 'id'))).toBe(true)
    expect(only(entry, 'title')).not.toBe('')
    expect(only(entry, 'published')).toMatch(rfc3339)
    expect(Date.parse(only(entry, 'updated'))).toBeGreaterThanOrEqual(Date.parse(only(entry, 'published')))
    expect(childrenOf(entry, 'content')[0]?.getAttribute('type')).toBe('html')
  }
  expect(new Set(entries.map((entry) => only(entry, 'id'))).size).toBe(5)
})

test('the calendar keeps the rules of RFC 5545, and is read back as it was meant', async () => {
  const { headers, text } = await visit('/maintenance.ics')
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const calendar = new ICAL.Component(ICAL.parse(text))
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
  expect(calendar.getFirstPropertyValue('prodid')).toBeTruthy()
  const events = calendar.getAllSubcomponents('vevent')
  expect(events).toHaveLength(6)
  for (const event of events) {
    for (const name of ['uid', 'dtstamp', 'dtstart', 'dtend', 'summary']) {
      expect([name, event.getAllProperties(name).length]).toEqual([name, 1])
    }
    const { startDate, endDate } = new ICAL.Event(event)
    expect(endDate.compare(startDate)).toBe(1)
  }
  expect(new Set(events.map((event) => event.getFirstPropertyValue('uid'))).size).toBe(6)
  expect(events.map((event) => event.getFirstPropertyValue('summary'))).toContain(`Works; ${'ż'.repeat(80)}, more`)
})

test('a calendar without events has a part all the same', async () => {
  rig.slug = `${rig.slug}-calm`
  rig.id = await rig.page({ title: 'Calm, and; so on' })
  const { text } = await visit('/maintenance.ics')
  expect(text).toContain('\r\nX-WR-CALNAME:Calm\\, and\\; so on')
  const calendar = new ICAL.Component(ICAL.parse(text))
  expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone'])
  // A method asks for an organizer (RFC 5546).
  expect(calendar.getFirstPropertyValue('method')).toBeNull()
})
