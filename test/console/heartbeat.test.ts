import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { okRound } from '../support/furnished.ts'
import { tabTo } from '../support/keyboard.ts'
import { looks } from '../support/looks.ts'
import { idOf } from '../support/replies.ts'
import { pickType, typeField } from '../support/type-picker.ts'

/** Heartbeats are made and read in a real browser, against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('heartbeats', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const speak = (language: 'en' | 'pl') =>
    world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
  const named = async (name: string) => {
    const { body } = await world.call('alice', 'GET', `/services?name=${encodeURIComponent(name)}`)
    return (body as { readonly id: number; readonly [member: string]: unknown }[])[0]
  }
  /** A heartbeat, with a ping for each body. */
  const reported = async (name: string, bodies: readonly string[]) => {
    const id = idOf(await world.call('alice', 'POST', '/services', { type_id: 'heartbeat', name }))
    const { body } = await world.call('alice', 'GET', `/services/${id}?fields=ping_url`)
    const url = (body as { ping_url: string }).ping_url.replace(/^http:\/\/[^/]+/, '')
    for (const payload of bodies) await world.server.inject({ method: 'POST', url: `${url}/1`, payload })
    return { id, url }
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await speak('en')
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('a pasted cron line proposes one, shows its next moments, and is saved by keyboard', async () => {
    const page = await visit('alice', '/services/new')
    await page.getByRole('textbox', { name: 'What to monitor' }).fill('30 2 * * 1-5')
    expect(await typeField(page).inputValue()).toBe('Heartbeat (cron jobs, backups)')
    expect(await page.getByLabel('Address', { exact: true }).count()).toBe(0)
    await vi.waitFor(async () => expect(await page.locator('.plain-list li').count()).toBe(5))
    await page.getByLabel('Name', { exact: true }).fill('Nightly')
    await page.getByLabel('May be late by', { exact: true }).fill('1.5')
    await tabTo(page, '.edit-service button.primary')
    await page.keyboard.press('Enter')
    await page.locator('.heartbeat').waitFor()
    expect(await named('Nightly')).toMatchObject({
      ...{ type_id: 'heartbeat', address: '', ping_slug: 'nightly' },
      extended_settings: { cron: '30 2 * * 1-5', grace: 5400, period: 86_400, max_run_time: null },
    })
    await page.getByText('No ping has come yet.').waitFor()
  })

  test('a text that is neither an address nor a schedule is told before Save', async () => {
    const page = await visit('alice', '/services/new')
    const pasted = page.getByRole('textbox', { name: 'What to monitor' })
    const unclear = page.getByText('This is neither an address nor a schedule.')
    await pasted.pressSequentially('backup every day')
    await unclear.waitFor()
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    expect(await pasted.getAttribute('aria-invalid')).toBe('true')
    expect(await accessibilityFaults(page)).toEqual([])
    await pasted.fill('0 3 * *')
    await unclear.waitFor()
    await pasted.fill('@daily')
    await unclear.waitFor({ state: 'detached' })
    expect(await typeField(page).inputValue()).toBe('Heartbeat (cron jobs, backups)')
    expect(await page.getByLabel('Cron line', { exact: true }).inputValue()).toBe('0 0 * * *')
  })

  test('a period has a number and a unit, and is shown so again', async () => {
    const page = await visit('alice', '/services/new')
    await pickType(page, 'Heartbeat (cron jobs, backups)')
    await page.getByLabel('Name', { exact: true }).fill('Queue')
    await page.getByLabel('A report at least every', { exact: true }).fill('90')
    await page.getByLabel('Unit of “A report at least every”').selectOption('60')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.heartbeat').waitFor()
    const service = await named('Queue')
    expect(service).toMatchObject({ extended_settings: { period: 5400 } })
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByLabel('A report at least every', { exact: true }).inputValue()).toBe('90')
    await page.getByLabel('Reports', { exact: true }).selectOption('cron')
    await page.getByLabel('Cron line', { exact: true }).fill('61 * * * *')
    await page.getByText('This is no cron line of five fields.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Expected a cron line of five fields').first().waitFor()
    expect(await named('Queue')).toMatchObject({ extended_settings: { period: 5400 } })
  })

  test('hostile bodies are text and nothing else', async () => {
    const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    const { id, url } = await reported('Hostile', [hostile])
    const page = await visit('alice', `/services/${id}`)
    await page.locator('.heartbeat code').first().getByText(url).waitFor()
    await page.locator('.pings summary').click()
    await page.getByText(hostile).waitFor()
    expect(await page.locator('.pings img, .pings script').count()).toBe(0)
    expect(await page.title()).not.toContain('owned')
    await page.locator('.pings').getByText('exit status 1').waitFor()
  })

  test('its failure is told by its job: nothing is asked of a station, and there is nothing to check now', async () => {
    const { id } = await reported('Failed', [])
    const at = world.clock.now() - 60_000
    await world.database.execute(sql`update services set created_at = ${new Date(at - 60_000)} where id = ${id}`)
    await insertAnalyses(world.database, [
      {
        ...okRound({ serviceId: id, sensorIds: [0], at }),
        ...{ verdict: 'failure', results: ['e'], responseTimes: [-1], dataSizes: [-1], timeOffsets: [0] },
        failures: { 0: { error_type_id: errorType('heartbeat_failed').id, error_message: 'exit status 7 reported' } },
      },
    ])
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, first_analysis_id, start_time)
      values (${id}, ${at * 100}, 'failure', ${at * 100}, ${new Date(at)})`)
    const page = await visit('alice', '/services')
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url())
    })
    await page.goto(page.url().replace(/\/services.*$/, `/services/${id}/failures/${at * 100}`))
    await page.getByRole('rowheader', { name: 'The job', exact: true }).waitFor()
    const evidence = page.getByRole('region', { name: 'Evidence' })
    await evidence.getByText('exit status 7 reported').waitFor()
    await evidence.getByRole('link', { name: /last pings/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Check now' }).count()).toBe(0)
    expect(await page.getByText(/saw it/).count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(refused).toEqual([])
  })

  test('while its failure lasts it waits for a success, says so once, and a stopped one waits for nothing', async () => {
    const { id } = await reported('Fails', [])
    const at = world.clock.now() - 60_000
    const moment = new Date(at)
    const failures = {
      0: {
        error_type_id: errorType('heartbeat_failed').id,
        error_message: `failure reported at ${moment.toISOString()}`,
      },
    }
    await world.database.execute(sql`update services set created_at = ${new Date(at - 60_000)} where id = ${id}`)
    await insertAnalyses(world.database, [
      {
        ...okRound({ serviceId: id, sensorIds: [0], at }),
        ...{ verdict: 'failure', results: ['e'], responseTimes: [-1], dataSizes: [-1], timeOffsets: [0], failures },
      },
    ])
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, first_analysis_id, start_time)
      values (${id}, ${at * 100}, 'failure', ${at * 100}, ${moment})`)
    await world.database.execute(sql`
      update service_statuses set monitoring_status = 'on', check_status = 'failure', state = 'failure',
        state_change_id = ${at * 100}, state_since = ${moment}, last_failure_analysis_id = ${at * 100},
        last_analysis_time = ${moment}, valid_until = ${new Date(at + 3_600_000)} where service_id = ${id}`)
    const page = await visit('alice', `/services/${id}`)
    const card = page.locator('.heartbeat')
    await card.getByText('A success is waited for: it ends the failure, and the next round').waitFor()
    await page.getByText(/^Job reported a failure: its report came at /).waitFor()
    await world.database.execute(sql`
      update service_statuses set monitoring_status = 'off' where service_id = ${id}`)
    await page.reload()
    await card.getByText('Nothing is waited for now.').waitFor()
  })

  test('it says its rhythm and when the next report is expected; run times have a card once there are any', async () => {
    const settings = { cron: '30 2 * * *', time_zone: 'europe_warsaw', grace: 1800, max_run_time: 7200 }
    const made = await world.call('alice', 'POST', '/services', {
      ...{ type_id: 'heartbeat', name: 'Rhythm', extended_settings: settings },
    })
    const id = idOf(made)
    const page = await visit('alice', `/services/${id}`)
    const card = page.locator('.heartbeat')
    await card.getByText('The first report is waited for, however long it takes.').waitFor()
    await card.getByText('30 2 * * *').first().waitFor()
    await card.getByText('up to 30 min late').waitFor()
    expect(await page.getByRole('heading', { name: /^(Response|Run) time$/ }).count()).toBe(0)
    await world.database.execute(sql`update heartbeats set base_at = '2026-11-21T10:00:00Z' where service_id = ${id}`)
    await card.getByText('22 Nov 2026, 02:30:00').waitFor()
    const at = world.clock.now() - 60_000
    await world.database.execute(sql`update services set created_at = ${new Date(at - 60_000)} where id = ${id}`)
    await insertAnalyses(world.database, [
      { ...okRound({ serviceId: id, sensorIds: [0], at }), responseTimes: [4200], dataSizes: [-1], timeOffsets: [0] },
    ])
    const later = await visit('alice', `/services/${id}?range=week`)
    await later.getByRole('heading', { name: 'Run time', exact: true }).waitFor()
  })

  test.each([
    ['en', 'no report came that was expected at 21 Nov 2026, 03:30:00'],
    ['pl', 'nie przyszło zgłoszenie oczekiwane 21 lis 2026, 03:30:00'],
  ] as const)('a late report is told in the language and the zone of the reader: %s', async (language, sentence) => {
    await speak(language)
    const { id } = await reported(`Late ${language}`, [])
    const at = world.clock.now() - 60_000
    await world.database.execute(sql`update services set created_at = ${new Date(at - 60_000)} where id = ${id}`)
    const message = 'no report that was expected at 2026-11-21T02:30:00Z'
    await insertAnalyses(world.database, [
      {
        ...okRound({ serviceId: id, sensorIds: [0], at }),
        ...{ verdict: 'failure', results: ['e'], responseTimes: [-1], dataSizes: [-1], timeOffsets: [0] },
        failures: { 0: { error_type_id: errorType('heartbeat_late').id, error_message: message } },
      },
    ])
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, first_analysis_id, start_time)
      values (${id}, ${at * 100}, 'failure', ${at * 100}, ${new Date(at)})`)
    const page = await visit('alice', `/services/${id}/failures/${at * 100}`)
    await page.getByText(sentence).first().waitFor()
    expect(await page.getByText('2026-11-21T').count()).toBe(0)
    await speak('en')
  })

  test('a reader who may not change it sees no ping address', async () => {
    const { id } = await reported('Secret', [])
    const page = await visit('rita', `/services/${id}`)
    await page.locator('.heartbeat').waitFor()
    expect(await page.locator('.heartbeat code').count()).toBe(0)
  })

  test.each(looks)('axe finds nothing: $width px, $colorScheme, $language', async (look) => {
    await speak(look.language)
    const { id } = await reported(`Long ${look.width} ${look.colorScheme}`, ['x'.repeat(5000), 'saved'])
    const page = await visit('alice', `/services/${id}`, look)
    await page.locator('.pings summary').first().click()
    await page.locator('.heartbeat summary').first().click()
    await page.locator('.ping-body').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.goto(page.url().replace(/\/services\/\d+.*$/, '/services/new'))
    await page.locator('input.pasted').fill('*/5 * * * *')
    await page.locator('.plain-list li').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  })
})
