import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** The console shows parents and children of services, and the failure that holds their notifications. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('dependencies in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string, size: Partial<Visit> = {}) => {
    const page = await world.visit('alice', path, size)
    open.push(page)
    return page
  }
  const add = async (name: string, parent_ids: readonly number[] = []) => {
    const service = { name, type_id: 'http', address: `${name.toLowerCase()}.example.com/`, parent_ids }
    return idOf(await world.call('alice', 'POST', '/services', service))
  }
  let ids: { readonly router: number; readonly rack: number; readonly shop: number }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    const router = await add('Router')
    const rack = await add('Rack', [router])
    ids = { router, rack, shop: await add('Shop', [rack]) }
    await world.call('alice', 'PUT', `/services/${ids.shop}`, { tags: ['a longer one', 'another long'] })
    await world.database.execute(sql`
      update service_statuses set check_status = 'failure', state = 'failure', held_by_service_id = ${router},
        valid_until = ${new Date(world.clock.now() + 3_600_000)} where service_id = ${ids.shop}`)
    await world.database.execute(sql`
      update service_statuses set check_status = 'ok', state = 'ok', degraded_reasons = '{slow}',
        degraded_since = ${new Date(world.clock.now())}, valid_until = ${new Date(world.clock.now() + 3_600_000)}
      where service_id = ${ids.rack}`)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the page of a service shows what it depends on and what depends on it, as a tree of links', async () => {
    const page = await visit(`/services/${ids.router}`)
    const card = page.getByRole('region', { name: 'Dependencies' })
    await card.getByText('2 services depend on this').waitFor()
    expect(await card.getByText('Depends on').count()).toBe(0)
    const rack = card.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Rack' }) })
    expect(await rack.getByText('Degraded').count()).toBe(1)
    await rack.getByRole('link', { name: 'Shop' }).click()
    await page.waitForURL(`**/services/${ids.shop}`)
    await card.getByRole('link', { name: 'Rack' }).waitFor()
    await page.getByText('Nobody is notified, because this has failed too: Router').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the list says because of what a failure is held', async () => {
    const page = await visit('/services')
    await page.getByText('Held because of Router').waitFor()
    // The mark shrinks before a tag is cut.
    const cut = page.locator('.line', { hasText: 'Held because of' }).locator('.tags')
    const edges = await cut.evaluate((tags) =>
      [tags, tags.parentElement].map((one) => one?.getBoundingClientRect().right),
    )
    expect(edges[0]).toBeLessThanOrEqual((edges[1] ?? 0) + 1)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the list fits beside its navigation with every column, that of expiry too', async () => {
    const page = await visit('/services', { width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Columns' }).click()
    const boxes = page.locator('.column-picker [popover]').getByRole('checkbox')
    await boxes.first().waitFor()
    for (const box of await boxes.all()) await box.check()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Expires' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the form chooses parents; a cycle is refused at the field', async () => {
    const page = await visit(`/services/${ids.router}/edit`)
    const field = page.getByRole('group', { name: 'Depends on' })
    await field.getByRole('searchbox').fill('Shop')
    await field.getByRole('checkbox', { name: 'Shop' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await field.getByText('That service depends on this one, directly or through others.').waitFor()
    await field.getByRole('checkbox', { name: 'Shop' }).uncheck()
    const power = await add('Power')
    await field.getByRole('searchbox').fill('Power')
    await field.getByRole('checkbox', { name: 'Power' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/services/${ids.router}`)
    const { body } = await world.call('alice', 'GET', `/services/${ids.router}?fields=parent_ids`)
    expect(body).toEqual({ parent_ids: [power] })
    await page.getByRole('region', { name: 'Dependencies' }).getByRole('link', { name: 'Power' }).waitFor()
  })

  test.each(['light', 'dark'] as const)('it fits on a phone, in Polish, %s', async (colorScheme) => {
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'pl' })
    for (const path of [`/services/${ids.rack}`, `/services/${ids.shop}`, `/services/${ids.rack}/edit`, '/services']) {
      const page = await visit(path, { width: 360, height: 740, colorScheme, locale: 'pl-PL' })
      await page
        .getByText(/Zależ|Cisza, bo/)
        .first()
        .waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
})
