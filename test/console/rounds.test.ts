import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'
import { okRound } from '../support/furnished.ts'

/** The rounds of a failure that goes on come by themselves, in a real browser. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the rounds of a failure', () => {
  let world: ConsoleWorld
  let service: number
  let page: Page

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
    service = world.serviceIds.shared
    page = await world.visit('alice', `/services/${service}/failures/${world.history.changeIds.failure}`)
  })
  afterEach(() => {
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await page?.context().close()
    await world?.drop()
  })

  const matrix = () => page.getByRole('region', { name: 'Who said what' })
  const columns = () => matrix().locator('thead th').count()
  const judge = async (at: number) => {
    await insertAnalyses(world.database, [okRound({ serviceId: service, sensorIds: world.people.sensorIds, at })])
  }

  test('a new round appears without a reload, and the chosen one stays chosen', async () => {
    await matrix().getByRole('button').first().waitFor()
    const before = await columns()
    const chosen = () => matrix().locator('[aria-pressed=true]').count()
    const chosenBefore = await chosen()
    await judge(world.history.failedAt + 120_000)
    await vi.waitFor(async () => expect(await columns()).toBe(before + 1), { timeout: 60_000, interval: 250 })
    expect(await chosen()).toBe(chosenBefore)
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
