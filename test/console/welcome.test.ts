import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWithBrowser } from '../support/browser.ts'
import { accessibilityFaults, type ConsoleWorld, consoleWorld } from '../support/console.ts'

/** The first service of a newcomer, in a real browser. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describeWithBrowser('the first service', () => {
  let world: ConsoleWorld
  const open: Page[] = []

  beforeAll(async () => {
    world = await consoleWorld()
    await world.call('alice', 'PUT', '/user_data/my_user_data/settings/console.v1', { language: 'en' })
  })
  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close()
    expect(world.complaints.splice(0)).toEqual([])
  })
  afterAll(() => world?.drop())

  test.each([
    ['first.example.test:8080/shop', 'https', 'https'],
    ['second.example.test:8080/shop', 'http', 'http'],
    ['third.example.test:8443', 'none', 'https'],
  ])('%s, of which %s answers, becomes %s', async (pasted, answering, typeId) => {
    // Lets the limit of trials per minute pass.
    world.clock.advance(61_000)
    world.stations.answer = (job) =>
      job.typeId === answering ? 'ok' : { errorTypeId: 2001, errorMessage: 'Connection refused' }
    const before = world.stations.jobs.length
    const page = await world.visit('alice', '/welcome')
    open.push(page)
    await page.getByLabel('Address', { exact: true }).fill(pasted)
    await page.getByRole('button', { name: 'Watch it' }).click()
    await page.getByText('is added. The stations are checking it').waitFor()
    const tried = new Set(world.stations.jobs.slice(before).map((job) => job.typeId))
    expect([...tried].toSorted()).toEqual(['http', 'https'])
    const { body } = await world.call('alice', 'GET', `/services?address=${encodeURIComponent(pasted)}`)
    expect(body).toMatchObject([{ type_id: typeId, address: pasted }])
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
