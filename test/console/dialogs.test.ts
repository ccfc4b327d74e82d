import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { type ConsoleWorld, consoleWorld, isReachable } from '../support/console.ts'

/** Where the focus is: in a dialog that opens, back at its button, on a new screen. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the focus', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string) => {
    const page = await world.visit('alice', path)
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      ...{ language: 'en', isWelcomed: true },
    })
    await world.call('alice', 'POST', '/notification_addresses', {
      ...{ notification_channel_id: 'email', address: 'focus@example.com' },
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('what a dialog covers is out of reach of a test, and nothing else', async () => {
    const page = await visit('/notifications')
    const opener = page.getByRole('button', { name: 'Add an address' }).first()
    expect(await opener.evaluate(isReachable)).toBe(true)
    await opener.press('Enter')
    await page.locator('dialog[open]').waitFor()
    expect(await opener.evaluate(isReachable)).toBe(false)
    expect(await page.locator('dialog[open] button').first().evaluate(isReachable)).toBe(true)
  })

  test.each([
    ['/on-call', async (page: Page) => page.getByRole('button', { name: 'Calendar link of Duty' }).click()],
    [
      '/account/keys',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Make a key' }).click()
        await page.getByLabel('Name', { exact: true }).fill('Edge')
        await page.getByRole('button', { name: 'Make it' }).click()
        await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor()
      },
    ],
  ] as const)('what stands in a dialog without a form keeps off its edges: %s', async (path, openIt) => {
    const page = await visit(path)
    await openIt(page)
    await page.locator('dialog[open] h2').waitFor()
    const room = await page.evaluate<number[]>(`(() => {
      const dialog = document.querySelector('dialog[open]')
      const { left, bottom } = dialog.getBoundingClientRect()
      const boxes = [...dialog.querySelectorAll('p, .field, button')].map((part) => part.getBoundingClientRect())
      return boxes.flatMap((box) => [box.left - left, bottom - box.bottom])
    })()`)
    expect(room.length).toBeGreaterThan(4)
    expect(Math.min(...room)).toBeGreaterThanOrEqual(16)
  })

  const ofService = (rest = '') => `/services/${world.serviceIds.shared}${rest}`
  const field = 'input, select, textarea'
  const button = 'button'
  test.each([
    ['Add an address', () => '/notifications', field],
    ['Change', () => '/notifications', field],
    ['Remove', () => '/notifications', button],
    ['Delete', () => ofService('/edit'), field],
    ['Suspend', () => ofService(), field],
    ['Add a group', () => '/account/groups', field],
    ['Add a login', () => '/account/people', field],
    ['New plan', () => '/reports', field],
    ['New link', () => '/wallboards', field],
    ['New suspension', () => '/calendar', field],
    ['Search', () => '/stations', field],
  ])('goes to the dialog of "%s" and back to the button', async (name, pathOf, wanted) => {
    const page = await visit(pathOf())
    const opener = page.getByRole('button', { name }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog[open]')
    await dialog.waitFor()
    await dialog.locator(`:is(${wanted}):focus`).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await opener.and(page.locator(':focus')).waitFor()
  })

  test('is back at the button after the dialog has saved', async () => {
    const page = await visit('/notifications')
    const opener = page.getByRole('button', { name: 'Add an address' })
    await opener.click()
    await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('saved@example.com')
    await page.keyboard.press('Enter')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await page.getByText('saved@example.com').waitFor()
    await opener.and(page.locator(':focus')).waitFor()
  })

  test('is at the heading of the screen that a form or a link leads to', async () => {
    const page = await visit(ofService('/edit'))
    await page.getByLabel('Description', { exact: true }).fill('Anew')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${ofService()}`)
    await page.locator('h1:focus').waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.waitForURL('**/edit')
    await page.locator('h1:focus').waitFor()
  })

  test('is in the first field of a form that is there to be filled in', async () => {
    const page = await visit('/services')
    await page.getByRole('link', { name: 'Add a service' }).first().click()
    await page.locator('.pasted:focus').waitFor()
  })
})
