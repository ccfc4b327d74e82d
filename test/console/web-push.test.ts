import { createECDH } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** A browser that becomes an address: the worker is real, the push service of its vendor is not asked. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Browsers trust their own machine without TLS. */
const origin = 'http://api.localhost'
const curve = createECDH('prime256v1')
curve.generateKeys()
const subscription = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  keys: { p256dh: curve.getPublicKey('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
}
const pushService = `
  PushManager.prototype.subscribe = async function (choice) {
    window.asked = choice
    return { toJSON: () => (${JSON.stringify(subscription)}) }
  }`

describeWithBrowser('notifications of a browser', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (size?: { width: number; height: number }) => {
    const page = await world.visit('alice', '/notifications', size)
    open.push(page)
    await page.getByRole('button', { name: 'Add an address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an address' })
    await dialog.getByLabel('Channel').selectOption('web_push')
    return { page, dialog }
  }

  beforeAll(async () => {
    world = await consoleWorld(undefined, origin)
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', {
      language: 'en',
      isWelcomed: true,
    })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a browser that may not show any says so, and nothing is saved', async () => {
    const { page, dialog } = await visit({ width: 360, height: 740 })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.evaluate(`Notification.requestPermission = async () => 'denied'`)
    await dialog.getByRole('button', { name: 'Use this browser' }).click()
    await dialog.getByText('are switched off in the browser').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').first().waitFor()
    const kept = await world.call('alice', 'GET', '/notification_addresses?notification_channel_id=web_push')
    expect(kept.body).toEqual([])
  })

  test('one that may is asked for its keys, becomes an address, and shows what comes', async () => {
    const { page, dialog } = await visit()
    await page.evaluate(`${pushService}; Notification.requestPermission = async () => 'granted'`)
    await dialog.getByRole('button', { name: 'Use this browser' }).click()
    await dialog.getByText('This browser is ready').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const { body: key } = await world.call('alice', 'GET', '/web_push_key')
    const asked = await page.evaluate('window.asked')
    const applicationServerKey = (key as { public_key: string }).public_key
    expect(asked).toEqual({ userVisibleOnly: true, applicationServerKey })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('push.example.net …4rJUsV').waitFor()

    const told = {
      ...{ title: 'Shop: FAILURE', body: 'Since noon.', tag: 'thread-7-1', url: `${origin}/services/1` },
      ...{ isUrgent: true, buttons: [{ text: 'Acknowledge', url: `${origin}/acknowledge?token=x` }] },
    }
    const [worker] = page.context().serviceWorkers()
    expect(worker?.url()).toBe(`${origin}/console/push-worker.js`)
    // A browser without a screen shows no notifications: what it is given to show is written down.
    await worker?.evaluate(`self.shown = []
      registration.showNotification = async (title, options) => void shown.push({ title, ...options })`)
    await deliver(page, told)
    const expected = {
      ...{ title: told.title, body: told.body, tag: told.tag, data: { url: told.url } },
      ...{ renotify: true, requireInteraction: true },
      actions: [{ action: `${origin}/acknowledge?token=x`, title: 'Acknowledge' }],
    }
    await expect.poll(() => worker?.evaluate('shown')).toEqual([expected])
  })
})

/** As the push service of the browser would bring it. */
async function deliver(page: Page, told: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(told) })
}
