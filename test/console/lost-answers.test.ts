import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** Forms whose change gets no answer: it may have reached the server or not. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('a form without an answer', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const named = async (name: string) => {
    const { body } = await world.call('alice', 'GET', `/services?name=${encodeURIComponent(name)}`)
    return (body as { readonly id: number; readonly [member: string]: unknown }[])[0]
  }

  const pinged = (name: string) => ({ name, type_id: 'ping', address: '192.0.2.9' })

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('without a server the form says so beside the button, keeps what was typed, and saves it later', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://away.example.com')
    await page.route('**/v3/services', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    const message = page.getByRole('alert').getByText('No answer from the server: your change may not be saved.')
    await message.waitFor()
    const [told, button] = await Promise.all([
      message.boundingBox(),
      page.getByRole('button', { name: 'Save' }).boundingBox(),
    ])
    expect((told?.y ?? 0) >= 0 && (button?.y ?? 0) - (told?.y ?? 0) < 120).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    world.complaints.splice(0)
    await page.getByLabel('Name', { exact: true }).fill('Saved later')
    await message.waitFor({ state: 'detached' })
    await page.unroute('**/v3/services')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await named('Saved later')).toMatchObject({ address: 'away.example.com' })
  })

  /** Readings that never end hold up no message. */
  const unanswered = (page: Page, refuse: (route: Route) => Promise<void>) =>
    page.route('**/v3/**', (route) => (route.request().method() === 'GET' ? undefined : refuse(route)))
  /** The next change reaches the server, and its answer not the page. */
  const loseAnswer = async (page: Page) => {
    const session = await page.context().newCDPSession(page)
    session.on('Fetch.requestPaused', async ({ requestId, request: { method } }) => {
      // Readings that wait here when it ends go on by themselves.
      if (method === 'GET') return session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
      await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' })
      return session.send('Fetch.disable')
    })
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/v3/*', requestStage: 'Response' }] })
  }
  const proxyError = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
  test.each([
    ['the server refuses connections', (page: Page) => unanswered(page, (route) => route.abort('connectionrefused'))],
    ['a proxy finds no server', (page: Page) => unanswered(page, (route) => route.fulfill(proxyError))],
    ['the browser is offline', (page: Page) => page.context().setOffline(true)],
    ['the answer is lost on its way', loseAnswer],
  ])(
    'when %s, a form and a dialog say that it may not be saved, keep what was typed and send it again',
    async (_, cut) => {
      const group = await world.call('alice', 'POST', '/groups', { name: 'Cut off' })
      const path = `/services/${idOf(await world.call('alice', 'POST', '/services', pinged('Before the cut')))}`
      for (const [at, begin, label, button] of [
        [`${path}/edit`, null, 'Name', 'Save'],
        ['/account/groups', 'Change Cut off', 'Name', 'Save'],
      ] as const) {
        const page = await visit('alice', at)
        if (begin !== null) await page.getByRole('button', { name: begin }).click()
        const [field, save] = [page.getByLabel(label, { exact: true }), page.getByRole('button', { name: button })]
        await field.fill('Typed while away')
        await cut(page)
        await save.click()
        const told = page.getByRole('alert').getByText('No answer from the server: your change may not be saved.')
        await told.waitFor()
        expect(await field.inputValue()).toBe('Typed while away')
        await expect.poll(() => save.getAttribute('aria-disabled')).toBe('false')
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().setOffline(false)
        await save.click()
      }
      for (const saved of [path, `/groups/${idOf(group)}`])
        await expect
          .poll(async () => (await world.call('alice', 'GET', saved)).body)
          .toMatchObject({ name: 'Typed while away' })
      await world.call('alice', 'DELETE', `/groups/${idOf(group)}`)
      world.complaints.splice(0)
    },
  )
})
