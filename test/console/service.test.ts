import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { okRound } from '../support/furnished.ts'
import { looks } from '../support/looks.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** The page of a service says how it is, since when and why. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the page of a service in the console', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (person: Person, path: string) => {
    const page = await world.visit(person, path)
    open.push(page)
    return page
  }
  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a failure is told with what the stations met, one step from its page', async () => {
    const page = await visit('alice', `/services/${world.serviceIds.shared}`)
    const told = page.locator('.notice.bad')
    await told.getByText(/\d of \d stations? saw it\./).waitFor()
    expect(await told.locator('b').textContent()).toMatch(/^\S.*: HTTP status 503$/)
    const newest = {
      serviceId: world.serviceIds.shared,
      sensorIds: world.people.sensorIds,
      at: world.clock.now() - 1000,
    }
    await insertAnalyses(world.database, [
      {
        ...okRound(newest),
        verdict: 'failure',
        results: ['e', 'e', 'e'],
        failures: Object.fromEntries(
          newest.sensorIds.map((id) => [id, { error_type_id: 2001, error_message: 'Refused since' }]),
        ),
      },
    ])
    await world.database.execute(sql`
      update service_statuses set last_failure_analysis_id = ${newest.at * 100} where service_id = ${newest.serviceId}`)
    await told.getByText(/: Refused since, 3 of 3 stations saw it\./).waitFor()
    await told.getByRole('link', { name: 'See why' }).click()
    await page.waitForURL(`**/failures/${world.history.changeIds.failure}`)
  })

  test('a service that never answered has no empty chart, and the next check stands beside the last', async () => {
    const id = idOf(
      await world.call('alice', 'POST', '/services', { name: 'Mute', type_id: 'http', address: 'mute.test' }),
    )
    const { sensorIds } = world.people
    const at = world.clock.now() - 60_000
    const created = new Date(at - 60_000)
    await world.database.execute(sql`update services set created_at = ${created} where id = ${id}`)
    const page = await visit('alice', `/services/${id}`)
    const card = page.getByRole('region', { name: 'Response time' })
    await card.getByText('There are no checks in this range.').waitFor()
    const failures = Object.fromEntries(
      sensorIds.map((one) => [one, { error_type_id: 2001, error_message: 'refused' }]),
    )
    const round = okRound({ serviceId: id, sensorIds, at })
    const results = sensorIds.map(() => 'e' as const)
    await insertAnalyses(world.database, [{ ...round, verdict: 'failure', results, failures }])
    await page.reload()
    await card
      .getByText(`there are no response times. ${sensorIds.length} checks, ${sensorIds.length} failed.`)
      .waitFor()
    expect(await card.locator('.chart').count()).toBe(0)
    expect(await page.locator('.service-head').textContent()).toMatch(/, next (in .+|one now) · every /)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  describe('a degraded service', () => {
    const given = async (reasons: readonly string[], settings: object = {}) => {
      const { sensorIds } = world.people
      const body = { type_id: 'https', address: 'slow.example', name: 'Slow', extended_settings: settings }
      const id = idOf(await world.call('alice', 'POST', '/services', body))
      const at = world.clock.now() - 60_000
      await world.database.execute(sql`update services set created_at = ${new Date(at - 60_000)} where id = ${id}`)
      const failed = { error_type_id: 2001, error_message: 'connect ECONNREFUSED 192.0.2.7:443' }
      const round = okRound({ serviceId: id, sensorIds, at })
      await insertAnalyses(world.database, [
        {
          ...round,
          results: sensorIds.map((_, index) => (index === 0 ? 'e' : 'o')),
          failures: { [sensorIds[0] ?? 0]: failed },
        },
      ])
      const expiry = JSON.stringify({ kind: 'certificate', name: 'slow.example', endsAt: at + 12.5 * 86_400_000 })
      await world.database.execute(sql`
        update service_statuses set monitoring_status = 'on', check_status = 'ok', state = 'ok', last_response_time = 1420,
          valid_until = ${new Date(at + 600_000)}, degraded_reasons = ${[...reasons]}::text[],
          degraded_since = ${new Date(at)}, last_analysis_id = ${at * 100}, expiry = ${expiry}::jsonb
        where service_id = ${id}`)
      return { id, at }
    }

    test('says how slow, which threshold, how many days and how many stations, and leads to the round', async () => {
      const { id, at } = await given(['slow', 'certificate', 'minority'], { degraded_response_time: 800 })
      const page = await visit('alice', `/services/${id}`)
      const told = page.locator('.notice.warning').filter({ hasText: 'Slow' })
      await told.getByText('Slow: the last answer took 1.42 s, the limit is 800 ms').waitFor()
      await told.getByText('The certificate expires in 12 days').waitFor()
      await told.getByText('Some stations see a failure: 1 of 3 in the last round').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await told.getByRole('link', { name: 'See why' }).click()
      await page.waitForURL(`**/services/${id}/analyses/${at * 100}`)
      await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    })

    test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
      await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: look.language })
      const { id } = await given(['slow', 'certificate', 'minority'], { degraded_response_time: 800 })
      const page = await world.visit('alice', `/services/${id}`, look)
      open.push(page)
      await page.locator('.notice.warning').getByText('1,42 s').or(page.getByText('1.42 s')).first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.goto(page.url().replace(/\/services.*$/, '/services?status.is_degraded=true'))
      await page.getByText('Slow').first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
      await world.call('alice', 'DELETE', `/services/${id}`)
    })

    test('stands between those that fail and those that are OK, and is counted once', async () => {
      const { id } = await given(['slow'])
      const page = await visit('alice', '/services')
      const rows = page.getByRole('row')
      await page.getByText('Slow').first().waitFor()
      const chip = (name: RegExp) => page.getByRole('button', { name })
      const { body: good } = await world.call('alice', 'GET', '/services?status.summary=ok&status.is_degraded=false')
      const { body: degraded } = await world.call('alice', 'GET', '/services?status.is_degraded=true')
      await chip(new RegExp(`^OK ${(good as unknown[]).length}$`)).waitFor()
      await chip(new RegExp(`^Degraded ${(degraded as unknown[]).length}$`)).waitFor()
      await chip(/^Degraded/).click()
      await page.waitForURL('**status.is_degraded=true**')
      expect(await chip(/^OK/).getAttribute('aria-pressed')).toBe('false')
      await chip(/^OK/).click()
      await page.waitForURL('**status.summary=ok**')
      expect([
        await chip(/^OK/).getAttribute('aria-pressed'),
        await chip(/^Degraded/).getAttribute('aria-pressed'),
      ]).toEqual(['true', 'true'])
      await chip(/^Degraded/).click()
      await page.waitForURL('**status.is_degraded=false**')
      await expect.poll(() => rows.filter({ hasText: 'Slow' }).count()).toBe(0)
      await world.call('alice', 'DELETE', `/services/${id}`)
    })
  })

  test('a suspension tells when it ends and what it is for, and can be ended', async () => {
    const service_id = idOf(
      await world.call('alice', 'POST', '/services', { name: 'Moved', type_id: 'http', address: 'moved.example.com/' }),
    )
    const end_time = new Date(world.clock.now() + 3_600_000).toISOString()
    await world.call('alice', 'POST', '/suspensions', { service_id, end_time, description: '<i>Move</i>' })
    const page = await visit('alice', `/services/${service_id}`)
    await page.getByText(/^Suspended until .* <i>Move<\/i>$/).waitFor()
    world.clock.advance(60_000)
    await page.clock.setFixedTime(world.clock.now())
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByText('Suspended until').waitFor({ state: 'detached' })
    const { body } = await world.call('alice', 'GET', `/services/${service_id}/suspensions`)
    expect(body).toMatchObject([{ end_time: expect.not.stringMatching(end_time) }])
  })

  test('a service without channels is heard by the contacts that it names, and one whose account wants contacts alone by no address', async () => {
    const create = async (path: string, body: object) => idOf(await world.call('alice', 'POST', path, body))
    const group_id = await create('/groups', { name: 'By contacts' })
    await create('/notification_addresses', { group_id, notification_channel_id: 'email', address: 'ops@example.com' })
    const service = { name: 'Named', type_id: 'http', address: 'named.example.com/', group_id }
    const id = await create('/services', { ...service, notification_channel_ids: [] })
    const page = await visit('alice', `/services/${id}`)
    const told = page.getByText('Nobody would be told of a failure')
    /** Opens the page anew, until it knows what `last` tells and has drawn it. */
    const openAnew = async (last: string) => {
      const known = page.waitForResponse((response) => response.url().includes(last))
      await page.reload()
      await (await known).finished()
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    }
    const change = (path: string, body: object) => world.call('alice', 'PUT', path, body)
    await told.waitFor()
    await change(`/services/${id}`, { contact_ids: [await create('/contacts', { name: 'Anna' })] })
    await openAnew('embed=group.contact_ids')
    expect(await told.count()).toBe(0)
    await change(`/services/${id}`, { contact_ids: [], notification_channel_ids: ['email'] })
    await openAnew('/notification_addresses?')
    expect(await told.count()).toBe(0)
    await change('/accounts/my_account', { disable_legacy_notifications: true })
    await page.reload()
    await told.waitFor()
    await change('/accounts/my_account', { disable_legacy_notifications: false })
  })

  test('a service of which nobody would hear says so, until its group has an address', async () => {
    const group_id = idOf(await world.call('alice', 'POST', '/groups', { name: 'Unheard' }))
    const page = await visit('alice', `/services/new?group_id=${group_id}`)
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('https://unheard.example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    const told = page.getByText('Nobody would be told of a failure')
    const failedAt = world.clock.now()
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time)
      values (${Number(/\d+$/.exec(page.url())?.[0])}, ${failedAt * 100}, 'failure', ${new Date(failedAt)})`)
    await told.waitFor()
    const failure = await visit('alice', `${new URL(page.url()).pathname}/failures/${failedAt}00`)
    await failure.getByText('Nobody was told.').waitFor()
    await failure.getByText('Nobody would be told of a failure').getByRole('link', { name: 'Add an address' }).waitFor()
    expect(await accessibilityFaults(failure)).toEqual([])
    await told.getByRole('link', { name: 'Add an address' }).click()
    await page.getByRole('button', { name: 'Add an address' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Group').inputValue()).toBe(String(group_id))
    await dialog.getByLabel('Address').fill('heard@example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'unheard.example.com' }).waitFor()
    await told.waitFor({ state: 'detached' })
  })

  test('a service that is set to tell nobody of a failure says so to those who may change it', async () => {
    const path = `/services/${world.serviceIds.shared}`
    const { body } = await world.call('alice', 'GET', path)
    const { notification_condition_ids } = body as { readonly notification_condition_ids: readonly string[] }
    await world.call('alice', 'PUT', path, { notification_condition_ids: ['recovery'] })
    const told = (page: Page) => page.getByText('the service is set not to notify of one')
    const page = await visit('alice', path)
    await told(page).getByRole('link', { name: 'Change its notifications' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await world.call('carol', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    const reader = await visit('carol', path)
    await told(reader).waitFor()
    expect(await told(reader).getByRole('link').count()).toBe(0)
    await world.call('alice', 'PUT', path, { notification_condition_ids })
  })

  test('a button that reaches no server says that nothing was done', async () => {
    const page = await visit('alice', `/services/${world.serviceIds.shared}`)
    await page.route('**/force_analysis', (route) => route.abort())
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('status').getByText('No answer from the server: this may not have been done.').waitFor()
    world.complaints.splice(0)
  })

  test('who may not see a service gets no form', async () => {
    const page = await visit('charlie', `/services/${world.serviceIds.shared}/edit`)
    await page.getByRole('alert').waitFor()
    expect(await page.locator('form').count()).toBe(0)
  })

  test('the chosen range of the chart differs by more than the color of its text', async () => {
    const page = await visit('alice', `/services/${world.serviceIds.shared}`)
    await page.locator('.ranges').getByRole('button', { name: '24 hours', pressed: true }).waitFor()
    const grounds = await page.evaluate<readonly string[]>(
      `[true, false].map((isChosen) =>
        getComputedStyle(document.querySelector('.ranges [aria-pressed="' + isChosen + '"]')).backgroundColor)`,
    )
    expect(grounds[1]).toBe('rgba(0, 0, 0, 0)')
    expect(grounds[0]).not.toBe(grounds[1])
  })

  test('its tags lead to the services that have them', async () => {
    const service = { name: 'Tagged', type_id: 'ping', address: '192.0.2.9', tags: ['night & day', 'shop'] }
    const page = await visit('alice', `/services/${idOf(await world.call('alice', 'POST', '/services', service))}`)
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
    await page.getByRole('link', { name: 'night & day' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Tagged' }).waitFor()
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('night & day')
  })

  test('a level that rests on a part of its range says on how much', async () => {
    const page = await visit('alice', `/services/${world.serviceIds.shared}`)
    await page
      .locator('.levels li')
      .last()
      .getByText(/ in \d/)
      .waitFor()
  })
})
