import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** Quiet hours of a service, in its form and on its page. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const setting = '/user_data/my_user_data/settings/console.v1'

describeWithBrowser('quiet hours of a service', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const pathOf = async (members: object) => {
    const service = { name: 'Quiet', type_id: 'ping', address: '192.0.2.9', ...members }
    return `/services/${idOf(await world.call('alice', 'POST', '/services', service))}` as const
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', setting, { language: 'en' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('are chosen hour by hour in the zone of the owner, and the page of the service tells them', async () => {
    const path = await pathOf({})
    const page = await visit('alice', `${path}/edit`)
    const field = page.locator('[data-field="silent_hours"]')
    await field.getByText(/^Nobody is notified then; .* Europe\/Warsaw, the time zone of the account/).waitFor()
    await field.getByText('None', { exact: true }).click()
    for (const hour of ['22:00', '23:00', '00:00']) await field.getByLabel(hour).check()
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await field.getByText('Every day 22:00–01:00').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect((await world.call('alice', 'GET', path)).body).toMatchObject({ silent_hours: `1${'0'.repeat(21)}11` })
    await page.locator('dd', { hasText: 'every day 22:00–01:00 Europe/Warsaw' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('that somebody else changed meanwhile are told in words', async () => {
    const path = await pathOf({ silent_hours: `1${'0'.repeat(21)}11` })
    const page = await visit('alice', `${path}/edit`)
    await page.locator('[data-field="silent_hours"]').getByLabel('22:00').uncheck()
    await world.call('alice', 'PUT', path, { silent_hours: '0'.repeat(24) })
    await page.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('alert')
    await conflict.locator('dt', { hasText: 'Quiet hours' }).waitFor()
    await conflict.getByText('23:00–01:00').waitFor()
  })

  test('are told with their end while they hold, in the language of the console', async () => {
    const path = await pathOf({ silent_hours: `${'1'.repeat(23)}0` })
    await world.call('alice', 'PUT', setting, { language: 'pl' })
    const page = await visit('alice', path)
    await page.getByText(/^Godziny ciszy: nikt nie jest powiadamiany do .*, 23:00:00\.$/).waitFor()
    const general = page.getByText('Powiadomienia są teraz wyłączone.')
    await general.waitFor({ state: 'attached' })
    expect(await general.isVisible()).toBe(false)
    await page.locator('dd', { hasText: 'codziennie 00:00–23:00 Europe/Warsaw' }).waitFor()
    await world.call('alice', 'PUT', setting, { language: 'en' })
  })
})
