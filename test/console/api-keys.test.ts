import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'

/** People make keys for programs, copy them once, replace and revoke them. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('API keys in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string, look?: Partial<Visit>) => {
    const page = await world.visit('charlie', path, look)
    open.push(page)
    return page
  }
  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('charlie', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      ...{ language: 'en', isWelcomed: true },
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  const services = (key: string) =>
    world.call(null, 'GET', '/services', undefined, { authorization: `Bearer ${key}` }).then(({ status }) => status)

  test('a key is made, shown once, replaced and revoked', async () => {
    const page = await visit('/account/keys')
    await page.getByText('There is no key yet.').waitFor()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Deployments')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    const shown = page.getByRole('dialog', { name: 'Copy the key now' })
    const key = await shown.getByLabel('The key').inputValue()
    expect(key).toMatch(/^lat_/)
    expect(await services(key)).toBe(200)
    expect(await accessibilityFaults(page)).toEqual([])
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Deployments' })
    await row.getByText(`${key.slice(0, 12)}…`).waitFor()
    expect(await page.content()).not.toContain(key)
    await row.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('dialog').getByLabel('The present key works for').selectOption('0')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const newKey = await shown.getByLabel('The key').inputValue()
    expect([await services(key), await services(newKey)]).toEqual([401, 200])
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('There is no key yet.').waitFor()
    expect(await services(newKey)).toBe(401)
  })

  test.each([
    ['/account/keys', { locale: 'pl-PL', width: 360 }],
    ['/account/keys', { colorScheme: 'dark' }],
  ] as const)('%s is accessible (%o)', async (path, look) => {
    const page = await visit(path, look)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
