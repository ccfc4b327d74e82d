import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { hostilePages, serveHostile } from '../support/hostile-pages.ts'
import { createNastyServers } from '../support/nasty-server.ts'

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

  test.concurrent.each(hostilePages)('$name: $verdict', { timeout: 60_000 }, async (page) => {
    const port = await servers.good(serveHostile(page))
    const ask = () => checker.check('fullpage', `127.0.0.1:${port}/`, { timeout: 20_000, ...page.settings })
    const first = await ask()
    // A browser that one page brings down takes the visits beside it with it: unknown, which says nothing of this page.
    const result = verdictOf(first) === 'browser_failed' ? await ask() : first
    expect(`${verdictOf(result)} ${result.errorMessage ?? ''}`).toMatch(new RegExp(`^${page.verdict} `))
    const good = await servers.good((_request, response) => response.end('fine'))
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${good}/`))).toBe('ok')
  })
})
