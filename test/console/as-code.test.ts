import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { shellWords } from '../support/shell-words.ts'

/** The curl command that the console shows has the same effect at the API as the form beside it. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A name that every form of quoting has trouble with. */
const name = `It's "new" $HOME`

interface Case {
  readonly person?: Person
  readonly path: () => string
  /** Leads to the form and fills it in; gives what it stands in. */
  readonly fill: (page: Page) => Promise<Locator>
  /** The values for the form's secrets. */
  readonly secrets?: Readonly<Record<string, string>>
  readonly list: () => string
  readonly made: () => object
}

describeWithBrowser('what the console shows as code', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const tokens = new Map<Person, string>()

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'dora'] as const) {
      const login = { username: person, password: passwordOf(person) }
      tokens.set(person, ((await world.call(null, 'POST', '/sessions', login)).body as { token: string }).token)
    }
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      ...{ language: 'en', isWelcomed: true },
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  /** Runs the command as curl does. */
  async function run(command: string, variables: Readonly<Record<string, string>>) {
    const [program, ...words] = shellWords(command, variables)
    expect(program).toBe('curl')
    const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []))
    const [url = ''] = words.filter((word, at) => !word.startsWith('-') && !words[at - 1]?.startsWith('-'))
    expect(url).toMatch(/^http:\/\/api\.test\/v3\//)
    const { statusCode, payload } = await world.server.inject({
      method: after('-X')[0] as 'POST' | 'PUT',
      url: url.slice('http://api.test'.length),
      headers: Object.fromEntries(after('-H').map((line) => line.split(': ', 2))),
      payload: after('-d')[0] ?? '',
    })
    expect(payload.includes('"error"') ? payload : '').toBe('')
    expect(statusCode).toBeLessThan(300)
  }

  const dialogOf = async (page: Page, button: string) => {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    return page.getByRole('dialog')
  }
  const ofService = (rest = '') => `/services/${world.serviceIds.shared}${rest}`

  const cases: Readonly<Record<string, Case>> = {
    'a new group': {
      path: () => '/account/groups',
      async fill(page) {
        const dialog = await dialogOf(page, 'Add a group')
        await dialog.getByLabel('Name').fill(name)
        return dialog
      },
      list: () => '/groups?sort=-id&limit=1',
      made: () => ({ name }),
    },
    'a group that is there': {
      path: () => '/account/groups',
      async fill(page) {
        await page.getByRole('button', { name: 'Change Prywatna' }).click()
        await page.getByRole('dialog').getByLabel('Name').fill(`${name} too`)
        return page.getByRole('dialog')
      },
      list: () => `/groups?id=${world.groupIds.private}`,
      made: () => ({ name: `${name} too` }),
    },
    'another login': {
      path: () => '/account/people',
      async fill(page) {
        const dialog = await dialogOf(page, 'Add a login')
        await dialog.getByLabel('Username').fill('coded')
        await dialog.getByLabel('Name', { exact: true }).fill(name)
        await dialog.getByLabel('Password').fill('hidden from everybody')
        await dialog.getByLabel('E-mail address').fill('coded@example.com')
        return dialog
      },
      secrets: { 'hidden from everybody': 'PASSWORD' },
      list: () => '/accounts?username=coded',
      made: () => ({ name, is_read_only: true }),
    },
    'an address': {
      path: () => '/notifications',
      async fill(page) {
        const dialog = await dialogOf(page, 'Add an address')
        await dialog.getByLabel('Address', { exact: true }).fill('coded@example.com')
        await dialog.getByLabel('Note').fill(name)
        return dialog
      },
      list: () => '/notification_addresses?sort=-id&limit=1',
      made: () => ({ address: 'coded@example.com', description: name, notification_channel_id: 'email' }),
    },
    'a suspension': {
      path: () => `/calendar?week=2027-01-11&service.group_id=${world.groupIds.shared}`,
      async fill(page) {
        const dialog = await dialogOf(page, 'New suspension')
        await dialog.getByLabel('From', { exact: true }).fill('2027-01-13T01:00')
        await dialog.getByLabel('To', { exact: true }).fill('2027-01-13T02:30')
        await dialog.getByLabel('Why').fill(name)
        return dialog
      },
      list: () => '/suspensions?sort=-id&limit=1',
      made: () => ({ start_time: '2027-01-13T00:00:00Z', end_time: '2027-01-13T01:30:00Z', description: name }),
    },
    'a weekly suspension': {
      path: () => `/calendar?week=2027-01-11&service_id=${world.serviceIds.shared}`,
      async fill(page) {
        const dialog = await dialogOf(page, 'New suspension')
        await dialog.getByRole('radio', { name: 'Every week' }).check()
        await dialog.getByLabel('From: time').fill('22:30')
        await dialog.getByLabel('Why').fill(name)
        return dialog
      },
      list: () => '/weekly_suspensions?sort=-id&limit=1',
      made: () => ({ start_minute: expect.objectContaining({ hour: 22, minute: 30 }), description: name }),
    },
    'a correction': {
      path: () => ofService(`/failures/${world.history.changeIds.failure}`),
      async fill(page) {
        const dialog = await dialogOf(page, 'Correct the history')
        await dialog.getByRole('textbox', { name: 'Reason' }).fill(name)
        return dialog
      },
      list: () => '/corrections?sort=-id&limit=1',
      made: () => ({ service_id: world.serviceIds.shared, status: 'ok', description: name }),
    },
    'a plan of reports': {
      path: () => '/reports',
      async fill(page) {
        const dialog = await dialogOf(page, 'New plan')
        await dialog.getByLabel('Name').fill(name)
        return dialog
      },
      list: () => '/report_templates?sort=-id&limit=1',
      made: () => ({ name, requested_scope: { services: { all: true } } }),
    },
    'a wallboard': {
      path: () => '/wallboards',
      async fill(page) {
        const dialog = await dialogOf(page, 'New link')
        await dialog.getByLabel('Name').fill(name)
        return dialog
      },
      list: () => '/wallboards?sort=-id&limit=1',
      made: () => ({ name, group_ids: null }),
    },
    'a service that is edited': {
      path: () => ofService('/edit'),
      async fill(page) {
        await page.getByLabel('Description', { exact: true }).fill(name)
        return page.locator('main')
      },
      list: () => `/services?id=${world.serviceIds.shared}`,
      made: () => ({ description: name }),
    },
    'the address filter': {
      path: () => '/account/security',
      async fill(page) {
        await page.getByRole('textbox', { name: 'Addresses' }).fill('192.0.2.0/24')
        return page.locator('section', { has: page.getByRole('textbox', { name: 'Addresses' }) })
      },
      list: () => '/user_data/my_user_data',
      made: () => ({ ip_whitelist: ['192.0.2.0/24'], ip_whitelist_enabled: false }),
    },
    'the contact data': {
      path: () => '/account',
      async fill(page) {
        await page.getByLabel('Contact person').fill(name)
        await page.getByLabel('E-mail address').fill('new-alice@example.com')
        await page.getByLabel('Present password, since').fill(passwordOf('alice'))
        return page.locator('section', { has: page.getByLabel('Contact person') })
      },
      secrets: { [passwordOf('alice')]: 'CURRENT_PASSWORD' },
      list: () => '/user_data/my_user_data',
      made: () => ({ contact_person: name }),
    },
    'an account of the administration': {
      person: 'dora',
      path: () => `/admin/accounts/${world.people.ids.carol}`,
      async fill(page) {
        await page.getByLabel('Phone number').fill('+48 22 000 00 00')
        return page.locator('main')
      },
      list: () => `/admin/accounts?id=${world.people.ids.carol}`,
      made: () => ({ phone_number: '+48 22 000 00 00' }),
    },
    'an OAuth client': {
      person: 'dora',
      path: () => '/admin/clients',
      async fill(page) {
        const dialog = await dialogOf(page, 'Add a client')
        await dialog.locator('input').first().fill('coded-1')
        await dialog.getByLabel('Name').fill(name)
        await dialog.getByRole('textbox').nth(2).fill('https://coded.example.com/')
        return dialog
      },
      list: () => '/admin/oauth_clients?sort=-id&limit=1',
      made: () => ({ client_id: 'coded-1', name }),
    },
  }

  test.each(Object.keys(cases))('is a curl that works: %s', async (kind) => {
    const { person = 'alice', path, fill, secrets = {}, list, made } = cases[kind] as Case
    const page = await world.visit(person, path())
    open.push(page)
    const place = await fill(page)
    await place.getByText('As code', { exact: true }).click()
    const code = place.getByRole('textbox', { name: 'As code' })
    let command = await code.inputValue()
    expect(command).toContain('$TOKEN')
    for (const form of ['json', 'yaml']) {
      await place.getByLabel('Form', { exact: true }).selectOption(form)
      const shown = await code.inputValue()
      expect(shown.trim()).not.toBe('')
      for (const secret of Object.keys(secrets)) expect(command + shown).not.toContain(secret)
    }
    for (const [secret, placeholder] of Object.entries(secrets)) {
      expect(command).toContain(placeholder)
      command = command.replace(`"${placeholder}"`, JSON.stringify(secret))
    }
    await run(command, { TOKEN: tokens.get(person) ?? '' })
    const { body } = await world.call(person, 'GET', list())
    expect(Array.isArray(body) ? body[0] : body).toMatchObject(made())
  })

  test('choosing a form of the code is no change that leaving asks about', async () => {
    const page = await world.visit('alice', '/account')
    open.push(page)
    await page.getByText('As code', { exact: true }).first().click()
    await page.getByLabel('Form', { exact: true }).first().selectOption('yaml')
    await page.getByRole('link', { name: 'Services', exact: true }).first().click()
    await page.waitForURL('**/services')
  })
})
