import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'

/** Objects that files manage have a mark, and their forms say what becomes of a change by hand. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('what is managed as code', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const ids = new Map<string, number>()
  const visit = async (path: string, size?: Partial<Visit>) => {
    const page = await world.visit('alice', path, size)
    open.push(page)
    return page
  }
  const settings = '/user_data/my_user_data/settings/console.v1'
  const speak = (language: 'en' | 'pl') => world.call('alice', 'PUT', settings, { language, isWelcomed: true })
  const make = async (path: string, body: object) => {
    const managed = { managed_by: 'shop', managed_key: 'front' }
    const reply = await world.call('alice', 'POST', path, { ...body, ...managed })
    expect([path, reply.status]).toEqual([path, 201])
    ids.set(path, (reply.body as { id: number }).id)
  }
  const look = async (page: Page, name: string) => {
    const folder = process.env['CONSOLE_PICTURES']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/managed-${name}.png`, fullPage: true })
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await speak('en')
    await make('/services', { name: 'Managed page', type_id: 'http', address: 'managed.example' })
    await make('/groups', { name: 'Managed group' })
    await make('/contacts', { name: 'Managed person' })
    await make('/tags', { name: 'managed-tag' })
    await make('/templates', {
      ...{ name: 'Managed mails', notification_channel_id: 'email', language_id: 'en' },
      ...{ subject: 'S', body: 'B', is_active: false },
    })
    await make('/wallboards', { name: 'Managed wall' })
    await make('/report_templates', { name: 'Managed plan' })
    await make('/status_pages', { title: 'Managed status', slug: 'managed-page' })
    await make('/notification_addresses', { notification_channel_id: 'email', address: 'managed@example.com' })
    await make('/wide_suspensions', {
      ...{ description: 'Managed stop', start_time: new Date(world.clock.now() + 3_600_000).toISOString() },
      end_time: new Date(world.clock.now() + 7_200_000).toISOString(),
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  const mark = 'Managed as code: shop, front'
  const overwritten = 'The next apply of its files overwrites what they say'

  test('each list marks it, and nothing else', async () => {
    const lists: readonly (readonly [path: string, row: string, name: string])[] = [
      ['/services', '[data-row]', 'Managed page'],
      ['/account/groups', 'li', 'Managed group'],
      ['/on-call', 'li', 'Managed person'],
      ['/notifications', 'li', 'managed-tag'],
      ['/notifications', 'li', 'managed@example.com'],
      ['/notifications/templates', 'li', 'Managed mails'],
      ['/wallboards', 'li', 'Managed wall'],
      ['/reports', 'li', 'Managed plan'],
      ['/status-pages', 'li', 'Managed status'],
    ]
    for (const [path, row, name] of lists) {
      const page = await visit(path)
      const rows = page.locator(row).filter({ hasText: name })
      await rows.first().waitFor()
      await look(page, path.replaceAll('/', '-'))
      await rows.getByText(mark).first().waitFor()
      // A screen of two lists shows the second when it is read.
      const marks = async () => [path, await page.locator('.managed').count()]
      await expect.poll(marks).toEqual([path, lists.filter(([other]) => other === path).length])
      if (path === '/services' || path === '/account/groups') expect(await accessibilityFaults(page)).toEqual([])
    }
  })

  test('its page has the mark, and its form warns; a service made by hand has neither', async () => {
    const page = await visit(`/services/${ids.get('/services')}`, { width: 360, height: 800 })
    await page.getByText(mark).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await look(page, 'service-360')
    await page.getByRole('link', { name: 'Change', exact: true }).or(page.locator('a[href$="/edit"]')).first().click()
    await page.getByText(overwritten).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await look(page, 'form-360')
    const { body } = await world.call('alice', 'GET', '/services?sort=id&limit=1&fields=id')
    const other = await visit(`/services/${(body as readonly { readonly id: number }[])[0]?.id}/edit`)
    await other.getByLabel('Name', { exact: true }).first().waitFor()
    expect(await other.getByText('managed as code').count()).toBe(0)
  })

  test('dialogs say that a change is overwritten, and that a deleted object comes again', async () => {
    const page = await visit('/on-call', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Change Managed person' }).click()
    await page.getByRole('dialog').getByText(overwritten).waitFor()
    await look(page, 'dialog-dark')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete Managed person' }).click()
    await page.getByRole('dialog').getByText('makes it again, without its history').waitFor()
    const calendar = await visit('/calendar')
    await calendar
      .getByRole('button', { name: /Managed stop/ })
      .first()
      .click()
    await calendar.getByRole('dialog').getByText(overwritten).waitFor()
  })

  test('in Polish', async () => {
    await speak('pl')
    const page = await visit(`/services/${ids.get('/services')}/edit`)
    await page.getByText('Następne zastosowanie plików nadpisze to, co w nich stoi').waitFor()
    const list = await visit('/services')
    await list.getByText('Zarządzane jako kod: shop, front').waitFor()
    await speak('en')
  })
})
