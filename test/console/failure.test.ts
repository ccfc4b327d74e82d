import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** People acknowledge and comment a failure in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the page of a failure', () => {
  let world: ConsoleWorld
  let failure: string
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'carol'] as const)
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    failure = `/services/${world.serviceIds.shared}/failures/${world.history.changeIds.failure}`
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a failure is acknowledged with a comment by keyboard, shown wherever its service is, and undone', async () => {
    const page = await visit('alice', failure)
    await page.getByRole('button', { name: 'Acknowledge' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Acknowledge' })
    await dialog.getByLabel('Comment (optional)').focus()
    await page.keyboard.type('<b>On it</b>')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await page.locator('.acknowledgement q').getByText('<b>On it</b>').waitFor()
    await page
      .locator('.acknowledgement')
      .getByText(/by you/)
      .waitFor()
    await page.locator('.timeline .acknowledgement').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'To the service' }).click()
    await page.getByText('Acknowledged').first().waitFor()
    const list = await visit('alice', '/services?status.is_acknowledged=true')
    await list.locator('.rows .cell-state').getByText('Acknowledged').waitFor()
    expect(await list.locator('.rows [role=row]').count()).toBe(1)
    expect(await accessibilityFaults(list)).toEqual([])
    await page.goBack()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
    expect(await page.locator('.timeline .acknowledgement').count()).toBe(0)
  })

  test('the timeline has the messages to contacts, and does not say that nobody was told when only they were', async () => {
    const { shared } = world.serviceIds
    const ofGroups = sql`service_id = ${shared} and contact_id is null`
    const page = await visit('alice', failure)
    const told = page.locator('.timeline li.sent')
    await told.getByText('E-mail to Anna, anna@example.com').first().waitFor()
    const others = told.filter({ hasNotText: 'Anna' })
    expect(await others.count()).toBeGreaterThan(0)
    await world.database.execute(sql`update notification_intents set service_id = 0 where ${ofGroups}`)
    try {
      await page.reload()
      await told.getByText('E-mail to Anna, anna@example.com').first().waitFor()
      expect(await others.count()).toBe(0)
      expect(await page.getByText('Nobody was told.').count()).toBe(0)
    } finally {
      const moved = sql`service_id = 0 and contact_id is null and account_id = ${world.people.ids.alice}`
      await world.database.execute(sql`update notification_intents set service_id = ${shared} where ${moved}`)
    }
  })

  test('a failure that has ended says so, and asks nobody to acknowledge it', async () => {
    const change = world.history.changeIds.failure
    const endOf = (moment: Date | null) =>
      world.database.execute(sql`update status_changes set end_time = ${moment} where change_id = ${change}`)
    await endOf(new Date(world.clock.now() - 1000))
    try {
      const page = await visit('alice', failure)
      const sentence = page.locator('.failure-head .sentence')
      await sentence.getByText('Ended', { exact: true }).waitFor()
      expect(await sentence.textContent()).not.toContain('OK')
      await page.getByRole('link', { name: 'To the service' }).waitFor()
      expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
    } finally {
      await endOf(null)
    }
  })

  test('what still lasts is corrected up to now or up to a moment ahead, and the dialog says which', async () => {
    const page = await visit('alice', failure)
    await page.getByRole('button', { name: 'Correct the history' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct the history' })
    await dialog.getByText('It still lasts. Only the time up to “To” is corrected').waitFor()
    await dialog.getByLabel('To', { exact: true }).fill('2027-01-13T12:00:00')
    await dialog.getByText('Until then every second counts as OK, whatever the checks find.').waitFor()
    expect(await dialog.getByText('It still lasts').count()).toBe(0)
    await dialog.getByText(/→ 100%/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByLabel('Reason').fill('A known fault')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await world.call('alice', 'GET', `/corrections?service_id=${world.serviceIds.shared}&sort=-id`)
    const [made] = body as { id: number; start_time: string; end_time: string; status: string }[]
    const from = new Date(world.history.failedAt).toISOString().replace('.000Z', 'Z')
    expect(made).toMatchObject({ start_time: from, end_time: '2027-01-13T11:00:00Z', status: 'ok' })
    const row = page.locator('.corrections li', { hasText: 'A known fault' })
    await row.waitFor()
    const styleOf = "getComputedStyle(document.querySelector('.corrections li')).listStyleType"
    expect(await page.evaluate<string>(styleOf)).toBe('none')
    await world.call('alice', 'DELETE', `/corrections/${made?.id}`)
  })

  test("comments stand in the timeline as text; one deletes one's own", async () => {
    const page = await visit('alice', failure)
    await page.getByLabel('Comment', { exact: true }).fill('<img src=x onerror=alert(1)> the disk was full')
    await page.getByRole('button', { name: 'Add the comment' }).click()
    const comment = page.locator('.timeline li.comment', { hasText: 'the disk was full' })
    await comment.getByText('<img src=x onerror=alert(1)> the disk was full').waitFor()
    await vi.waitFor(async () => expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe(''))
    expect(await accessibilityFaults(page)).toEqual([])
    const reader = await visit('carol', failure)
    await reader.locator('.timeline li.comment', { hasText: 'the disk was full' }).waitFor()
    expect(await reader.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await reader.getByLabel('Comment', { exact: true }).count()).toBe(0)
    expect(await reader.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
    await comment.getByRole('button', { name: 'Delete' }).click()
    await comment.waitFor({ state: 'detached' })
  })

  test('a browser that does not allow copying, as without TLS, says so or offers none', async () => {
    const page = await visit('alice', failure)
    const copy = page.getByRole('button', { name: 'Copy the link' })
    await copy.waitFor()
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await copy.click()
    await page.getByText('The browser does not allow copying.').waitFor()
    await page.getByRole('link', { name: 'To the service' }).click()
    await page.getByRole('link', { name: 'To the service' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    await palette.getByRole('option', { name: /^Edit/ }).waitFor()
    expect(await palette.getByRole('option', { name: /Copy the link/ }).count()).toBe(0)
  })
})
