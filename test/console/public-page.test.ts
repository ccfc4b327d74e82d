import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

const slug = 'everything'

/** A page with everything that a page can show. */
async function furnish({ call, clock, serviceIds }: ConsoleWorld): Promise<void> {
  const make = async (path: string, body: object) => idOf(await call('alice', 'POST', path, body))
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40"/></svg>'
  const uploaded = await call('alice', 'POST', '/status_page_logos', {
    content: Buffer.from(drawing).toString('base64'),
  })
  const { id: logo } = uploaded.body as { id: string }
  const status_page_id = await make('/status_pages', {
    ...{ slug, title: 'Everything', description: 'All of it.', language_id: 'en', time_zone_id: 'utc' },
    theme: { accent: '#ffe680', logo_artifact: logo, logo_alt: 'Everything Ltd' },
  })
  const component = (more: object) => make('/status_page_components', { status_page_id, ...more })
  const fine = await component({ name: 'A group that is fine' })
  await component({ name: 'Folded away', status: 'operational', parent_id: fine })
  const shop = await component({ name: 'The shop', description: 'Baskets.', service_id: serviceIds.shared })
  const statuses = ['degraded_performance', 'partial_outage', 'under_maintenance', 'operational']
  for (const status of statuses) await component({ name: `A ${'very '.repeat(12)}long name`, status })
  const incident = { status_page_id, is_published: true, component_ids: [shop] }
  await make('/status_page_incidents', { ...incident, name: 'It is slow', impact: 'critical', body: 'We look.\nWait.' })
  await make('/status_page_incidents', { ...incident, name: 'It was slow', status: 'resolved', body: 'Done.' })
  const [scheduled_for, scheduled_until] = [5, 6].map((hours) =>
    new Date(clock.now() + hours * 3_600_000).toISOString(),
  )
  await make('/status_page_incidents', {
    ...{ ...incident, name: 'New disks', is_maintenance: true, scheduled_for, scheduled_until, body: 'Short breaks.' },
  })
}

const looks = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

describeWithBrowser('the public page', () => {
  let world: ConsoleWorld

  beforeAll(async () => {
    world = await consoleWorld()
    await furnish(world)
  })
  afterAll(() => world.drop())

  async function open(look: Partial<(typeof looks)[number]> = {}): Promise<Page> {
    const page = await world.visit('alice', '/status-pages', look)
    await page.goto(`${new URL(page.url()).origin}/status/${slug}`)
    return page
  }

  test.each(looks)('has no faults at %o', async (look) => {
    const page = await open(look)
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor()
    await page.getByRole('img', { name: 'Everything Ltd' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    for (const group of await page.locator('details').all()) expect(await group.getAttribute('open')).toBeNull()
    await page.getByText('A group that is fine').click()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().close()
  })

  test('is read by keyboard alone', async () => {
    const page = await open()
    const folded = page.getByText('Folded away')
    expect(await folded.isVisible()).toBe(false)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    for (const link of ['It is slow', 'New disks', 'A group that is fine']) {
      await page.keyboard.press('Tab')
      expect(await focused()).toContain(link)
    }
    await page.keyboard.press('Enter')
    await folded.waitFor()
    const reached: string[] = []
    for (let tabs = 0; tabs < 7; tabs++) {
      await page.keyboard.press('Tab')
      reached.push(await focused())
    }
    expect(reached).toEqual(['It was slow', 'Get updates', 'History', 'RSS', 'Atom', 'Maintenance calendar', 'JSON'])
    expect(world.complaints).toEqual([])
    await page.context().close()
  })
})
