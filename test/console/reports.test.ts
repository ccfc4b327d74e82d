import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'
import { idOf } from '../support/replies.ts'
import { makeReports } from '../support/reports.ts'

/** Reports are planned, made and read in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('reports', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const speak = (language: 'en' | 'pl', person: Parameters<ConsoleWorld['visit']>[0] = 'alice') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
  const planNamed = async (name: string) =>
    ((await world.call('alice', 'GET', `/report_templates?name=${encodeURIComponent(name)}`)).body as object[])[0]

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'rita', 'charlie'] as const) await speak('en', person)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('from a plan to a report that is read and saved, by keyboard alone', async () => {
    const page = await visit('alice', '/reports')
    await page.getByRole('heading', { name: 'Plans' }).waitFor()
    await tabTo(page, '.reports .button.primary')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New plan' })
    await form.waitFor()
    await page.keyboard.type('<i>Board</i>')
    await tabTo(page, 'dialog textarea')
    await page.keyboard.type('board@example.com')
    await tabTo(page, 'dialog button[type=submit]')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    expect(await planNamed('<i>Board</i>')).toMatchObject({
      email_addresses: ['board@example.com'],
      requested_scope: { services: { all: true }, groups: { all: true } },
      reporting_plan_ids: [],
    })
    await tabTo(page, '[aria-label="Make a report of <i>Board</i>"]')
    await page.keyboard.press('Enter')
    const make = page.getByRole('dialog', { name: 'Make a report of <i>Board</i>' })
    await make.waitFor()
    await page.keyboard.press('ArrowDown')
    await tabTo(page, 'dialog button[type=submit]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/reports\/\d+$/)
    await page.getByText(/^Waiting: 0% done/).waitFor()
    await makeReports(world)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.locator('progress').count()).toBe(0)
    await page
      .getByRole('row', { name: /Shared/ })
      .first()
      .waitFor()
    const saved = page.waitForEvent('download')
    await tabTo(page, '.report-head .button.primary')
    await page.keyboard.press('Enter')
    const file = await saved
    expect(file.suggestedFilename()).toBe('_i_Board__i_.pdf')
    expect(readFileSync(await file.path(), 'latin1')).toMatch(/^%PDF-/)
  })

  test('a plan is changed and deleted', async () => {
    const page = await visit('alice', '/reports')
    await page.getByRole('button', { name: 'New plan' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Weekly for the shop')
    await form.getByRole('radio', { name: 'Groups' }).check()
    await form.getByRole('checkbox', { name: 'Shared' }).check()
    await form.getByRole('checkbox', { name: 'Weekly' }).check()
    await form.getByLabel('Mailed to').fill('one@example.com\nnobody')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    await form
      .locator('.problem')
      .getByText(/^nobody: /)
      .waitFor()
    expect(await form.getByLabel('Mailed to').getAttribute('aria-invalid')).toBe('true')
    await form.getByLabel('Mailed to').fill('one@example.com\ntwo@example.com')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('1 group · every Monday · mailed to one@example.com +1').waitFor()
    await page.getByRole('button', { name: 'Change Weekly for the shop' }).click()
    await form.getByRole('radio', { name: 'Some services' }).check()
    await form.getByRole('searchbox').fill('Łódź')
    await form.getByRole('checkbox', { name: 'Sklep Łódź' }).check()
    await form.getByText('What it shows').first().click()
    await form.getByLabel('A sum of everything').selectOption('no')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await planNamed('Weekly for the shop')).toMatchObject({
      summary: 'disabled',
      requested_scope: { services: { by_group_id: [], by_id: [world.serviceIds.shared] }, groups: { by_id: [] } },
    })
    await page.getByRole('button', { name: 'Delete Weekly for the shop' }).click()
    const remove = page.getByRole('dialog', { name: 'Delete Weekly for the shop?' })
    await remove.getByRole('button', { name: 'Delete' }).click()
    await remove.waitFor({ state: 'detached' })
    expect(await planNamed('Weekly for the shop')).toBe(undefined)
  })

  test('what the form cannot say of a plan stays as it was written', async () => {
    const requested_scope = { accounts: { all: true } }
    const body = { name: 'By hand', requested_scope, weekly_suspensions: [] }
    const id = idOf(await world.call('alice', 'POST', '/report_templates', body))
    const page = await visit('alice', '/reports')
    await page.getByRole('button', { name: 'Change By hand' }).click()
    const form = page.getByRole('dialog')
    expect(await form.getByRole('radio', { name: 'As it is' }).isChecked()).toBe(true)
    await form.getByLabel('Name').fill('By hand still')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await world.call('alice', 'GET', `/report_templates/${id}`)).body).toMatchObject({
      name: 'By hand still',
      requested_scope: { accounts: { all: true }, services: { all: false } },
    })
    await world.call('alice', 'DELETE', `/report_templates/${id}`)
  })

  test('on the first days the last month is not offered first, and an empty report says why it is empty', async () => {
    const template_id = world.furtherIds['report_templates']
    const page = await visit('alice', '/reports')
    const openForm = () =>
      page
        .getByRole('button', { name: /^Make a report of/ })
        .first()
        .click()
    const range = page.getByRole('dialog').getByLabel('Of which time')
    const why = page.getByText(
      /^Nothing was monitored then: the first service was added on \d.* Choose a later time\.$/,
    )
    await openForm()
    await expect.poll(() => range.inputValue()).toBe('this_month')
    expect(await why.count()).toBe(0)
    await range.selectOption('last month')
    await why.waitFor()
    await page.keyboard.press('Escape')
    const times = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }
    const id = idOf(await world.call('alice', 'POST', '/reports', { template_id, name: 'October', ...times }))
    await makeReports(world)
    await page.goto(`http://api.test/reports/${id}`)
    await why.waitFor()
    // An account of old has a last month.
    await world.database.execute(sql`update services set created_at = created_at - interval '60 days'`)
    await page.goto('http://api.test/reports')
    await openForm()
    await expect.poll(() => range.inputValue()).toBe('last_month')
    expect(await why.count()).toBe(0)
    await world.database.execute(sql`update services set created_at = created_at + interval '60 days'`)
    await world.call('alice', 'DELETE', `/reports/${id}`)
  })

  test('reports of one plan have an address; one is deleted', async () => {
    const order = { template_id: world.furtherIds['report_templates'], name: 'To be deleted' }
    const range = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
    const id = idOf(await world.call('alice', 'POST', '/reports', { ...order, ...range }))
    await makeReports(world)
    const page = await visit('alice', `/reports?template_id=${order.template_id}`)
    await page.getByRole('button', { name: 'Every plan' }).waitFor()
    await page.getByRole('link', { name: 'To be deleted' }).click()
    await page.waitForURL(`**/reports/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/reports')
    expect((await world.call('alice', 'GET', `/reports/${id}`)).status).toBe(404)
  })

  test('a report is read in the one zone that it was made in', async () => {
    await world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'america_new_york' })
    const page = await visit('alice', `/reports/${world.furtherIds['reports']}`, { timezoneId: 'America/New_York' })
    await page.locator('.report table').first().waitFor()
    expect(await page.locator('main').textContent()).toContain('Europe/Warsaw')
    expect(await page.locator('main').textContent()).not.toContain('New_York')
    const { body } = await world.call('alice', 'GET', `/reports/${world.furtherIds['reports']}`)
    const local = new Date((body as { from: string }).from).toLocaleTimeString('en-GB', { timeZone: 'Europe/Warsaw' })
    await page.locator('.report-head b').getByText(local).first().waitFor()
    await page.goto('http://api.test/reports')
    await page.getByRole('button', { name: 'New plan' }).click()
    const kinds = page.getByRole('group', { name: 'Made by itself' }).locator('label')
    await kinds.first().waitFor()
    expect(await kinds.allTextContents()).toEqual(['Daily', 'Weekly', 'Monthly'])
    await world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'europe_warsaw' })
  })

  test('a read-only user reads everything and changes nothing', async () => {
    const page = await visit('rita', '/reports')
    await page.locator('.report-list li').first().waitFor()
    expect(await page.getByRole('button', { name: /plan|Make|Change|Delete/ }).count()).toBe(0)
    await page.locator('.report-list a').first().click()
    await page.getByRole('button', { name: 'Download PDF' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })

  test('strangers see none, and are told how to begin', async () => {
    const page = await visit('charlie', '/reports')
    await page.getByRole('heading', { name: 'There is no plan yet' }).waitFor()
    await page.goto(`http://api.test/reports/${world.furtherIds['reports']}`)
    await page.getByRole('alert').getByText('This does not exist, or you may not see it.').waitFor()
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const name = 'a-very-long-name-'.repeat(12).slice(0, 200)
    await world.call('alice', 'PUT', `/report_templates/${world.furtherIds['report_templates']}`, { name })
    const page = await visit('alice', '/reports', look)
    await page.locator('.report-list li').first().waitFor()
    const fits = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await fits()).toBeLessThanOrEqual(0)
    await page.locator('.reports .button.primary').click()
    await page.locator('dialog form details summary').click()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto(`http://api.test/reports/${world.furtherIds['reports']}`)
    await page.locator('.report table, .report .empty').first().waitFor()
    for (const summary of await page.locator('.report summary').all()) await summary.click()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await fits()).toBeLessThanOrEqual(0)
    await speak('en')
  })
})
