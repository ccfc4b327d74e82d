import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

describeWithBrowser('status pages in the console', () => {
  let world: ConsoleWorld

  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterAll(() => world.drop())

  test('a page is made, filled, put in order, and tells of an incident', async () => {
    const page = await world.visit('alice', '/status-pages')
    await page.getByRole('button', { name: 'New page' }).click()
    await page.getByLabel('Title').fill('Our shop')
    await page.getByLabel('Address', { exact: true }).fill('our-shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Components and incidents of Our shop' }).click()
    for (const name of ['First', 'Second']) {
      await page.getByRole('button', { name: 'New component' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Shows').selectOption('status')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(name, { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Move Second up' }).press('Enter')
    await expect
      .poll(() => page.locator('.things').first().locator('.thing > b').allTextContents())
      .toEqual(['Second', 'First'])
    await page.getByRole('button', { name: 'New incident' }).click()
    await page.getByLabel('Name', { exact: true }).fill('It is slow')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Publish It is slow' }).click()
    await page.getByRole('button', { name: 'Say more about It is slow' }).click()
    await page.getByLabel('Message').fill('A disk is full.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A disk is full.').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const shown = await world.server.inject({ url: '/status/our-shop' })
    expect(shown.payload).toMatch(/It is slow[\s\S]*A disk is full\.[\s\S]*Second[\s\S]*First/)
    await page.context().close()
  })

  test('reads well in Polish, in the dark and on a phone', async () => {
    const visit = { width: 360, locale: 'pl-PL', colorScheme: 'dark' } as const
    const page = await world.visit('alice', '/status-pages', visit)
    await page.getByRole('heading', { level: 1, name: 'Strony statusu' }).waitFor()
    await page.locator('.things').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto(`${new URL(page.url()).origin}/status-pages`)
    await page.getByRole('link', { name: 'Składniki i incydenty: Our shop' }).click()
    await page.getByRole('button', { name: 'Nowy składnik' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(world.complaints).toEqual([])
    await page.context().close()
  })
})
