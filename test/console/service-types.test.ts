import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { families, serviceTypes } from '../../src/checks/index.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'
import { pickType, typeField } from '../support/type-picker.ts'

/** The type of a new service is found by its family or by words, in a real browser. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the type of a new service', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const speak = (language: 'en' | 'pl') =>
    world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
  const named = async (name: string) => {
    const { body } = await world.call('alice', 'GET', `/services?name=${encodeURIComponent(name)}`)
    return (body as { readonly id: number; readonly [member: string]: unknown }[])[0]
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await speak('en')
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a click shows every family once, without the twins for IPv6', async () => {
    const page = await visit('alice', '/services/new')
    await typeField(page).click()
    const groups = await page.getByRole('listbox').getByRole('group').locator('> p').allTextContents()
    expect(groups).toEqual(Object.values(families).map(({ en }) => en))
    const names = await page.getByRole('listbox').getByRole('option').allTextContents()
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter((name) => name.includes('IPv6'))).toEqual([])
  })

  test('the list of services offers every type in its family, too', async () => {
    await world.call('alice', 'POST', '/services', { name: 'Listed', type_id: 'https', address: 'listed.example.com' })
    const page = await visit('alice', '/services?type_id=https')
    const filter = page.getByRole('combobox', { name: 'Type', exact: true })
    await page.getByRole('link', { name: 'Listed' }).waitFor()
    expect(await filter.inputValue()).toBe('https')
    const names = filter.locator('optgroup')
    expect(await names.evaluateAll((found) => found.map((group) => group.getAttribute('label')))).toEqual(
      Object.values(families).map(({ en }) => en),
    )
    const offered = await names.locator('option').evaluateAll((found) => found.map((one) => one.getAttribute('value')))
    expect(offered.toSorted()).toEqual(serviceTypes.map(({ id }) => id).toSorted())
    await filter.selectOption({ label: 'PostgreSQL' })
    await page.waitForURL(/type_id=postgresql/)
    await page.getByRole('link', { name: 'Listed' }).waitFor({ state: 'detached' })
  })

  test.each([
    ['postgres', ['PostgreSQL']],
    ['cron', ['Heartbeat (cron jobs, backups)']],
    ['certificate', ['HTTPS', 'TLS']],
    ['skrzynka', ['IMAP', 'POP3']],
    ['database', ['Redis', 'PostgreSQL', 'MySQL and MariaDB', 'MongoDB']],
    ['mail', ['SMTP HELO', 'IMAP', 'POP3']],
    ['queue', ['MQTT', 'RabbitMQ (AMQP)']],
    ['dns', ['DNS']],
    ['nothing of the kind', []],
  ])('%j finds %j', async (typed, names) => {
    const page = await visit('alice', '/services/new')
    await typeField(page).fill(typed)
    expect(await page.getByRole('listbox').getByRole('option').locator('span:first-child').allTextContents()).toEqual(
      names,
    )
    expect(await page.locator('.type-picker [role=status]').textContent()).toMatch(
      names.length === 0 ? /No type matches/ : new RegExp(`^${names.length} type`),
    )
  })

  test.each(['en', 'pl'] as const)(
    'every setting has its name, and its help that a screen reader reads (%s)',
    async (language) => {
      await speak(language)
      const page = await visit('alice', '/services/new')
      let met = 0
      for (const { id, name, family, settings } of serviceTypes.filter(({ category }) => category !== 'ipv6')) {
        if (family === 'heartbeats') continue
        await pickType(page, name[language])
        for (const { setting_id, unit, words } of settings) {
          const { label, description } = words[language]
          const field = page.locator(`[data-field="extended_settings.${setting_id}"]`)
          if (setting_id === 'assertions') {
            expect(await field.locator('legend').textContent()).toBe(label)
            continue
          }
          const control = field.locator('input, select, textarea')
          const named = await control.evaluate(
            (one) => (one as unknown as { labels: ArrayLike<{ textContent: string }> }).labels[0]?.textContent,
          )
          expect(named, `${id} ${setting_id}`).toBe(unit === undefined ? label : `${label} (${unit})`)
          const told = await control.evaluate(
            (one) => one.ownerDocument.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent,
          )
          expect(told?.startsWith(description), `${id} ${setting_id}: ${told}`).toBe(true)
          met += 1
        }
      }
      expect(met).toBeGreaterThan(200)
      await speak('en')
    },
  )

  test('a database is added by keyboard alone', async () => {
    const page = await visit('alice', '/services/new')
    await tabTo(page, '[role=combobox]')
    await page.keyboard.type('sql')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const active = await typeField(page).getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"] span`).first().textContent()).toBe('PostgreSQL')
    await page.keyboard.press('Enter')
    expect(await typeField(page).inputValue()).toBe('PostgreSQL')
    expect(await typeField(page).getAttribute('aria-expanded')).toBe('false')
    await tabTo(page, '[data-field=address] input')
    await page.keyboard.type('db.example.test')
    await tabTo(page, '[data-field=name] input')
    await page.keyboard.type('Orders')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/services\/\d+$/)
    expect(await named('Orders')).toMatchObject({ type_id: 'postgresql', address: 'db.example.test' })
  })

  test('the port of a pasted address goes where the chosen type has it, and is shown', async () => {
    const page = await visit('alice', '/services/new')
    const [address, port] = ['Address', 'Port'].map((name) => page.getByLabel(name, { exact: true }))
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('127.0.0.1:23714')
    await pickType(page, 'Redis')
    expect([await address?.inputValue(), await port?.inputValue()]).toEqual(['127.0.0.1', '23714'])
    await pickType(page, 'TCP connect')
    expect(await address?.inputValue()).toBe('127.0.0.1:23714')
    await pickType(page, 'Redis')
    await page.getByText('It stands here, not in the address. Empty: the usual one.').waitFor()
    await address?.fill('127.0.0.1:23714')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    await page.getByText('redis://127.0.0.1:23714').waitFor()
    expect(await named('127.0.0.1:23714')).toMatchObject({ address: '127.0.0.1', port: 23_714 })
    await page.getByRole('link', { name: 'Services' }).first().click()
    await page.locator('.address', { hasText: '127.0.0.1:23714' }).waitFor()
  })

  test('Escape and another field close the list and keep the type', async () => {
    const page = await visit('alice', '/services/new')
    for (const leave of ['Escape', 'Tab']) {
      await typeField(page).fill('redis')
      await page.keyboard.press(leave)
      expect(await page.getByRole('listbox').getByRole('option').count()).toBe(0)
      expect(await typeField(page).inputValue()).toBe('HTTPS')
    }
  })

  test('the switch for IPv6 keeps what is set', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://six.example.test')
    const timeout = page.locator('[data-field="extended_settings.timeout"] input')
    await timeout.fill('5000')
    await page.getByLabel('Over IPv6 only').check()
    expect(await typeField(page).inputValue()).toBe('HTTPS')
    expect(await timeout.inputValue()).toBe('5000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await named('six.example.test')).toMatchObject({
      type_id: 'https_ipv6',
      extended_settings: { timeout: 5000 },
    })
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('HTTPS, IPv6')
    expect(await page.getByLabel('Type', { exact: true }).isDisabled()).toBe(true)
  })

  test('the registration of a domain is added: no stations, an address without a prefix', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('shop.example')
    await pickType(page, 'Domain (registration)')
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('shop.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await named('shop.example')).toMatchObject({ type_id: 'domain', address: 'shop.example' })
  })

  test('a heartbeat is found as a backup, has no address, and shows where to report', async () => {
    const page = await visit('alice', '/services/new')
    await typeField(page).fill('backup')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Address', { exact: true }).count()).toBe(0)
    await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.heartbeat code').first().waitFor()
    expect(await named('Nightly backup')).toMatchObject({ type_id: 'heartbeat', address: '' })
  })

  test.each(looks)(
    '$language $width $colorScheme: the open list is accessible and stays on the screen',
    async (look) => {
      await speak(look.language)
      const page = await visit('alice', '/services/new', look)
      await page.locator('[role=combobox]').click()
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      const box = await page.getByRole('listbox').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(look.width)
    },
  )
})
