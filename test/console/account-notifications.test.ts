import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** The settings for the messages of a whole account. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('notifications of the whole account', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: 'alice' | 'rita', visitOf?: Parameters<ConsoleWorld['visit']>[2]) => {
    const page = await world.visit(person, '/notifications', visitOf)
    open.push(page)
    return page
  }
  const speak = (person: 'alice' | 'rita', language: 'en' | 'pl') =>
    world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', { language, isWelcomed: true })
  const kept = async () => {
    const fields = 'disable_legacy_notifications,storm_threshold'
    return (await world.call('alice', 'GET', `/accounts/my_account?fields=${fields}`)).body
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await Promise.all([speak('alice', 'en'), speak('rita', 'en')])
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('say what they do, and are saved by keyboard', async () => {
    const page = await visit('alice')
    const form = page.getByRole('region', { name: 'For the whole account' })
    await form.getByText('the addresses of groups above are told nothing').waitFor()
    const threshold = form.getByLabel('More than this many services within a minute')
    expect(await threshold.inputValue()).toBe('100')
    await threshold.fill('many')
    await form.getByRole('button', { name: 'Save the settings' }).click()
    await form.getByRole('alert').waitFor()
    expect(await threshold.getAttribute('aria-invalid')).toBe('true')
    expect(await accessibilityFaults(page)).toEqual([])
    await threshold.fill('12')
    await form.getByLabel('Tell contacts only').focus()
    await page.keyboard.press('Space')
    await form.getByRole('button', { name: 'Save the settings' }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('Saved.').waitFor()
    await page.getByText('nothing is sent to these addresses of groups').waitFor()
    expect(await kept()).toEqual({ disable_legacy_notifications: true, storm_threshold: 12 })
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test('let every message go by itself, on a phone, in Polish', async () => {
    await speak('alice', 'pl')
    const page = await visit('alice', { width: 360, height: 740, colorScheme: 'dark' })
    const form = page.getByRole('region', { name: 'Dla całego konta' })
    await form.getByLabel('Zbieraj wiadomości przy burzy awarii').uncheck()
    await form.getByLabel('Powiadamiaj tylko kontakty').uncheck()
    expect(await accessibilityFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Zapisz ustawienia' }).click()
    await form.getByText('Zapisano.').waitFor()
    expect(await kept()).toEqual({ disable_legacy_notifications: false, storm_threshold: null })
  })

  test('are not offered to who only reads', async () => {
    const page = await visit('rita')
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(await page.getByRole('region', { name: 'For the whole account' }).count()).toBe(0)
  })
})
