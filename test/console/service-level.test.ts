import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, roomInDateFields } from '../support/console.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'

/** The service level is read and corrected in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Level {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

interface Correction {
  readonly id: number
  readonly status: string
  readonly description: string
  readonly start_time: string
  readonly end_time: string
}

describeWithBrowser('the page of the service level', () => {
  let world: ConsoleWorld
  let service: string
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const levelOf = async (query: string) =>
    (await world.call('alice', 'GET', `${service}/history/service_level?${query}`)).body as Level
  const corrections = async () =>
    (await world.call('alice', 'GET', `/corrections?service_id=${world.serviceIds.shared}&sort=-id`))
      .body as Correction[]
  const percent = ({ ok, failure }: Level) => {
    const share = (ok / (ok + failure)) * 100
    if (share === 0 || share === 100) return `${share}%`
    return `${(Math.floor(share * 1000) / 1000).toLocaleString('en-GB', { minimumFractionDigits: 3 })}%`
  }
  const speak = (language: 'en' | 'pl', person: Parameters<ConsoleWorld['visit']>[0] = 'alice') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language })

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'rita', 'carol', 'bob', 'charlie'] as const) await speak('en', person)
    service = `/services/${world.serviceIds.shared}`
    for (const { id } of await corrections()) await world.call('alice', 'DELETE', `/corrections/${id}`)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the service leads to it, and its intervals are the whole range', async () => {
    const page = await visit('alice', service)
    await page.getByRole('link', { name: 'Second by second, with corrections' }).click()
    await page.waitForURL(`**${service}/service-level`)
    const level = await levelOf('from=-2592000')
    await page.locator('.share').getByText(percent(level), { exact: true }).waitFor()
    await page.locator('.interval.failure').waitFor()
    const seconds = await page.evaluate<readonly (readonly [number, number])[]>(
      "[...document.querySelectorAll('.interval')].map((row) => [...row.querySelectorAll('time')].map((time) => Date.parse(time.dateTime)))",
    )
    const lengths = seconds.map(([from, to]) => (to - from) / 1000)
    expect(lengths.reduce((one, other) => one + other)).toBe(level.ok + level.failure + level.paused)
    // Newest first, and each begins where the next one ends.
    for (const [index, [from]] of seconds.slice(0, -1).entries()) expect(seconds[index + 1]?.[1]).toBe(from)
  })

  test.each([
    ['/services/:id', '.service-head'],
    ['/notifications', '[aria-labelledby=deliveries] header'],
    ['/account/sessions', '[aria-labelledby=sessions] header'],
    ['/wallboards', '[aria-labelledby=links] header'],
  ])('%s says in which zone its times are', async (path, place) => {
    const page = await visit('alice', path.replace('/services/:id', service))
    await page.locator(place).getByText('Europe/Warsaw').waitFor()
  })

  test('any range to the second is an address that can be shared', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.getByRole('button', { name: '24 hours' }).click()
    await page.waitForURL('**/service-level?range=day')
    await page.getByText('Any range').click()
    const [from, to] = [world.history.okAt + 7000, world.history.failedAt + 13_000]
    const local = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 19)
    await page.getByLabel('From', { exact: true }).fill(local(from))
    await page.getByLabel('To', { exact: true }).fill(local(to))
    await page.getByRole('button', { name: 'Show' }).click()
    const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
    const asked = new URLSearchParams({ from: iso(from), to: iso(to) })
    await page.waitForURL(`**/service-level?${asked}`)
    const level = await levelOf(String(asked))
    expect(level).toEqual({ ok: (world.history.failedAt - from) / 1000, failure: 13, paused: 0 })
    await page.getByText(percent(level), { exact: true }).waitFor()
    const again = await visit('alice', `${service}/service-level?${asked}`)
    await again.getByText(percent(level), { exact: true }).waitFor()
    await expect.poll(() => again.locator('.interval').count()).toBe(2)
  })

  test('a failure is corrected by keyboard alone, and the level told before is the one after', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.locator('.interval.failure').waitFor()
    const before = await levelOf('from=-2592000')
    await tabTo(page, '.interval.failure button')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Correct the history' })
    await dialog.getByText(`${percent(before)} → 100%`).waitFor()
    await tabTo(page, 'dialog input[type=radio]')
    await page.keyboard.press('ArrowDown')
    await dialog.getByText(`${percent(before)} → ${percent(before)}`).waitFor()
    await page.keyboard.press('ArrowUp')
    await dialog.getByText(`${percent(before)} → 100%`).waitFor()
    await tabTo(page, 'dialog [data-field=description] input')
    await page.keyboard.type('<i>Only</i> the probe was away')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('100%', { exact: true }).waitFor()
    await page.getByText('Corrected: counts as OK instead of Failure').waitFor()
    await page.getByText('<i>Only</i> the probe was away').waitFor()
    await page.getByText(/^alice, /i).waitFor()
    expect(await levelOf('from=-2592000')).toMatchObject({ failure: 0 })
    expect(await corrections()).toMatchObject([{ status: 'ok', description: '<i>Only</i> the probe was away' }])
  })

  test('a correction is changed and deleted, and the focus comes back', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.getByRole('button', { name: /^Change the correction/ }).click()
    const change = page.getByRole('dialog', { name: 'Change the correction' })
    await change.getByRole('radio', { name: 'Not monitored' }).check()
    await change.getByText('100% → 100%').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close without saving' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('button:focus').getAttribute('aria-label')).toMatch(/^Change the correction/)
    await page.keyboard.press('Enter')
    await change.getByRole('radio', { name: 'Not monitored' }).check()
    await change.getByRole('button', { name: 'Save' }).click()
    await change.waitFor({ state: 'detached' })
    expect(await corrections()).toMatchObject([{ status: 'paused' }])
    await page.getByRole('button', { name: /^Delete the correction/ }).click()
    const remove = page.getByRole('dialog', { name: 'Delete the correction?' })
    const told = await remove.locator('.preview b').textContent()
    await remove.getByRole('button', { name: 'Delete' }).click()
    await remove.waitFor({ state: 'detached' })
    expect(await corrections()).toEqual([])
    expect(told).toBe(`100% → ${percent(await levelOf('from=-2592000'))}`)
  })

  test('time that does not count has one word and says why, in the list, the sum and the dialog', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.locator('.sum dt').getByText('Not monitored', { exact: true }).waitFor()
    await page.getByText('Not monitored is time when the service was paused, suspended or not yet checked.').waitFor()
    const first = page.locator('.interval').last()
    await first.locator('.state').getByText('Not monitored', { exact: true }).waitFor()
    await first.getByText('Nothing was checked yet.').waitFor()
    await first.getByRole('button', { name: /^Correct/ }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Not monitored' }).waitFor()
    await page.getByRole('dialog').getByText('leaves the time out of the service level').waitFor()
    await page.goto('http://api.test/calendar')
    await page.getByRole('button', { name: 'New suspension' }).click()
    await page.getByText('The time shows as not monitored').waitFor()
    await page.getByRole('checkbox', { name: 'Keep checking, but notify nobody' }).check()
    await page.getByText('Checks, failures and the service level continue').waitFor()
    await page.goto('http://api.test/services')
    expect(await page.locator('.chip.unknown').getAttribute('title')).toMatch(/could not find out/)
  })

  test.each([1280, 360])('dates have room for any clock: %i px', async (width) => {
    const page = await visit('alice', `${service}/service-level`, { width })
    await page.getByText('Any range').click()
    expect(await roomInDateFields(page)).toBeGreaterThanOrEqual(12)
    await page.getByText('Any range').click()
    await page.getByRole('button', { name: 'Add a correction' }).click()
    await page.locator('dialog .moment').first().waitFor()
    expect(await roomInDateFields(page)).toBeGreaterThanOrEqual(12)
  })

  test('what the API refuses is told in its words', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.getByRole('button', { name: 'Add a correction' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To', { exact: true }).fill('2020-01-01T00:00:00')
    await dialog.getByText('The end comes after the start.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect(await corrections()).toEqual([])
  })

  test.each(['rita', 'carol'] as const)('%s reads it all and is offered no correction', async (person) => {
    const page = await visit(person, `${service}/service-level`)
    await page.locator('.interval.failure').waitFor()
    expect(await page.getByRole('button', { name: /correct/i }).count()).toBe(0)
  })

  test('a receiver of a share that may modify corrects', async () => {
    const page = await visit('bob', `${service}/service-level`)
    await page.getByRole('button', { name: 'Add a correction' }).waitFor()
  })

  test('of whom the service is not is told as much as of one that is not there', async () => {
    const page = await visit('charlie', `${service}/service-level`)
    await page.getByRole('alert').getByText('This does not exist, or you may not see it.').waitFor()
  })

  test('an hour that clocks show twice is asked about', async () => {
    const page = await visit('alice', `${service}/service-level`)
    await page.getByRole('button', { name: 'Add a correction' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From', { exact: true }).fill('2026-10-25T02:30:00')
    await dialog.getByLabel('From: which of the two').selectOption({ label: 'after the clocks went back (+01:00)' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [made] = await corrections()
    expect(made?.start_time).toBe('2026-10-25T01:30:00Z')
    await world.call('alice', 'DELETE', `/corrections/${made?.id}`)
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const name = 'a very long name '.repeat(12).slice(0, 200)
    const { body: before } = await world.call('alice', 'GET', `${service}?fields=name`)
    await world.call('alice', 'PUT', service, { name })
    const page = await visit('alice', `${service}/service-level?range=this_month`, look)
    await page.locator('.interval.failure').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.locator('.interval.failure button').click()
    await page.locator('dialog .preview b').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await world.call('alice', 'PUT', service, before)
    await speak('en')
  })
})
