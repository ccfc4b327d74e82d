import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** The palette, the single keys and the named views, in a real browser. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the console by keys', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string) => {
    const page = await world.visit('alice', path)
    open.push(page)
    return page
  }
  const choose = (preferences: object) =>
    world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en', ...preferences })

  beforeAll(async () => {
    world = await consoleWorld()
    for (const [name, tags] of [
      ['Needle shop', ['web', 'shop', 'team-a']],
      ['Needle mail', ['mail']],
    ] as const)
      await world.call('alice', 'POST', '/services', { name, type_id: 'http', address: 'needle.example.com/', tags })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
    await choose({})
  })
  afterAll(() => world?.drop())

  test('the palette finds a service as one types, opens it, and then acts on it', async () => {
    await choose({})
    const page = await visit('/services')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('needle mail')
    await palette.getByRole('option', { name: /Needle mail/ }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Needle mail' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause')
    await palette.getByRole('option', { name: /^Pause/ }).waitFor()
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => {
      const { body } = await world.call('alice', 'GET', '/services?query=Needle mail&fields=is_active')
      expect(body).toEqual([{ is_active: false }])
    })
    await palette.waitFor({ state: 'detached' })
  })

  test('the palette finds addresses, and leads to their lines', async () => {
    await choose({})
    const at = { address: 'needle-hears@example.com', description: 'Night shift' }
    const groups = await world.call('alice', 'GET', '/groups?fields=id&sort=id&limit=1')
    const [group] = groups.body as readonly { readonly id: number }[]
    const made = { ...at, notification_channel_id: 'email', group_id: group?.id }
    expect((await world.call('alice', 'POST', '/notification_addresses', made)).status).toBe(201)
    const contact = await world.call('alice', 'POST', '/contacts', { name: 'Nora Needle' })
    const { id } = contact.body as { readonly id: number }
    const ofContact = { contact_id: id, notification_channel_id: 'email', address: 'nora@example.com' }
    expect((await world.call('alice', 'POST', '/contact_addresses', ofContact)).status).toBe(201)
    const page = await visit('/services')
    const palette = page.getByRole('dialog', { name: 'Search' })
    for (const [typed, screen] of [
      ['needle-hears', 'Notifications'],
      ['nora@', 'On call'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').waitFor()
      await page.keyboard.type(typed)
      await palette.getByRole('option', { name: new RegExp(typed) }).click()
      await page.getByRole('heading', { level: 1, name: screen }).waitFor()
      await vi.waitFor(async () =>
        expect(await page.locator('.who-hears:focus').textContent({ timeout: 100 })).toContain(typed),
      )
    }
  })

  test('the palette finds documents, in the language of the reader first', async () => {
    await choose({ language: 'pl' })
    const page = await visit('/services')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Szukaj' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('godziny ciszy')
    const found = palette.getByRole('option', { name: /Godziny ciszy/ })
    await found.first().waitFor()
    expect(await found.first().getAttribute('lang')).toBe('pl')
    expect(await accessibilityFaults(page)).toEqual([])
    await found.first().click()
    await page.waitForURL(/\/docs\/pl\/guide\/alerts\.html/)
    await page.getByRole('heading', { level: 1, name: 'Powiadomienia' }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/services`)
    await page.getByRole('link', { name: 'Pomoc' }).click()
    await page.waitForURL(/\/docs\/pl\/guide\/first-steps\.html/)
  })

  test('the palette finds screens by other words and in other forms, and services with their ports', async () => {
    await choose({ language: 'pl' })
    const at = { name: 'Needle cache', type_id: 'redis', address: 'needle.example.com' }
    expect(
      (await world.call('alice', 'POST', '/services', { ...at, extended_settings: { port: 23_130 } })).status,
    ).toBe(201)
    const page = await visit('/stations')
    const palette = page.getByRole('dialog', { name: 'Szukaj' })
    const found = async (typed: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(typed)
      await palette.getByRole('option', { name }).first().waitFor()
    }
    for (const [typed, name] of [
      ['strona statusu', 'Strony statusu'],
      ['poczta', 'Powiadomienia'],
      ['needle cache', /needle\.example\.com:23130/],
    ] as const) {
      await found(typed, name)
      await page.keyboard.press('Escape')
    }
    await found('haslo', 'Hasło i drugi składnik')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/security')
  })

  test('pages of the guide come before operations of the API, which are told apart', async () => {
    const page = await visit('/services')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('subscriber')
    const documents = palette.locator('[id*="-document-"]')
    await documents.first().waitFor()
    expect(await documents.first().textContent()).toBe('Status pageSubscribers')
    await palette.getByRole('combobox').fill('status_page_subscribers')
    await documents.filter({ hasText: 'List status page subscribersGET /status_page_subscribers' }).first().waitFor()
    const titles = await documents.allTextContents()
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('arrow keys choose, Escape gives the focus back, what matches nothing is said', async () => {
    const page = await visit('/stations')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const button = page.getByRole('button', { name: 'Search' })
    await button.press('Enter')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('zzzz nothing zzzz')
    await palette.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.press('ArrowUp')
    const options = palette.getByRole('option')
    expect(await options.last().getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await options.first().getAttribute('aria-selected')).toBe('true')
  })

  test('the key that comes before the browser tells of the end of the palette opens it again', async () => {
    const page = await visit('/stations')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').fill('before')
    await page.evaluate(`{
      const key = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true })
      const options = { capture: true, once: true }
      document.querySelector('dialog.palette').addEventListener('close', () => document.body.dispatchEvent(key), options)
    }`)
    await page.keyboard.press('Escape')
    await vi.waitFor(async () => expect(await palette.getByRole('combobox').inputValue({ timeout: 100 })).toBe(''))
    await page.keyboard.type('needle mail')
    await palette.getByRole('option', { name: /Needle mail/ }).waitFor()
  })

  test('rows are walked with j and k, selected with x, and opened; sections follow g', async () => {
    const page = await visit('/services?sort=name')
    const rows = page.locator('[data-row]')
    await rows.nth(2).locator('a').waitFor()
    const names = await rows.locator('.name-link').allTextContents()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await page.locator('.name-link:focus').textContent()).toBe(names[1])
    await page.keyboard.press('x')
    await page.getByText('1 service selected').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL('**/stations')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/services')
    await page.keyboard.press('/')
    await page.keyboard.type('j')
    expect(await page.getByRole('searchbox').inputValue()).toBe('j')
  })

  test('the help lists the keys; single keys can be switched off, and stay off', async () => {
    const page = await visit('/services')
    await page.getByRole('table').waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Next row').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await help.getByRole('checkbox').uncheck()
    await help.getByRole('button', { name: 'Close' }).click()
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('n')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    expect([new URL(page.url()).pathname, await help.count()]).toEqual(['/services', 0])
  })

  test('a view keeps filters and order under a name, in the list and in the palette', async () => {
    const page = await visit('/services')
    await page.getByLabel('Tag', { exact: true }).selectOption('shop')
    await page.waitForURL('**/services?tags=shop')
    await vi.waitFor(async () => expect(await page.locator('.name-link').allTextContents()).toEqual(['Needle shop']))
    await page.getByText('also team-a').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Shops')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Shops' }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/stations`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Shops')
    await page.getByRole('option', { name: /^Shops/ }).click()
    await page.waitForURL('**/services?tags=shop')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Remove the view Shops' }).click()
    await page.getByText('There are no views yet.').waitFor()
  })
})
