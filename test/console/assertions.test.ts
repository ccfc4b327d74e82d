import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import {
  assertionComparisons,
  assertionSources,
  certificateProperties,
  comparisonsFor,
  needsPath,
} from '../../src/domain/services/assertion.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** The editor of assertions, in a real browser against the real API. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the assertions of a service', () => {
  let world: ConsoleWorld
  const open: Page[] = []
  const visit = async (...asked: Parameters<ConsoleWorld['visit']>) => {
    const page = await world.visit(...asked)
    open.push(page)
    return page
  }
  const row = (page: Page, number: number) => page.locator('.assertion').nth(number - 1)
  const optionsOf = (page: Page, label: string) =>
    row(page, 1)
      .getByLabel(label, { exact: true })
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')))
  const storedOf = async (name: string) => {
    const { body } = await world.call('alice', 'GET', `/services?name=${encodeURIComponent(name)}`)
    const [found] = body as readonly { readonly extended_settings: { readonly assertions: unknown } }[]
    return found?.extended_settings.assertions
  }
  const start = async (name: string, given?: Parameters<ConsoleWorld['visit']>[2]) => {
    const page = await visit('alice', '/services/new', given)
    await page.getByRole('textbox', { name: 'What to monitor' }).fill(`https://${name}`)
    return page
  }

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  afterEach(async () => {
    world.stations.answer = () => 'ok'
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test('the form offers for each source what the API takes', async () => {
    const page = await start('offers.example.com')
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    expect(await optionsOf(page, 'Source')).toEqual([...assertionSources])
    for (const source of assertionSources) {
      await row(page, 1).getByLabel('Source', { exact: true }).selectOption(source)
      const properties = source === 'certificate' ? certificateProperties : [null]
      if (source === 'certificate') expect(await optionsOf(page, 'Property')).toEqual([...certificateProperties])
      for (const property of properties) {
        if (property !== null) await row(page, 1).getByLabel('Property', { exact: true }).selectOption(property)
        const allowed = comparisonsFor(source, property)
        const offered = await optionsOf(page, 'Comparison')
        expect(offered.toSorted(), `${source} ${property}`).toEqual([...allowed].toSorted())
      }
      const paths = await row(page, 1).locator('[data-field$=".path"]').count()
      expect(paths, source).toBe(needsPath(source) ? 1 : 0)
    }
    expect(assertionComparisons).toHaveLength(12)
  })

  test('assertions are added, filled, moved and removed by keyboard, and kept', async () => {
    const page = await start('keys.example.com')
    await page.getByRole('button', { name: 'Add an assertion' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('SELECT')
    // The source, the path, the comparison, then the value.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab')
    await page.keyboard.type('ok')
    await page.getByRole('button', { name: 'Add an assertion' }).focus()
    await page.keyboard.press('Enter')
    await row(page, 2).getByLabel('Source', { exact: true }).selectOption('time')
    await row(page, 2).getByLabel('Value', { exact: true }).fill('500')
    await row(page, 2).getByLabel('If it fails', { exact: true }).selectOption('degraded')
    await page.getByRole('button', { name: 'Move assertion 2 up' }).focus()
    await page.keyboard.press('Enter')
    // The button at the top is disabled, so its neighbour has the focus.
    expect(await page.evaluate<string>('document.activeElement.getAttribute("aria-label")')).toBe(
      'Move assertion 1 down',
    )
    await page.getByRole('button', { name: 'Add an assertion' }).click()
    await page.getByRole('button', { name: 'Remove assertion 3' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('.assertion').count()).toBe(2)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await storedOf('keys.example.com')).toEqual([
      { source: 'time', path: null, comparison: 'less', value: 500, severity: 'degraded' },
      { source: 'json', path: '$.status', comparison: 'equals', value: 'ok', severity: 'failure' },
    ])
    await page.goto(`${page.url()}/edit`)
    expect(await row(page, 1).getByLabel('Value', { exact: true }).inputValue()).toBe('500')
    await page.getByRole('button', { name: 'Remove assertion 1' }).click()
    await page.getByRole('button', { name: 'Remove assertion 1' }).click()
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Add an assertion')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/services\/\d+$/)
    expect(await storedOf('keys.example.com')).toEqual([])
  })

  test('what is wrong stands beside the member of its row, and goes when the rows change', async () => {
    const page = await start('wrong.example.com')
    for (let count = 0; count < 2; count += 1) await page.getByRole('button', { name: 'Add an assertion' }).click()
    await row(page, 1).getByLabel('Value', { exact: true }).fill('ok')
    await row(page, 2).getByLabel('JSONPath', { exact: true }).fill('$[')
    await row(page, 2).getByLabel('Value', { exact: true }).fill('ok')
    await page.getByRole('button', { name: 'Save' }).click()
    const problem = row(page, 2).locator('[data-field="extended_settings.assertions[1].path"] .problem')
    await problem.getByText('Expected a JSONPath of RFC 9535').waitFor()
    expect(await page.locator('.assertions .problem').count()).toBe(1)
    await page.getByRole('button', { name: /^Assertion 2, JSONPath: / }).waitFor()
    expect(
      await page.evaluate<string>('document.activeElement.closest("[data-field]").getAttribute("data-field")'),
    ).toBe('extended_settings.assertions[1].path')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Move assertion 2 up' }).click()
    expect(await page.locator('.assertions .problem').count()).toBe(0)
  })

  test('“Test now” shows what each assertion said', async () => {
    const facts = {
      ...{ assertion_1_result: 'ok', assertion_1_expected: 'status equals 200', assertion_1_came: '200' },
      ...{
        assertion_2_result: 'failure',
        assertion_2_expected: 'json $.status equals "ok"',
        assertion_2_came: '"down"',
      },
    }
    const evidence = {
      ...{ base_url: 'https://trial.example.com', ip_address: '192.0.2.1', status_code: 200 },
      ...{ response_headers: null, content_type: null, file_name: null, facts, artifacts: [] },
    }
    world.stations.answer = () => ({ errorTypeId: errorType('assertion_failed').id, errorMessage: 'x', evidence })
    world.clock.advance(61_000)
    const page = await start('trial.example.com', { width: 360, height: 740 })
    await page.getByRole('button', { name: 'Test now' }).click()
    const said = page.getByRole('list', { name: 'Assertions' }).first()
    await said.getByText('json $.status equals "ok"').waitFor()
    expect(await said.getByRole('listitem').allTextContents()).toEqual([
      'Metexpected status equals 200, came 200',
      'Not metexpected json $.status equals "ok", came "down"',
    ])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  test.each(['en', 'pl'] as const)('a phone has room for a row and for the logins: %s', async (language) => {
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language })
    const page = await visit('alice', '/services/new', { width: 360, height: 740, colorScheme: 'dark' })
    await page.locator('.pasted').fill('https://phone.example.com')
    await page.locator('.assertions > .button').click()
    for (const summary of await page.locator('details:has([data-field^="extended_settings"]) > summary').all())
      await summary.click()
    await page.locator('[data-field="extended_settings.oauth_token_url"]').waitFor()
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await accessibilityFaults(page)).toEqual([])
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
})
