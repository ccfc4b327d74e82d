import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { looks } from '../support/looks.ts'
import { idOf } from '../support/replies.ts'

/** Tags in the list, in notifications and in suspensions, in a real browser. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('tags', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (path: string, visit?: Parameters<ConsoleWorld['visit']>[2]) => {
    const page = await world.visit('alice', path, visit)
    open.push(page)
    return page
  }
  const speak = (language: 'en' | 'pl') =>
    world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })
  const add = async (name: string, tags: readonly string[]) =>
    idOf(await world.call('alice', 'POST', '/services', { type_id: 'ping', name, address: '192.0.2.8', tags }))
  const listed = async <Row>(path: string) => (await world.call('alice', 'GET', path)).body as readonly Row[]

  beforeAll(async () => {
    world = await consoleWorld()
    await speak('en')
    await add('Web one', ['web', 'night'])
    await add('Web two', ['web'])
    await add('Printer', ['office'])
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the list is filtered by a tag, and all that match are changed together', async () => {
    const page = await visit('/services')
    await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('web')
    await page.waitForURL(/[?&]tags=web/)
    await page.getByRole('row').filter({ hasText: 'Printer' }).waitFor({ state: 'detached' })
    expect(await page.locator('.rows [role=row]').count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Select Web one' }).check()
    await page.getByRole('checkbox', { name: 'Select Web two' }).check()
    await page.getByRole('button', { name: 'Tags…' }).click()
    await page.getByRole('dialog').getByLabel('Tags, separated by commas').fill('web, shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Do it' }).click()
    await page.getByText('Done: 2.').waitFor()
    const tagged = await listed<{ name: string; tags: readonly string[] }>('/services?tags=shop&sort=name')
    expect(tagged.map(({ name, tags }) => [name, [...tags].toSorted()])).toEqual([
      ['Web one', ['shop', 'web']],
      ['Web two', ['shop', 'web']],
    ])
    expect(await listed('/services?tags=night')).toEqual([])
  })

  test('an address hears only of services with the chosen tags', async () => {
    const page = await visit('/notifications')
    await page.getByRole('button', { name: 'Add an address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Channel').selectOption('email')
    await dialog.getByLabel('Address', { exact: true }).fill('tagged@example.com')
    await dialog.getByRole('group', { name: 'Only services with one of the tags' }).getByLabel('office').check()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('only services tagged office').waitFor()
    const [made] = await listed<{ tags: readonly string[] }>('/notification_addresses?address=tagged@example.com')
    expect(made?.tags).toEqual(['office'])
  })

  test('a contact is told of every service with a tag; deleting the contact says so first', async () => {
    const contact = idOf(await world.call('alice', 'POST', '/contacts', { name: 'Ola' }))
    const page = await visit('/notifications')
    const row = page.getByRole('region', { name: 'By tag' }).getByRole('listitem').filter({ hasText: 'office' })
    await row.getByRole('button').click()
    await page.getByRole('dialog').getByLabel('Ola').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('1 contact or contact group').waitFor()
    const tags = await listed<{ name: string; contact_ids: readonly number[] }>(`/tag_contacts?contact_ids=${contact}`)
    expect(tags.map(({ name, contact_ids }) => [name, contact_ids])).toEqual([['office', [contact]]])
    await page.getByRole('link', { name: 'On call' }).click()
    await page.getByRole('button', { name: 'Delete Ola?' }).click()
    await page.getByRole('dialog').getByText('It is used by 1 tag.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('the services with a tag are suspended together', async () => {
    const page = await visit('/calendar')
    await page.getByRole('button', { name: 'New suspension' }).click()
    const dialog = page.getByRole('dialog', { name: 'New suspension' })
    await dialog.getByRole('radio', { name: 'A tag' }).check()
    const choices = dialog.getByLabel('Tag', { exact: true })
    await vi.waitFor(async () =>
      expect(await choices.locator('option').allTextContents()).toEqual(expect.arrayContaining(['office', 'web'])),
    )
    await choices.selectOption('web')
    await dialog.getByRole('button', { name: '1 hour' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const ids = (await listed<{ id: number }>('/services?tags=web')).map(({ id }) => id)
    expect(ids).toHaveLength(2)
    const [first, second] = ids
    const suspended = await listed<{ service_id: number }>(`/suspensions?service_id=${first}&service_id=${second}`)
    expect(suspended.map(({ service_id: id }) => id).toSorted()).toEqual(ids.toSorted())
    const printers = (await listed<{ id: number }>('/services?tags=office')).map(({ id }) => id)
    expect(printers).toHaveLength(1)
    expect(await listed(`/suspensions?service_id=${printers[0]}`)).toEqual([])
  })

  test('a group says how many services go with it before it is deleted', async () => {
    const group = idOf(await world.call('alice', 'POST', '/groups', { name: 'Going' }))
    const page = await visit('/account/groups')
    const ask = async () => {
      await page
        .getByRole('button', { name: /: Going$/ })
        .and(page.locator('.danger'))
        .click()
    }
    await ask()
    await page.getByRole('dialog').getByText('Nothing uses it.').waitFor()
    await page.keyboard.press('Escape')
    const body = { type_id: 'ping', name: 'Goes too', address: '192.0.2.9', group_id: group }
    for (const name of ['Goes too', 'And this']) await world.call('alice', 'POST', '/services', { ...body, name })
    await ask()
    await page.getByRole('dialog').getByText('It is used by 2 services.').waitFor()
  })

  test.each(looks)('$language $width $colorScheme: the tags of the list and of notifications fit', async (look) => {
    await speak(look.language)
    for (const path of ['/services?tags=web', '/notifications']) {
      const page = await visit(path, look)
      await page.getByText('web', { exact: true }).first().waitFor({ state: 'attached' })
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    await speak('en')
  })
})
