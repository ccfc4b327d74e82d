import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { type FarEnd, startFarEnd } from '../support/far-end.ts'
import { idOf } from '../support/replies.ts'

/** The messages sent to one address: sent again, and signed by another secret. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const phone = { width: 360, height: 740 }

describeWithBrowser('deliveries of an address', () => {
  let world: ConsoleWorld
  let farEnd: FarEnd
  let hookId = 0
  const open: Page[] = []
  const visit = async (person: 'alice' | 'rita', path: string, visitOf?: Parameters<ConsoleWorld['visit']>[2]) => {
    const page = await world.visit(person, path, visitOf)
    open.push(page)
    return page
  }
  const speak = (person: 'alice' | 'rita', language: 'en' | 'pl') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })

  beforeAll(async () => {
    world = await consoleWorld()
    farEnd = await startFarEnd(world)
    await Promise.all([speak('alice', 'en'), speak('rita', 'en')])
    const settings = { url: `${farEnd.place}/hook`, secret }
    const hook = { notification_channel_id: 'webhook', settings, group_id: world.people.sharedGroupId }
    hookId = idOf(await world.call('alice', 'POST', '/notification_addresses', hook))
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    farEnd?.close()
    await world?.drop()
  })

  test('shows a refused message with its answer, and sends it again by keyboard', async () => {
    const page = await visit('alice', '/notifications')
    const row = page.getByRole('listitem').filter({ hasText: '/hook' }).first()
    farEnd.answer = { status: 400, body: '{"reason":"not today"}' }
    await farEnd.during('webhook', async () => {
      await row.getByRole('button', { name: 'Send a test' }).click()
      await row.getByText('could not be sent').waitFor()
    })
    await row.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries to' }).waitFor()
    const delivery = page.locator('.delivery')
    await delivery.getByText('HTTP 400').waitFor()
    await delivery.locator('summary').focus()
    await page.keyboard.press('Enter')
    expect(await delivery.getByLabel('What was sent: Body').inputValue()).toContain('"type": "test"')
    expect(await delivery.getByLabel('What was answered: Body').inputValue()).toContain('not today')
    expect(await accessibilityFaults(page)).toEqual([])

    farEnd.answer = { status: 202, body: 'thank you' }
    await farEnd.during('webhook', async () => {
      await delivery.getByRole('button', { name: 'Send again' }).focus()
      await page.keyboard.press('Enter')
      await delivery.getByText('Sent again: taken, HTTP 202.').waitFor()
    })
    await delivery.nth(1).waitFor()
    expect(farEnd.heard.map(({ type }) => type)).toEqual(['test', 'test'])
    await page.getByLabel('Not taken only').check()
    await delivery.nth(1).waitFor({ state: 'detached' })
    await delivery.locator('summary').getByText('HTTP 400').waitFor()

    await world.call('alice', 'PUT', `/notification_addresses/${hookId}`, { is_enabled: false })
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await delivery.getByText(/cannot be sent again/).waitFor()
    await world.call('alice', 'PUT', `/notification_addresses/${hookId}`, { is_enabled: true })
  })

  test('a new secret is shown once, on a phone, in Polish', async () => {
    await speak('alice', 'pl')
    const page = await visit('alice', `/notifications/addresses/${hookId}`, { ...phone, colorScheme: 'dark' })
    await page.locator('.delivery summary').first().click()
    await page.getByRole('heading', { name: 'Co wysłano' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Nowy sekret…' }).click()
    await page.getByRole('dialog').getByText('Przez 24 godziny').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Utwórz nowy sekret' }).click()
    const shown = page.getByRole('dialog', { name: 'Nowy sekret' })
    const fresh = await shown.getByLabel('Sekret', { exact: true }).inputValue()
    expect(fresh).toMatch(/^whsec_/)
    expect(fresh).not.toBe(secret)
    await shown.getByText('Poprzedni sekret też podpisuje, do ').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await shown.getByRole('button', { name: 'Mam go' }).click()
    await shown.waitFor({ state: 'detached' })
    await expect.poll(() => page.content()).not.toContain(fresh)
    await speak('alice', 'en')
  })

  test('who only reads sees the deliveries, and is offered no change', async () => {
    const page = await visit('rita', `/notifications/addresses/${hookId}`)
    await page.locator('.delivery summary').first().click()
    await page.getByLabel('What was sent: Body').waitFor()
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([])
    await page.goto('http://api.test/notifications/addresses/999999')
    await page.getByRole('alert').getByText('This does not exist').waitFor()
  })

  test('the address of a contact has them, too', async () => {
    const contactId = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Zofia' }))
    const settings = { url: `${farEnd.place}/zofia` }
    const hook = { notification_channel_id: 'webhook', settings, contact_id: contactId }
    expect((await world.call('alice', 'POST', '/contact_addresses', hook)).status).toBe(201)
    const page = await visit('alice', '/on-call')
    const row = page.getByRole('list', { name: 'Addresses of Zofia' }).getByRole('listitem')
    await row.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByText('Nothing was sent to this address').waitFor()
    await page.getByRole('button', { name: 'New secret…' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText('There was no secret before').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('link', { name: 'On call' }).click()
    await page.getByRole('heading', { name: 'Contact groups' }).waitFor()
  })
})
