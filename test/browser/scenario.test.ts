import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckResult } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { loginScenario, openShop, type Shop, shopSecrets, shopUser } from '../support/shop.ts'

function resultsOf({ steps }: CheckResult): readonly string[] {
  return (steps ?? []).map(({ result }) => result)
}

function artifactsOf(result: CheckResult): readonly string[] {
  return (result.evidence?.artifacts ?? []).map(({ typeId }) => typeId).toSorted()
}

describeWithBrowser('a login as the Recorder wrote it down', () => {
  let shop: Shop
  let checker: PageChecker
  beforeAll(async () => {
    shop = await openShop()
    checker = createPageChecker()
  })
  afterAll(async () => {
    await checker.stop()
    await shop.close()
  })

  function play(scenario: string, secrets = shopSecrets): Promise<CheckResult> {
    return checker.check('webappcheck', 'shop.example.com', { scenario, secrets })
  }

  test('is ok, with the time of each step and nothing else kept', async () => {
    const result = await play(loginScenario(shop.url))
    expect(result).toMatchObject({ result: 'ok', errorMessage: null, evidence: null })
    expect(result.steps?.map(({ name }) => name)).toEqual([
      'setViewport 1200×800',
      'Open',
      'click User name',
      'change User name',
      'change Password',
      'Account',
      'Orders',
      'waitForElement .order',
    ])
    expect(resultsOf(result)).toEqual(Array(8).fill('ok'))
    const times = (result.steps ?? []).map(({ responseTime }) => responseTime ?? -1)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0)
    expect(times.reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual((result.responseTime ?? 0) + times.length)
    expect(result.dataSize).toBeGreaterThan(500)
    expect(new URLSearchParams(shop.sent.at(-1)).get('password')).toBe(shopUser.password)
  })

  test('goes no further than a wrong password', async () => {
    const scenario = loginScenario(shop.url).replaceAll('"timeout"', '"x"')
    const short = JSON.stringify({ ...JSON.parse(scenario), timeout: 700 })
    const wrong = 'not the password'
    const result = await play(short, `user=alice\nword=${wrong}`)
    expect(verdictOf(result)).toBe('scenario_url_differs')
    expect(result.errorMessage).toBe(`step 6 "Account": the address is ${shop.url}/login, not ${shop.url}/account`)
    expect(resultsOf(result)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'error', 'not_run', 'not_run'])
    expect(result.steps?.[5]?.responseTime).toBeGreaterThan(600)
    expect(result.steps?.[6]).toEqual({ name: 'Orders', result: 'not_run', responseTime: null })
    expect(artifactsOf(result)).toEqual(['content', 'har', 'screenshot'])
    const content = result.evidence?.artifacts.find(({ typeId }) => typeId === 'content')
    expect(Buffer.from(content?.bytes ?? []).toString()).toContain('Wrong user name or password.')
    for (const { bytes } of result.evidence?.artifacts ?? []) expect(Buffer.from(bytes).includes(wrong)).toBe(false)
  })
})
