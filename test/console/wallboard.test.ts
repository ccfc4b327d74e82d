import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'
import { idOf } from '../support/replies.ts'

/** The wallboard is looked at in a real browser, with a login and by a link. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the wallboard', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  /** Another browser, where nobody is logged in. */
  const visitAsGuest = async (page: Page, url: string) => {
    const browser = page.context().browser()
    if (browser === null) throw new Error('The page has no browser.')
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Warsaw' })
    const guest = await context.newPage()
    guest.on('pageerror', ({ message }) => world.complaints.push(message))
    await guest.clock.install({ time: world.clock.now() })
    await guest.goto(url)
    open.push(guest)
    return guest
  }
  const speak = (language: 'en' | 'pl', person: Parameters<ConsoleWorld['visit']>[0] = 'alice') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
  const linkOf = async (body: object) => {
    const id = idOf(await world.call('alice', 'POST', '/wallboards', { name: 'Wall', ...body }))
    const { url } = (await world.call('alice', 'POST', `/wallboards/${id}/link`)).body as { url: string }
    return { id, url }
  }

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'rita', 'bob', 'charlie'] as const) await speak('en', person)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('with a login it has the whole screen: what fails, where and since when', async () => {
    const page = await visit('alice', '/wallboards')
    await page.getByRole('link', { name: 'Open full screen' }).click()
    await page.waitForURL('**/wallboard')
    await page.getByText('1 failure', { exact: true }).waitFor()
    const tile = page.locator('.tile.failure')
    await tile.getByRole('heading', { name: 'Shared' }).waitFor()
    await tile.getByText('Sklep Łódź').waitFor()
    await tile.getByText('for 5 min').waitFor()
    expect(await page.title()).toBe('(1) Wallboard – Latarnik')
    expect(await page.locator('.navigation').count()).toBe(0)
    await page.getByRole('link', { name: 'Leave' }).click()
    await page.waitForURL('**/wallboards')
  })

  test('a link is made by keyboard alone, shown once, and opened without a login', async () => {
    const page = await visit('alice', '/wallboards')
    await page.getByRole('heading', { name: 'Links without a login' }).waitFor()
    await tabTo(page, '.card header button')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New link of a wallboard' }).waitFor()
    await page.keyboard.type('<b>Hall</b>')
    await tabTo(page, 'dialog button[type=submit]')
    await page.keyboard.press('Enter')
    const url = await page.getByRole('textbox', { name: /^The link/ }).inputValue()
    expect(url).toMatch(/^http:\/\/api\.test\/wallboard\/shared#wall_[\w-]{43}$/)
    await page
      .getByText(`link ${url.slice(url.indexOf('#') + 1).slice(0, 12)}… · every group`, { exact: false })
      .waitFor()
    const guest = await visitAsGuest(page, url)
    await guest.getByRole('heading', { level: 1, name: '<b>Hall</b>' }).waitFor()
    await guest.locator('.tile.failure').getByText('Sklep Łódź').waitFor()
    expect(await guest.locator('.tile-address').count()).toBe(0)
    expect(await guest.getByRole('link').count()).toBe(0)
    await page.reload()
    await page.getByText('<b>Hall</b>').waitFor()
    expect(await page.getByRole('textbox', { name: /^The link/ }).count()).toBe(0)
  })

  test('an end that is typed by half does not make a link that never ends', async () => {
    const page = await visit('alice', '/wallboards')
    await page.locator('.card header button').first().click()
    const dialog = page.getByRole('dialog', { name: 'New link of a wallboard' })
    await dialog.getByLabel('Name').fill('Half')
    await dialog.locator('input[name=ends]').nth(1).check()
    await dialog.locator('input[type=datetime-local]').focus()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Name').focus()
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog.getByRole('alert').getByText('Give the whole date and time').waitFor()
    const { body } = await world.call('alice', 'GET', '/wallboards')
    expect((body as { name: string }[]).map(({ name }) => name)).not.toContain('Half')
  })

  test('a screen follows what happens, and shows nothing once its link is revoked', async () => {
    const { id, url } = await linkOf({ group_ids: [world.groupIds.shared], shows_addresses: true })
    const headers = { authorization: `Bearer ${url.slice(url.indexOf('#') + 1)}` }
    expect((await world.call(null, 'GET', '/public/wallboard', undefined, headers)).status).toBe(200)
    expect((await world.call(null, 'GET', '/event_stream', undefined, headers)).status).toBe(401)
    const page = await visit('alice', '/wallboards')
    const guest = await visitAsGuest(page, url)
    await guest.getByText('1 failure', { exact: true }).waitFor()
    expect(await guest.locator('.tile').count()).toBe(1)
    await guest.locator('.tile-address').waitFor()
    await world.database.execute(sql`update service_statuses set check_status = 'ok' where check_status = 'failure'`)
    await guest.clock.runFor(11_000)
    await guest.getByText('No failure', { exact: true }).waitFor()
    await world.database.execute(sql`
      update service_statuses set check_status = 'failure' where service_id = ${world.serviceIds.shared}`)
    await guest.route('**/public/wallboard', (route) => route.abort())
    await guest.clock.runFor(11_000)
    await guest.getByText(/^No connection\. What you see is from/).waitFor()
    await guest.getByText('Not known now', { exact: true }).waitFor()
    expect(await guest.getByText('1 failure', { exact: true }).count()).toBe(0)
    await guest.unroute('**/public/wallboard')
    await guest.clock.runFor(11_000)
    await guest.getByText('1 failure', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revoke the link of Wall' }).click()
    await vi.waitFor(async () =>
      expect((await world.call('alice', 'GET', `/wallboards/${id}`)).body).toMatchObject({ token_prefix: null }),
    )
    await guest.clock.runFor(11_000)
    await guest.getByRole('heading', { name: 'This link shows nothing.' }).waitFor()
    expect(await guest.locator('.tile').count()).toBe(0)
    await world.call('alice', 'DELETE', `/wallboards/${id}`)
  })

  test('many groups take turns on pages, none of which scrolls; that can be stopped', async () => {
    const made: number[] = []
    for (let number = 1; number <= 70; number += 1) {
      const group_id = idOf(await world.call('alice', 'POST', '/groups', { name: `Group ${number}` }))
      made.push(group_id)
      await world.call('alice', 'POST', '/services', {
        ...{ name: `Service ${number}`, type_id: 'http', address: 'many.example.com/', group_id },
      })
    }
    const page = await visit('alice', '/wallboard', { width: 1920, height: 1080 })
    await page.locator('.tile').nth(59).waitFor()
    expect(await page.locator('.tile').count()).toBe(60)
    await page.getByText('Page 1 of 2').waitFor()
    const rest = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')
    expect(rest).toBeLessThanOrEqual(0)
    const cut = await page.evaluate<number>(
      "[...document.querySelectorAll('.tile h2, .tile-state')].filter((one) => one.getBoundingClientRect().bottom > one.closest('.tile').getBoundingClientRect().bottom).length",
    )
    expect(cut).toBe(0)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    await page.getByRole('button', { name: 'Turn pages', exact: true }).waitFor()
    for (const id of made) await world.call('alice', 'DELETE', `/groups/${id}`)
  })

  test('a wallboard is changed, gets another link, and is deleted', async () => {
    const { id, url } = await linkOf({})
    const page = await visit('alice', '/wallboards')
    await page.getByRole('button', { name: 'Change Wall' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the wallboard' })
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Name').fill('Wall 2')
    await dialog.getByRole('radio', { name: 'These groups' }).check()
    await dialog.getByRole('checkbox', { name: 'Shared' }).uncheck()
    await dialog.getByRole('radio', { name: 'on a day' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await world.call('alice', 'GET', `/wallboards/${id}`)
    expect(body).toMatchObject({ name: 'Wall 2', expires_at: expect.any(String) })
    expect((body as { group_ids: number[] }).group_ids).not.toContain(world.groupIds.shared)
    await page.getByRole('button', { name: 'New link for Wall 2' }).click()
    await vi.waitFor(async () =>
      expect(await page.getByRole('textbox', { name: /^The link/ }).inputValue()).not.toBe(url),
    )
    const guest = await visitAsGuest(page, url)
    await guest.getByRole('heading', { name: 'This link shows nothing.' }).waitFor()
    await page.getByRole('button', { name: 'Delete Wall 2' }).click()
    await page.getByRole('dialog', { name: 'Delete Wall 2?' }).getByRole('button', { name: 'Delete' }).click()
    await vi.waitFor(async () => expect((await world.call('alice', 'GET', `/wallboards/${id}`)).status).toBe(404))
  })

  test('a read-only user looks and makes no links; a receiver of a share sees what is shared', async () => {
    await linkOf({})
    const page = await visit('rita', '/wallboards')
    await page.getByText('Wall', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: /link|Change|Delete/i }).count()).toBe(0)
    const receiver = await visit('bob', '/wallboard')
    await receiver.getByRole('heading', { name: 'Shared' }).waitFor()
    expect(await receiver.locator('.tile').count()).toBe(1)
  })

  test('an account with nothing is told so', async () => {
    await world.call('charlie', 'DELETE', `/services/${world.serviceIds.foreign}`)
    const page = await visit('charlie', '/wallboard')
    await page.locator('.board-sum').waitFor()
    expect(await page.locator('.tile.failure').count()).toBe(0)
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const name = 'a-very-long-name-'.repeat(12).slice(0, 200)
    const { id } = await linkOf({ name })
    await world.call('alice', 'PUT', `/groups/${world.groupIds.shared}`, { name })
    await world.call('alice', 'PUT', `/services/${world.serviceIds.shared}`, { name })
    const page = await visit('alice', '/wallboard', look)
    await page.locator('.tile.failure').waitFor()
    const fits = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await fits()).toBeLessThanOrEqual(0)
    await page.goto('http://api.test/wallboards')
    await page.locator('.links li').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await fits()).toBeLessThanOrEqual(0)
    await page.locator('.card header button').click()
    await page.locator('dialog input[name=groups]').nth(1).check()
    await page.locator('dialog input[name=ends]').nth(1).check()
    expect(await accessibilityFaults(page)).toEqual([])
    await world.call('alice', 'PUT', `/groups/${world.groupIds.shared}`, { name: 'Shared' })
    await world.call('alice', 'PUT', `/services/${world.serviceIds.shared}`, { name: 'Sklep Łódź' })
    await world.call('alice', 'DELETE', `/wallboards/${id}`)
    await speak('en')
  })
})
