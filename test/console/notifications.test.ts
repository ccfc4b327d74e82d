import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { type FarEnd, startFarEnd } from '../support/far-end.ts'

/** Where messages go: channels with fields, tried before they are saved. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('addresses with fields', () => {
  let world: ConsoleWorld
  let farEnd: FarEnd
  const open: Page[] = []
  const visit = async (size?: { width: number; height: number }) => {
    const page = await world.visit('alice', '/notifications', size)
    open.push(page)
    return page
  }
  const settings = '/user_data/my_user_data/settings/console.v1'
  const speak = (language: 'en' | 'pl') => world.call('alice', 'PUT', settings, { language, isWelcomed: true })

  beforeAll(async () => {
    world = await consoleWorld()
    farEnd = await startFarEnd(world)
    await speak('en')
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    farEnd?.close()
    await world?.drop()
  })

  async function startAdding(page: Page) {
    await page.getByRole('button', { name: 'Add an address' }).click()
    return page.getByRole('dialog', { name: 'Add an address' })
  }

  test('ntfy is tried, saved, and its secret is kept when something else changes', async () => {
    const page = await visit()
    const dialog = await startAdding(page)
    await dialog.getByLabel('Channel').selectOption('ntfy')
    await dialog.getByLabel('Topic').fill('two words')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('1 to 64 letters').waitFor()
    expect(await dialog.getByLabel('Topic').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Topic').fill('shop')
    await dialog.getByLabel('Access token (optional)').fill('tk_secret')
    await farEnd.during('ntfy', async () => {
      await dialog.getByRole('button', { name: 'Send a test' }).click()
      await dialog.getByText('The test message was sent.').waitFor()
    })
    expect(farEnd.heard.map(({ topic }) => topic)).toEqual(['shop'])
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'ntfy.sh/shop' })
    await row.getByRole('button', { name: 'Change' }).click()
    const change = page.getByRole('dialog', { name: 'Change the address' })
    expect(await change.getByLabel('Access token (optional)').getAttribute('placeholder')).toBe('saved, not shown')
    await change.getByLabel('Priority').selectOption('high')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.waitFor({ state: 'detached' })
    const [stored] = await world.database.query<{ settings: object }>(
      sql`select settings from notification_addresses where notification_channel_id = 'ntfy'`,
    )
    expect(stored?.settings).toEqual({ topic: 'shop', token: 'tk_secret', priority: 'high' })
  })

  test('the fields of a webhook lead to the document that explains its template', async () => {
    const page = await visit()
    const dialog = await startAdding(page)
    await dialog.getByLabel('Channel').selectOption('webhook')
    const link = dialog.getByRole('link', { name: '/docs/templates.html' })
    expect(await link.getAttribute('href')).toBe('/docs/templates.html')
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('services that do not use the channel yet are named, and use it after one click', async () => {
    const service = { name: 'Quiet', type_id: 'http', address: 'quiet.example', notification_channel_ids: ['email'] }
    expect((await world.call('alice', 'POST', '/services', service)).status).toBe(201)
    const page = await visit()
    const row = page.getByRole('listitem').filter({ hasText: 'ntfy.sh/shop' })
    await row.getByText(/not notify by ntfy\./).waitFor()
    await row.getByRole('button', { name: 'Notify by it' }).click()
    await row.getByText(/not notify by ntfy\./).waitFor({ state: 'detached' })
    const { body } = await world.call('alice', 'GET', '/services?notification_channel_ids=ntfy&fields=id')
    expect((body as unknown[]).length).toBeGreaterThan(0)
  })

  test('a new address is used by the services that are there, unless the reader says no', async () => {
    const told = async (channel: string) => {
      const { body } = await world.call('alice', 'GET', `/services?notification_channel_ids=${channel}&fields=id`)
      return (body as unknown[]).length
    }
    const page = await visit()
    const add = async (channel: string, fields: Readonly<Record<string, string>>, takes: boolean) => {
      const dialog = await startAdding(page)
      await dialog.getByLabel('Channel').selectOption(channel)
      const offer = dialog.getByLabel(/^Let the (\d+ services|service) of this group notify by /)
      expect(await offer.isChecked()).toBe(true)
      if (!takes) await offer.uncheck()
      for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
      expect(await accessibilityFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await add('webhook', { URL: 'https://hooks.example.com/a' }, true)
    await vi.waitFor(async () => expect(await told('webhook')).toBeGreaterThan(0))
    await add('slack', { 'Webhook URL (optional)': 'https://hooks.slack.com/services/T1/B2/secretsecret' }, false)
    await page.getByText(/not notify by Slack/).waitFor()
    expect(await told('slack')).toBe(0)
    const again = await startAdding(page)
    await again.getByLabel('Channel').selectOption('slack')
    expect(await again.getByLabel(/of this group notify by Slack too$/).isChecked()).toBe(false)
  })

  test('the list of deliveries has those to contacts too, page by page, each once and the newest first', async () => {
    const { ids } = world.people
    const [contact] = (await world.call('alice', 'GET', '/contacts?name=Anna&fields=id')).body as { id: number }[]
    await world.database.execute(sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, subject, status, attempts, created_at, contact_id)
      select ${world.serviceIds.shared}, 'listed:' || n, 1, ${ids.alice}, ${world.groupIds.shared}, 'email', 'failure',
        'listed@example.com', '{}', 'Listed ' || n, 'sent', 1, ${new Date(world.clock.now())}::timestamptz + n * interval '1 second',
        case when n % 3 = 0 then null else ${contact?.id}::int end
      from generate_series(1, 60) as n`)
    const page = await visit()
    const rows = page.locator('.deliveries li').filter({ hasText: 'Listed' })
    for (const count of [25, 50, 60]) {
      await expect.poll(() => rows.count()).toBe(count)
      if (count < 60) await page.getByRole('button', { name: 'Older' }).click()
    }
    const wanted = Array.from({ length: 60 }, (_, index) => `Listed ${60 - index}`)
    expect(await rows.locator('a').allTextContents()).toEqual(wanted)
    await rows.first().getByText('E-mail, listed@example.com').waitFor()
    await rows.nth(1).getByText('E-mail, Anna, listed@example.com').waitFor()
    await world.database.execute(sql`delete from notification_intents where address = 'listed@example.com'`)
  })

  test('a pasted URL is enough; on a phone, in Polish', async () => {
    await speak('pl')
    const page = await visit({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Dodaj adres' }).click()
    const dialog = page.getByRole('dialog', { name: 'Dodaj adres' })
    const box = dialog.getByLabel('Albo wklej adres URL')
    await box.fill('https://example.com/nothing')
    await dialog.getByRole('button', { name: 'Zapisz' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/rozpoznać kanał/)
      .waitFor()
    await box.fill('https://hooks.slack.com/services/T1/B1/secretsecret')
    await dialog.locator('.as-code summary').click()
    expect(await dialog.locator('.as-code textarea').inputValue()).toContain('"address": "ADDRESS"')
    await box.focus()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'hooks.slack.com/services/T1/B1' }).waitFor()
    expect(await page.content()).not.toContain('secretsecret')
    await speak('en')
  })
})
