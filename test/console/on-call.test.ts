import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld, type Visit } from '../support/console.ts'
import { idOf } from '../support/replies.ts'

/** People, turns and escalations, from nothing to a group that tells them. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

describeWithBrowser('on call', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: 'alice' | 'rita' | 'carol', path: string, look?: Partial<Visit>) => {
    const page = await world.visit(person, path, look)
    open.push(page)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    for (const person of ['alice', 'rita', 'carol'] as const)
      await world.call(person, 'PUT', '/user_data/my_user_data/settings/console.v1', {
        language: 'en',
        isWelcomed: true,
      })
    await world.database.execute(sql`truncate escalations, rotations, contact_groups, escalation_statuses cascade`)
    await world.database.execute(sql`delete from contacts`)
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  const shown = async (path: string) => (await world.call('alice', 'GET', path)).body as Record<string, unknown>[]

  test('begins empty, and takes a person with an address and a time off duty', async () => {
    const page = await visit('alice', '/on-call')
    await page.getByText('Begin with yourself').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Add a contact' }).click()
    const form = page.getByRole('dialog', { name: 'Add a contact' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').first().waitFor()
    await form.getByLabel('Name').fill(`Anna ${'Długonazwiskowa '.repeat(11)}`.trim())
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('this person cannot be notified').waitFor()
    await page.getByRole('button', { name: 'Add an address of Anna Długonazwiskowa' }).click()
    const address = page.getByRole('dialog', { name: 'Add an address of Anna Długonazwiskowa' })
    await address.getByLabel('Or paste a URL').fill('https://ntfy.sh/night_duty')
    await address.getByRole('button', { name: 'Save' }).click()
    await page.getByText('ntfy.sh/night_duty').waitFor()
    await page.getByRole('button', { name: 'Off duty: Anna Długonazwiskowa' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Off duty .* – /).waitFor()
    expect(await shown('/contact_addresses')).toMatchObject([{ notification_channel_id: 'ntfy' }])
    expect(await shown('/contact_suspensions')).toHaveLength(1)
  })

  test('makes a group, a rotation and an escalation of people, and says each as a sentence', async () => {
    await world.call('alice', 'POST', '/contacts', { name: 'Bartek' })
    const page = await visit('alice', '/on-call', { width: 360, height: 800 })
    await page.getByRole('button', { name: 'Add a group' }).click()
    const group = page.getByRole('dialog', { name: 'Add a group' })
    await group.getByLabel('Name').fill('Operations')
    await group.getByLabel('Bartek').check()
    await group.getByRole('button', { name: 'Save' }).click()
    await group.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add a rotation' }).click()
    const rotation = page.getByRole('dialog', { name: 'Add a rotation' })
    await rotation.getByLabel('Name').fill('Nights')
    await rotation.getByLabel(/^Anna/).first().check()
    await rotation.getByLabel('Bartek', { exact: true }).check()
    await rotation.getByRole('button', { name: 'Bartek earlier' }).click()
    // First now: it has no way up any more, and the focus stays with the turn.
    await rotation.getByRole('button', { name: 'Bartek later' }).and(page.locator(':focus')).waitFor()
    // The Monday before: the first one is on duty at once.
    const monday = await rotation.getByLabel('Starts on').inputValue()
    expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1)
    expect(Date.parse(`${monday}T09:00:00+01:00`)).toBeLessThanOrEqual(world.clock.now())
    expect(Date.parse(`${monday}T09:00:00+01:00`)).toBeGreaterThan(world.clock.now() - 7 * 86_400_000)
    await rotation.getByLabel('Starts on').focus()
    for (const key of '11022026') await page.keyboard.press(key)
    expect(await rotation.getByLabel('Starts on').inputValue()).toBe('2026-11-02')
    expect(await rotation.getByLabel('At', { exact: true }).getAttribute('type')).toBe('time')
    expect(await accessibilityFaults(page)).toEqual([])
    await rotation.getByRole('button', { name: 'Save' }).click()
    await rotation.waitFor({ state: 'detached' })
    await page.getByText('hand-over on Monday at 09:00 Europe/Warsaw').waitFor()
    await page
      .locator('.duties')
      .getByText(/until .*, then /)
      .waitFor()
    await page.getByRole('button', { name: 'Add an escalation' }).click()
    const escalation = page.getByRole('dialog', { name: 'Add an escalation' })
    await escalation.getByLabel('Name').fill('Shop is down')
    const [first, second] = [
      escalation.getByRole('group', { name: 'Step 1' }),
      escalation.getByRole('group', { name: 'Step 2' }),
    ]
    await first.getByLabel('Nights').check()
    await escalation.getByRole('button', { name: 'Add a step' }).click()
    await escalation.getByRole('button', { name: 'Save' }).click()
    await escalation.getByRole('alert').first().waitFor()
    await second.getByLabel('Operations').check()
    await second.getByLabel(/^Tell again/).fill('5')
    await escalation.getByText('After 10 min: Operations, again every 5 min').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await escalation.getByRole('button', { name: 'Save' }).click()
    await escalation.waitFor({ state: 'detached' })
    await page.locator('.steps').getByText('At once: on duty in Nights').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await shown('/escalations?fields=steps')).toMatchObject([
      { steps: [{ delay_seconds: 0 }, { delay_seconds: 600, repeat_seconds: 300 }] },
    ])
  })

  test('a contact is off duty every week, and that is taken back', async () => {
    const page = await visit('alice', '/on-call', { width: 360, height: 800 })
    const contact = page.getByRole('listitem').filter({ hasText: 'Bartek' }).first()
    await contact.getByRole('button', { name: 'Off duty' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bartek is off duty' })
    await dialog.getByLabel('How often').selectOption('week')
    await dialog.getByLabel('From: day of the week').selectOption({ label: 'Friday' })
    await dialog.getByLabel('From: time').fill('17:30')
    await dialog.getByText('By the clocks of').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Off duty every week Friday 17:30 – Monday 00:00').waitFor()
    expect(await shown('/contact_weekly_suspensions')).toMatchObject([
      { start_minute: { day_of_week: 5, hour: 17, minute: 30 }, end_minute: { day_of_week: 1, hour: 0, minute: 0 } },
    ])
    await page.getByRole('button', { name: /^Take back: Bartek, Off duty every week/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await page.getByText('Off duty every week').waitFor({ state: 'detached' })
  })

  test('one takes two turns of a rotation, another replaces it, and calendars subscribe by a link', async () => {
    const page = await visit('alice', '/on-call', { width: 360, height: 800 })
    await page.getByRole('button', { name: 'Change Nights' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Nights' })
    await dialog.getByRole('button', { name: 'Bartek once more' }).click()
    await dialog.getByRole('button', { name: 'Bartek once more' }).nth(1).and(page.locator(':focus')).waitFor()
    await dialog.getByRole('button', { name: 'Add a replacement' }).click()
    await dialog.getByLabel('Who takes over').selectOption({ label: 'Bartek' })
    await dialog.getByLabel('From').fill('2030-01-01T10:00')
    await dialog.getByLabel('To', { exact: true }).fill('2030-01-01T09:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').first().waitFor()
    await dialog.getByLabel('To', { exact: true }).fill('2030-01-02T10:00')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Bartek takes over /).waitFor()
    const kept = (await shown('/rotations?fields=contact_ids,overrides'))[0] ?? {}
    const bartek = (await shown('/contacts?name=Bartek&fields=id'))[0]?.['id']
    expect((kept['contact_ids'] as number[]).filter((id) => id === bartek)).toHaveLength(2)
    expect(kept['overrides']).toMatchObject([{ contact_id: bartek }])

    await page.getByRole('button', { name: 'Calendar link of Nights' }).click()
    const link = page.getByRole('dialog', { name: 'Calendar link of Nights' })
    await link.getByRole('button', { name: 'Make a new link' }).click()
    const url = await link.getByLabel('Address to subscribe to').inputValue()
    const path = url.slice(url.indexOf('/public/'))
    expect((await world.call(null, 'GET', path)).text).toContain('SUMMARY:Bartek')
    expect(await accessibilityFaults(page)).toEqual([])
    await link.getByRole('button', { name: 'Revoke the link' }).click()
    await link.getByText('The link is revoked.').waitFor()
    expect((await world.call(null, 'GET', path)).status).toBe(404)
    await link.getByRole('button', { name: 'Close' }).click()
    await link.waitFor({ state: 'detached' })
  })

  test('a rotation shows who takes the turns of the next four weeks, by one request', async () => {
    const [bartek] = await shown('/contacts?name=Bartek&fields=id')
    const day = 86_400_000
    const moment = (days: number) => new Date(world.clock.now() + days * day).toISOString()
    const rotation = await world.call('alice', 'POST', '/rotations', {
      name: 'Drawn',
      time_zone_id: 'europe_warsaw',
      contact_ids: (await shown('/contacts?sort=name&fields=id')).map(({ id }) => id),
      shift: { every: 'week', at: '09:00', day_of_week: 1 },
      starts_on: moment(-14).slice(0, 10),
      overrides: [{ contact_id: bartek?.['id'], start_time: moment(1), end_time: moment(2) }],
    })
    const page = await visit('alice', '/on-call', { width: 360, height: 800 })
    // The requests of the first visit are not counted.
    await page.locator('.turn-picture .piece').first().waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.locator('.turn-picture .piece.replaced', { hasText: 'Bartek' }).first().waitFor()
    const own = `/v3/rotations/${idOf(rotation)}/`
    expect(asked.filter((path) => path.startsWith(own))).toEqual([`${own}turns`])
    const picture = page.getByRole('group', { name: 'The next four weeks of Drawn' })
    await picture.locator('.piece.replaced').first().hover()
    const drawn = page.locator('.turn-picture', { has: picture })
    const readout = drawn.locator('.readout')
    await readout.getByText(/^Bartek \(replacement\) \d.* – \d.*$/).waitFor()
    await picture.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await readout.getByText('Bartek (replacement)').waitFor()
    await page.keyboard.press('Escape')
    await readout.getByText('Point at a turn').waitFor()
    const open = page.getByText('The next four weeks', { exact: true })
    expect(await open.count()).toBe(2)
    await page.getByLabel('Turns of Drawn as a table').focus()
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table').getByRole('row')
    await rows.filter({ hasText: 'Bartek (replacement)' }).waitFor()
    const { body } = await world.call('alice', 'GET', `/rotations/${idOf(rotation)}/turns`)
    expect(await rows.count()).toBe((body as unknown[]).length + 1)
    expect(await accessibilityFaults(page)).toEqual([])
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(360)
    await world.call('alice', 'DELETE', `/rotations/${idOf(rotation)}`)
  })

  test('replacements are entered and told by the clocks by which the rotation hands over', async () => {
    const [bartek] = await shown('/contacts?name=Bartek&fields=id')
    const rotation = await world.call('alice', 'POST', '/rotations', {
      name: 'Far away',
      time_zone_id: 'america_new_york',
      contact_ids: [bartek?.['id']],
      shift: { every: 'day', at: '09:00' },
      starts_on: '2026-11-02',
      overrides: [{ contact_id: bartek?.['id'], start_time: '2036-01-02T12:00:00Z', end_time: '2036-01-02T18:00:00Z' }],
    })
    const page = await visit('alice', '/on-call')
    await page.getByText('2 Jan 2036, 07:00:00 – 2 Jan 2036, 13:00:00 America/New_York').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Far away' })
      .getByText('No escalation names this rotation, so nobody is notified through it yet.')
      .waitFor()
    await page.getByRole('button', { name: 'Change Far away' }).click()
    const form = page.getByRole('dialog')
    await form.getByText('By the clocks of America/New_York.').waitFor()
    expect(await form.getByLabel('From', { exact: true }).inputValue()).toMatch(/^2036-01-02T07:00/)
    await form.getByLabel('Time zone').selectOption('asia_tokyo')
    await form.getByText('By the clocks of Asia/Tokyo.').waitFor()
    expect(await form.getByLabel('From', { exact: true }).inputValue()).toMatch(/^2036-01-02T21:00/)
    await world.call('alice', 'PUT', `/rotations/${idOf(rotation)}`, { shift: { every: 'day', at: '10:00' } })
    await form.getByRole('button', { name: 'Save' }).click()
    const difference = form.getByRole('alert').locator('dl')
    await difference.getByText('Newer: 10:00', { exact: true }).waitFor()
    expect(await difference.locator('dt').allTextContents()).toEqual(['Time zone', 'At'])
    await world.call('alice', 'DELETE', `/rotations/${idOf(rotation)}`)
  })

  test('below a date and a time stands what was chosen, in the language of the console', async () => {
    const setting = '/user_data/my_user_data/settings/console.v1'
    await world.call('alice', 'PUT', setting, { language: 'pl', isWelcomed: true })
    const page = await visit('alice', '/on-call', { locale: 'en-US' })
    await page.getByRole('button', { name: 'Poza dyżurem: Bartek' }).click()
    const absence = page.getByRole('dialog')
    await absence.getByLabel('Od', { exact: true }).fill('2030-01-02T10:00')
    await absence.getByText('śr., 2 sty 2030, 10:00:00 · Europe/Warsaw').waitFor()
    await world.call('alice', 'PUT', setting, { language: 'en', isWelcomed: true })
  })

  test('a group of services names them by keyboard, and what others name stays with its reason', async () => {
    const page = await visit('alice', '/notifications')
    const button = page.getByRole('button', { name: 'Contacts and escalation…' }).first()
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Bartek').waitFor()
    await dialog.getByLabel('Bartek').focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel('Escalation').selectOption({ label: 'Shop is down' })
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 contact or contact group and the escalation Shop is down').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto('http://api.test/on-call')
    await page.getByRole('button', { name: 'Delete Shop is down?' }).click()
    const remove = page.getByRole('dialog')
    await remove.getByRole('button', { name: 'Delete' }).click()
    await remove.getByRole('alert').first().waitFor()
  })

  test('a service says who hears of it, and its failure how far the escalation has come', async () => {
    const [night] = await shown('/escalations?fields=id')
    const [bartek] = await shown('/contacts?name=Bartek&fields=id')
    const group_id = idOf(await world.call('alice', 'POST', '/groups', { name: 'Apart' }))
    const definition = { type_id: 'http', address: 'shop.example', name: 'Apart', group_id }
    const id = idOf(await world.call('alice', 'POST', '/services', definition))
    const page = await visit('alice', `/services/${id}`)
    const button = page.getByRole('button', { name: 'Contacts and escalation…' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Bartek').check()
    await dialog.getByLabel('Escalation').selectOption({ label: 'Shop is down' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Bartek, the escalation Shop is down').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await shown(`/services?id=${id}&fields=contact_ids,escalation_id`)).toEqual([
      { contact_ids: [bartek?.['id']], escalation_id: night?.['id'] },
    ])

    await world.call('alice', 'PUT', `/services/${id}`, { notification_condition_ids: ['recovery'] })
    await world.call('alice', 'PUT', '/accounts/my_account', { disable_legacy_notifications: true })
    await page.reload()
    await page.getByText('the escalation Shop is down (the service does not notify of failures)').waitFor()
    await world.call('alice', 'PUT', `/services/${id}`, { notification_condition_ids: ['failure', 'recovery'] })
    await page.reload()
    await page.getByText('Bartek, the escalation Shop is down (the account tells contacts only)').waitFor()
    await world.call('alice', 'PUT', '/accounts/my_account', { disable_legacy_notifications: false })

    const failedAt = world.clock.now()
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time)
      values (${id}, ${failedAt * 100}, 'failure', ${new Date(failedAt)})`)
    await world.database.execute(sql`
      insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, step, last_told_at, next_at, facts)
      select id, ${failedAt * 100}, escalation_id, owner_id, 'running', ${new Date(failedAt)}, 1, ${new Date(failedAt)},
        ${new Date(failedAt + 600_000)}, '{}' from services where id = ${id}`)
    const failure = await visit('alice', `/services/${id}/failures/${failedAt}00`, { width: 360, height: 800 })
    await failure.getByText(/step 1 of 2 was told at .* The next message goes at/).waitFor()
    expect(await accessibilityFaults(failure)).toEqual([])
    await failure.getByRole('button', { name: 'Acknowledge' }).click()
    await failure.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await failure.getByText('It stopped, since somebody acknowledged the failure.').waitFor()
  })

  test('a time off duty is taken back', async () => {
    const page = await visit('alice', '/on-call')
    await page.getByRole('button', { name: /^Take back: Anna/ }).click()
    const dialog = page.getByRole('dialog')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await shown('/contact_suspensions')).toEqual([])
  })

  test.each(['rita', 'carol'] as const)('%s is offered no change', async (person) => {
    const page = await visit(person, '/on-call')
    await page.getByRole('heading', { name: 'Contact groups' }).waitFor()
    const offered = await page.getByRole('main').getByRole('button').allTextContents()
    const changes = offered.filter((name) => /Change|Delete|Add|Off duty|Take back|test/.test(name))
    expect(changes).toEqual(person === 'carol' ? expect.arrayContaining([expect.stringContaining('Add')]) : [])
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
