import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

import { givenIntent } from '../support/intents.ts'
import { failureNotice } from '../support/notices.ts'

/** Messages in the account's own words, from the default text and back to it. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const phone = { width: 360, height: 740 }

describeWithBrowser('templates of messages', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: 'alice' | 'rita', path: string, visitOf?: Parameters<ConsoleWorld['visit']>[2]) => {
    const page = await world.visit(person, path, visitOf)
    open.push(page)
    page.setDefaultTimeout(15_000)
    return page
  }
  const speak = (person: 'alice' | 'rita', language: 'en' | 'pl') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })
  const shown = async () => (await world.call('alice', 'GET', '/templates?sort=id')).body as Record<string, unknown>[]

  beforeAll(async () => {
    world = await consoleWorld()
    await Promise.all([speak('alice', 'en'), speak('rita', 'en')])
    await world.database.execute(sql`truncate templates cascade`)
    await world.database.execute(sql`truncate notification_intents`)
    const notice = failureNotice()
    const facts = { ...notice, service: { ...notice.service, id: world.serviceIds.shared } }
    await givenIntent(world.database, { accountId: world.people.ids.alice, facts, createdAt: world.clock.now() })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('begin with the default text, name a fault beside its field, and show the message', async () => {
    const page = await visit('alice', '/notifications')
    await page.getByRole('link', { name: 'Templates of messages' }).click()
    await page.getByText('All messages have the usual text.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Add a template' }).click()
    const [subject, text] = [page.getByLabel('Subject'), page.getByLabel('Text', { exact: true })]
    await expect.poll(() => text.inputValue()).toContain('{{headline}}: {{service.name}}')
    const message = page.locator('.message')
    await message.waitFor()
    expect(await page.getByLabel('What the message tells').inputValue()).toBe('latest')

    await page.getByLabel('Name').fill('Short')
    await page.getByLabel('Language of the readers').selectOption('en')
    await subject.fill('Alarm: {{service.nme}}')
    await page.locator('[data-field=subject] .problem').getByText('Line 1, column 8').waitFor()
    expect(await subject.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('no variable “service.nme”').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await subject.fill('Alarm: ')
    await page.getByText('Variables', { exact: true }).click()
    await page.getByLabel('Find a variable').fill('service.name')
    await page.getByRole('button', { name: 'service.name', exact: true }).focus()
    await page.keyboard.press('Enter')
    expect(await subject.inputValue()).toBe('Alarm: {{service.name}}')
    await page.getByLabel('What the message tells').selectOption('recovery')
    await text.fill('')
    await text.pressSequentially('Over.')
    await message.getByText('Over.').waitFor()
    await message.getByText(/^Alarm: ./).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('in use', { exact: true }).waitFor()
    expect(await shown()).toMatchObject([
      { name: 'Short', subject: 'Alarm: {{service.name}}', body: 'Over.', language_id: 'en', is_active: true },
    ])
  })

  test('are changed, go out of use and back, and are deleted, on a phone, in Polish', async () => {
    await speak('alice', 'pl')
    const page = await visit('alice', '/notifications/templates', { ...phone, colorScheme: 'dark' })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Zmień Short' }).click()
    await page.getByLabel('Tekst', { exact: true }).fill('{{#each service}}{{/each}}')
    await page.locator('[data-field=body] .problem').getByText('Wiersz 1, kolumna 1').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Zacznij od domyślnego tekstu' }).click()
    await page.locator('[data-field=body] .problem').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Zapisz' }).click()
    await page.getByRole('button', { name: 'Wróć do domyślnego tekstu zamiast Short' }).click()
    const back = page.getByRole('dialog', { name: 'Wrócić do domyślnego tekstu?' })
    expect(await back.getByLabel('Tekst').inputValue()).toContain('{{headline}}')
    expect(await accessibilityFaults(page)).toEqual([])
    await back.getByRole('button', { name: 'Wróć do domyślnego tekstu' }).click()
    await page.getByText('nieużywany').waitFor()
    expect(await shown()).toMatchObject([{ is_active: false, body: expect.stringContaining('{{headline}}') }])
    await page.getByRole('button', { name: 'Użyj Short' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Użyj' }).click()
    await page.getByText('w użyciu').waitFor()
    await page.getByRole('button', { name: 'Usuń Short' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).click()
    await page.getByText('Wszystkie wiadomości mają zwykły tekst.').waitFor()
    expect(await shown()).toEqual([])
    await speak('alice', 'en')
  })

  test('who only reads is offered no change', async () => {
    const template = { notification_channel_id: 'sms', language_id: 'en', subject: 'S', body: '{{reason}}' }
    expect((await world.call('alice', 'POST', '/templates', { ...template, name: 'Kept' })).status).toBe(201)
    const page = await visit('rita', '/notifications/templates')
    await page.getByText('Kept').waitFor()
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([])
    expect(await page.getByRole('link', { name: /Change|Add a template/ }).count()).toBe(0)
  })
})
