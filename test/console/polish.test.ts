import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** The console as a Polish reader meets it, on a phone too. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const sections = ['services', 'notifications', 'calendar', 'reports', 'account'] as const

/** The right edge of each item of the bar. Runs in the page. */
const edges = `[...document.querySelectorAll('.navigation nav li > *:not([popover])')].map((item) => ({
  text: item.innerText.trim(), right: item.getBoundingClientRect().right, width: item.scrollWidth - item.clientWidth }))`

describeWithBrowser('the console in Polish', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string, width = 1280) => {
    const page = await world.visit('alice', path, { locale: 'pl-PL', width, height: 740 })
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'pl' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test.each([320, 360])('the bar of sections fits a phone of %i px on every section', async (width) => {
    const page = await visit('/services', width)
    for (const section of sections) {
      await page.goto(`http://api.test/${section}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const items = await page.evaluate<{ text: string; right: number; width: number }[]>(edges)
      expect(items.length).toBe(5)
      for (const item of items)
        expect.soft([item.text, item.right <= width, item.width], section).toEqual([item.text, true, 0])
    }
  })

  test('nobody says of a heartbeat that it was not checked', async () => {
    const id = idOf(await world.call('alice', 'POST', '/services', { type_id: 'heartbeat', name: 'Kopia' }))
    const page = await visit(`/services/${id}`)
    await page.getByRole('heading', { name: 'Zgłoszenia', exact: true }).waitFor()
    await page.locator('.service-head').getByText('Nieznany').waitFor()
    expect(await page.getByText('niesprawdzona').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
