import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { pickType, typeField } from '../support/type-picker.ts'

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
    ['https://shop.example.com/cart?x=1', 'HTTPS', 'shop.example.com/cart?x=1', 'shop.example.com/cart'],
    ['http://shop.example.com:8080/', 'HTTP', 'shop.example.com:8080', 'shop.example.com:8080'],
    ['shop.example.com:5432', 'TCP connect', 'shop.example.com:5432', 'shop.example.com:5432'],
    ['192.0.2.7', 'Ping', '192.0.2.7', '192.0.2.7'],
    ['mail.example.com', 'SMTP HELO', 'mail.example.com', 'mail.example.com'],
    ['2001:db8::7', 'Ping', '2001:db8::7', '2001:db8::7'],
  ])('%s proposes %s', async (pasted, typeName, address, name) => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill(pasted)
    expect(await typeField(page).inputValue()).toBe(typeName)
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(address)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  })

  test('of DNS the typed name is the domain to ask for, and the name server is another field', async () => {
    const page = await visit('alice', '/services/new')
    const [address, server] = ['Address', 'Name server'].map((name) => page.getByLabel(name, { exact: true }))
    const asked = page.getByLabel('Domain name', { exact: true })
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('example.test')
    expect(await address?.inputValue()).toBe('example.test')
    await pickType(page, 'DNS')
    expect([await server?.inputValue(), await asked.inputValue()]).toEqual(['', 'example.test'])
    for (const name of ['address', 'name', 'extended_settings.query_name'])
      await page.locator(`[data-field="${name}"]`).getByText('required', { exact: true }).waitFor()
    expect(await asked.getAttribute('aria-required')).toBe('true')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('other.test')
    expect([await server?.inputValue(), await asked.inputValue()]).toEqual(['', 'other.test'])
    await pickType(page, 'HTTPS')
    expect(await address?.inputValue()).toBe('other.test')
    await pickType(page, 'DNS')
    await server?.fill('ns1.elsewhere.test')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await named('other.test')).toMatchObject({ address: 'ns1.elsewhere.test', query_name: 'other.test' })
    await page.getByRole('link', { name: 'Services' }).first().click()
    await page.getByText('ns1.elsewhere.test · other.test').waitFor()
  })

  test.each([
    [1001, 'The address of the name server was not found: ns1.elsewhere.test.'],
    [5101, 'The name server was reached; this is about the domain it was asked for: example.test.'],
  ])('a trial of DNS says which of the two names it is about: %s', async (errorTypeId, told) => {
    world.stations.answer = () => ({ errorTypeId, errorMessage: 'not found' })
    // Lets the limit of trials per minute pass.
    world.clock.advance(61_000)
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('example.test')
    await pickType(page, 'DNS')
    await page.getByLabel('Name server', { exact: true }).fill('ns1.elsewhere.test')
    await page.getByRole('button', { name: 'Test now' }).click()
    await page.getByText(told).first().waitFor()
    world.stations.answer = () => 'ok'
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
    await page.getByLabel('Warn days before the end').fill('x, y')
    await page.getByText('Advanced settings').click()
    await page.locator('[data-field="extended_settings.maximum_redirects"] input').fill('many')
    await page.getByText('Advanced settings').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByRole('heading', { name: '3 things are wrong' }).waitFor()
    await page
      .getByRole('alert')
      .getByRole('button', { name: /^Timeout \(ms\)/ })
      .waitFor()
    expect(await page.locator('[data-field="extended_settings.timeout"] .problem').textContent()).toContain('100')
    expect(await page.locator('[data-field="extended_settings.warning_days"] .problem p').count()).toBe(1)
    await page.locator('[data-field="extended_settings.timeout"] input:focus').waitFor()
    await page.locator('[data-field="extended_settings.maximum_redirects"] .problem').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await named('wrong.example.com')).toBeUndefined()
  })

  test('a message goes when its field is edited, the others stay', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://wrong.example.com')
    const timeout = page.locator('[data-field="extended_settings.timeout"]')
    await timeout.locator('input').fill('5')
    await page.getByLabel('Address', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByRole('heading', { name: '2 things are wrong' }).waitFor()
    await timeout.locator('input').fill('5000')
    await timeout.locator('.problem').waitFor({ state: 'detached' })
    await page.locator('[data-field=address] .problem').waitFor()
    expect(await page.getByRole('alert').getByRole('button').count()).toBe(1)
    await page.getByLabel('Address', { exact: true }).fill('right.example.com')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.locator('.problem').count()).toBe(0)
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

  test('of two tabs the second is asked before it overwrites the first; nothing typed is lost', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      ...{ name: 'In two tabs', type_id: 'ping', address: '192.0.2.9' },
    })
    const path = `/services/${(body as { id: number }).id}`
    const [one, other] = [await visit('alice', `${path}/edit`), await visit('alice', `${path}/edit`)]
    const nameOf = (page: Page) => page.getByLabel('Name', { exact: true })
    await nameOf(other).fill('Of the second')
    await nameOf(one).fill('Of the first')
    await one.getByRole('button', { name: 'Save' }).click()
    await one.waitForURL(`**${path}`)
    const save = other.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const note = other.getByRole('alert').and(other.locator(':focus'))
    await note.getByText('Somebody changed this meanwhile.').waitFor()
    await note.getByText('Newer: Of the first').waitFor()
    expect(await note.locator('dt').allTextContents()).toEqual(['Name'])
    expect(await accessibilityFaults(other)).toEqual([])
    await save.click()
    await note.getByText('Newer: Of the first').waitFor()
    await note.getByRole('button', { name: 'Show the newer one' }).click()
    expect(await nameOf(other).inputValue()).toBe('Of the first')
    await other.getByRole('button', { name: 'Show mine again' }).click()
    expect(await nameOf(other).inputValue()).toBe('Of the second')
    expect(await named('Of the first')).toBeDefined()
    await other.getByRole('button', { name: 'Save mine anyway' }).click()
    await other.waitForURL(`**${path}`)
    expect((await world.call('alice', 'GET', path)).body).toMatchObject({ name: 'Of the second' })
  })

  test('a change of what the form does not show is no conflict', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      ...{ name: 'Paused elsewhere', type_id: 'ping', address: '192.0.2.9' },
    })
    const path = `/services/${(body as { id: number }).id}`
    const page = await visit('alice', `${path}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('Mine')
    await world.call('alice', 'PUT', path, { is_active: false })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**${path}`)
    expect((await world.call('alice', 'GET', path)).body).toMatchObject({ description: 'Mine', is_active: false })
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

  test('archiving asks first when something was changed', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      ...{ name: 'To archive', type_id: 'ping', address: '192.0.2.9' },
    })
    const { id } = body as { id: number }
    const page = await visit('alice', `/services/${id}/edit`)
    await page.getByLabel('Description', { exact: true }).fill('Not saved')
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Not saved')
    expect((await named('To archive'))?.['is_archived']).toBe(false)
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
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

  test.each([
    [1280, 900, 'alice'],
    [360, 740, 'charlie'],
  ] as const)(
    'what the stations answered is seen, and the button keeps the focus: %s px',
    async (width, height, person) => {
      // Lets the limit of trials per minute pass.
      world.clock.advance(61_000)
      const page = await visit(person, '/services/new', { width, height })
      await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://tried.example.com')
      const test = page.getByRole('button', { name: 'Test now' })
      await test.click()
      const verdict = page.getByRole('status').getByText('It works. Nothing is saved yet.')
      await verdict.waitFor()
      const inView = async () => {
        const [box, last] = await Promise.all([verdict.boundingBox(), page.locator('.trial li').last().boundingBox()])
        return box !== null && last !== null && box.y >= 0 && last.y + last.height <= height
      }
      await expect.poll(inView).toBe(true)
      await test.and(page.locator(':focus')).waitFor()
    },
  )

  test('a test whose connection breaks says so', async () => {
    const [first = 0] = world.people.sensorIds
    world.clock.advance(61_000)
    world.stations.answer = ({ sensorId }) => (sensorId === first ? 'ok' : 'silent')
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://cut.example.com')
    await page.getByRole('button', { name: 'Test now' }).click()
    await page.getByRole('status').getByText('Answered so far: 1').waitFor()
    world.server.server.closeAllConnections()
    await page.getByRole('status').getByText('The connection ended before the verdict. Test again.').waitFor()
    expect(await page.locator('form .refusal').count()).toBe(0)
    world.stations.answer = () => 'ok'
    world.complaints.splice(0)
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
})
