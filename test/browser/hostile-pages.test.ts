import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { hostilePages, serveHostile } from '../support/hostile-pages.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const saysNothing = (verdict: string) => verdict === 'browser_failed' || verdict === 'sensor_held'

describeWithBrowser('hostile pages', () => {
  const servers = createNastyServers()
  let checker: PageChecker
  beforeAll(() => {
    checker = createPageChecker()
  })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test.concurrent.each(hostilePages)('$name: $verdict', { timeout: 300_000 }, async (page) => {
    const port = await servers.good(serveHostile(page))
    const ask = () => checker.check('fullpage', `127.0.0.1:${port}/`, { timeout: 20_000, ...page.settings })
    let result = await ask()
    // Neither result says anything about this page: a page that crashes the browser ends the visits beside it, and a
    // busy machine stalls all.
    for (let tries = 1; tries < 8 && saysNothing(verdictOf(result)); tries += 1) result = await ask()
    expect(`${verdictOf(result)} ${result.errorMessage ?? ''}`).toMatch(new RegExp(`^${page.verdict} `))
    const good = await servers.good((_request, response) => response.end('fine'))
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${good}/`))).toBe('ok')
  })
})
