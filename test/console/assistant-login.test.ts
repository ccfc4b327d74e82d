import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { passwordOf } from '../support/people.ts'

/** The page on which a person lets an assistant in: read, filled in by the keyboard, and left to the assistant. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The assistant, to which the login leads back. */
const assistant = createServer((_request, response) => response.end('back'))

describeWithBrowser('the login of an assistant', () => {
  let world: ConsoleWorld
  let address: string
  let back: string
  const open: Page[] = []
  beforeAll(async () => {
    world = await consoleWorld()
    await once(assistant.listen(0, '127.0.0.1'), 'listening')
    back = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/callback`
    const payload = JSON.stringify({ client_name: 'Notatnik Łucji', redirect_uris: [back] })
    const headers = { 'content-type': 'application/json' }
    const made = await world.server.inject({ method: 'POST', url: '/oauth/register', headers, payload })
    const { client_id: clientId } = JSON.parse(made.payload) as { readonly client_id: string }
    const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
    address = `/oauth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: back, state: 's' },
      ...{ resource: 'http://api.test/mcp', code_challenge: challenge, code_challenge_method: 'S256' },
    })}`
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0).filter((one) => !expected(one))).toEqual([])
  })
  afterAll(async () => {
    assistant.close()
    await world?.drop()
  })

  /** The page goes to the assistant; a wrong password is answered with 401. */
  const expected = (complaint: string) =>
    complaint.startsWith(`asked ${new URL(back).origin}/`) || complaint.includes('status of 401')

  const visit = async (look: Partial<Visit>) => {
    const page = await world.visit('bob', '/account', look)
    open.push(page)
    await page.context().clearCookies()
    await page.goto(`http://api.test${address}`)
    return page
  }

  test.each([
    { locale: 'pl-PL', width: 360 },
    { locale: 'pl-PL', colorScheme: 'dark' },
    { colorScheme: 'dark', width: 360 },
    {},
  ] as const)('is accessible, fits, and speaks the language of the browser (%o)', async (look) => {
    const page = await visit(look)
    const isPolish = 'locale' in look
    await page.getByText('Notatnik Łucji').first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(isPolish ? 'pl' : 'en')
    await page.getByLabel(isPolish ? 'Hasło' : 'Password').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const pictures = process.env['AUDIT_PICTURES']
    if (pictures)
      await page.screenshot({
        path: `${pictures}/login${JSON.stringify(look).replaceAll(/\W+/g, '_')}.png`,
        fullPage: true,
      })
  })

  test('is filled in with the keyboard alone, says what was wrong, and leads back to the assistant', async () => {
    const page = await visit({})
    const write = async (text: string) => {
      await page.getByLabel('Username').focus()
      await page.keyboard.type('bob')
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await write('wrong')
    await page.getByRole('alert').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Username').fill('')
    await write(passwordOf('bob'))
    await page.waitForURL(`${back}?**`)
    const answer = new URL(page.url()).searchParams
    expect([answer.get('state'), answer.get('code')]).toEqual(['s', expect.stringMatching(/\S/)])
  })
})
