import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** More services than a page of the API has are changed at once. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const many = 1200

describeWithBrowser('many services at once', () => {
  let world: ConsoleWorld
  let page: Page

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      ...{ language: 'en', isWelcomed: true },
    })
    const columns = sql`owner_id, group_id, type_id, address, interval, notification_channel_ids, notification_condition_ids`
    await world.database.execute(sql`
      insert into services (name, ${columns}) select 'Many ' || number, ${columns}
      from services, generate_series(1, ${many}) number where id = ${world.serviceIds.private}`)
    await world.database.execute(sql`
      insert into service_statuses (service_id) select id from services where name like 'Many %'`)
  })
  beforeEach(async () => {
    page = await world.visit('alice', '/services?query=Many&sort=name')
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: 'Select all 1,200 that match' }).click()
    await page.getByText('1,200 services selected').waitFor()
  })
  afterEach(async () => {
    await page.context().close()
    expect(world.complaints.splice(0).filter((text) => !text.includes('status of 429'))).toEqual([])
  })
  afterAll(() => world?.drop())

  const count = async (conditions: string) =>
    Number((await world.call('alice', 'GET', `/services?query=Many&limit=0&${conditions}`)).headers['x-total-count'])
  const bulk = () => page.getByRole('region', { name: 'What to do with the selected services' })
  const askFor = async (button: string, field: string, value: string) => {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByLabel(field).fill(value)
    await page.getByRole('dialog').getByRole('button', { name: 'Do it' }).click()
  }

  /** The API takes two parts and then, for some seconds, none. */
  const busyAfterTwo = async (path: string, seconds: number) => {
    let asked = 0
    await page.route(`**${path}`, (route) => {
      asked += 1
      if (asked !== 3) return route.continue()
      const body = JSON.stringify([{ code: 4290001, error: 'too_many_requests', message: 'Too many.' }])
      const headers = { 'Retry-After': String(seconds) }
      return route.fulfill({ status: 429, headers, contentType: 'application/json', body })
    })
  }

  test('all of them are paused, with the progress shown, while the API makes the caller wait', async () => {
    await busyAfterTwo('/services/bulk_pause', 2)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await bulk().getByText('100 of 1,200').waitFor()
    await bulk().getByText('It continues by itself').waitFor()
    expect(await bulk().getByRole('progressbar').getAttribute('max')).toBe(String(many))
    expect(await accessibilityFaults(page)).toEqual([])
    await bulk().getByText('Done: 1,200.').waitFor({ timeout: 180_000 })
    expect(await count('is_active=false')).toBe(many)
  })

  test('a wait can be stopped; nothing of the rest is done', async () => {
    await busyAfterTwo('/services/bulk_update', 60)
    await askFor('Tags…', 'Tags, separated', 'first')
    await bulk().getByText('It continues by itself').waitFor()
    await bulk().getByRole('button', { name: 'Stop' }).click()
    await bulk().getByText('Stopped. Done: 100.').waitFor()
    expect(await bulk().getByRole('alert').count()).toBe(0)
    expect(await count('tags=first')).toBe(100)
  })

  test('a suspension of many says why', async () => {
    const whys: unknown[] = []
    await page.route('**/suspensions/bulk_create', (route) => {
      const asked = route.request().postDataJSON() as { readonly service_ids: readonly number[]; description: string }
      whys.push(asked.description)
      const body = asked.service_ids.map((id) => ({ service_id: id, id: 1, ok: true, problems: [] }))
      return route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(body) })
    })
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await page.getByRole('dialog').getByLabel('Why').fill('New disk')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Do it' }).click()
    await bulk().getByText('Done: 1,200.').waitFor()
    expect(new Set(whys)).toEqual(new Set(['New disk']))
  })

  test('what is refused is told for each, however many they are, with the way to its service', async () => {
    await page.route('**/suspensions/bulk_create', (route) => {
      const { service_ids: ids } = route.request().postDataJSON() as { readonly service_ids: readonly number[] }
      const problems = [{ code: 4030001, error: 'permission_denied', message: 'You may not suspend it.' }]
      const body = ids.map((id) => ({ service_id: id, id: null, ok: false, problems }))
      return route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(body) })
    })
    await askFor('Suspend…', 'For how many hours', '1')
    await bulk().getByText('Refused: 1,200.').waitFor()
    expect(await bulk().getByRole('listitem').count()).toBe(100)
    await bulk().getByRole('button', { name: 'Show more (1,100 left)' }).click()
    expect(await bulk().getByRole('listitem').count()).toBe(200)
    const last = bulk().getByRole('listitem').nth(199)
    expect(await last.textContent()).toMatch(/^Service \d+: You may not suspend it\.$/)
    expect(await last.getByRole('link').getAttribute('href')).toMatch(/^\/services\/[1-9]\d*$/)
  })

  test('all of them are deleted after their number was typed', async () => {
    await askFor('Delete…', 'Type 1200 to go on', '1200')
    await bulk().getByText('Done: 1,200.').waitFor({ timeout: 180_000 })
    expect(await count('')).toBe(0)
  })
})
