import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { describeWithBrowser, launchTestBrowser } from '../support/browser.ts'
import { passwordOf } from '../support/people.ts'

/**
 * A newcomer reads the documentation in a real browser, logs in and tries operations, with the keyboard alone where
 * stated.
 */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const wait = { timeout: 60_000, interval: 50 }

/** The parts of an element that the test reads in the page. */
interface Shown {
  readonly className: string
  readonly textContent: string
  readonly parentElement: Shown | null
}
declare const getComputedStyle: (element: Shown) => { readonly color: string; readonly backgroundColor: string }

let api: ApiWorld
let running: RunningBrowser
let page: Page
const complaints: string[] = []

/** Texts with a contrast below 4.5 : 1, by the colours really shown (WCAG 2.2, contrast ratio). */
function faintTexts(elements: readonly Shown[]): string[] {
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (colour: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = colour.map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element: Shown) => {
    for (let one: Shown | null = element; one !== null; one = one.parentElement) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = channels(getComputedStyle(one).backgroundColor)
      if (alpha === 1) return [red, green, blue]
    }
    return [255, 255, 255]
  }
  return elements.flatMap((element) => {
    const ink = channels(getComputedStyle(element).color)
    const shades = [luminance(ink), luminance(groundOf(element))]
    const ratio = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05)
    return ratio >= 4.5 ? [] : [`${element.className} "${element.textContent}": ${ink} on ${groundOf(element)}`]
  })
}

/** Opens an operation below its heading. */
async function operation(tag: string, method: string, path: string): Promise<Locator> {
  const heading = page.locator(`[id="operations-tag-${tag}"]`)
  if ((await heading.getAttribute('data-is-open')) !== 'true') await heading.click()
  const wanted = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`.opblock-summary-path[data-path="${path}"]`) })
  if ((await wanted.locator('.execute').count()) === 0) await wanted.locator('.opblock-summary-control').click()
  await wanted.locator('.execute').waitFor()
  return wanted
}

/** The answer as the page shows it. */
async function answered(wanted: Locator, status: number): Promise<string | null> {
  await wanted.locator(`.live-responses-table .response-col_status:text("${status}")`).first().waitFor()
  return await wanted.locator('.live-responses-table .response-col_description').last().textContent()
}

async function pressUntil(key: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await isThere()) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never leads there.`)
}

function isFocused(wanted: Locator): Promise<boolean> {
  return wanted.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))
}

describeWithBrowser('the documentation page in a browser', () => {
  beforeAll(async () => {
    api = await apiWorld()
    const address = new URL(await api.server.listen({ host: '127.0.0.1', port: 0 }))
    running = await launchTestBrowser([
      `--host-resolver-rules=MAP api.test:80 ${address.host}`,
      // A person's browser, not the frugal one of a station.
      '--js-flags=--max-old-space-size=1024',
    ])
    page = await running.browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'pl-PL' })
    page.setDefaultTimeout(wait.timeout)
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('422')) complaints.push(message.text())
    })
    await page.goto('http://api.test/v3/public/doc/')
    await page.locator('.opblock-tag').first().waitFor()
  })
  afterAll(async () => {
    await running?.browser.close()
    await api?.drop()
  })

  test('has its guide in the language of the browser, and says that it is that', async () => {
    expect(await page.locator('[lang="pl"] h2').first().textContent()).toBe('Pierwsze kroki')
    expect(await page.locator('[lang="pl"] summary').count()).toBeGreaterThan(3)
  })

  test('its login is a dialog for the keyboard: it begins at the username, stays inside and is left with Escape', async () => {
    const opener = page.locator('.btn.authorize').first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Available authorizations' })
    await dialog.waitFor()
    const username = dialog.getByRole('textbox', { name: 'Username', exact: true })
    expect(await isFocused(username)).toBe(true)
    await page.keyboard.press('Tab')
    expect(await isFocused(dialog.getByRole('textbox', { name: 'Password', exact: true }))).toBe(true)
    await pressUntil('Tab', () => isFocused(username))
    expect(await dialog.getByRole('button', { name: 'Close', exact: true }).count()).toBeGreaterThan(1)
    // Client credentials have a secret of their own; nothing else asks for one.
    for (const idle of ['Scopes are used', 'implicit'])
      expect([idle, await dialog.getByText(idle).filter({ visible: true }).count()]).toEqual([idle, 0])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await isFocused(opener)).toBe(true)
  })

  test('logs in by the form of the installation', async () => {
    await page.locator('.btn.authorize').first().click()
    const dialog = page.getByRole('dialog')
    const [form] = await Promise.all([
      page.waitForEvent('popup'),
      // Client credentials have a form of their own beside it.
      dialog
        .locator('.auth-container')
        .filter({ hasText: 'authorizationCode' })
        .getByRole('button', { name: 'Apply given OAuth2 credentials' })
        .click(),
    ])
    await form.locator('input[name="username"]').fill('alice')
    await form.locator('input[name="password"]').fill(passwordOf('alice'))
    await Promise.all([form.waitForEvent('close'), form.locator('button[type="submit"]').first().click()])
    await dialog.getByText('Logout').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('executes a reading with parameters', async () => {
    const list = await operation('groups', 'get', '/groups')
    const fields = list.locator('tr[data-param-name="fields"]')
    for (const name of ['id', 'is_default']) {
      await fields.getByRole('button', { name: 'Add string item' }).click()
      await fields.getByRole('textbox').last().fill(name)
    }
    await list.locator('.execute').click()
    expect(await answered(list, 200)).toContain('"is_default": true')
  })

  test('makes what its example gives, reached with the keyboard alone', async () => {
    const create = await operation('groups', 'post', '/groups')
    await create.locator('.opblock-summary-control').focus()
    await pressUntil('Tab', () => isFocused(create.getByRole('textbox', { name: 'Request body' })))
    await pressUntil('Tab', () => isFocused(create.getByRole('button', { name: 'Execute' })))
    await page.keyboard.press('Enter')
    expect(await answered(create, 201)).toContain('"id":')
  })

  test('shows what is wrong with a request', async () => {
    const create = await operation('groups', 'post', '/groups')
    await create.getByRole('textbox', { name: 'Request body' }).fill('{"nam": "Sklep"}')
    await create.locator('.execute').click()
    const problems = await answered(create, 422)
    for (const field of ['data.nam"', 'data.name"']) expect(problems).toContain(field)
    expect(problems).toContain('Nie ma tu pola nam.')
  })

  test('an address of an operation leads to it, and the login does not cover it', async () => {
    await page.goto('about:blank')
    await page.goto('http://api.test/v3/public/doc/#/sensors/sensors.list')
    const summary = page.locator('.opblock.is-open .opblock-summary').first()
    await summary.waitFor()
    await vi.waitFor(async () => {
      const bar = await page.locator('.scheme-container').boundingBox()
      const [end, start] = [(bar?.y ?? 0) + (bar?.height ?? 0), (await summary.boundingBox())?.y ?? 0]
      expect(start).toBeGreaterThanOrEqual(end)
      expect(start).toBeLessThan(900)
    }, wait)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('texts stand out from their ground', async () => {
      await page.emulateMedia({ colorScheme })
      await operation('groups', 'put', '/groups/{_id}')
      const texts = '.btn.authorize, .btn.execute, .btn.cancel, .opblock-summary-method, .info a, .parameter__in'
      // Colours change gradually.
      await vi.waitFor(async () => {
        expect(await page.locator(texts).count()).toBeGreaterThan(10)
        expect(await page.locator(texts).evaluateAll(faintTexts)).toEqual([])
      }, wait)
    })
  })

  test('and it complained of nothing meanwhile', () => {
    expect(complaints).toEqual([])
  })
})
