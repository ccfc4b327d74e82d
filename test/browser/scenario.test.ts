import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../../src/demo/targets/certificates.ts'
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
    checker = createPageChecker({ evidencePatienceMs: 30_000 })
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
    const wrong = 'not the password'
    const recording: { steps: object[] } = JSON.parse(loginScenario(shop.url))
    const steps = recording.steps.map((step, index) => (index === 5 ? { ...step, timeout: 1500 } : step))
    const result = await play(JSON.stringify({ ...recording, steps, timeout: 30_000 }), `user=alice\nword=${wrong}`)
    expect(verdictOf(result)).toBe('scenario_url_differs')
    expect(result.errorMessage).toBe(`step 6 "Account": the address is ${shop.url}/login, not ${shop.url}/account`)
    expect(resultsOf(result)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'error', 'not_run', 'not_run'])
    expect(result.steps?.[5]?.responseTime).toBeGreaterThan(1400)
    expect(result.steps?.[6]).toEqual({ name: 'Orders', result: 'not_run', responseTime: null })
    expect(artifactsOf(result)).toEqual(['content', 'har', 'screenshot'])
    const content = result.evidence?.artifacts.find(({ typeId }) => typeId === 'content')
    expect(Buffer.from(content?.bytes ?? []).toString()).toContain('Wrong user name or password.')
    for (const { bytes } of result.evidence?.artifacts ?? []) expect(Buffer.from(bytes).includes(wrong)).toBe(false)
  })
})

describeWithBrowser('the secrets of a scenario', () => {
  const secret = 'Żółw & "7"/x'
  const echo = `<!doctype html><meta charset="utf-8"><title>Echo</title><input id="i"><iframe srcdoc="<input id='j'>"></iframe>
    <p id="p"></p><script>
      const told = new URLSearchParams(location.search).get('q') ?? ''
      document.querySelector('p').textContent = 'You said ' + told
      document.cookie = 'said=' + encodeURIComponent(told)
      document.querySelector('#i').addEventListener('change', (e) => {
        document.title = e.target.value
        fetch('/echo', { method: 'POST', body: JSON.stringify({ said: e.target.value }) })
        new Image().src = '/echo?said=' + btoa(unescape(encodeURIComponent(e.target.value)))
      })
    </script>`
  const spelt = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    'Żółw',
  ]
  let shop: Shop
  let checker: PageChecker
  beforeAll(async () => {
    shop = await openShop({ '/echo': echo })
    checker = createPageChecker({ evidencePatienceMs: 30_000 })
  })
  afterAll(async () => {
    await checker.stop()
    await shop.close()
  })

  function play(...steps: readonly object[]): Promise<CheckResult> {
    const scenario = JSON.stringify({ title: 'Echo', steps })
    return checker.check('webappcheck', 'shop.example.com', { scenario, secrets: `word=${secret}` })
  }

  const navigate = () => ({ type: 'navigate', url: `${shop.url}/echo?q={{word}}`, timeout: 30_000 })
  const change = { type: 'change', selectors: ['#i'], value: '{{word}}', timeout: 10_000 }
  const holds = (expression: string) => ({ type: 'waitForExpression', expression, timeout: 10_000 })

  test('reach the page as they are', async () => {
    const said = `document.querySelector("#p").textContent === ${JSON.stringify(`You said ${secret}`)}`
    const typed = `document.querySelector("#i").value === ${JSON.stringify(secret)}`
    const result = await play(navigate(), change, holds(said), holds(typed))
    expect(result.errorMessage).toBeNull()
  })

  test('are in nothing that is kept of a failure', async () => {
    const blur = { type: 'keyDown', key: 'Tab' }
    const failing = { ...navigate(), url: `${shop.url}/echo?again={{word}}`, timeout: 3000 }
    const events = [{ title: 'Never' }, { url: '/x' }].map((one) => ({ type: 'navigation', ...one }))
    for (const event of events) {
      const result = await play(navigate(), change, blur, { ...failing, assertedEvents: [event] })
      expect(result.result).toBe('error')
      expect(artifactsOf(result)).toEqual(['content', 'har', 'screenshot'])
      const { artifacts, ...evidence } = result.evidence ?? { artifacts: [] }
      const kept = [
        JSON.stringify({ ...result, evidence }),
        ...artifacts.map(({ bytes }) => Buffer.from(bytes).toString()),
      ]
      for (const text of kept) {
        for (const spelling of spelt) expect(text.includes(spelling), spelling).toBe(false)
      }
    }
  })
})

describeWithBrowser('the way of a scenario', () => {
  test('does not lead to where nobody may go', async () => {
    const shop = await openShop()
    const checker = createPageChecker({ allow: [] })
    const steps = [{ type: 'navigate', url: `${shop.url}/login`, timeout: 30_000 }]
    const scenario = JSON.stringify({ title: 'Inside', steps })
    const result = await checker.check('webappcheck', 'shop.example.com', { scenario })
    await checker.stop()
    await shop.close()
    expect(verdictOf(result)).toBe('sensor_redirect_refused')
    expect(result.errorMessage).toMatch(/^step 1 "navigate http/)
  })

  test('begins at the address of the service, and relative addresses mean it', async () => {
    const { cert, key } = selfSigned({ names: ['127.0.0.1'] })
    const server = createServer({ cert, key }, (request, response) => {
      const title = request.url === '/start?a=1' ? 'Start' : request.url === '/next' ? 'Next' : 'Lost'
      response.setHeader('Content-Type', 'text/html')
      response.end(`<title>${title}</title><h1>${title}</h1>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const checker = createPageChecker({ launch: { extraArguments: ['--ignore-certificate-errors'] } })
    const steps = [
      { type: 'emulateNetworkConditions', download: -1, upload: -1, latency: 0 },
      { type: 'waitForExpression', expression: 'document.title === "Start"' },
      { type: 'navigate', url: '/next', assertedEvents: [{ type: 'navigation', url: '/next', title: 'N*t' }] },
    ]
    const result = await checker.check('webappcheck', `127.0.0.1:${port}/start?a=1`, {
      scenario: JSON.stringify({ title: 'Way', timeout: 20_000, steps }),
    })
    await checker.stop()
    server.closeAllConnections()
    server.close()
    expect(result.errorMessage).toBeNull()
    expect(verdictOf(result)).toBe('ok')
  })
})
