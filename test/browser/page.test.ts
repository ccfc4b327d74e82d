import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

describeWithBrowser('a page check', () => {
  const servers = createNastyServers()
  let checker: PageChecker
  beforeAll(() => {
    checker = createPageChecker()
  })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test('is ok for a page that loads', async () => {
    const port = await servers.good((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Shop</title><h1>Welcome</h1>')
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe('ok')
  })

  test('fails for a page with a bad status, with evidence', async () => {
    const port = await servers.good((_request, response) => {
      response.statusCode = 503
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Back soon</h1>')
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe('http_server_error')
  })
})
