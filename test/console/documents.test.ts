import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

const looks = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

const paths = ['', 'pl/', 'operations.html', 'api/services.html', 'channels/slack.html', 'nothing.html']

describeWithBrowser('the documents as a site', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterEach(() => {
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  async function open(path: string, look: object = {}): Promise<Page> {
    const page = await world.visit('alice', '/services', look)
    await page.goto(`${new URL(page.url()).origin}/docs/${path}`)
    return page
  }
  const results = (page: Page) => page.locator('#results a')

  test.each(looks)('axe finds nothing, with the search open too: $width px, $colorScheme', async (look) => {
    const page = await open('', look)
    for (const path of paths) {
      await page.goto(new URL(`/docs/${path}`, page.url()).href)
      expect({ path, faults: await accessibilityFaults(page) }).toEqual({ path, faults: [] })
    }
    await page.goto(new URL('/docs/pl/', page.url()).href)
    await page.getByRole('searchbox').fill('backup')
    await results(page).first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().close()
  })

  test('the search is used by the keyboard, in both languages, and leads to the heading', async () => {
    const page = await open('pl/')
    await page.keyboard.press('/')
    await page.keyboard.type('backup and moving')
    await results(page).first().waitFor()
    expect(await results(page).first().textContent()).toContain('po angielsku')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/operations\.html#backup-and-moving$/)
    await page.getByRole('searchbox').fill('qqqq')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing found').waitFor({ state: 'hidden' })
    await page.context().close()
  })

  test('on a phone the pages are behind a button that needs no script', async () => {
    const page = await open('tags.html', { width: 360 })
    const link = page.getByRole('navigation').getByRole('link', { name: 'Degraded' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.waitForURL(/degraded\.html$/)
    await page.context().close()
  })
})
