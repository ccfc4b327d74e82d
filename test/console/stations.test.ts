import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** Where checks come from: a list, and a map of those stations whose place is known. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the stations in the console', () => {
  let world: ConsoleWorld
  let gdansk: number
  const open: Page[] = []
  const visit = async (person: Person, path: string, look?: Partial<Visit>) => {
    const page = await world.visit(person, path, look)
    open.push(page)
    return page
  }
  const speak = (person: Person) =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  beforeAll(async () => {
    world = await consoleWorld()
    await speak('alice')
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('while no place is known there is a list and no empty map', async () => {
    const page = await visit('alice', '/stations')
    await page.locator('[id^=station-]').first().waitFor()
    expect(await page.getByRole('region', { name: 'Map of the stations' }).count()).toBe(0)
  })

  test('an administrator adds a station with its place and gets the command that starts it, by keyboard', async () => {
    const page = await visit('dora', '/stations', { locale: 'en-GB' })
    await page.getByRole('button', { name: 'Add a station' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a station' })
    await dialog.getByLabel('Name').waitFor()
    for (const text of ['Gdańsk <1>', 'Gdańsk', 'Poland', '95', '18.6466']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Latitude').fill('54,352')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: /command/i }).inputValue()).toMatch(
      /^SENSOR_TOKEN=\S+ npx latarnik sensor --server http/,
    )
    const { body } = await world.call('dora', 'GET', '/admin/sensors?latitude=54.352')
    expect(body).toMatchObject([{ name: 'Gdańsk <1>', longitude: 18.6466 }])
    gdansk = (body as readonly { readonly id: number }[])[0]?.id ?? 0
  })

  test('a point leads to its station in the list and back; who has no place is counted', async () => {
    const page = await visit('alice', '/stations')
    const map = page.getByRole('region', { name: 'Map of the stations' })
    await map.getByText(/no place on the map/).waitFor()
    await map.getByRole('button', { name: /^Gdańsk <1>/ }).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe(`station-${gdansk}`)
    await page.locator(`li:has(#station-${gdansk}), #station-${gdansk}`).getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe(`point-${gdansk}`)
    const whole = map.getByRole('button', { name: 'Whole world' })
    await whole.click()
    expect(await whole.getAttribute('aria-pressed')).toBe('true')
  })

  test('stations at one place stay apart, so that each can be touched', async () => {
    const beside = idOf(
      await world.call('dora', 'POST', '/admin/sensors', { name: 'Next door', latitude: 54.353, longitude: 18.647 }),
    )
    const page = await visit('alice', '/stations', { width: 360, height: 740 })
    const [one, other] = await Promise.all(
      [gdansk, beside].map((id) => page.locator(`#point-${id}`).boundingBox({ timeout: 20_000 })),
    )
    expect(Math.hypot((one?.x ?? 0) - (other?.x ?? 0), (one?.y ?? 0) - (other?.y ?? 0))).toBeGreaterThanOrEqual(24)
  })

  test.each([
    [1280, 'light', 'en-GB'],
    [360, 'dark', 'pl-PL'],
  ] as const)('axe finds nothing: %d px, %j, %j', async (width, colorScheme, locale) => {
    const page = await visit('alice', '/stations', { width, colorScheme, locale })
    await page.locator('[id^=point-]').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
