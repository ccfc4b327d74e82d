import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** Room for the list of services: in a zoomed window, and for the words in its search. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the list of services', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (language: 'en' | 'pl', size: { readonly width: number; readonly height: number }) => {
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })
    const page = await world.visit('alice', '/services', size)
    open.push(page)
    await page.locator('.rows .table-row').first().waitFor()
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test.each(['en', 'pl'] as const)(
    'a window of 1280 by 800 at 200 % leaves it four fifths of the height: %s',
    async (language) => {
      const page = await visit(language, { width: 640, height: 400 })
      const heightOf = async (bar: string) => (await page.locator(bar).boundingBox())?.height ?? 400
      expect((await heightOf('.navigation')) + (await heightOf('.navigation nav'))).toBeLessThanOrEqual(80)
      expect(await accessibilityFaults(page)).toEqual([])
      // A name that does not fit would make its link higher than the others.
      const links = await page.locator('.navigation nav li > a, .navigation nav li > button').all()
      const heights = await Promise.all(links.map(async (link) => (await link.boundingBox())?.height))
      expect(links.length).toBeGreaterThan(3)
      expect(new Set(heights).size).toBe(1)
    },
  )

  test.each(['en', 'pl'] as const)('the search shows all of the words in it at 1280 px: %s', async (language) => {
    const page = await visit(language, { width: 1280, height: 800 })
    const [words, room] = await page.evaluate<[number, number]>(`(() => {
      const input = document.querySelector('main input[type=search]')
      const style = getComputedStyle(input)
      const text = document.createElement('span')
      text.style.font = style.font
      text.style.position = 'absolute'
      text.style.whiteSpace = 'nowrap'
      text.textContent = input.placeholder
      document.body.append(text)
      const words = text.getBoundingClientRect().width
      text.remove()
      return [words, input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]
    })()`)
    expect(words).toBeGreaterThan(50)
    // A browser keeps a place at the end for its button that clears the field.
    expect(words + 20).toBeLessThanOrEqual(room)
  })
})
