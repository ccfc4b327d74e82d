import { beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '../support/replies.ts'
import { StatusPageRig } from '../support/status-page-rig.ts'

/** The state of a page as a whole, whether its components show it or not. */

const rig = new StatusPageRig()
const { component, incident, visit } = rig

const fine = { indicator: 'none', description: 'All systems operational' }
const worksOn = { indicator: 'maintenance', description: 'Maintenance is under way' }

const minutes = (count: number) => new Date(rig.world.clock.now() + count * 60_000).toISOString()
const status = async () => (await visit('/api/v2/status.json')).json().status

/** All documents that say how everything is. */
async function headlines(): Promise<readonly (readonly [string, string | undefined])[]> {
  const [page, frame, picture, text] = [
    (await visit()).text,
    (await visit('/banner.html')).text,
    (await visit('/banner.svg')).text,
    (await visit('', { accept: 'text/markdown' })).text,
  ]
  return [
    ['page', /<div class="banner [a-z]+" role="status">.*<\/svg>([^<]+)<\/div>/.exec(page)?.[1]],
    ['look', /<div class="banner ([a-z]+)"/.exec(page)?.[1]],
    ['frame', /<span>([^<]+)<\/span>/.exec(frame)?.[1]],
    ['picture', /<title>[^<]*: ([^<]+)<\/title>/.exec(picture)?.[1]],
    ['summary', (await visit('/api/v2/summary.json')).json().status.description],
    ['Markdown', /^\*\*([^*]+)\*\*$/m.exec(text)?.[1]],
  ]
}

const everywhere = (description: string, look: string) =>
  ['page', 'look', 'frame', 'picture', 'summary', 'Markdown'].map((name) => [
    name,
    name === 'look' ? look : description,
  ])

describe('the delay of a page', () => {
  const told = async () =>
    /<p class="dim">(A failure appears[^<]*|Awaria pojawia[^<]*)<\/p>/.exec((await visit()).text)?.[1]
  const set = (body: object) => rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, body)

  test('is told where services decide the state, so that nobody wonders about a failure that is not shown yet', async () => {
    await component({ name: 'Written by hand' })
    expect(await told()).toBe(undefined)
    await component({ service_id: rig.world.serviceIds.shared })
    expect(await told()).toBe('A failure appears here once it has lasted for 3 min.')
    await set({ publish_after_seconds: 90, language_id: 'pl' })
    expect(await told()).toBe('Awaria pojawia się tu, gdy trwa już 1 min 30 s.')
    await set({ publish_after_seconds: 0 })
    expect(await told()).toBe(undefined)
  })
})

describe('maintenance of no component', () => {
  let works: number

  beforeEach(async () => {
    await component({ status: 'operational' })
    const plan = { is_maintenance: true, scheduled_for: minutes(60), scheduled_until: minutes(120) }
    works = await incident({ ...plan, name: 'New switches', is_published: true })
  })

  test('is the state of the page while it is under way, and not before or after', async () => {
    expect(await status()).toEqual(fine)
    expect(await headlines()).toEqual(everywhere(fine.description, 'none'))
    rig.world.clock.advance(60 * 60_000)
    expect(await status()).toEqual(worksOn)
    expect(await headlines()).toEqual(everywhere(worksOn.description, 'maintenance'))
    const page = (await visit()).text
    expect(page).toMatch(/<h2>Maintenance under way<\/h2>\s*<article class="incident maintenance"/)
    expect(page).not.toContain('Current incidents')
    expect((await visit('', { accept: 'text/markdown' })).text).toContain(
      '## Maintenance under way\n\n### New switches',
    )
    rig.world.clock.advance(60 * 60_000)
    expect(await status()).toEqual(fine)
    expect(await headlines()).toEqual(everywhere(fine.description, 'none'))
  })

  test('is in the feeds with its state, at the moment of its beginning', async () => {
    const begins = new Date(rig.world.clock.now() + 60 * 60_000)
    const entry = async (path: string, end: string) =>
      (await visit(path)).text.split(end).find((one) => one.includes('New switches')) ?? ''
    expect(await entry('/history.atom', '</entry>')).toContain('&lt;b&gt;Scheduled&lt;/b&gt;')
    rig.world.clock.advance(60 * 60_000)
    const [atom, rss] = [await entry('/history.atom', '</entry>'), await entry('/history.rss', '</item>')]
    for (const one of [atom, rss]) expect(one).toContain('&lt;b&gt;In progress&lt;/b&gt;')
    expect(atom).toContain(`<updated>${begins.toISOString().slice(0, 19)}`)
    expect(rss).toContain(`<pubDate>${begins.toUTCString()}</pubDate>`)
  })

  test('goes on while people verify it, and says nothing better than an incident beside it', async () => {
    rig.world.clock.advance(60 * 60_000)
    const verify = { status: 'verifying', body: 'We look whether all is well.' }
    await rig.world.call('alice', 'POST', `/status_page_incidents/${works}/updates`, verify)
    rig.world.clock.advance(90 * 60_000)
    expect(await status()).toEqual(worksOn)
    await incident({ impact: 'minor', is_published: true })
    expect(await status()).toEqual({ indicator: 'minor', description: 'An incident has a minor impact' })
  })
})

test('a suspension of one of the services of a component is the state of the page, too', async () => {
  const group = idOf(await rig.world.call('alice', 'POST', '/groups', { name: `Works ${rig.number}` }))
  const service = async (name: string) => {
    const given = { type_id: 'http', name, address: `${name}.example.com`, group_id: group }
    return idOf(await rig.world.call('alice', 'POST', '/services', given))
  }
  const [stopped] = [await service('stopped'), await service('running')]
  await component({ group_id: group })
  await component({ name: 'Mail', status: 'operational' })
  await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, { shows_suspensions: true })
  const plan = { service_id: stopped, start_time: minutes(60), end_time: minutes(120) }
  await rig.world.call('alice', 'POST', '/suspensions', plan)
  expect(await status()).toEqual(fine)
  rig.world.clock.advance(60 * 60_000)
  expect(await status()).toEqual(worksOn)
  expect(await headlines()).toEqual(everywhere(worksOn.description, 'maintenance'))
  rig.world.clock.advance(60 * 60_000)
  expect(await status()).toEqual(fine)
})

test('an incident that is worse than what the components show speaks for itself, and not of all systems', async () => {
  await component({ status: 'operational' })
  const down = await component({ status: 'partial_outage' })
  await incident({ impact: 'critical', component_ids: [down], is_published: true })
  expect(await headlines()).toEqual(everywhere('An incident has a critical impact', 'critical'))
  expect((await status()).indicator).toBe('critical')
})
