import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, roomInDateFields } from '../support/console.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'
import { idOf } from '../support/replies.ts'

/** Maintenance is planned in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Suspension {
  readonly id: number
  readonly service_id: number
  readonly start_time: string
  readonly end_time: string
  readonly only_notifications: boolean
  readonly description: string
}

describeWithBrowser('the calendar', () => {
  let world: ConsoleWorld
  let shared: number
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const speak = (language: 'en' | 'pl', person: Parameters<ConsoleWorld['visit']>[0] = 'alice') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
  const all = async (path: string) =>
    (await world.call('alice', 'GET', `${path}?sort=id&limit=1000`)).body as readonly Suspension[]
  const suspend = async (body: object) =>
    idOf(await world.call('alice', 'POST', '/suspensions', { service_id: shared, ...body }))
  const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

  beforeAll(async () => {
    world = await consoleWorld()
    shared = world.serviceIds.shared
    for (const person of ['alice', 'rita', 'carol', 'charlie'] as const) await speak('en', person)
  })
  beforeEach(async () => {
    for (const path of ['/suspensions', '/weekly_suspensions', '/wide_suspensions', '/wide_weekly_suspensions'])
      for (const { id } of await all(path)) await world.call('alice', 'DELETE', `${path}/${id}`)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a group is suspended by dragging over the week', async () => {
    const page = await visit('alice', `/calendar?week=2027-01-11&service.group_id=${world.groupIds.shared}`)
    const column = page.getByRole('region', { name: 'Wed, 13 Jan 2027' }).locator('.day-hours')
    const box = await column.boundingBox()
    if (box === null) throw new Error('There is no Wednesday.')
    const hour = box.height / 24
    await page.mouse.move(box.x + 20, box.y + 1.1 * hour)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y + 2.4 * hour, { steps: 4 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    expect(await dialog.getByLabel('From', { exact: true }).inputValue()).toMatch(/^2027-01-13T01:00(:00)?$/)
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toMatch(/^2027-01-13T02:30(:00)?$/)
    await dialog.getByLabel('Why').fill('<b>New</b> switch')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const made = await all('/suspensions')
    expect(made.length).toBeGreaterThan(0)
    for (const one of made)
      expect(one).toMatchObject({
        ...{ start_time: '2027-01-13T00:00:00Z', end_time: '2027-01-13T01:30:00Z' },
        ...{ description: '<b>New</b> switch', only_notifications: false },
      })
    await column.getByText('<b>New</b> switch').waitFor()
  })

  test('a date is typed key by key; until it is whole nothing fails and nothing can be saved', async () => {
    const page = await visit('alice', `/calendar?week=2027-01-11&service_id=${shared}`)
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    const save = dialog.getByRole('button', { name: 'Save' })
    const field = (name: string) => dialog.getByLabel(name, { exact: true })
    await field('From').focus()
    for (const key of '01010202') await page.keyboard.press(key)
    expect(await field('From').inputValue()).toMatch(/^0202-01-01T/)
    expect(await save.isDisabled()).toBe(true)
    await field('To').focus()
    await dialog.getByRole('alert').getByText('Give the whole date and time, in 1970 or later.').waitFor()
    await page.keyboard.press('Backspace')
    await field('From').focus()
    expect(await dialog.getByRole('alert').count()).toBe(2)
    for (const key of '01012027') await page.keyboard.press(key)
    for (const key of '013000') await page.keyboard.press(key)
    await field('To').focus()
    for (const key of '01012027023000') await page.keyboard.press(key)
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await all('/suspensions')).toMatchObject([
      { start_time: '2027-01-01T00:30:00Z', end_time: '2027-01-01T01:30:00Z' },
    ])
  })

  test.each(['9999-12-31', '0000-01-01', '2027-13-45', '1970-01-01'])(
    'week=%s in the address is no fault',
    async (week) => {
      const page = await visit('alice', `/calendar?week=${week}`)
      await page.getByText('Nothing is suspended in this week.').waitFor()
      await page.getByRole('button', { name: 'Later week' }).click()
      await page.getByText('Nothing is suspended in this week.').waitFor()
    },
  )

  test('everything by keyboard alone: made, changed, ended, deleted', async () => {
    await world.call('alice', 'PUT', `/services/${shared}`, { name: 'Keyboard shop' })
    const page = await visit('alice', '/calendar')
    await page.locator('.week').waitFor()
    await tabTo(page, '.button.primary')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    await tabTo(page, 'dialog input[type=search]')
    await page.keyboard.type('Keyboard')
    await dialog.getByText('1 service found').waitFor()
    await tabTo(page, 'dialog .service-choice input[type=checkbox]')
    await page.keyboard.press('Space')
    await tabTo(page, 'dialog .presets button')
    await page.keyboard.press('Enter')
    await tabTo(page, 'dialog button[type=submit]')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const now = Math.floor(world.clock.now() / 1000) * 1000
    const made = await all('/suspensions')
    expect(made).toMatchObject([
      { service_id: shared, start_time: iso(now), end_time: iso(now + 900_000), only_notifications: false },
    ])
    expect(await page.locator('.button.primary:focus').count()).toBe(1)
    await tabTo(page, '.day-hours .block')
    await page.keyboard.press('Enter')
    const edit = page.getByRole('dialog', { name: 'Suspension' })
    await tabTo(page, 'dialog input[type=checkbox]')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await edit.waitFor({ state: 'detached' })
    expect(await all('/suspensions')).toMatchObject([{ only_notifications: true }])
    world.clock.advance(60_000)
    await page.clock.setFixedTime(world.clock.now())
    await page.locator('.day-hours .block.quiet').waitFor()
    await page.locator('.day-hours .block').focus()
    await page.keyboard.press('Enter')
    await edit.getByRole('button', { name: 'End now' }).focus()
    await page.keyboard.press('Enter')
    await edit.waitFor({ state: 'detached' })
    expect(await all('/suspensions')).toMatchObject([{ end_time: iso(now + 60_000) }])
    await page.locator('.day-hours .block').focus()
    await page.keyboard.press('Enter')
    await edit.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await edit.getByRole('button', { name: 'Delete this suspension?' }).waitFor()
    await page.keyboard.press('Enter')
    await edit.waitFor({ state: 'detached' })
    expect(await all('/suspensions')).toEqual([])
    await world.call('alice', 'PUT', `/services/${shared}`, { name: 'Shared' })
  })

  test('weekly suspensions are made, drawn in every week, and changed', async () => {
    const page = await visit('alice', `/calendar?week=2027-02-01&service_id=${shared}`)
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    await dialog.getByRole('radio', { name: 'Every week' }).check()
    await dialog.getByLabel('From: day of the week').selectOption('Sunday')
    await dialog.getByLabel('From: time').fill('22:30')
    await dialog.getByLabel('To: day of the week').selectOption('Monday')
    await dialog.getByLabel('To: time').fill('06:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await all('/weekly_suspensions')).toMatchObject([
      {
        service_id: shared,
        start_minute: { day_of_week: 7, hour: 22, minute: 30 },
        end_minute: { day_of_week: 1, hour: 6, minute: 0 },
      },
    ])
    const monday = page.getByRole('region', { name: 'Mon, 1 Feb 2027' })
    await monday.getByRole('button', { name: /00:00–06:00/ }).waitFor()
    await page
      .getByRole('region', { name: 'Sun, 7 Feb 2027' })
      .getByRole('button', { name: /22:30–00:00/ })
      .click()
    const edit = page.getByRole('dialog', { name: 'Suspension' })
    await edit.getByLabel('From: time').fill('23:00')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await all('/weekly_suspensions')).toMatchObject([{ start_minute: { day_of_week: 7, hour: 23, minute: 0 } }])
    await page.getByRole('button', { name: 'Later week' }).click()
    await page.waitForURL('**week=2027-02-08**')
    await page.getByRole('region', { name: 'Mon, 8 Feb 2027' }).getByRole('button').waitFor()
  })

  test('a suspension follows a tag: made, told on the page of a service that gets it, changed, ended, deleted', async () => {
    await world.call('alice', 'POST', '/tags', { name: 'night' })
    const page = await visit('alice', '/calendar')
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    await dialog.getByRole('radio', { name: 'A tag' }).check()
    await dialog.getByLabel('Tag', { exact: true }).selectOption('night')
    await dialog.getByText('Only the services that are in it now are suspended.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Follow the tag' }).check()
    await dialog.getByRole('button', { name: '1 hour' }).click()
    await dialog.getByLabel('Why').fill('A new disk')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const now = Math.floor(world.clock.now() / 1000) * 1000
    expect(await all('/wide_suspensions')).toMatchObject([
      { tag: 'night', group_id: null, start_time: iso(now), end_time: iso(now + 3_600_000), description: 'A new disk' },
    ])
    expect(await all('/suspensions')).toEqual([])
    await world.call('alice', 'PUT', `/services/${shared}`, { tags: ['night'] })
    const service = await visit('alice', `/services/${shared}`)
    await service.getByText(/With all services that have the tag night\. A new disk/).waitFor()
    await service.getByRole('link', { name: 'Open the calendar' }).click()
    await service.locator('.day-hours .block').getByText('Tag: night').waitFor()
    await service.locator('.day-hours .block').click()
    const edit = service.getByRole('dialog', { name: 'Suspension' })
    await edit.getByText('Services that join later are suspended too').waitFor()
    await edit.getByLabel('Keep checking, but notify nobody').check()
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await all('/wide_suspensions')).toMatchObject([{ only_notifications: true }])
    world.clock.advance(60_000)
    await service.clock.setFixedTime(world.clock.now())
    await service.locator('.day-hours .block.quiet').click()
    await edit.getByRole('button', { name: 'End now' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await all('/wide_suspensions')).toMatchObject([{ end_time: iso(now + 60_000) }])
    await service.locator('.day-hours .block').click()
    await edit.getByRole('button', { name: 'Delete' }).click()
    await edit.getByRole('button', { name: 'Delete this suspension?' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await all('/wide_suspensions')).toEqual([])
    await world.call('alice', 'PUT', `/services/${shared}`, { tags: [] })
  })

  test('a weekly suspension of a group is drawn once, and those who may not change it only read it', async () => {
    const times = {
      start_minute: { day_of_week: 2, hour: 1, minute: 0 },
      end_minute: { day_of_week: 2, hour: 3, minute: 0 },
    }
    const group = { group_id: world.groupIds.shared, description: 'Every Tuesday' }
    await world.call('alice', 'POST', '/wide_weekly_suspensions', { ...group, ...times })
    for (const person of ['alice', 'carol'] as const) {
      const page = await visit(person, '/calendar?week=2027-01-11')
      const tuesday = page.getByRole('region', { name: 'Tue, 12 Jan 2027' })
      await tuesday.getByRole('button', { name: /Group: .*01:00–03:00, every week/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Suspension' })
      expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(person === 'alice' ? 1 : 0)
      expect(await page.locator('.day-hours .block').count()).toBe(1)
    }
  })

  test('a day at which clocks change is as long as it is, in the zone that is chosen', async () => {
    await suspend({ start_time: '2027-10-30T22:00:00Z', end_time: '2027-10-31T23:00:00Z' })
    const page = await visit('alice', '/calendar?week=2027-10-25')
    const sunday = page.getByRole('region', { name: 'Sun, 31 Oct 2027' })
    await sunday.getByText('25 h').waitFor()
    await sunday.getByText('Clocks go back at 03:00').waitFor()
    const heightOf = async (name: string) =>
      (await page.getByRole('region', { name }).locator('.day-hours').boundingBox())?.height ?? 0
    expect((await heightOf('Sun, 31 Oct 2027')) / (await heightOf('Sat, 30 Oct 2027'))).toBeCloseTo(25 / 24, 5)
    expect(await sunday.locator('.own-hour').allTextContents()).toEqual(
      ['00', '01', '02', '02', ...Array.from({ length: 21 }, (_, at) => String(at + 3).padStart(2, '0'))].map(
        (hour) => `${hour}:00`,
      ),
    )
    await sunday.getByRole('button', { name: /00:00–00:00/ }).waitFor()
    await page.getByLabel('Time zone').selectOption('UTC')
    await page.waitForURL('**zone=UTC**')
    await sunday.getByRole('button', { name: /00:00–23:00/ }).waitFor()
    expect(await page.locator('.length').count()).toBe(0)
    await page.goto('http://api.test/calendar?week=2027-03-22')
    const march = page.getByRole('region', { name: 'Sun, 28 Mar 2027' })
    await march.getByText('23 h').waitFor()
    await march.getByText('Clocks go forward at 02:00').waitFor()
    expect((await march.locator('.own-hour').allTextContents()).slice(0, 3)).toEqual(['00:00', '01:00', '03:00'])
  })

  test.each([1280, 360])('dates have room for any clock: %i px', async (width) => {
    const page = await visit('alice', '/calendar', { width })
    await page.getByRole('button', { name: 'New suspension' }).click()
    expect(await roomInDateFields(page)).toBeGreaterThanOrEqual(12)
  })

  test('what the API refuses of many is told in its words, once for each reason', async () => {
    const id = await suspend({ start_time: '2027-01-12T10:00:00Z', end_time: '2027-01-12T11:00:00Z' })
    const page = await visit('alice', '/calendar?week=2027-01-11')
    await page.locator('.day-hours .block').click()
    await world.call('alice', 'DELETE', `/suspensions/${id}`)
    const dialog = page.getByRole('dialog', { name: 'Suspension' })
    await dialog.getByLabel('Why').fill('late')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('1 of 1 could not be changed:').waitFor()
  })

  test.each(['rita', 'carol'] as const)('%s sees who is suspended and why, and changes nothing', async (person) => {
    await suspend({ start_time: '2027-01-12T10:00:00Z', end_time: '2027-01-12T11:00:00Z', description: 'A disk' })
    const page = await visit(person, '/calendar?week=2027-01-11')
    await page.getByText('You can look at suspensions here, not make them.').waitFor()
    expect(await page.getByRole('button', { name: 'New suspension' }).count()).toBe(0)
    await page.locator('.day-hours .block').click()
    const dialog = page.getByRole('dialog', { name: 'Suspension' })
    expect(await dialog.getByLabel('Why').inputValue()).toBe('A disk')
    expect(await dialog.getByLabel('Why').isDisabled()).toBe(true)
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
  })

  test('who plans for services of somebody else is told whose they are', async () => {
    const page = await visit('bob', '/calendar?zone=America/New_York')
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    expect(await dialog.getByText('Not all of these services are yours.').count()).toBe(0)
    await dialog.getByRole('radio', { name: 'All that I may change' }).check()
    await dialog.getByText('Not all of these services are yours.').waitFor()
    const { body } = await world.call('alice', 'GET', `/services/${shared}?fields=name,owner_id`)
    const { name, owner_id: owner } = body as { name: string; owner_id: number }
    await dialog.locator('.owners li').filter({ hasText: name }).getByText(`account ${owner}`).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const own = await visit('alice', '/calendar')
    await own.getByRole('button', { name: 'New suspension' }).click()
    await own.getByRole('dialog').getByRole('radio', { name: 'All that I may change' }).check()
    await own.getByRole('radio', { name: 'Every week' }).check()
    await own.getByText('In the time zone of the account that owns the service: Europe/Warsaw').waitFor()
    expect(await own.locator('.owners').count()).toBe(0)
  })

  test('a time that was chosen in another zone is every week the same moment in the zone of the owner', async () => {
    const page = await visit('alice', `/calendar?week=2027-01-11&zone=UTC&service_id=${shared}`)
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    await dialog.getByLabel('From', { exact: true }).fill('2027-01-12T23:30:00')
    await dialog.getByLabel('To', { exact: true }).fill('2027-01-13T01:00:00')
    await dialog.getByRole('radio', { name: 'Every week' }).check()
    await dialog.getByText('that owns the service: Europe/Warsaw').waitFor()
    expect(await dialog.getByLabel('From: time').inputValue()).toBe('00:30')
    await dialog.getByLabel('From: time').fill('00:45')
    expect(await dialog.getByLabel('From: day of the week').inputValue()).toBe('3')
    expect(await dialog.getByLabel('To: time').inputValue()).toBe('02:00')
  })

  test('strangers see nothing of it', async () => {
    await suspend({ start_time: '2027-01-12T10:00:00Z', end_time: '2027-01-12T11:00:00Z' })
    const page = await visit('charlie', '/calendar?week=2027-01-11')
    await page.getByText('Nothing is suspended in this week.').waitFor()
    expect(await page.locator('.day-hours .block').count()).toBe(0)
  })

  test('a phone shows the days one below the other', async () => {
    await suspend({ start_time: '2027-01-12T10:00:00Z', end_time: '2027-01-13T11:00:00Z', description: 'A disk' })
    const page = await visit('alice', '/calendar?week=2027-01-11', { width: 360, height: 740 })
    await page.getByRole('heading', { name: 'Tue, 12 Jan 2027' }).waitFor()
    expect(await page.locator('.day-list .block').count()).toBe(2)
    expect(await page.locator('.week').count()).toBe(0)
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const name = 'a very long name '.repeat(12).slice(0, 200)
    await world.call('alice', 'PUT', `/services/${shared}`, { name })
    await suspend({ start_time: '2027-10-30T22:00:00Z', end_time: '2027-10-31T03:00:00Z', description: name })
    await suspend({ start_time: '2027-10-30T23:00:00Z', end_time: '2027-10-31T23:00:00Z', only_notifications: true })
    const page = await visit('alice', '/calendar?week=2027-10-25', look)
    await page.locator('.block').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.locator('.calendar .button.primary').click()
    await page.locator('dialog .service-choice li').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.locator('dialog input[name=kind]').nth(1).check()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button').last().click()
    await page.locator('.block').first().click()
    await page.locator('dialog .whose').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await world.call('alice', 'PUT', `/services/${shared}`, { name: 'Shared' })
    await speak('en')
  })
})
