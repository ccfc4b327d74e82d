import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { type PushService, startPushService } from '../support/push-vendor.ts'
import { idOf } from '../support/replies.ts'
import { deliverAll } from '../support/subscribing.ts'

/** A browser subscribes to a status page. Its worker is real; the push service of its vendor is one on loopback. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Browsers trust their own machine without TLS. */
const origin = 'http://api.localhost'
const slug = 'pushed'

/** The message as the browser has it once it is decrypted. */
interface Told {
  readonly title: string
  readonly body: string
  readonly url: string
}

describeWithBrowser('notifications of a status page', () => {
  let world: ConsoleWorld
  let service: PushService
  let pageId: number

  const post = async (path: string, body: object) => idOf(await world.call('alice', 'POST', path, body))
  const confirmed = () =>
    world.database.query<{ is_confirmed: boolean }>(sql`
      select confirmed_at is not null as is_confirmed from status_page_subscribers where status_page_id = ${pageId}`)

  beforeAll(async () => {
    world = await consoleWorld(undefined, origin)
    service = await startPushService()
    pageId = await post('/status_pages', {
      ...{ slug, title: 'Shop status', language_id: 'en', time_zone_id: 'europe_warsaw' },
    })
    await post('/status_page_components', { status_page_id: pageId, name: 'Shop', status: 'operational' })
  })
  afterAll(async () => {
    service?.stop()
    await world?.drop()
  })

  async function open(): Promise<Page> {
    const page = await world.visit('alice', '/status-pages', { width: 360 })
    await page.goto(`${origin}/status/${slug}/subscribe/browser`)
    return page
  }

  /** Everything that is due goes to the push service, and from there to the browser. */
  async function deliver(session: CDPSession, registrationId: string): Promise<Told> {
    const before = service.messages.length
    await deliverAll(world, { publicUrl: origin })
    expect(service.messages).toHaveLength(before + 1)
    const told = service.messages.at(-1) as Told
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(told) })
    return told
  }

  test('a browser that may not show any says so, and nothing is kept', async () => {
    const page = await open()
    await page.evaluate(`Notification.requestPermission = async () => 'denied'`)
    await page.getByRole('button', { name: 'Allow notifications' }).click()
    await page.getByText('The browser does not allow notifications of this page.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await confirmed()).toEqual([])
    await page.context().close()
  })

  test('one that may subscribes, is confirmed by its first message, shows each incident, and leaves', async () => {
    const page = await open()
    await page.evaluate(`Notification.requestPermission = async () => 'granted'
      PushManager.prototype.getSubscription = async () => null
      PushManager.prototype.subscribe = async function (choice) {
        window.asked = choice
        return { toJSON: () => (${JSON.stringify(service.subscription)}) }
      }`)
    await page.getByRole('button', { name: 'Allow notifications' }).press('Enter')
    await page.getByText('Almost done').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await confirmed()).toEqual([{ is_confirmed: false }])
    const worker = await workerOf(page.context())
    expect(worker.url()).toBe(`${origin}/status/${slug}/subscribe/worker.js`)
    const { session, registrationId } = await registrationOf(page)

    await deliver(session, registrationId)
    const asked = await page.evaluate<{ applicationServerKey: string }>('window.asked')
    expect(service.senders).toEqual([asked.applicationServerKey])
    await expect.poll(confirmed).toEqual([{ is_confirmed: true }])
    await expect.poll(() => shown(worker)).toEqual([expect.objectContaining({ title: 'You are subscribed' })])

    await post('/status_page_incidents', {
      status_page_id: pageId,
      name: 'It is slow',
      is_published: true,
      body: 'We look.',
    })
    const told = await deliver(session, registrationId)
    expect(told).toMatchObject({
      title: expect.stringContaining('It is slow'),
      body: expect.stringContaining('We look.'),
    })
    await expect
      .poll(async () => (await shown(worker)).at(-1))
      .toMatchObject({
        ...{ title: told.title, body: told.body, data: { url: told.url } },
        actions: [{ title: 'Change or leave', action: expect.stringContaining('/subscribe/manage?token=') }],
      })
    expect(told.url).toMatch(new RegExp(`^${origin}/status/${slug}/incidents/\\d+\\.html$`))

    // The push service says that the browser has given the subscription up.
    service.answers(410)
    await post('/status_page_incidents', { status_page_id: pageId, name: 'Again', is_published: true })
    await deliverAll(world, { publicUrl: origin })
    const [row] = await world.database.query<{ disabled_reason: string | null }>(sql`
      select disabled_reason from status_page_subscribers where status_page_id = ${pageId}`)
    expect(row?.disabled_reason).toContain('410')
    const messages = service.messages.length
    await post('/status_page_incidents', { status_page_id: pageId, name: 'Once more', is_published: true })
    await deliverAll(world, { publicUrl: origin })
    expect(service.messages).toHaveLength(messages)
    expect(world.complaints).toEqual([])
    await page.context().close()
  })
})

async function workerOf(context: BrowserContext): Promise<Worker> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  // A browser without a screen shows no notifications: what it is given to show is written down.
  await worker.evaluate(`self.shown = []
    registration.showNotification = async (title, options) => void shown.push({ title, ...options })`)
  return worker
}

const shown = (worker: Worker) => worker.evaluate<readonly Record<string, unknown>[]>('shown')

async function registrationOf(page: Page): Promise<{ session: CDPSession; registrationId: string }> {
  const session = await page.context().newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  return { session, registrationId }
}
