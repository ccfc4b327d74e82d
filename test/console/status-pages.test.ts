import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

describeWithBrowser('status pages in the console', () => {
  let world: ConsoleWorld

  beforeAll(async () => {
    world = await consoleWorld()
  })
  afterAll(() => world.drop())

  /** By keyboard; the dialog is gone afterwards. */
  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  /** Somebody who looks half a minute later. */
  function visitor() {
    world.clock.advance(31_000)
    return world.server.inject({ url: '/status/our-shop' })
  }

  test('a page is made, filled, put in order, and tells of an incident', async () => {
    const page = await world.visit('alice', '/status-pages')
    await page.getByRole('button', { name: 'New page' }).click()
    await page.getByLabel('Title').fill('Our shop')
    await page.getByLabel('Address', { exact: true }).fill('our-shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Components and incidents of Our shop' }).click()
    for (const name of ['First', 'Second']) {
      await page.getByRole('button', { name: 'New component' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Shows').selectOption('status')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(name, { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Move Second up' }).press('Enter')
    await expect
      .poll(() => page.locator('.things').first().locator('.thing > b').allTextContents())
      .toEqual(['Second', 'First'])
    await page.getByRole('button', { name: 'New prepared incident' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Slow')
    await page.getByLabel('Title of the incident').fill('It is slow')
    await page.getByLabel('First message').fill('We are looking into it.')
    await page.getByRole('checkbox', { name: 'First' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: 'We are looking into it.' }).waitFor()
    await page.getByRole('button', { name: 'New incident' }).press('Enter')
    await page.getByLabel('Begin with').selectOption({ label: 'Slow' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('It is slow')
    await page.getByLabel('First', { exact: true }).last().selectOption('degraded_performance')
    expect(await accessibilityFaults(page)).toEqual([])
    await save(page)
    await page.getByRole('button', { name: 'Publish It is slow' }).press('Enter')
    await page.getByRole('button', { name: 'Publish It is slow' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Say more about It is slow' }).press('Enter')
    await page.getByLabel('Status', { exact: true }).selectOption('identified')
    await page.getByLabel('Message').fill('A disk is full.')
    await page.getByLabel('First', { exact: true }).selectOption('partial_outage')
    await save(page)
    await page.getByText('A disk is full.').first().waitFor()
    await page.getByRole('button', { name: 'New subscriber' }).click()
    await page.getByLabel('Address', { exact: true }).fill('reader@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('E-mail · waits for confirmation · everything').waitFor()
    await page.getByText('E-mail: 1 · 1 not confirmed').waitFor()
    await page.getByLabel('Search addresses').fill('nobody')
    await page.getByText('No subscriber matches.').waitFor()
    await page.getByLabel('Search addresses').fill('reader')
    await page.getByRole('button', { name: 'Delete reader@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No subscriber matches.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const shown = await visitor()
    expect(shown.payload).toMatch(/It is slow[\s\S]*A disk is full\.[\s\S]*We are looking[\s\S]*Second[\s\S]*First/)
    expect(shown.payload).toContain('<span class="state partial_outage">')
    const inside = page.frameLocator('iframe[title=Preview]')
    await inside.getByText('A disk is full.').waitFor()
    await page.getByRole('button', { name: 'Say more about It is slow' }).press('Enter')
    await page.getByLabel('Status', { exact: true }).selectOption('resolved')
    await page.getByLabel('Message').fill('There is space again.')
    await save(page)
    await page.getByRole('button', { name: 'Write the post-mortem of It is slow' }).press('Enter')
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('postmortem')
    await page.getByLabel('Message').fill('The disk was too small.')
    await save(page)
    await inside.getByText('The disk was too small.').waitFor()
    await page.context().close()
  })

  test('a failure that the page does not show yet is confirmed by keyboard', async () => {
    const { shared } = world.serviceIds
    const [made] = await world.database.query<{ id: number }>(sql`
      select id from status_pages where slug = 'our-shop'`)
    const component = { status_page_id: made?.id, name: 'Fails', service_id: shared }
    await world.call('alice', 'POST', '/status_page_components', component)
    await world.call('alice', 'PUT', `/status_pages/${made?.id}`, { publish_after_seconds: 86_400 })
    const page = await world.visit('alice', `/status-pages/${made?.id}`)
    const unshown =
      /^Fails since .+\. The page does not show it before .+ \(“Seconds until a failure appears”: 86400\)\.$/
    await page.getByText(unshown).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const confirm = page.getByRole('button', { name: 'Show it now: Fails' })
    await confirm.press('Enter')
    await confirm.waitFor({ state: 'detached' })
    expect((await visitor()).payload).toContain('<span class="state major_outage">')
    await page.context().close()
  })

  test('a new component takes the name of its service, and services of one name are told apart', async () => {
    for (const address of ['one.example.com', 'two.example.com'])
      await world.call('alice', 'POST', '/services', { type_id: 'https', name: 'Slow page', address })
    const { body } = await world.call('alice', 'POST', '/status_pages', { slug: 'named', title: 'Named' })
    const page = await world.visit('alice', `/status-pages/${(body as { id: number }).id}`)
    await page.getByText('A failure of a component opens a draft by itself once it has lasted 3 min.').waitFor()
    await page.getByRole('button', { name: 'New component' }).click()
    const [name, shows] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Shows', { exact: true })]
    await shows.selectOption({ label: 'A service' })
    const service = page.getByLabel('Service', { exact: true })
    const labels = service.locator('option').filter({ hasText: /^Slow page · (one|two)\.example\.com · / })
    await expect.poll(() => labels.count()).toBe(2)
    await service.selectOption({ label: (await labels.first().textContent()) ?? '' })
    expect(await name.inputValue()).toBe('Slow page')
    expect(await accessibilityFaults(page)).toEqual([])
    await shows.selectOption({ label: 'A heading for other components' })
    expect(await name.inputValue()).toBe('')
    await name.fill('My own')
    await shows.selectOption({ label: 'A service' })
    await service.selectOption({ label: (await labels.last().textContent()) ?? '' })
    expect(await name.inputValue()).toBe('My own')
    await save(page)
    await page.getByText('My own').first().waitFor()
    await page.context().close()
  })

  test('an empty name is told in words of people', async () => {
    const page = await world.visit('alice', '/status-pages')
    await page.getByRole('button', { name: 'New page' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Give it a name.').first().waitFor()
    await page.context().close()
  })

  test('the form shows the page while it is typed, with its logo and a readable accent', async () => {
    const page = await world.visit('alice', '/status-pages')
    await page.getByRole('button', { name: 'Change Our shop' }).click()
    const inside = page.frameLocator('iframe[title=Preview]')
    await page.getByLabel('Title', { exact: true }).fill('Shop & more')
    await inside.getByRole('heading', { level: 1, name: 'Shop & more' }).waitFor()
    await page.getByLabel('Accent color', { exact: true }).fill('#ffff00')
    await page.getByText(/^It is hard to read, so the page shows #[0-9a-f]{6} on a light screen/).waitFor()
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>'
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file)
    await page.getByLabel('Text of the logo').fill('A lamp')
    await inside.getByRole('img', { name: 'A lamp' }).waitFor()
    await page.getByLabel('Logo for dark screens').setInputFiles({ ...file, buffer: Buffer.alloc(200_000) })
    await page.getByText('The file is larger than 100 KB.').waitFor()
    await page.getByLabel('Own host name').fill('our.shops.test')
    await page.getByText('our.shops.test. CNAME').waitFor()
    await page.getByLabel('Screen', { exact: true }).selectOption('phone')
    expect(await inside.locator('html').evaluate('innerWidth')).toBe(360)
    const ground = () => inside.locator('body').evaluate('getComputedStyle(document.body).backgroundColor')
    await expect.poll(ground).toBe('rgb(245, 247, 249)')
    await page.getByLabel('Scheme').selectOption('dark')
    await expect.poll(ground).toBe('rgb(15, 23, 28)')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { payload } = await visitor()
    expect(payload).toMatch(/<img src="\/status\/our-shop\/logos\/[^"]+\.svg" alt="A lamp" width="80" height="40">/)
    await page.getByRole('link', { name: 'Components and incidents of Shop & more' }).click()
    await page.getByText('The page waits for the record that proves the name.').waitFor()
    await page.getByText(/^_latarnik\.our\.shops\.test\. TXT "latarnik-status-page=/).waitFor()
    await page.getByRole('button', { name: 'Look it up now' }).click()
    const banner = page.getByRole('img', { name: 'Status: Shop & more' })
    const before = await banner.getAttribute('src')
    const changed = `/status_pages/${/\d+$/.exec(page.url())?.[0]}`
    await world.call('alice', 'PUT', changed, { description: 'Lamps and oil' })
    await page.reload()
    await expect.poll(() => banner.getAttribute('src')).not.toBe(before)
    expect(await page.getByLabel('Markdown', { exact: true }).inputValue()).toMatch(/^\[!\[Status: Shop & more\]\(http/)
    await page.getByRole('button', { name: 'Copy: HTML frame' }).waitFor()
    const frame = await page.getByLabel('HTML frame', { exact: true }).inputValue()
    expect(frame).toMatch(
      /^<iframe src="http:\/\/api\.test\/status\/our-shop\/banner\.html" title="Status: Shop &amp; more" /,
    )
    await page.getByRole('button', { name: 'Change the page' }).press('Enter')
    await page.getByRole('dialog', { name: 'Change the page Shop & more' }).waitFor()
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Shop & more')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().close()
  })

  test('what is changed while a logo is being sent is kept with it', async () => {
    const page = await world.visit('alice', '/status-pages')
    let letThrough = () => {}
    const isAllowed = new Promise<void>((done) => {
      letThrough = done
    })
    let sent = 0
    await page.route('**/status_page_logos', async (route) => {
      sent += 1
      // Over a slow line the first picture arrives last.
      if (sent === 1) await isAllowed
      await route.continue()
    })
    await page
      .getByRole('button', { name: /^Change / })
      .first()
      .click()
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }
    const fields = page.locator('[data-field="theme.logo_artifact"], [data-field="theme.logo_dark_artifact"]')
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file)
    await page.getByText('It is being sent…').waitFor()
    await page.getByLabel('Logo for dark screens').setInputFiles({ ...file, buffer: Buffer.from(`${drawing} `) })
    await fields.last().getByText('There is one.').waitFor()
    await page.getByLabel('Accent color', { exact: true }).fill('#0b5c83')
    letThrough()
    await fields.first().getByText('There is one.').waitFor()
    await page.getByText(/^It is hard to read on a dark screen: there the page shows #[0-9a-f]{6}\.$/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { body } = await world.call('alice', 'GET', '/status_pages?fields=theme')
    const themes = (body as { readonly theme: Readonly<Record<string, unknown>> }[]).map(({ theme }) => theme)
    const saved = themes.find(({ accent }) => accent === '#0b5c83')
    expect(saved).toMatchObject({ logo_artifact: expect.any(String), logo_dark_artifact: expect.any(String) })
    await page.context().close()
  })

  test('planned maintenance without its times says so beside each of them', async () => {
    const page = await world.visit('alice', '/status-pages')
    await page
      .getByRole('link', { name: /^Components and incidents of / })
      .first()
      .click()
    await page.getByRole('button', { name: 'New incident' }).click()
    const dialog = page.getByRole('dialog', { name: 'New incident' })
    await dialog.getByLabel('Name', { exact: true }).fill('New switch')
    await dialog.getByLabel('It is planned maintenance').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const summary = dialog.locator('.refusal')
    for (const [field, label] of [
      ['scheduled_for', 'From'],
      ['scheduled_until', 'Until'],
    ] as const) {
      await dialog.locator(`[data-field=${field}] .problem`).waitFor()
      await summary.getByText(`${label}: A value is required.`).waitFor()
    }
    await dialog.locator('[data-field=scheduled_for] input:focus').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().close()
  })

  test('a badge of a service is made, chosen and copied', async () => {
    const page = await world.visit('alice', `/services/${world.serviceIds.shared}`)
    await page.getByRole('button', { name: 'Make a badge' }).click()
    await page.getByLabel('Shows').selectOption('uptime')
    await page.getByRole('spinbutton', { name: 'Days' }).fill('7')
    const picture = page.getByRole('img', { name: 'Service status' })
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^\/badges\/[\w-]{43}\.svg\?metric=uptime&days=7$/)
    const width = () => page.evaluate<number>("document.querySelector('.badge-code img').naturalWidth")
    await expect.poll(width).toBeGreaterThan(50)
    expect(await page.getByLabel('Markdown', { exact: true }).inputValue()).toMatch(
      /^!\[Service status\]\(http:\/\/api\.test\/badges\/[^)]+\)$/,
    )
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Switch it off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch it off' }).click()
    await page.getByRole('button', { name: 'Make a badge' }).waitFor()
    await page.context().close()
  })

  test('reads well in Polish, in the dark and on a phone', async () => {
    const visit = { width: 360, locale: 'pl-PL', colorScheme: 'dark' } as const
    const page = await world.visit('alice', '/status-pages', visit)
    await page.getByRole('heading', { level: 1, name: 'Strony statusu' }).waitFor()
    await page.locator('.things').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto(`${new URL(page.url()).origin}/status-pages`)
    await page.getByRole('link', { name: 'Składniki i incydenty: Shop & more' }).click()
    await page.getByRole('button', { name: 'Nowy składnik' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    // The preview is that of a phone, which can be read there.
    expect(await page.getByLabel('Ekran', { exact: true }).inputValue()).toBe('phone')
    const inside = page.frameLocator('iframe[title=Podgląd]')
    await inside.getByRole('heading', { level: 1, name: 'Shop & more' }).waitFor()
    expect(await inside.locator('html').evaluate('innerWidth')).toBe(360)
    expect(world.complaints).toEqual([])
    await page.context().close()
  })
})
