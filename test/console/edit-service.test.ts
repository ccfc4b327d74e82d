import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** Services are added, edited, cloned and deleted in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('adding and editing services', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const named = async (name: string) => {
    const { body } = await world.call('alice', 'GET', `/services?name=${encodeURIComponent(name)}`)
    return (body as { readonly id: number; readonly [member: string]: unknown }[])[0]
  }

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'charlie'] as const)
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test.each([
    ['https://shop.example.com/cart?x=1', 'https', 'shop.example.com/cart?x=1', 'shop.example.com/cart'],
    ['http://shop.example.com:8080/', 'http', 'shop.example.com:8080', 'shop.example.com:8080'],
    ['shop.example.com:5432', 'tcp_connect', 'shop.example.com:5432', 'shop.example.com:5432'],
    ['192.0.2.7', 'ping', '192.0.2.7', '192.0.2.7'],
    ['mail.example.com', 'smtp_helo', 'mail.example.com', 'mail.example.com'],
    ['2001:db8::7', 'ping_ipv6', '2001:db8::7', '2001:db8::7'],
  ])('%s proposes %s', async (pasted, typeId, address, name) => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill(pasted)
    expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe(typeId)
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(address)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  })

  test('a service is added by keyboard alone', async () => {
    const page = await visit('alice', '/services/new')
    await page.locator('.pasted:focus').waitFor()
    await page.keyboard.type('https://keys.example.com/basket')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/services\/\d+$/)
    await page.getByRole('heading', { level: 1, name: 'keys.example.com/basket' }).waitFor()
    expect(await named('keys.example.com/basket')).toMatchObject({
      type_id: 'https',
      address: 'keys.example.com/basket',
      interval: 600,
    })
  })

  test('problems stand beside their fields, folded ones too; the first has the focus', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://wrong.example.com')
    await page.locator('[data-field="extended_settings.timeout"] input').fill('5')
    await page.getByText('Advanced settings').click()
    await page.locator('[data-field="extended_settings.maximum_redirects"] input').fill('many')
    await page.getByText('Advanced settings').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByRole('heading', { name: '2 things are wrong' }).waitFor()
    await page
      .getByRole('alert')
      .getByRole('button', { name: /^Longest time of the whole check/ })
      .waitFor()
    expect(await page.locator('[data-field="extended_settings.timeout"] .problem').textContent()).toContain('100')
    await page.locator('[data-field="extended_settings.timeout"] input:focus').waitFor()
    await page.locator('[data-field="extended_settings.maximum_redirects"] .problem').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await named('wrong.example.com')).toBeUndefined()
  })

  test('a service is edited; what was changed is shown and reset to its default', async () => {
    const path = `/services/${world.serviceIds.shared}`
    await world.call('alice', 'PUT', path, { extended_settings: { timeout: 9000 } })
    const page = await visit('alice', `${path}/edit`)
    const timeout = page.locator('[data-field="extended_settings.timeout"]')
    await timeout.getByText('Changed').waitFor()
    expect(await timeout.locator('input').inputValue()).toBe('9000')
    await timeout.getByRole('button', { name: 'Reset' }).click()
    await page.getByLabel('Name', { exact: true }).fill('<b>New</b> name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**${path}`)
    const { body } = await world.call('alice', 'GET', path)
    expect(body).toMatchObject({ name: '<b>New</b> name', extended_settings: { timeout: 7000 } })
  })

  test('a stored secret is kept when nobody types another one', async () => {
    const path = `/services/${world.serviceIds.shared}`
    const stored = async () =>
      (await world.database.query(sql`select extended_settings from services where id = ${world.serviceIds.shared}`))[0]
    await world.call('alice', 'PUT', path, { extended_settings: { username: 'me', password: 'kept secret' } })
    const page = await visit('alice', `${path}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('changed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**${path}`)
    expect(await stored()).toMatchObject({ extended_settings: { username: 'me', password: 'kept secret' } })
  })

  test('leaving by a link asks first when something was changed', async () => {
    const page = await visit('alice', `/services/${world.serviceIds.shared}/edit`)
    await page.getByLabel('Name', { exact: true }).fill('Not saved')
    let asked = 0
    page.on('dialog', (dialog) => {
      asked += 1
      void (asked === 1 ? dialog.dismiss() : dialog.accept())
    })
    await page.getByRole('link', { name: 'Stations' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Not saved')
    expect(asked).toBe(1)
    await page.getByRole('link', { name: 'Stations' }).click()
    await page.waitForURL('**/stations')
    expect(asked).toBe(2)
  })

  test('archiving asks first when something was changed', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      ...{ name: 'To archive', type_id: 'ping', address: '192.0.2.9' },
    })
    const { id } = body as { id: number }
    const page = await visit('alice', `/services/${id}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('Not saved')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.getByRole('button', { name: 'Archive' }).click()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Not saved')
    expect((await named('To archive'))?.['is_archived']).toBe(false)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('The service is archived.').waitFor()
  })

  test('stations answer before anything is saved: as they come, with advice; problems stand beside fields', async () => {
    const [first = 0] = world.people.sensorIds
    world.stations.answer = ({ sensorId }) =>
      sensorId === first ? { errorTypeId: 4001, errorMessage: '<b>HTTP status 503</b>' } : 'ok'
    const page = await visit('alice', '/services/new')
    const test = page.getByRole('button', { name: 'Test now' })
    await test.click()
    await page.locator('[data-field="address"] .problem').waitFor()
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://tried.example.com')
    await test.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('It works. Nothing is saved yet.').waitFor()
    expect(await page.locator('.trial li').count()).toBe(3)
    await page.locator('.trial .why').getByText('<b>HTTP status 503</b>').waitFor()
    await page.locator('.trial .why').getByText('What to do').waitFor()
    expect(await page.locator('[data-field="address"] .problem').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await named('tried.example.com')).toBeUndefined()
    world.stations.answer = ({ sensorId }) => (sensorId === first ? 'ok' : 'silent')
    await test.click()
    await page.getByRole('status').getByText('Answered so far: 1').waitFor()
    await page.getByRole('button', { name: 'Cancel the test' }).click()
    await page.getByRole('status').getByText('Cancelled.').waitFor()
    world.stations.answer = () => 'ok'
  })

  test('a clone says that secrets stay behind', async () => {
    const page = await visit('alice', `/services/new?clone=${world.serviceIds.shared}`)
    await page.getByText('Passwords and other secrets are not copied.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('a dictionary that cannot be read is told', async () => {
    const page = await visit('alice', '/stations')
    await page.route('**/v3/dictionaries/notification_modes*', (route) => route.fulfill({ status: 404, body: '[]' }))
    await page.getByRole('link', { name: 'Services' }).first().click()
    await page.getByRole('link', { name: 'Add a service' }).first().click()
    await page.getByRole('alert').waitFor()
  })

  test('a clone has everything but the identity', async () => {
    await world.call('alice', 'PUT', `/services/${world.serviceIds.shared}`, { extended_settings: { timeout: 8000 } })
    const page = await visit('alice', `/services/new?clone=${world.serviceIds.shared}`)
    await page.getByLabel('Name', { exact: true }).fill('The clone')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    const clone = await named('The clone')
    expect(clone?.id).not.toBe(world.serviceIds.shared)
    expect(clone).toMatchObject({ extended_settings: { timeout: 8000 } })
  })

  test('a service is deleted only after its name was typed', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      name: 'To delete',
      type_id: 'ping',
      address: '192.0.2.9',
    })
    const page = await visit('alice', `/services/${(body as { id: number }).id}/edit`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('To delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/services')
    expect(await named('To delete')).toBeUndefined()
  })

  test('who may not see a service gets no form', async () => {
    const page = await visit('charlie', `/services/${world.serviceIds.shared}/edit`)
    await page.getByRole('alert').waitFor()
    expect(await page.locator('form').count()).toBe(0)
  })
})
