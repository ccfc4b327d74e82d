import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { countAttempt } from '../../src/database/accounts/counted-windows.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { looks } from '../support/looks.ts'
import type { Person } from '../support/people.ts'

/** Administrators look after accounts, stations and applications; nobody else gets there. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the administration in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: Person, path: string, look?: Partial<Visit>) => {
    const page = await world.visit(person, path, look)
    open.push(page)
    return page
  }
  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('an administrator lands in the administration and has no sections of customers', async () => {
    const asked: string[] = []
    const page = await visit('dora', '/services')
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.waitForURL('**/admin')
    await page.getByText('No gateway is failing.').waitFor()
    await page.clock.runFor(30_000)
    expect(asked).toContain('/v3/system/state')
    expect(asked).not.toContain('/v3/event_stream')
    expect(await page.getByText('No connection').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Services' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('searchbox').fill('charl')
    await page.waitForURL('**/admin/accounts?query=charl')
    expect(await page.locator('.items li').count()).toBeGreaterThan(0)
  })

  test('customers are told that they may not see it', async () => {
    const page = await visit('alice', '/admin/accounts')
    await page.getByText(/Only administrators of this installation|tylko administratorzy tej instalacji/).waitFor()
  })

  test('the key n adds to the list that is open, and the help says so', async () => {
    const page = await visit('dora', '/admin')
    await page.getByText('No gateway is failing.').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Add an account, a station or a client to the list').waitFor()
    expect(await help.getByText('Add a service').count()).toBe(0)
    await page.keyboard.press('Escape')
    for (const [list, title] of [
      ['Accounts', 'Add an account'],
      ['Stations', 'Add a station'],
    ] as const) {
      await page.getByRole('link', { name: list, exact: true }).click()
      await page.getByRole('button', { name: title }).waitFor()
      await page.keyboard.press('n')
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('an account is added, changed, blocked, unblocked and deleted, by keyboard', async () => {
    const page = await visit('dora', '/admin/accounts')
    await page.getByRole('button', { name: 'Add an account' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add an account' })
    await dialog.locator('input:focus').and(dialog.getByLabel('Username')).waitFor()
    await page.keyboard.type('newcomer')
    await page.keyboard.press('Tab')
    await page.keyboard.type('<i>New</i>')
    await page.keyboard.press('Tab')
    await page.keyboard.type('new@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('a long password indeed')
    await expect.poll(() => dialog.locator('button[type=submit]').isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '<i>New</i>' }).click()
    await page.getByLabel('Phone number').fill('+48 22 000 00 00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('button', { name: 'Block' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const removal = page.getByRole('dialog')
    expect(await removal.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await removal.getByLabel('Type newcomer to go on').fill('newcomer')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/accounts')
    await page.getByRole('link', { name: '<i>New</i>' }).waitFor({ state: 'detached' })
  })

  test('a package tells all that it allows, and leads to its accounts', async () => {
    await world.database.execute(sql`update packages set monthly_reports_limit = 17 where name = 'unlimited'`)
    const page = await visit('dora', '/admin/packages')
    const row = page.getByRole('listitem').filter({ has: page.getByText('unlimited', { exact: true }) })
    await row.getByText('Reports a month: 17.').waitFor()
    await row.getByText('Types of services').click()
    await row
      .getByText(/^HTTP\b/)
      .first()
      .waitFor()
    await row.getByRole('link', { name: 'Accounts: unlimited' }).click()
    await page.waitForURL(`**/admin/accounts?package_id=${world.people.packageIds.unlimited}`)
    await page.getByRole('link', { name: 'alice' }).waitFor()
    expect(await page.getByRole('link', { name: 'rita' }).count()).toBe(0)
  })

  test('a station is added, connected with one command, and retired', async () => {
    const page = await visit('dora', '/admin/stations')
    await page.getByRole('button', { name: 'Add a station' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Far away')
    await page.keyboard.press('Enter')
    const row = page.getByRole('listitem').filter({ hasText: 'Far away' })
    await row.getByText('never connected').waitFor()
    await row.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a token' }).click()
    const command = await page.getByRole('textbox', { name: 'Command' }).inputValue()
    expect(command).toMatch(/^SENSOR_TOKEN=[\w-]{20,} npx latarnik sensor --server http:\/\/api\.test$/)
    await page.getByRole('button', { name: 'Done' }).click()
    await row.getByRole('button', { name: 'Retire' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
    await row.getByRole('button', { name: 'Retire' }).waitFor({ state: 'detached' })
  })

  test('an administrator reads how well the installation works, nobody else does', async () => {
    const page = await visit('dora', '/installation')
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await page.getByLabel('Window').selectOption('7d')
    await page.waitForURL('**/installation?window=7d')
    await page.getByText('Missed rounds in the window').waitFor()
    await page.getByText('ACCOUNTABILITY_PAGE=on').waitFor()
    await page.getByText('SMS of all accounts today (UTC): 0 of 2').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    const now = world.clock.now()
    for (const _ of [1, 2, 3]) {
      await countAttempt(world.database, 'sms of all accounts', { now, windowMs: 86_400_000 - (now % 86_400_000) })
    }
    await page.reload()
    await page.getByText('SMS of all accounts today (UTC): 2 of 2').waitFor()
    await page.getByRole('alert').getByText('Failed today for that reason: 1.').waitFor()
    expect((await world.call('alice', 'GET', '/system/installation')).status).toBe(403)
    const other = await visit('alice', '/installation')
    await other.getByText(/Only administrators of this installation|tylko administratorzy tej instalacji/).waitFor()
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $locale', async (look) => {
    const page = await visit('dora', '/admin', look)
    const screens = [
      ['/admin', '.numbers dd'],
      ['/admin/accounts', '.items li'],
      [`/admin/accounts/${world.people.ids.charlie}`, 'form'],
      ['/admin/packages', '.items li'],
      ['/admin/stations', '.items li'],
      ['/admin/clients', '.items li, .nothing'],
      ['/admin/usage', 'table, .nothing'],
      ['/installation', '.facts dd'],
      ['/installation?window=7d', '.facts dd'],
    ] as const
    for (const [path, shown] of screens) {
      await page.goto(`http://api.test${path}`)
      await page.locator(shown).first().waitFor()
      expect([path, await accessibilityFaults(page)]).toEqual([path, []])
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([path, overflow <= 0]).toEqual([path, true])
    }
  })
})
