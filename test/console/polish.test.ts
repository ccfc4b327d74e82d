import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'
import { pickType } from '../support/type-picker.ts'

/** The console as a Polish reader meets it, on a phone too. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const sections = ['services', 'notifications', 'calendar', 'reports', 'account'] as const

/** The right edge of each item of the bar. Runs in the page. */
const edges = `[...document.querySelectorAll('.navigation nav li > *:not([popover])')].map((item) => ({
  text: item.innerText.trim(), right: item.getBoundingClientRect().right, width: item.scrollWidth - item.clientWidth }))`

describeWithBrowser('the console in Polish', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string, width = 1280) => {
    const page = await world.visit('alice', path, { locale: 'pl-PL', width, height: 740 })
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'pl' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test.each([320, 360])('the bar of sections fits a phone of %i px on every section', async (width) => {
    const page = await visit('/services', width)
    for (const section of sections) {
      await page.goto(`http://api.test/${section}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const items = await page.evaluate<{ text: string; right: number; width: number }[]>(edges)
      expect(items.length).toBe(5)
      for (const item of items)
        expect.soft([item.text, item.right <= width, item.width], section).toEqual([item.text, true, 0])
    }
  })

  test('nobody says of a heartbeat that it was not checked', async () => {
    const id = idOf(await world.call('alice', 'POST', '/services', { type_id: 'heartbeat', name: 'Kopia' }))
    const page = await visit(`/services/${id}`)
    await page.getByRole('heading', { name: 'Zgłoszenia', exact: true }).waitFor()
    await page.locator('.service-head').getByText('Nieznany').waitFor()
    expect(await page.getByText('niesprawdzona').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the port of host:port in the address becomes the setting of a type that has one, by the Enter key too', async () => {
    const page = await visit('/services/new')
    await pickType(page, 'Redis')
    await page.getByRole('textbox', { name: 'Nazwa', exact: true }).fill('Kolejka')
    await page.getByRole('textbox', { name: 'Adres', exact: true }).fill('cache.example.com:23130')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('textbox', { name: 'Adres', exact: true }).inputValue()).toBe('cache.example.com')
    expect(await page.getByLabel('Port', { exact: true }).inputValue()).toBe('23130')
    await page.getByRole('textbox', { name: 'Adres', exact: true }).fill('cache.example.com:23131')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Kolejka' }).waitFor()
    const { body } = await world.call('alice', 'GET', '/services?name=Kolejka&fields=address,port')
    expect(body).toEqual([{ address: 'cache.example.com', port: 23_131 }])
  })

  test('an empty address is asked for as people would', async () => {
    const page = await visit('/services/new')
    await page.getByRole('button', { name: 'Zapisz' }).click()
    await page.locator('[data-field=address]').getByText('Podaj adres.').waitFor()
    expect(await page.getByText('Wartość jest za krótka').count()).toBe(0)
  })

  test('the first steps offer the language of the console for messages', async () => {
    await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'en' })
    const page = await visit('/welcome', 360)
    await page.getByText('Wiadomości i raporty są po angielsku').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Wysyłaj po polsku' }).press('Enter')
    await page.getByRole('status').getByText('Wiadomości i raporty są teraz po polsku.').waitFor()
    const { body } = await world.call('alice', 'GET', '/accounts/my_account?fields=language_id')
    expect(body).toEqual({ language_id: 'pl' })
    await page.reload()
    await page.getByLabel('Adres e-mail').waitFor()
    expect(await page.getByRole('button', { name: 'Wysyłaj po polsku' }).count()).toBe(0)
  })

  test('a saved profile says so after the page began anew, and its button has the focus again', async () => {
    const page = await visit('/account')
    const form = page.locator('form').filter({ has: page.getByLabel('Język konta') })
    await form.getByText('Język wiadomości, raportów i listów o koncie.').waitFor()
    await form.getByLabel('Nazwa').fill('Alicja')
    await page.keyboard.press('Enter')
    await form.getByRole('status').getByText('Zapisano.').waitFor()
    await page.locator('.who').getByText('Alicja').waitFor()
    const button = form.getByRole('button', { name: 'Zapisz' })
    expect(await button.evaluate((one) => one.matches(':focus'))).toBe(true)
    await page.reload()
    await button.waitFor()
    expect(await form.getByText('Zapisano.').count()).toBe(0)
  })

  test('channels and types of the package have their names', async () => {
    const page = await visit('/account/package')
    await page.getByText('E-mail, krótki').waitFor()
    await page.getByText('Heartbeat (zadania cron, kopie zapasowe)').waitFor()
    expect(await page.getByText(/email_short|tcp_connect/).count()).toBe(0)
  })

  test('a tile of the wallboard shows how long a failure lasts as a whole, beside a long address', async () => {
    const page = await visit('/stations')
    const since = new Date(world.clock.now() - 101_000).toISOString()
    const failing = [1, 2].map((id) => ({
      ...{ id, name: `Płatności ${id}`, since, address: `127.0.0.1:23110/strona/${'bardzo-'.repeat(12)}${id}` },
    }))
    const group = {
      id: 1,
      name: 'Sklepy',
      failure: 2,
      unknown: 0,
      ok: 0,
      suspended: 0,
      paused: 0,
      degraded: 0,
      failing,
    }
    await page.route('**/v3/wallboard', (route) =>
      route.fulfill({ json: { name: null, time: since, groups: [group, { ...group, id: 2 }] } }),
    )
    await page.goto('http://api.test/wallboard')
    await page.locator('.tile-failing time').first().waitFor()
    const overhang = await page.evaluate<number[]>(`[...document.querySelectorAll('.tile-failing time')].map((time) =>
      time.getBoundingClientRect().right - time.closest('.tile-failing').getBoundingClientRect().right)`)
    expect(overhang.length).toBe(4)
    for (const beyond of overhang) expect(beyond).toBeLessThanOrEqual(0.5)
  })

  test('a new address goes to the group of new services, unless another was asked for', async () => {
    const first = idOf(await world.call('alice', 'POST', '/groups', { name: 'AAA pierwsza' }))
    const { body } = await world.call('alice', 'GET', '/groups?is_default=true&fields=id,owner_id')
    const own = (body as { id: number; owner_id: number }[]).find(({ owner_id }) => owner_id === world.people.ids.alice)
    for (const [asked, group] of [
      ['', own?.id],
      [`?group_id=${first}`, first],
    ] as const) {
      const page = await visit(`/notifications${asked}`)
      await page.getByRole('button', { name: 'Dodaj adres' }).first().click()
      expect(await page.getByRole('dialog').getByLabel('Grupa').inputValue()).toBe(String(group))
    }
  })

  test('days before a service was there keep their places in its bars', async () => {
    idOf(
      await world.call('alice', 'POST', '/services', { name: 'Nowa', type_id: 'http', address: 'nowa.example.com/' }),
    )
    const page = await visit('/services?query=Nowa')
    await page.locator('.bars path.none').first().waitFor({ state: 'attached' })
    const path = (await page.locator('.bars path.none').first().getAttribute('d')) ?? ''
    expect(path.split('M').length - 1).toBeGreaterThanOrEqual(29)
  })

  test('on a phone the text stays beside its picture where nobody is told', async () => {
    const group_id = idOf(await world.call('alice', 'POST', '/groups', { name: 'Bez adresów' }))
    const service = { name: 'Cicha', type_id: 'http', address: 'cicha.example.com/', group_id }
    const page = await visit(`/services/${idOf(await world.call('alice', 'POST', '/services', service))}`, 360)
    await page.getByText('grupa nie ma potwierdzonego adresu na kanale tej usługi').waitFor()
    const [icon, text] = await page.evaluate<{ left: number; right: number; top: number; bottom: number }[]>(`
      ['.icon', 'span'].map((part) => document.querySelector('.nobody-told > ' + part).getBoundingClientRect().toJSON())`)
    expect([icon, text]).toEqual([expect.any(Object), expect.any(Object)])
    expect(text?.left).toBeGreaterThanOrEqual(icon?.right ?? Number.POSITIVE_INFINITY)
    expect(text?.top).toBeLessThan(icon?.bottom ?? 0)
  })

  test('an escalation says whom to add first while there is nobody to choose', async () => {
    // Alice has contacts already.
    const page = await world.visit('bob', '/on-call', { locale: 'pl-PL' })
    open.push(page)
    await page.getByRole('button', { name: 'Dodaj eskalację' }).click()
    await page.getByRole('dialog').getByText('najpierw dodaj kontakt, grupę kontaktów albo rotację').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the list of services cuts no type and no group at 1280 px', async () => {
    const page = await visit('/services')
    await page.locator('.cell-group').first().waitFor()
    const cut = await page.evaluate<
      readonly string[]
    >(`[['type', 'MySQL i MariaDB, IPv6'], ['group', 'Sklep internetowy']]
      .map(([cell, text]) => {
        const one = document.querySelector('.rows .cell-' + cell)
        one.firstElementChild.textContent = text
        return [one, text]
      })
      .filter(([one]) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth)
      .map(([, text]) => text)`)
    expect(cut).toEqual([])
  })

  test('forced colors show which state of the list is chosen', async () => {
    const page = await visit('/services')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.locator('.chip[aria-pressed=true]').waitFor()
    const lines = await page.evaluate<readonly string[]>(`['true', 'false'].map((pressed) =>
      getComputedStyle(document.querySelector('.chip[aria-pressed=' + pressed + ']')).outlineStyle)`)
    expect(lines).toEqual(['solid', 'none'])
  })
})
