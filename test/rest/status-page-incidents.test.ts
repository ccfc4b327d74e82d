import ICAL from 'ical.js'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { followFailures } from '../../src/status-pages/failure-incidents.ts'
import { problemsOf } from '../support/refused.ts'
import { refusalsOf, StatusPageRig } from '../support/status-page-rig.ts'

const rig = new StatusPageRig()
const { component, incident, visit } = rig

describe('incidents', () => {
  test('are drafts until they are published, and go on by updates', async () => {
    const shop = await component({ status: 'operational' })
    const draft = await incident({ component_ids: [shop], impact: 'major' })
    expect((await visit('/api/v2/incidents.json')).json().incidents).toEqual([])
    await rig.world.call('alice', 'POST', `/status_page_incidents/${draft}/publish`)
    const said = await rig.world.call('alice', 'POST', `/status_page_incidents/${draft}/updates`, {
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
    await rig.world.call('alice', 'POST', `/status_page_incidents/${draft}/updates`, {
      status: 'resolved',
      body: 'Done.',
    })
    expect((await visit('/api/v2/incidents/unresolved.json')).json().incidents).toEqual([])
    expect((await visit('/api/v2/summary.json')).json().status.indicator).toBe('none')
    for (const feed of ['/history.rss', '/history.atom']) {
      expect((await visit(feed)).text).toContain('Slow &amp; sad')
    }
  })

  test('that touch no component say how bad they are, and not that systems fail', async () => {
    const shop = await component({ status: 'operational' })
    const alone = await incident({ impact: 'major', is_published: true })
    const headline = async () => (await visit('/api/v2/summary.json')).json().status
    expect(await headline()).toEqual({ indicator: 'major', description: 'An incident has a major impact' })
    expect((await visit()).text).toContain('An incident has a major impact')
    const said = { affected_components: [{ component_id: shop, status: 'partial_outage' }] }
    await rig.world.call('alice', 'PUT', `/status_page_incidents/${alone}`, { component_ids: [shop] })
    const update = { status: 'identified', body: 'The shop too.', ...said }
    await rig.world.call('alice', 'POST', `/status_page_incidents/${alone}/updates`, update)
    expect(await headline()).toEqual({ indicator: 'major', description: 'Some systems are down' })
  })

  test('take no status of maintenance, and no component of another page', async () => {
    const other = await component({ status: 'operational' })
    rig.slug = `${rig.slug}-b`
    const [first, second] = [rig.id, await rig.page({})]
    rig.id = second
    expect(first).not.toBe(second)
    const body = { status_page_id: rig.id, name: 'A', status: 'scheduled', component_ids: [other] }
    const refused = await rig.world.call('alice', 'POST', '/status_page_incidents', body)
    expect(refused.status).toBe(422)
    expect(problemsOf(refused).map(({ field }) => field)).toEqual(['data.status', 'data.component_ids[0]'])
  })

  test('maintenance begins and ends by its time, and stands in the calendar', async () => {
    const shop = await component({ status: 'operational' })
    const now = rig.world.clock.now()
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
    rig.world.clock.advance(600_000)
    const active = (await visit('/api/v2/summary.json')).json()
    expect(active.status.indicator).toBe('maintenance')
    expect(active.components[0].status).toBe('under_maintenance')
    expect(active.scheduled_maintenances[0].status).toBe('in_progress')
    rig.world.clock.advance(600_000)
    const over = (await visit('/api/v2/scheduled-maintenances.json')).json().scheduled_maintenances[0]
    expect(over).toMatchObject({ status: 'completed' })
    expect(Date.parse(over.resolved_at)).toBe(Math.floor((now + 1_200_000) / 1000) * 1000)
  })
})

describe('a failure', () => {
  const incidents = async () =>
    (await rig.world.call('alice', 'GET', `/status_pages/${rig.id}/incidents?sort=id`)).body as Record<
      string,
      unknown
    >[]

  test('opens one draft once it is public, and its recovery ends the draft', async () => {
    await component({ name: 'The shop', service_id: rig.world.serviceIds.shared })
    await component({ name: 'All', group_id: rig.world.groupIds.shared })
    await Promise.all([1, 2, 3].map(() => followFailures(rig.world.database, rig.world.clock.now())))
    await followFailures(rig.world.database, rig.world.clock.now())
    expect(await incidents()).toMatchObject([
      {
        ...{ name: 'The shop, All are down', is_published: false, status: 'investigating' },
        change_ids: [rig.world.history.changeIds.failure],
        updates: [{ status: 'investigating', body: 'Our checks fail. We are looking into it.' }],
      },
    ])
    expect((await visit('/api/v2/incidents.json')).json().incidents).toEqual([])
  })

  test('publishes its incident if the page says so, and ends it after the recovery', async () => {
    await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { auto_publish: true })
    await component({ name: 'The shop', service_id: rig.world.serviceIds.shared })
    await followFailures(rig.world.database, rig.world.clock.now())
    expect((await visit('/api/v2/incidents/unresolved.json')).json().incidents).toMatchObject([
      { status: 'investigating' },
    ])
    const ended = new Date(rig.world.clock.now())
    await rig.world.database.transaction(async (transaction) => {
      await transaction.execute(sql`update status_changes set end_time = ${ended}
        where service_id = ${rig.world.serviceIds.shared} and status = 'failure'`)
    })
    await followFailures(rig.world.database, rig.world.clock.now() + 179_000)
    expect(await incidents()).toMatchObject([{ status: 'investigating' }])
    await followFailures(rig.world.database, rig.world.clock.now() + 180_000)
    expect(await incidents()).toMatchObject([{ status: 'resolved', updates: [{}, { status: 'resolved' }] }])
    await rig.world.database.execute(sql`update status_changes set end_time = null
      where service_id = ${rig.world.serviceIds.shared} and status = 'failure'`)
  })
})

describe('a badge', () => {
  test('shows what is asked, to whoever has its token', async () => {
    const path = `/services/${rig.world.serviceIds.shared}/badge_token`
    const { badge_token: token } = (await rig.world.call('alice', 'POST', path)).body as { badge_token: string }
    const shown = async (person: 'alice' | 'carol') =>
      (await rig.world.call(person, 'GET', `/services/${rig.world.serviceIds.shared}?fields=badge_token`)).body
    expect(await shown('alice')).toEqual({ badge_token: token })
    expect(await shown('carol'), 'a share without rights').toEqual({ badge_token: null })
    const badge = async (query = '') => rig.world.server.inject({ url: `/badges/${token}.svg${query}` })
    const first = await badge()
    expect(first.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=60' })
    expect(first.payload).toContain('<title>stan: awaria</title>')
    expect((await badge('?metric=uptime&days=7')).payload).toMatch(/<title>dostępność 7 d: [\d,]+\u00a0%<\/title>/)
    expect((await badge('?metric=response_time')).payload).toContain('czas odpowiedzi')
    expect(first.payload).not.toMatch(/Sklep|example/)
    expect((await badge('?metric=other')).statusCode).toBe(404)
    await rig.world.call('alice', 'DELETE', path)
    rig.world.clock.advance(31_000)
    expect((await badge()).statusCode).toBe(404)
  })
})

describe('components', () => {
  test('show one thing, of the owner', async () => {
    const make = async (more: object) => {
      const body = { status_page_id: rig.id, name: 'A', ...more }
      return refusalsOf(await rig.world.call('alice', 'POST', '/status_page_components', body))
    }
    expect(await make({ service_id: rig.world.serviceIds.foreign })).toEqual(['incorrect_value'])
    expect(await make({ group_id: rig.world.groupIds.foreign })).toEqual(['incorrect_value'])
    expect(await make({ tag: 'no such tag' })).toEqual(['incorrect_value'])
    expect(await make({ status: 'operational', service_id: rig.world.serviceIds.shared })).toEqual(['incorrect_value'])
  })

  test('fold into groups one level deep', async () => {
    const group = await component({ name: 'Group' })
    const part = await component({ name: 'Part', parent_id: group, status: 'degraded_performance' })
    const deeper = { status_page_id: rig.id, name: 'Deeper', parent_id: part }
    expect(refusalsOf(await rig.world.call('alice', 'POST', '/status_page_components', deeper))).toEqual([
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
    const [from, until] = [-60_000, 3_600_000].map((more) => new Date(rig.world.clock.now() + more).toISOString())
    const plan = { is_maintenance: true, scheduled_for: from, scheduled_until: until, is_published: true }
    await incident({ ...plan, component_ids: [group] })
    const { components } = (await visit('/api/v2/components.json')).json()
    expect(components.map(({ status }: { status: string }) => status)).toEqual([
      'under_maintenance',
      'under_maintenance',
    ])
  })

  test('five hundred are less than 60 KB as they travel', async () => {
    await rig.world.database.execute(sql`
      insert into status_page_components (status_page_id, position, name, description, service_id, created_at, updated_at)
      select ${rig.id}, number, 'Component ' || md5(number::text), 'Serves ' || md5((number + 1000)::text),
        ${rig.world.serviceIds.shared}, now(), now() from generate_series(1, 500) number`)
    await visit()
    const page = await (await rig.world.pages.find(rig.slug, '192.0.2.0'))?.get('')
    expect(page?.plain.toString()).toContain('Component c4ca4238a0b923820dcc509a6f75849b')
    expect((await page?.in('br'))?.byteLength).toBeLessThan(60_000)
  })

  test('may hide while they are operational', async () => {
    const hidden = await component({ status: 'operational', only_show_if_degraded: true })
    expect((await visit('/api/v2/components.json')).json().components).toEqual([])
    await rig.world.call('alice', 'PUT', `/status_page_components/${hidden}`, { status: 'major_outage' })
    expect((await visit('/api/v2/components.json')).json().components).toHaveLength(1)
  })
})
