import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** Suspensions as the page of a service tells them, and weekly ones in the nights when clocks change. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('suspensions of a service', () => {
  let world: ConsoleWorld
  let shared: number
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    shared = world.serviceIds.shared
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  beforeEach(async () => {
    for (const path of ['/suspensions', '/weekly_suspensions', '/wide_suspensions', '/wide_weekly_suspensions']) {
      const { body } = await world.call('alice', 'GET', `${path}?fields=id&limit=1000`)
      for (const { id } of body as { readonly id: number }[]) await world.call('alice', 'DELETE', `${path}/${id}`)
    }
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the page of a service tells until when a weekly suspension holds, why, and with what', async () => {
    const times = {
      start_minute: { day_of_week: 1, hour: 0, minute: 0 },
      end_minute: { day_of_week: 7, hour: 23, minute: 59 },
    }
    const group = { group_id: world.groupIds.shared, description: 'Night shift' }
    await world.call('alice', 'POST', '/wide_weekly_suspensions', { ...group, ...times, only_notifications: true })
    const backup = { service_id: shared, description: 'Backup' }
    await world.call('alice', 'POST', '/weekly_suspensions', { ...backup, ...times })
    const page = await visit('alice', `/services/${shared}`)
    const notices = page.locator('.notice')
    await notices.getByText(/^Suspended until .* 23:59:00, as every week\. Backup Open the calendar$/).waitFor()
    await notices
      .getByText(/^Nobody is notified until .* 23:59:00, as every week\. With its group\. Night shift/)
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await notices.getByRole('link', { name: 'Open the calendar' }).first().click()
    await page.locator('.day-hours .block').getByText('Backup').first().waitFor()
  })

  test('nothing says “Suspended” any more once a suspension is ended beside it', async () => {
    const page = await visit('alice', `/services/${shared}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    const said = page.locator('.actions [role=status]')
    await said.getByText('Suspended.').waitFor()
    world.clock.advance(60_000)
    await page.clock.setFixedTime(world.clock.now())
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('button', { name: 'End now' }).waitFor({ state: 'detached' })
    expect(await said.textContent()).toBe('')
  })

  test('the quick suspension may say why, and needs no reason', async () => {
    const page = await visit('alice', `/services/${shared}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why').fill('New disk')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByLabel('Why').press('Enter')
    await page
      .locator('.notice')
      .getByText(/^Suspended until .* New disk/)
      .waitFor()
  })

  test('a weekly suspension is shown at the times at which it holds when clocks change', async () => {
    const at = (hour: number) => ({ day_of_week: 7, hour, minute: 30 })
    const week = { start_minute: at(2), end_minute: at(3) }
    await world.call('alice', 'POST', '/weekly_suspensions', { service_id: shared, description: 'Backup', ...week })
    const page = await visit('alice', '/calendar?week=2027-03-22')
    const blocks = page.locator('.day-hours .block')
    const times = async () => (await blocks.allTextContents()).map((text) => /[\d:]+–[\d:]+/.exec(text)?.[0])
    // The half hour before 03:00 does not exist: the program suspends from 03:00 on.
    await expect.poll(times).toEqual(['03:00–03:30'])
    await page.goto('http://api.test/calendar?week=2027-10-25')
    await expect.poll(times).toEqual(['02:30–02:00', '02:30–03:30'])
  })
})
