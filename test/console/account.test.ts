import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { oneTimePassword } from '../../src/auth/one-time-password.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** People look after their account, let others in, and take it back. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator application makes from its secret. */
function codeOf(secret: string, at: number): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return oneTimePassword(
    Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)),
    at,
  )
}

describeWithBrowser('the account in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: Person, path: string, look?: Partial<Visit>) => {
    const page = await world.visit(person, path, look)
    open.push(page)
    return page
  }
  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'adam', 'rita', 'bob', 'carol', 'charlie'] as const) {
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', {
        ...{ language: 'en', isWelcomed: true },
      })
    }
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('of two who change the contact data the second is told what is different', async () => {
    const page = await visit('alice', '/account')
    const person = page.getByLabel('Contact person', { exact: true })
    await person.fill('Of the second')
    await world.call('alice', 'PUT', '/user_data/my_user_data', { contact_person: 'Of the first', phone_number: '' })
    const form = page.locator('form').filter({ has: person })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('Newer: Of the first').waitFor()
    await form.getByRole('button', { name: 'Save mine anyway' }).click()
    await form.getByRole('alert').waitFor({ state: 'detached' })
    const stored = async () =>
      ((await world.call('alice', 'GET', '/user_data/my_user_data')).body as { contact_person: string }).contact_person
    await expect.poll(stored).toBe('Of the second')
    await person.fill('Again')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toBe('Again')
  })

  test('a second factor is set up with the codes of an application, by keyboard alone, and switched off with a recovery code', async () => {
    const page = await visit('charlie', '/account/security')
    await page.getByText('A login asks for the password alone').waitFor()
    await page.getByRole('button', { name: 'Set up the second factor' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Set up the second factor' }).waitFor()
    await page.keyboard.type(passwordOf('charlie'))
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    const secret = (await page.locator('.account-screen code').first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Switch on' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Set up the second factor' })
    await dialog.getByLabel('Code that the application shows').fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Code that the application shows').fill(codeOf(secret, world.clock.now()))
    await page.keyboard.press('Enter')
    await page.locator('.codes li').first().waitFor()
    const [recovery = ''] = await page.locator('.codes li').allTextContents()
    await page.getByText('A login asks for the password and for a code').waitFor()
    const all = (await page.locator('.codes li').allTextContents()).join('\n')
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } })",
    )
    await page.getByRole('button', { name: 'Copy: Recovery codes' }).click()
    await page.getByText('Copied', { exact: false }).waitFor()
    expect(await page.evaluate('window.copied')).toBe(all)
    expect((await world.call('alice', 'GET', '/user_data/my_user_data')).body).toMatchObject({ has_2fa_enabled: false })
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Switch the second factor off' }).click()
    const off = page.getByRole('dialog', { name: 'Switch the second factor off' })
    await off.getByRole('textbox').fill(recovery)
    await page.keyboard.press('Enter')
    await page.getByText('A login asks for the password alone').waitFor()
  })

  test('whoever would lock themselves out by the address filter is warned, and may add their own address', async () => {
    const page = await visit('charlie', '/account/security')
    await page.getByRole('checkbox', { name: 'Only these addresses may log in' }).check()
    await page.getByRole('textbox', { name: 'Addresses' }).fill('192.0.2.0/24')
    await page.getByText('you would be locked out at once').waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Add my address' }).click()
    await page.getByText('you would be locked out at once').waitFor({ state: 'detached' })
    await save.click()
    await page.getByText('Saved.').waitFor()
    const { body } = await world.call('charlie', 'GET', '/user_data/my_user_data')
    expect(body).toMatchObject({ ip_whitelist: ['192.0.2.0/24', '127.0.0.1'], ip_whitelist_enabled: true })
  })

  test('another login is added with what it may do told as a sentence, changed and removed', async () => {
    const page = await visit('alice', '/account/people')
    await page.getByRole('button', { name: 'Add a login' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a login' })
    await dialog.getByLabel('Username').fill('night')
    await dialog.getByLabel('Name', { exact: true }).fill('<b>Night shift</b>')
    await dialog.getByLabel('Password').fill('short')
    await dialog.getByLabel('E-mail address').fill('night@example.com')
    await dialog.getByRole('button', { name: 'Add a login' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password').fill('a long password of the night')
    await dialog.getByText('As code').click()
    const code = await dialog.getByRole('textbox', { name: 'As code' }).inputValue()
    expect(code).toContain('"password": "PASSWORD"')
    expect(code).not.toContain('a long password')
    await dialog.getByRole('button', { name: 'Add a login' }).click()
    const row = page.getByRole('listitem').filter({ hasText: '<b>Night shift</b>' })
    await row.getByText('May read everything of the account, and change nothing.').waitFor()
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'May only read' }).uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('May read and change services').waitFor()
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('a group is added, shared by the number of an account, left by its receiver, and removed', async () => {
    const page = await visit('alice', '/account/groups')
    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Brand new')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Share Brand new' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Brand new' })
    await dialog.getByLabel('Number of the other account').fill(String(world.people.ids.charlie))
    await dialog.getByRole('checkbox', { name: 'may add services' }).check()
    await dialog.getByRole('button', { name: 'Share' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const shares = page.getByRole('list', { name: 'Shared with: Brand new' })
    await shares.getByText('may add services.').waitFor()
    await shares.getByRole('button', { name: 'Change the rights' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'may delete services' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await shares.getByText('may add services, may delete services.').waitFor()
    const receiver = await visit('charlie', '/account/groups')
    const received = receiver.getByRole('listitem').filter({ hasText: 'Brand new' })
    await received.getByText('You: may add services, may delete services.').waitFor()
    await received.getByRole('button', { name: 'Leave' }).click()
    await receiver.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await receiver.getByText('Nobody shares a group with you.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Remove: Brand new' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Brand new', { exact: true }).waitFor({ state: 'detached' })
  })

  test('times in another zone than the browser’s are told; the account is changed to it with one click, and what moves is said', async () => {
    const zoneOf = async () =>
      ((await world.call('bob', 'GET', '/accounts/my_account')).body as { time_zone_id: string }).time_zone_id
    const own = idOf(
      await world.call('bob', 'POST', '/services', { name: 'Own', type_id: 'https', address: 'own.example.com' }),
    )
    const week = {
      start_minute: { day_of_week: 1, hour: 2, minute: 0 },
      end_minute: { day_of_week: 1, hour: 3, minute: 0 },
    }
    idOf(await world.call('bob', 'POST', '/weekly_suspensions', { service_id: own, ...week }))
    const page = await visit('bob', '/services', { timezoneId: 'America/New_York', width: 360, height: 740 })
    const notice = page.getByRole('region', { name: 'Time zone' })
    await notice
      .getByText('Times are shown in Europe/Warsaw, the zone of your account. This browser is in America/New_York.')
      .waitFor()
    await notice.getByText('1 weekly suspension moves with it').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await notice.getByRole('button', { name: 'Change the account to America/New_York' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(await zoneOf()).toBe('america_new_york')
    const alike = await visit('bob', '/services', { timezoneId: 'America/Toronto' })
    await alike.locator('h1').waitFor()
    expect(await alike.locator('.zone-notice').count()).toBe(0)
    await alike.goto('http://api.test/account')
    await alike.getByRole('button', { name: 'Use the zone of this browser: America/Toronto' }).click()
    await alike.getByText('1 weekly suspension moves with it').waitFor()
    await world.call('bob', 'PUT', '/accounts/my_account', { time_zone_id: 'europe_warsaw' })
  })

  test('the zone of the account is kept with one click, for this zone of the browser', async () => {
    const page = await visit('charlie', '/services', { timezoneId: 'America/New_York' })
    await page.getByRole('button', { name: 'Keep Europe/Warsaw' }).click()
    await page.locator('.zone-notice').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('html[data-ready=yes] h1').waitFor()
    expect(await page.locator('.zone-notice').count()).toBe(0)
    const travelling = await visit('charlie', '/services', { timezoneId: 'Asia/Tokyo' })
    await travelling.getByText('This browser is in Asia/Tokyo.').waitFor()
    const reading = await visit('rita', '/services', { timezoneId: 'Asia/Tokyo' })
    await reading.getByRole('button', { name: 'Keep Europe/Warsaw' }).waitFor()
    expect(await reading.getByRole('button', { name: /^Change the account/ }).count()).toBe(0)
  })

  test('who may only read is shown everything and offered no change', async () => {
    const page = await visit('rita', '/account/groups')
    await page.locator('.items li').first().waitFor()
    expect(await page.getByRole('button', { name: /Add a group|^Share|^Change|^Remove/ }).count()).toBe(0)
    await page.goto('http://api.test/account/people')
    await page.getByText('Nobody else has a login of this account.').waitFor()
    expect(await page.getByRole('button', { name: 'Add a login' }).count()).toBe(0)
  })

  test('sessions name the browser and the system, and show the text that it sent on demand', async () => {
    const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const page = await visit('bob', '/account/sessions')
    await page.locator('.sessions li').first().waitFor()
    await world.database.execute(
      sql`update sessions set user_agent = ${browser} where account_id = ${world.people.ids.bob}`,
    )
    await page.reload()
    const name = page.locator('.sessions summary').getByText('Firefox 145 on Windows', { exact: true }).first()
    await name.waitFor()
    const sent = page.locator('.sessions').getByText(browser).first()
    expect(await sent.isVisible()).toBe(false)
    await name.click()
    await sent.waitFor()
  })

  test('logging out everywhere ends this session too', async () => {
    const page = await visit('bob', '/account/sessions')
    await page.getByRole('heading', { name: 'Attempts to log in' }).waitFor()
    await page.getByText('Succeeded').first().waitFor()
    const asked: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && asked.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
    await page.waitForURL('**/login')
    await page.locator('input[name=username]').waitFor()
    // A second navigation aborts the first.
    expect(asked).toEqual(['/login'])
  })
})
