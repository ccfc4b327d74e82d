import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { chosenByCommit } from '../support/commit-seed.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { isConsoleTriedLong, looks } from '../support/looks.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** People use the console in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the console in a browser', () => {
  let world: ConsoleWorld
  let service: string
  let failure: string
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }

  const settings = '/user_data/my_user_data/settings/console.v1'
  const speak = (language: 'en' | 'pl', person: Person = 'alice') => world.call(person, 'PUT', settings, { language })

  beforeAll(async () => {
    world = await consoleWorld()
    await speak('en')
    await speak('en', 'charlie')
    service = `/services/${world.serviceIds.shared}`
    failure = `${service}/failures/${world.history.changeIds.failure}`
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the list shows every service with its state; states, search and order are links', async () => {
    const page = await visit('alice', '/services')
    const rows = page.getByRole('table', { name: 'Services' }).getByRole('row')
    await rows.nth(1).waitFor()
    const all = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1
    expect(all).toBeGreaterThan(1)
    await page.getByRole('button', { name: /^Failure/ }).click()
    await page.waitForURL('**/services?status.summary=failure')
    await vi.waitFor(async () => {
      const states = await page.locator('.rows .cell-state').allTextContents()
      expect(states.length).toBeGreaterThan(0)
      expect(new Set(states)).toEqual(new Set(['Failure']))
    })
    await page.goBack()
    await page.getByRole('searchbox').fill('no such service anywhere')
    await page.getByRole('heading', { name: 'No service matches' }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('no such service anywhere')
    await page.getByRole('button', { name: 'Remove the filters' }).click()
    await rows.nth(1).waitFor()
  })

  test('many services are changed at once: a range by Shift, all that match, deleting only after typing their number', async () => {
    const made: number[] = []
    for (const letter of ['A', 'B', 'C', 'D']) {
      const { body } = await world.call('alice', 'POST', '/services', {
        ...{ name: `Many ${letter}`, type_id: 'http', address: 'many.example.com/' },
      })
      made.push((body as { readonly id: number }).id)
    }
    const page = await visit('alice', '/services?query=Many&sort=name')
    await page.getByRole('checkbox', { name: 'Select Many A' }).check()
    await page.getByRole('checkbox', { name: 'Select Many C' }).click({ modifiers: ['Shift'] })
    await page.getByText('3 services selected').waitFor()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('Done: 3.').waitFor()
    const { body: paused } = await world.call('alice', 'GET', '/services?query=Many&is_active=false&fields=id&sort=id')
    expect(paused).toEqual(made.slice(0, 3).map((id) => ({ id })))
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('checkbox', { name: 'Select Many D' }).check()
    await page.getByRole('button', { name: 'Select all 4 that match' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete' })
    const go = dialog.getByRole('button', { name: 'Do it' })
    expect(await go.isDisabled()).toBe(true)
    await dialog.getByLabel('Type 4 to go on').fill('4')
    await go.click()
    await page.getByText('Done: 4.').waitFor()
    expect((await world.call('alice', 'GET', '/services?query=Many&fields=id')).body).toEqual([])
  })

  test('what the API refuses of many is told in its words', async () => {
    const page = await visit('alice', '/services?sort=name')
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: 'Interval…' }).click()
    await page.getByRole('spinbutton').fill('99999999')
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.locator('.bulk').getByText('604800').waitFor()
  })

  test('an address that asks for what there is not says so, and leads back', async () => {
    const page = await visit('alice', '/services?colour=red')
    await page.getByRole('alert').getByText('colour').first().waitFor()
    await page.getByRole('button', { name: 'Remove the filters' }).click()
    await page.getByRole('table').waitFor()
  })

  test('a phone folds the filters, says how many are set, and opens them by keyboard', async () => {
    const page = await visit('alice', '/services', { width: 360, height: 740 })
    await page.locator('.name-link').first().waitFor()
    expect((await page.getByRole('table').boundingBox())?.y).toBeLessThan(740 * 0.4)
    const type = page.getByRole('combobox', { name: 'Type' })
    expect(await type.isVisible()).toBe(false)
    const toggle = page.getByRole('button', { name: 'Filters' })
    const search = () => page.getByRole('searchbox').boundingBox()
    const before = await search()
    await toggle.press('Enter')
    expect([await toggle.getAttribute('aria-expanded'), await search()]).toEqual(['true', before])
    await type.selectOption('http')
    await page.waitForURL('**/services?type_id=http')
    await page.getByRole('button', { name: 'Filters (1)' }).press('Enter')
    expect(await type.isVisible()).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('from the list to the evidence of a failure, by keyboard alone', async () => {
    const page = await visit('alice', '/services?status.summary=failure')
    await page.getByRole('table').locator('.name-link').first().waitFor()
    await tabTo(page, '.name-link')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Failures' }).waitFor()
    await page.locator('.failures a').first().waitFor()
    await tabTo(page, '.failures a')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${failure}`)
    await page.getByRole('heading', { name: 'Who said what' }).waitFor()
    await page.getByText('What to do:').waitFor()
    await tabTo(page, '.failure-screen details:has-text("Content received") summary')
    await page.keyboard.press('Enter')
    await page.locator('.content pre').waitFor()
    expect(await page.locator('.content pre').textContent()).toBe(world.history.pageBytes.toString())
  })

  test('a link of a mail leads to the failure that its round lies in', async () => {
    const page = await visit('alice', `${service}/analyses/${world.history.failureId}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    expect(await page.locator('.matrix button[aria-pressed=true]').getAttribute('aria-label')).toContain('failure')
  })

  test('a failure is corrected, with the service level told before', async () => {
    const page = await visit('alice', failure)
    await page.getByRole('button', { name: 'Correct the history' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Service level of the last 30 days').waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('<b>We moved</b> the server')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('<b>We moved</b> the server').waitFor()
    const { body } = await world.call(
      'alice',
      'GET',
      `/corrections?service_id=${world.serviceIds.shared}&sort=-id&limit=1`,
    )
    expect(body).toMatchObject([{ status: 'ok', description: '<b>We moved</b> the server' }])
  })

  test('somebody is told: an address is added with what is wrong said beside it, changed and removed', async () => {
    const page = await visit('alice', '/notifications')
    await page.getByRole('button', { name: 'Add an address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an address' })
    await dialog.getByLabel('Address').fill('no address')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Address').fill('night@example.com')
    await page.keyboard.press('Enter')
    const row = page.getByRole('listitem').filter({ hasText: 'night@example.com' })
    await row.waitFor()
    await row.getByRole('button', { name: 'Change' }).click()
    const change = page.getByRole('dialog', { name: 'Change the address' })
    await change.getByLabel('Note').fill('the night shift')
    await change.getByRole('button', { name: 'Save' }).click()
    await row.getByText('the night shift').waitFor()
    await row.getByRole('button', { name: 'Remove' }).click()
    await page
      .getByRole('dialog', { name: 'Remove night@example.com?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await row.waitFor({ state: 'detached' })
  })

  test('texts of strangers stay texts', async () => {
    const name = '<img src=x onerror=alert(1)> "\'&amp;'
    await world.call('alice', 'PUT', service, { name })
    const page = await visit('alice', service)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await world.call('alice', 'PUT', service, { name: 'Shared' })
  })

  test('of whom the service is not sees as much as of one that is not there', async () => {
    const page = await visit('charlie', service)
    const told = page.getByRole('alert').getByText('This does not exist, or you may not see it.')
    await told.waitFor()
    const other = await visit('charlie', '/services/987654')
    await other.getByRole('alert').getByText('This does not exist, or you may not see it.').waitFor()
  })

  test('logging out ends the session and leads to the login', async () => {
    const page = await visit('alice', '/services')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('**/login')
    await page.goto('http://api.test/services')
    await page.waitForURL('**/login?to=%2Fservices')
  })

  test('language and theme are the reader’s own, on every machine', async () => {
    const page = await visit('alice', '/account')
    await page.getByLabel('Language', { exact: true }).selectOption('pl')
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor()
    await page.getByLabel('Motyw').selectOption('dark')
    await vi.waitFor(async () => {
      const { body } = await world.call('alice', 'GET', settings)
      expect(body).toMatchObject({ language: 'pl', theme: 'dark' })
    })
    const elsewhere = await visit('alice', '/services')
    expect(await elsewhere.locator('html').getAttribute('lang')).toBe('pl')
    expect(await elsewhere.locator('html').getAttribute('data-theme')).toBe('dark')
    await speak('en')
  })

  test('groups of the same name say whose they are, those of other names do not', async () => {
    await speak('en', 'bob')
    const { name } = (await world.call('alice', 'GET', `/groups/${world.groupIds.shared}`)).body as { name: string }
    const own = idOf(await world.call('bob', 'POST', '/groups', { name }))
    const names = [`${name} (yours)`, `${name} (account ${world.people.ids.alice})`].toSorted()
    const page = await visit('bob', '/services/new')
    const alike = (control: Locator) => control.locator('option', { hasText: name }).allTextContents()
    await expect.poll(async () => (await alike(page.getByLabel('Group', { exact: true }))).toSorted()).toEqual(names)
    await page.getByRole('link', { name: 'Services' }).first().click()
    await expect.poll(async () => (await alike(page.getByLabel('Group', { exact: true }))).toSorted()).toEqual(names)
    await page
      .locator('.rows .cell-group')
      .getByText(names[0] ?? '')
      .first()
      .waitFor()
    await world.call('bob', 'DELETE', `/groups/${own}`)
    await page.reload()
    await page.locator('.rows .cell-group').getByText(name, { exact: true }).first().waitFor()
    expect(await alike(page.getByLabel('Group', { exact: true }))).toEqual([name])
  })

  test('groups are managed one step from the list, from the form and from the palette', async () => {
    const page = await visit('alice', '/services')
    const manage = page.getByRole('link', { name: 'Manage groups' })
    const there = async () => {
      await page.waitForURL('**/account/groups')
      await page.getByRole('button', { name: 'Add a group' }).waitFor()
    }
    await manage.click()
    await there()
    await page.goto('http://api.test/services/new')
    await manage.click()
    await there()
    await page.getByRole('link', { name: 'Stations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stations' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('rename group')
    await page.getByRole('option', { name: 'Groups: add, rename, share, delete' }).waitFor()
    await page.keyboard.press('Enter')
    await there()
    const reader = await visit('rita', '/services')
    await reader.getByRole('table').waitFor()
    expect(await reader.locator('a[href="/account/groups"]').count()).toBe(0)
  })

  test('on a phone a box stands beside its words and the menu of the sections on the screen', async () => {
    await speak('pl')
    const page = await visit('alice', '/calendar', { width: 360, height: 740 })
    await page.getByRole('button', { name: 'Więcej' }).click()
    const menu = await page.locator('#more-sections').boundingBox()
    expect(menu !== null && menu.x >= 0 && menu.x + menu.width <= 360).toBe(true)
    await page.keyboard.press('Escape')
    let boxes = 0
    for (const [path, button] of [
      ['/calendar', 'Nowe zawieszenie'],
      ['/reports', 'Nowy plan'],
      ['/wallboards', 'Nowy odnośnik'],
      [service, 'Zawieś'],
    ] as const) {
      await page.goto(`http://api.test${path}`)
      await page.getByRole('button', { name: button, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('label input').first().waitFor()
      if (path === '/calendar') await dialog.getByRole('radio', { name: 'Etykieta' }).waitFor()
      const below = await page.evaluate<readonly { readonly name: string; readonly isBeside: boolean }[]>(boxesAndWords)
      boxes += below.length
      expect(below.filter(({ isBeside }) => !isBeside)).toEqual([])
    }
    expect(boxes).toBeGreaterThan(10)
    await speak('en')
  })

  const screensOf: Readonly<Record<'common' | 'owner' | 'administrator', readonly (string | (() => string))[]>> = {
    common: [
      ...[
        '/services',
        '/services/new',
        '/notifications',
        '/calendar',
        '/reports',
        '/on-call',
        '/stations',
        '/wallboards',
      ],
      ...['/account', '/account/security', '/account/sessions', '/account/groups', '/account/package'],
      ...['', '/service-level', '/edit'].map((part) => () => service + part),
      () => failure,
    ],
    owner: ['/welcome', '/account/people', () => `/services/new?clone=${world.serviceIds.shared}`],
    administrator: [
      ...['/admin', '/admin/accounts', '/admin/packages', '/admin/stations', '/admin/clients', '/admin/usage'],
      ...['/installation', '/stations'],
    ],
  }
  const visitors = [
    ['alice', ['common', 'owner']],
    ['adam', ['common']],
    ['carol', ['common']],
    ['dora', ['administrator']],
  ] as const
  test.each(isConsoleTriedLong ? visitors : chosenByCommit(visitors, 2))(
    'a visit of %s to every screen asks for nothing that is refused',
    async (person, kinds) => {
      const page = await visit(person, '/account')
      const refused: string[] = []
      const waiting = new Set<string>()
      page.on('request', (request) => /event_stream/.test(request.url()) || waiting.add(request.url()))
      page.on('requestfinished', (request) => waiting.delete(request.url()))
      page.on('requestfailed', (request) => waiting.delete(request.url()))
      page.on('response', (response) => {
        if (response.status() >= 400)
          refused.push(`${response.status()} ${response.request().method()} ${response.url()}`)
      })
      for (const screen of kinds.flatMap((kind) => screensOf[kind])) {
        const path = typeof screen === 'string' ? screen : screen()
        await page.goto(`http://api.test${path}`)
        await page.locator('h1').first().waitFor()
        await expect.poll(() => [...waiting]).toEqual([])
        expect([path, refused]).toEqual([path, []])
      }
    },
  )

  test.each(looks)('axe finds nothing on any screen: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const page = await visit('alice', '/services', look)
    const screens: readonly (readonly [string, string])[] = [
      ['/services', '.table .name-link'],
      ['/services?query=nothing+like+this', '.empty'],
      [service, '.levels b'],
      [failure, '.explained'],
      [`${service}/edit`, '[name=name], input'],
      ['/services/new', 'input.pasted'],
      ['/notifications', '.addresses li'],
      ['/stations', '.station-list li'],
      ['/account', '.account-screen form'],
      ['/account/security', '.warning-note, textarea'],
      ['/account/sessions', '.sessions li'],
      ['/account/people', '.items li'],
      ['/account/groups', '.shares li'],
      ['/account/package', 'meter, .facts'],
      ['/services/987654', '.trouble'],
    ]
    for (const [path, shown] of screens) {
      await page.goto(`http://api.test${path}`)
      await page.locator(shown).first().waitFor()
      expect([path, await accessibilityFaults(page)]).toEqual([path, []])
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([path, overflow <= 0]).toEqual([path, true])
    }
    await speak('en')
  })
})

/** Each box of the open dialog, and whether all of its words stand to its right. */
const boxesAndWords = `[...document.querySelectorAll('dialog[open] label:has([type=checkbox], [type=radio])')].map((label) => {
  const [box, words] = [label.querySelector('input'), document.createRange()]
  words.selectNodeContents(label)
  words.setStartAfter(box)
  const { right } = box.getBoundingClientRect()
  return { name: label.textContent, isBeside: [...words.getClientRects()].every(({ left }) => left >= right) }
})`

/** Presses Tab until what is wanted has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.locator(`${wanted}:focus`).count()) return
  }
  throw new Error(`Tab never leads to ${wanted}.`)
}
