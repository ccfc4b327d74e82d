import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { passwordOf } from '../support/people.ts'

/** Typed text is not lost by leaving: every way out asks first. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const question = { name: 'Leave without saving?' } as const

describeWithBrowser('leaving a form', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string) => {
    const page = await world.visit('alice', path)
    open.push(page)
    return page
  }
  /** The form of a service, come to by links, with something typed. */
  const typing = async () => {
    const page = await visit('/stations')
    await page.getByRole('link', { name: 'Services' }).first().click()
    await page.getByRole('link', { name: 'Add a service' }).first().click()
    await page.getByLabel('Description', { exact: true }).fill('Not saved')
    return page
  }
  const typed = (page: Page) => page.getByLabel('Description', { exact: true }).inputValue()
  const answer = (page: Page, name: string) =>
    page.getByRole('alertdialog', question).getByRole('button', { name, exact: true }).click()

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      ...{ language: 'en', isWelcomed: true },
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('Back asks; who stays has everything, who leaves goes back, and forward again needs no answer', async () => {
    const page = await typing()
    await page.evaluate('history.back()')
    await page.getByRole('alertdialog', question).waitFor()
    await page.waitForURL('**/services/new')
    expect(await accessibilityFaults(page)).toEqual([])
    await answer(page, 'Stay here')
    expect(await typed(page)).toBe('Not saved')
    await page.evaluate('history.back()')
    await answer(page, 'Leave without saving')
    await page.waitForURL('**/services')
    await page.evaluate('history.back()')
    await page.waitForURL('**/stations')
    await page.evaluate('history.forward()')
    await page.waitForURL('**/services')
  })

  test('two entries back asks as well', async () => {
    const page = await typing()
    await page.evaluate('history.go(-2)')
    await page.getByRole('alertdialog', question).waitFor()
    await page.waitForURL('**/services/new')
    await answer(page, 'Leave without saving')
    await page.waitForURL('**/stations')
    await page.getByRole('heading', { level: 1, name: 'Stations' }).waitFor()
  })

  test('a link asks; Escape stays and gives the focus back', async () => {
    const page = await typing()
    const link = page.getByRole('link', { name: 'Stations' })
    await link.focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('alertdialog', question)
      .getByRole('button', { name: 'Stay here' })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', question).waitFor({ state: 'detached' })
    await link.and(page.locator(':focus')).waitFor()
    expect(await typed(page)).toBe('Not saved')
    await page.keyboard.press('Enter')
    await answer(page, 'Leave without saving')
    await page.waitForURL('**/stations')
  })

  test('the command palette and logging out ask', async () => {
    const page = await typing()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await page.keyboard.type('Reports')
    await page.getByRole('option', { name: 'Reports' }).waitFor()
    await page.keyboard.press('Enter')
    await answer(page, 'Stay here')
    expect(await typed(page)).toBe('Not saved')
    await page.getByRole('button', { name: 'Log out' }).click()
    await answer(page, 'Stay here')
    expect(await typed(page)).toBe('Not saved')
  })

  test('closing the tab asks, until it is saved', async () => {
    const page = await visit(`/services/${world.serviceIds.shared}/edit`)
    let asked = 0
    page.on('dialog', (dialog) => {
      expect(dialog.type()).toBe('beforeunload')
      asked += 1
      void dialog.dismiss()
    })
    await page.getByLabel('Description', { exact: true }).fill('Saved soon')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toBe(1)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/services/${world.serviceIds.shared}`)
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
    expect(asked).toBe(1)
  })

  test('a session that ends amid typing takes nothing away: another tab logs in, and the form is saved', async () => {
    const page = await visit(`/services/${world.serviceIds.shared}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('Typed for an hour')
    await world.database.execute(sql`delete from sessions`)
    await page.getByRole('button', { name: 'Save' }).click()
    const told = page.getByRole('alert').getByText('your session has ended')
    await told.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Log in in another tab' }).click(),
    ])
    await other.locator('input[name=username]').fill('alice')
    await other.locator('input[name=password]').fill(passwordOf('alice'))
    await other.locator('button[type=submit]').click()
    await other.locator('html[data-ready=yes]').waitFor()
    expect(await typed(page)).toBe('Typed for an hour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/services/${world.serviceIds.shared}`)
    await page.getByText('Typed for an hour').waitFor()
    world.complaints.splice(0, world.complaints.length, ...world.complaints.filter((one) => !/status of 401/.test(one)))
  })

  test.each([
    ['/account', 'Contact person'],
    ['/account/security', 'New password'],
  ])('the forms of %s ask as well', async (path, label) => {
    const page = await visit(path)
    await page.getByLabel(label, { exact: true }).fill('Somebody 123')
    await page.getByRole('link', { name: 'Stations' }).click()
    await answer(page, 'Stay here')
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe('Somebody 123')
  })

  test('a dialog with something typed asks when the reader goes back', async () => {
    const page = await visit('/stations')
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('me@example.com')
    await page.evaluate('history.back()')
    await answer(page, 'Stay here')
    expect(await page.getByRole('dialog').getByLabel('Address', { exact: true }).inputValue()).toBe('me@example.com')
    await page.evaluate('history.back()')
    await answer(page, 'Leave without saving')
    await page.waitForURL('**/stations')
  })

  const closing = { name: 'Close without saving?' } as const

  test('Escape in a dialog asks each time while something is typed, and only in that dialog', async () => {
    const page = await visit('/notifications')
    await page.getByRole('button', { name: 'Add an address' }).click()
    const address = page.getByRole('dialog').getByLabel('Address', { exact: true })
    await address.fill('me@example.com')
    for (const way of ['Escape', 'Stay here'] as const) {
      await page.keyboard.press('Escape')
      const asked = page.getByRole('alertdialog', closing)
      await asked.waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      if (way === 'Escape') await page.keyboard.press('Escape')
      else await asked.getByRole('button', { name: way }).click()
      await asked.waitFor({ state: 'detached' })
      expect(await address.inputValue()).toBe('me@example.com')
    }
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', closing).getByRole('button', { name: 'Close without saving' }).click()
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stations' }).click()
    await page.waitForURL('**/stations')
  })

  test('Escape closes at once when nothing was typed, and after saving; so does Cancel', async () => {
    const page = await visit('/notifications')
    const add = page.getByRole('button', { name: 'Add an address' })
    const dialog = page.locator('dialog[open]')
    for (const typed of ['', 'me@example.com', '']) {
      await add.click()
      if (typed !== '') await dialog.getByLabel('Address', { exact: true }).fill(typed)
      if (typed === '') await page.keyboard.press('Escape')
      else await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    expect(await page.getByRole('alertdialog').count()).toBe(0)
  })

  test('a form behind a dialog keeps its question: the dialog closes without one', async () => {
    const page = await visit(`/services/${world.serviceIds.shared}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('Behind')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stations' }).click()
    await answer(page, 'Stay here')
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Behind')
  })
})
