import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { chosenByCommit } from '../support/commit-seed.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { isConsoleTriedLong, looks } from '../support/looks.ts'
import type { Person } from '../support/people.ts'

/** Every user can read every screen, and finds no action there that the API then refuses. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

/**
 * A read-only login of an account, a login of it, receivers of a share without rights and with all, and an
 * administrator.
 */
const people = ['rita', 'adam', 'carol', 'bob', 'dora'] as const

/** The people whose every offer is pressed: one per commit, or all (`CONSOLE_TRIED=long`). */
const pressing = isConsoleTriedLong ? people : chosenByCommit(['rita', 'carol', 'dora'] as const, 1)

/** Ends the session, or leaves the console. */
const leaving = /log ?out|full screen/i

describeWithBrowser('each role in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
  })
  afterAll(() => world?.drop())

  /** The main routes, and what shows that each is there. */
  function routesOf(person: Person): readonly (readonly [string, string])[] {
    if (person === 'dora')
      return [
        ['/admin', '.numbers dd'],
        ['/admin/accounts', '.items li'],
        [`/admin/accounts/${world.people.ids.charlie}`, 'form'],
        ['/admin/packages', '.items li'],
        ['/admin/stations', '.items li'],
        ['/admin/clients', '.items li, .nothing'],
        ['/admin/usage', 'table, .nothing'],
        ['/installation', '.facts dd'],
        ['/stations', '.station-list li'],
      ]
    const service = `/services/${world.serviceIds.shared}`
    return [
      ['/services', '.table .name-link'],
      [service, '.levels b'],
      [`${service}/failures/${world.history.changeIds.failure}`, '.explained'],
      [`${service}/service-level`, '.interval'],
      [`${service}/edit`, 'form, [role=alert], .trouble'],
      ['/services/new', 'h1'],
      ['/notifications', 'h1'],
      ['/calendar', '.week, .day-list'],
      ['/reports', 'h2'],
      ['/stations', '.station-list li'],
      ['/wallboards', 'h2'],
      ['/wallboard', '.tile'],
      ['/account', '.account-screen form'],
      ['/account/security', 'textarea'],
      ['/account/sessions', '.sessions li'],
      ['/account/people', '.account-screen'],
      ['/account/groups', '.items, .nothing'],
      ['/account/package', 'meter, .facts'],
      ['/welcome', 'h1'],
    ]
  }

  const axed = isConsoleTriedLong
    ? people.flatMap((person) => looks.map((look) => ({ person, ...look })))
    : chosenByCommit(people, 2).map((person, index) => ({ person, ...(looks[index] ?? looks[0]) }))
  test.each(axed)('axe finds nothing: $person, $width px, $colorScheme, $locale', async ({ person, ...look }) => {
    const page = await visit(person, '/account', look)
    for (const [path, shown] of routesOf(person)) {
      await page.goto(`http://api.test${path}`)
      await page.locator(shown).first().waitFor()
      expect([path, await accessibilityFaults(page)]).toEqual([path, []])
    }
  })

  /** The API's refusals, each as `person: method path, after which action`. */
  function hear(page: Page, person: Person) {
    const [refused, under] = [new Set<string>(), new Set<Request>()]
    const known = { doing: '', hasChanged: false }
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/v3/') || pathname === '/v3/event_stream') return
      under.add(request)
      if (request.method() !== 'GET') known.hasChanged = true
    })
    page.on('requestfinished', (request) => under.delete(request))
    page.on('requestfailed', (request) => under.delete(request))
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() === 403)
        refused.add(`${person}: ${response.request().method()} ${pathname}, ${known.doing}`)
    })
    const settle = async () => {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      await vi.waitFor(() => expect(under.size).toBe(0), { timeout: 20_000, interval: 10 })
    }
    return { refused, known, settle }
  }

  /** Actions that would end the test are not performed; the test asks for their permission instead. */
  const spare = (page: Page, person: Person, refuse: (what: string) => void) =>
    page.route(/\/v3\//, async (route) => {
      const method = route.request().method()
      const { pathname } = new URL(route.request().url())
      const isArchiving = pathname.endsWith('/archive')
      if (method !== 'DELETE' && !isArchiving) return route.continue()
      const [, collection, id, part] = /^\/v3\/(.+?)\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? []
      const right = isArchiving ? 'archive' : part === undefined ? 'delete' : 'update'
      const { body } = await world.call(person, 'GET', `/${collection}/${id}?embed=permissions`)
      const may = (body as { readonly permissions?: Readonly<Record<string, boolean>> }).permissions
      if (collection !== undefined && may?.[right] !== true) refuse(`${method} ${pathname}`)
      return route.fulfill({ status: 204, body: '' })
    })

  /** Fills in what is empty and sends the form of the dialog. */
  async function sendDialog(page: Page): Promise<void> {
    const dialog = page.locator('dialog[open]').last()
    const fields = dialog.locator(':is(input:not([type=checkbox], [type=radio], [type=search]), textarea):visible')
    // Typing may remove other fields.
    for (let index = 0; index < (await fields.count()); index += 1) {
      const field = fields.nth(index)
      if ((await field.isEditable()) && (await field.inputValue()) === '') await field.fill('7').catch(() => undefined)
    }
    const submit = dialog.locator('button[type=submit]')
    if ((await submit.count()) > 0 && (await submit.first().isEnabled())) await submit.first().click()
  }

  test.each(pressing)('nothing that %s is offered is refused', async (person) => {
    const page = await visit(person, '/account')
    const { refused, known, settle } = hear(page, person)
    await spare(page, person, (what) => refused.add(`${person}: ${what}, ${known.doing}`))
    const pressed = new Set<string>()
    for (const [path, shown] of routesOf(person)) {
      const begin = async () => {
        known.doing = `on ${path}`
        known.hasChanged = false
        // The account's own form loads the page anew once it is saved.
        await vi.waitFor(() => page.goto(`http://api.test${path}`), { timeout: 30_000 })
        await page.locator(shown).first().waitFor()
        await settle()
      }
      await begin()
      for (let at = 0; ; at += 1) {
        const buttons = page.locator('main button:visible')
        if (at >= (await buttons.count())) break
        const button = buttons.nth(at)
        const name = ((await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '').trim()
        // One word stands on many screens, a longer name for the same thing everywhere.
        const kind = name.includes(' ') ? name.replaceAll(/\d+/g, '') : `${path} ${name}`
        if (pressed.has(kind) || leaving.test(name) || (await button.isDisabled())) continue
        pressed.add(kind)
        known.doing = `"${name}" on ${path}`
        await button.click({ timeout: 3000 }).catch(() => undefined)
        await settle()
        if ((await page.locator('dialog[open]').count()) > 0) {
          await sendDialog(page)
          known.hasChanged = true
          await settle()
        }
        if (known.hasChanged || page.url() !== `http://api.test${path}`) await begin()
      }
    }
    expect(pressed.size).toBeGreaterThan(10)
    expect([...refused]).toEqual([])
  })
})
