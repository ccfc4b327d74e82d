import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** `SHOTS=DIRECTORY` keeps pictures. */
const shots = process.env['SHOTS']

describeWithBrowser('subscribers from a file and into one', () => {
  let world: ConsoleWorld
  let pageId: number

  beforeAll(async () => {
    world = await consoleWorld()
    const page = { slug: 'files', title: 'Files', language_id: 'en', time_zone_id: 'utc' }
    pageId = idOf(await world.call('alice', 'POST', '/status_pages', page))
  })
  afterAll(() => world.drop())

  const file = (rows: readonly string[]) => ({
    ...{ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) },
  })

  async function keep(page: Page, name: string): Promise<void> {
    if (shots !== undefined) await page.screenshot({ path: `${shots}/import-${name}.png` })
  }

  async function saved(page: Page, button: string): Promise<string> {
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    return await readFile(await (await waiting).path(), 'utf8')
  }

  test('a long file is imported in parts, its wrong rows are named by their lines, and the page is saved', async () => {
    const page = await world.visit('alice', `/status-pages/${pageId}`)
    await page.getByRole('button', { name: 'Import a file' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Subscribers from a file' })
    await dialog.getByLabel('File').setInputFiles(file(['', ' ']))
    await dialog.getByText('The file has no rows.').waitFor()
    const rows = Array.from({ length: 1200 }, (_, one) => `reader${one}@example.com`)
    rows[1100] = 'no-address'
    await dialog.getByLabel('File').setInputFiles(file(['email', ...rows]))
    await dialog.getByRole('checkbox', { name: 'These people have agreed' }).check()
    await keep(page, 'form')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Import' }).press('Enter')
    await dialog.getByText('The import is done.').waitFor()
    await dialog.getByText('Asked to confirm: 0 · Subscribed: 1,199 · Known already: 0 · Refused: 1').waitFor()
    const refused = dialog.getByRole('row').nth(1)
    expect(await refused.getByRole('cell').allTextContents()).toEqual(['1102', 'address', expect.any(String)])
    await keep(page, 'report')
    expect(await accessibilityFaults(page)).toEqual([])
    const report = await saved(page, 'Save the report')
    expect(report).toMatch(/^\uFEFFline,column,error,message\r\n1102,address,incorrect_value,".+"\r\n$/)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('E-mail: 1199').waitFor()
    const table = await saved(page, 'Download as CSV')
    expect(table.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^\uFEFFaddress,kind/),
      expect.stringMatching(/^reader0@example\.com,email,,,confirmed,/),
    ])
    expect(world.complaints).toEqual([])
    await page.context().close()
  })

  test('reads well in Polish, in the dark and on a phone, and tells what the API refuses', async () => {
    await world.call('alice', 'PUT', `/status_pages/${pageId}`, { title: 'Pliki' })
    const visit = { width: 360, locale: 'pl-PL', colorScheme: 'dark' } as const
    const page = await world.visit('alice', `/status-pages/${pageId}`, visit)
    await page.getByRole('button', { name: 'Importuj plik' }).click()
    const dialog = page.getByRole('dialog', { name: 'Subskrybenci z pliku' })
    await dialog.getByLabel('Plik').setInputFiles(file(['name', 'Anna']))
    await dialog.getByRole('button', { name: 'Importuj' }).click()
    await dialog.getByText('Oczekiwano pierwszego wiersza z nazwami kolumn').first().waitFor()
    await dialog.getByLabel('Plik').setInputFiles(file(['address,kind', 'anna@example.com,pigeon', 'x,', 'y,']))
    await dialog.getByRole('button', { name: 'Importuj' }).click()
    await dialog.getByText('Odrzucone: 3').waitFor()
    await keep(page, 'report-phone')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(world.complaints).toEqual([])
    await page.context().close()
  })
})
