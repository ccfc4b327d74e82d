import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSubscriberKey, subscriberToken } from '../../src/outbox/subscriber-links.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** The pages on which visitors subscribe, as people see them. `SHOTS=DIRECTORY` keeps a picture of each. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const shots = process.env['SHOTS']

const looks = [
  { width: 360, colorScheme: 'light', language: 'en' },
  { width: 360, colorScheme: 'dark', language: 'pl' },
  { width: 1280, colorScheme: 'light', language: 'pl' },
  { width: 1280, colorScheme: 'dark', language: 'en' },
] as const

const words = {
  en: {
    get: 'Get updates',
    send: 'Subscribe',
    confirm: 'Confirm',
    change: 'Your subscription',
    save: 'Save the choice',
    leave: 'Leave',
  },
  pl: {
    get: 'Subskrybuj',
    send: 'Subskrybuj',
    confirm: 'Potwierdź',
    change: 'Twoja subskrypcja',
    save: 'Zapisz wybór',
    leave: 'Zrezygnuj',
  },
} as const

describeWithBrowser('the pages on which visitors subscribe', () => {
  let world: ConsoleWorld

  beforeAll(async () => {
    world = await consoleWorld()
    for (const language_id of ['en', 'pl'] as const) {
      const page = { slug: `shop-${language_id}`, title: 'Sklep „Latarnia” — status', language_id, time_zone_id: 'utc' }
      const status_page_id = idOf(await world.call('alice', 'POST', '/status_pages', page))
      const make = async (more: object) =>
        idOf(await world.call('alice', 'POST', '/status_page_components', { status_page_id, ...more }))
      const parent_id = await make({ name: 'Shop' })
      await make({ name: 'Baskets', status: 'operational', parent_id })
      await make({ name: `A ${'very '.repeat(12)}long name`, status: 'operational' })
    }
  })
  afterAll(() => world.drop())

  /** Looks at the page: it has no faults, and its policy refused nothing. */
  async function look(page: Page, name: string): Promise<void> {
    await page.locator('h1').waitFor()
    if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
    expect([name, await accessibilityFaults(page)]).toEqual([name, []])
  }

  async function linkTo(path: 'confirm' | 'manage' | 'leave', address: string): Promise<string> {
    const [row] = await world.database.query<{ id: number }>(
      sql`select id from status_page_subscribers where address = ${address}`,
    )
    const key = await readSubscriberKey(world.database)
    return `/subscribe/${path}?token=${subscriberToken(key, path === 'confirm' ? 'confirm' : 'manage', row?.id ?? 0)}`
  }

  /** Presses the button by keyboard alone. */
  async function press(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }

  test.each(looks)('at %o: subscribe, confirm, choose, leave, and links that ended', async (one) => {
    const { language, ...rest } = one
    const says = words[language]
    const name = `${one.width}-${one.colorScheme}-${language}`
    const page = await world.visit('alice', '/status-pages', rest)
    const base = `${new URL(page.url()).origin}/status/shop-${language}`
    const address = `reader-${name}@example.com`
    await page.goto(base)
    await page.getByRole('link', { name: says.get }).press('Enter')
    await look(page, `${name}-1-form`)
    // Parts are offered to those who want only some, so nobody chooses parts and gets everything.
    await page.getByRole('checkbox').first().waitFor({ state: 'hidden' })
    await page.getByRole('textbox').fill('no address')
    await page.locator('input[value=some]').check()
    await press(page, says.send)
    await page.getByRole('alert').waitFor()
    await look(page, `${name}-2-nothing-chosen`)
    await page.getByRole('checkbox', { name: 'Baskets' }).check()
    await press(page, says.send)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Baskets' }).isChecked()).toBe(true)
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('address')
    expect(await page.title()).toContain('Sklep „Latarnia”')
    await look(page, `${name}-3-wrong-address`)
    await page.getByRole('textbox').fill(address)
    await press(page, says.send)
    await look(page, `${name}-4-asked`)
    await page.goto(base + (await linkTo('confirm', address)))
    await look(page, `${name}-5-confirm`)
    await press(page, says.confirm)
    await page.getByRole('status').waitFor()
    await look(page, `${name}-6-confirmed`)
    await page.getByRole('link', { name: says.change }).press('Enter')
    await look(page, `${name}-7-manage`)
    await page.locator('input[value=all]').check()
    await press(page, says.save)
    await page.getByRole('status').waitFor()
    await look(page, `${name}-8-saved`)
    const leave = base + (await linkTo('leave', address))
    await page.goto(leave)
    await look(page, `${name}-9-leave`)
    await press(page, says.leave)
    await page.getByRole('status').waitFor()
    await look(page, `${name}-10-left`)
    await page.goto(leave)
    await look(page, `${name}-11-ended`)
    await page.goto(`${base}/subscribe`)
    await page.getByRole('combobox').selectOption('webhook')
    await page.getByRole('textbox').fill(`https://hooks.example.com/${name}`)
    await press(page, says.send)
    await look(page, `${name}-12-webhook`)
    await page.goto(`${base}/subscribe/browser`)
    await look(page, `${name}-13-browser`)
    expect(world.complaints).toEqual([])
    await page.context().close()
  })

  test('everything but notifications of the browser works without a script', async () => {
    const page = await world.visit('alice', '/status-pages')
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false })
    const still = await context?.newPage()
    if (still === undefined) throw new Error('no page')
    await still.goto(`${new URL(page.url()).origin}/status/shop-en/subscribe`)
    await still.getByRole('textbox').fill('still@example.com')
    await still.getByRole('button', { name: 'Subscribe' }).click()
    await still.getByRole('heading', { name: 'Now confirm it' }).waitFor()
    await still.goto(`${new URL(page.url()).origin}/status/shop-en${await linkTo('confirm', 'still@example.com')}`)
    await still.getByRole('button', { name: 'Confirm' }).click()
    await still.getByRole('heading', { name: 'You are subscribed' }).waitFor()
    await still.goto(`${new URL(page.url()).origin}/status/shop-en/subscribe/browser`)
    expect(await still.locator('noscript').textContent()).toContain('This needs JavaScript')
    expect(await still.getByRole('button').isDisabled()).toBe(true)
    if (shots !== undefined) await still.screenshot({ path: `${shots}/still-browser.png`, fullPage: true })
    await context?.close()
    await page.context().close()
  })

  test('a page with a password: its form, and links of subscribers beside it', async () => {
    const created = { slug: 'private', title: 'Private status', language_id: 'en', time_zone_id: 'utc' }
    const pageId = idOf(await world.call('alice', 'POST', '/status_pages', created))
    const component = { status_page_id: pageId, name: 'Secret project', status: 'operational' }
    await world.call('alice', 'POST', '/status_page_components', component)
    const page = await world.visit('alice', '/status-pages', { width: 360, colorScheme: 'dark' })
    const base = `${new URL(page.url()).origin}/status/private`
    await page.goto(`${base}/subscribe`)
    await page.getByRole('textbox').fill('insider@example.com')
    await press(page, 'Subscribe')
    await page.getByRole('heading', { name: 'Now confirm it' }).waitFor()
    await world.call('alice', 'PUT', `/status_pages/${pageId}`, { access: 'password', password: 'open sesame' })
    world.clock.advance(31_000)
    await page.goto(base)
    await look(page, 'private-1-password')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await look(page, 'private-2-wrong')
    await page.goto(base + (await linkTo('confirm', 'insider@example.com')))
    await press(page, 'Confirm')
    await page.getByRole('status').waitFor()
    await page.getByRole('link', { name: 'Your subscription' }).click()
    await page.getByRole('button', { name: 'Leave' }).waitFor()
    await look(page, 'private-3-manage')
    expect(await page.content()).not.toContain('Secret project')
    await page.goto(`${base}/subscribe`)
    await look(page, 'private-4-hidden')
    await page.context().close()
  })
})
