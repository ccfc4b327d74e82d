import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** The focus stays near the button that a reader pressed, also when the button is gone or switched off after it. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The element with the focus, as a person would name it. Runs in the page. */
const focused = `(() => {
  const at = document.activeElement
  return at.tagName.toLowerCase() + ' ' + (at.labels?.[0]?.innerText ?? at.innerText).trim()
})()`

describeWithBrowser('the focus after a change', () => {
  let world: ConsoleWorld
  let failure: string
  const open: Page[] = []
  const visit = async (path: string) => {
    const page = await world.visit('alice', path)
    open.push(page)
    return page
  }
  const expectFocus = (page: Page, name: string) =>
    vi.waitFor(async () => expect(await page.evaluate<string>(focused)).toBe(name))

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    failure = `/services/${world.serviceIds.shared}/failures/${world.history.changeIds.failure}`
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('an acknowledgement is announced, and the heading has the focus in place of the button that is gone', async () => {
    const page = await visit(failure)
    const title = `h1 ${await page.getByRole('heading', { level: 1 }).textContent()}`
    const said = page.locator('.acknowledgement').getByRole('status').first()
    await page.getByRole('button', { name: 'Acknowledge' }).press('Enter')
    expect(await said.textContent()).toBe('')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).press('Enter')
    await said.getByText('Acknowledged').waitFor()
    await expectFocus(page, title)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
    await expectFocus(page, title)
  })

  test('a comment is announced, and its field has the focus again', async () => {
    const page = await visit(failure)
    await page.getByLabel('Comment', { exact: true }).fill('Restarted.')
    await page.getByRole('button', { name: 'Add the comment' }).press('Enter')
    await page.locator('.comment-form').getByRole('status').getByText('Comment added.').waitFor()
    await expectFocus(page, 'textarea Comment')
  })

  test('a button that is switched off while its change is under way has the focus again after it', async () => {
    const page = await visit('/notifications')
    const button = page.getByRole('button', { name: /^Send a test/ }).first()
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/send_test_notification', async (route) => {
      await held
      await route.fulfill({ status: 200, json: { status: 'sent', error_message: null } })
    })
    await button.press('Enter')
    await vi.waitFor(async () => expect(await button.isDisabled()).toBe(true))
    await vi.waitFor(async () => expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY'))
    release()
    await vi.waitFor(async () => expect(await button.evaluate((one) => one.matches(':focus'))).toBe(true))
  })
})
