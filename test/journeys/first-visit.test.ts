import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, expect, test, vi } from 'vitest'
import type { RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { describeWithBrowser, launchTestBrowser } from '../support/browser.ts'
import { accessibilityFaults } from '../support/console.ts'

/** From the first start to a judged service and a test message, through the printed link, in a fresh browser. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

describeWithBrowser('the first visit', () => {
  const endings: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })

  async function started(): Promise<Launched> {
    const directory = temporaryDirectory()
    const program = launch({ DATA_DIR: directory.path, ALLOW_PRIVATE_TARGETS: 'all', CHROMIUM_SANDBOX: 'off' })
    endings.push(
      () => directory.remove(),
      () => stop(program),
    )
    await program.ready()
    return program
  }

  async function target(status: number): Promise<string> {
    const server = createServer((_, reply) => reply.writeHead(status).end('Hello'))
    endings.push(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  async function visitor(locale: string, width = 1280): Promise<{ page: Page; complaints: string[] }> {
    const { browser }: RunningBrowser = await launchTestBrowser(['--js-flags=--max-old-space-size=512'])
    endings.push(() => browser.close())
    const context = await browser.newContext({ locale, viewport: { width, height: 800 } })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    return { page, complaints }
  }

  const linkOf = (program: Launched) => /^ {2}(http\S+\/login\/link\?token=\S+)$/m.exec(program.stdout())?.[1] ?? ''

  test('by keyboard alone: the link, an address, the verdict of three stations, a mailbox, a test message', async () => {
    const program = await started()
    const { page, complaints } = await visitor('en-GB')
    await page.goto(linkOf(program))
    await page.locator('button:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/welcome', { waitUntil: 'commit' })
    await page.getByLabel('Address', { exact: true }).focus()
    await page.keyboard.type('http://')
    await page.keyboard.press('Enter')
    const problem = page.getByRole('alert').filter({ hasText: 'names no site' })
    await problem.waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await problem.waitFor({ state: 'detached' })
    await page.keyboard.type(await target(200))
    await page.keyboard.press('Enter')
    await page.getByText('3 stations agree').waitFor()
    expect(await page.locator('.answers li').allInnerTexts()).toHaveLength(3)
    await page.getByLabel('E-mail address').focus()
    await page.keyboard.type('me@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('The test message was sent.').waitFor()
    await page.getByText('SMTP_URL').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Go to the services' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('table').getByText('OK').waitFor()
    expect(complaints).toEqual([])
    await page.goto(linkOf(program))
    await page.getByText('was used already').waitFor()
  })

  test('in Polish on a phone, with a target that fails: it says so and leads to the service', async () => {
    const program = await started()
    const { page, complaints } = await visitor('pl-PL', 360)
    await page.goto(linkOf(program))
    await page.getByRole('button', { name: 'Zaloguj się' }).click()
    await page.getByLabel('Adres', { exact: true }).fill(await target(500))
    await page.getByRole('button', { name: 'Monitoruj' }).click()
    await page.getByText('nie działa').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
      '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
    )
    expect(scrollWidth).toBe(clientWidth)
    await page.getByRole('link', { name: 'Zobacz usługę' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/services`)
    await page.getByRole('link', { name: /^127\.0\.0\.1/ }).waitFor()
    expect(complaints).toEqual([])
  })
})
