import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** People read who changed what as sentences, narrow them down, and save them as files. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const path = '/account/audit-log'

describeWithBrowser('the audit log in the console', () => {
  let world: ConsoleWorld
  let serviceId: number
  const open: Page[] = []
  const visit = async (at: string, look?: Partial<Visit>) => {
    const page = await world.visit('charlie', at, look)
    open.push(page)
    return page
  }
  const act = async (method: 'POST' | 'PUT' | 'DELETE', at: string, body?: unknown) => {
    const reply = await world.call('charlie', method, at, body)
    expect([at, reply.status < 300, reply.text]).toEqual([at, true, reply.text])
    return reply
  }
  beforeAll(async () => {
    world = await consoleWorld()
    await act('PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en', isWelcomed: true })
    const [office, shops] = [
      await act('POST', '/groups', { name: 'Office' }),
      await act('POST', '/groups', { name: 'Shops' }),
    ]
    const service = { type_id: 'http', name: 'Web shop', address: 'shop.example.com', interval: 60 }
    serviceId = idOf(await act('POST', '/services', { ...service, group_id: idOf(office) }))
    await act('PUT', `/services/${serviceId}`, { interval: 30 })
    await act('PUT', `/services/${serviceId}`, { group_id: idOf(shops) })
    await act('PUT', `/services/${serviceId}`, {
      description: 'Ours',
      extended_settings: { password: 'x', username: 'u' },
    })
    await act('POST', '/status_pages', { slug: 'shop-status', title: 'Shop status' })
    const gone = idOf(await act('POST', '/tags', { name: 'gone' }))
    await act('DELETE', `/tags/${gone}`)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  const sentences = (page: Page) => page.locator('.sentence')

  test('a day is typed digit by digit, and is in the address and below the field', async () => {
    const page = await visit(path)
    const from = page.getByLabel('From', { exact: true })
    await from.focus()
    // The browser of the tests writes the month first.
    await page.keyboard.type('11242026')
    expect(await from.inputValue()).toBe('2026-11-24')
    await page.getByText('Tue, 24 Nov 2026', { exact: true }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-11-23T23:00:00Z')
    await page.getByRole('button', { name: 'Show everything' }).click()
    expect(await from.inputValue()).toBe('')
  })

  test('tells each change as a sentence with the names of its objects, which lead to their screens', async () => {
    const page = await visit('/account')
    const refused: string[] = []
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', level: 2 }).waitFor()
    for (const text of [
      / added the status page Shop status$/,
      / changed the interval of Web shop from 60 s to 30 s$/,
      / changed the group of Web shop from “Office” to “Shops”$/,
      / changed the service Web shop: description set to “Ours”, .*password replaced/,
      / added the service Web shop$/,
      / removed the tag gone$/,
    ])
      await sentences(page).filter({ hasText: text }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(refused).toEqual([])
    expect((await sentences(page).allTextContents()).filter((text) => /\w+\.(update|create)/.test(text))).toEqual([])
    const interval = page.getByRole('listitem').filter({ hasText: 'from 60 s to 30 s' })
    await interval.getByText('Values: interval').click()
    await interval.getByRole('cell', { name: '60' }).waitFor()
    await interval.getByText('services.update').waitFor()
    await interval.getByRole('link', { name: 'Web shop' }).click()
    await page.getByRole('heading', { name: 'Web shop' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/services/${serviceId}`)
  })

  test('is narrowed by person, kind, object and time, in the address bar, by keyboard', async () => {
    const page = await visit(path)
    await page.getByLabel('Kind of object').selectOption('tag')
    await expect.poll(() => sentences(page).count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('resource')).toBe('tags')
    await page.getByRole('button', { name: 'Show everything' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'from 60 s to 30 s' })
    await row.getByRole('button', { name: 'All changes: Web shop' }).press('Enter')
    await expect.poll(() => sentences(page).count()).toBe(4)
    expect(new URL(page.url()).searchParams.get('object_id')).toBe(String(serviceId))
    const person = page.getByRole('combobox', { name: 'Person', exact: true })
    await person.selectOption({ index: 1 })
    expect(new URL(page.url()).searchParams.get('account_id')).toBe(await person.inputValue())
    await expect.poll(() => sentences(page).count()).toBe(4)
    await page.getByLabel('From').fill('2020-01-02')
    await page.getByLabel('Until').fill('2020-01-02')
    await page.getByText('Nothing matches').waitFor()
    expect(await page.getByLabel('Until').inputValue()).toBe('2020-01-02')
    const search = new URL(page.url()).searchParams
    expect([search.get('from'), search.get('to')]).toEqual(['2020-01-01T23:00:00Z', '2020-01-02T23:00:00Z'])
  })

  test('is saved as CSV and JSON, with the filters', async () => {
    const page = await visit(`${path}?resource=services`)
    await sentences(page).first().waitFor()
    const count = await sentences(page).count()
    expect(count).toBeGreaterThanOrEqual(4)
    const saved = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Save as ${kind}` }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(
        new RegExp(`^audit-log-\\d{4}-\\d\\d-\\d\\d\\.${kind.toLowerCase()}$`),
      )
      return readFile(await download.path(), 'utf8')
    }
    const csv = (await saved('CSV')).trim().split('\r\n')
    expect([csv.length, csv[0]]).toEqual([count + 1, expect.stringContaining('id,time,account_id')])
    const json = JSON.parse(await saved('JSON')) as readonly { resource: string }[]
    expect(json.map(({ resource }) => resource)).toEqual(Array(count).fill('services'))
    await page.getByText(`${count} records saved.`).waitFor()
  })

  test('says when nothing was changed, and when it cannot be read', async () => {
    const page = await visit('/account')
    await page.route('**/logs/audit?**', (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }))
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('Nothing was changed yet.').waitFor()
    await page.unroute('**/logs/audit?**')
    await page.route('**/logs/audit?**', (route) => route.fulfill({ status: 500, json: [] }))
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Kind of object').selectOption('tag')
    await page.locator('.listing').getByRole('alert').waitFor()
    await page.unroute('**/logs/audit?**')
    await page.locator('.listing').getByRole('button').last().click()
    await expect.poll(() => sentences(page).count()).toBe(2)
    world.complaints.splice(0)
  })

  test('the former address leads to it, in Polish too', async () => {
    const page = await visit('/account/changes', { locale: 'pl-PL' })
    await page.waitForURL(`**${path}`)
  })

  test.each([
    { locale: 'pl-PL', width: 360 },
    { colorScheme: 'dark', width: 360 },
    { colorScheme: 'dark' },
    {},
  ] as const)('is accessible and fits (%o)', async (look) => {
    const language = 'locale' in look ? 'pl' : 'en'
    await act('PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })
    const page = await visit(path, look)
    await sentences(page).first().waitFor()
    if (language === 'pl')
      await sentences(page).filter({ hasText: 'zmieniono usługę Web shop – odstęp z 60 s na 30 s' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0)
    const pictures = process.env['AUDIT_PICTURES']
    if (pictures)
      await page.screenshot({ path: `${pictures}/${JSON.stringify(look).replaceAll(/\W+/g, '_')}.png`, fullPage: true })
  })
})
