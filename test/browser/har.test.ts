import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, expect, test, vi } from 'vitest'
import { createPageChecker, describeWithBrowser } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { harSchema } from '../support/har-schema.ts'
import { createNastyServers } from '../support/nasty-server.ts'

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

describeWithBrowser('the archive of a failed page', () => {
  const servers = createNastyServers()
  const checker = createPageChecker({ evidencePatienceMs: 30_000 })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test('is a HAR 1.2 with every request, also those that failed, and without contents', async () => {
    const port = await servers.good((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/') response.writeHead(302, { location: '/page?a=1' }).end()
      else if (request.url?.startsWith('/page')) {
        response.setHeader('set-cookie', ['a=1; Path=/; HttpOnly', 'b=2'])
        response.end(`<title>Page</title><img src="/missing"><img src="data:image/png;base64,${'A'.repeat(9000)}">
          <script>fetch('/form', { method: 'POST', body: 'card=4111' })</script><img src="http://127.0.0.1:1/x"><img src="/cut">`)
      } else if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' }).write('x')
        setTimeout(() => response.destroy(), 50)
      } else response.writeHead(404).end()
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { content_regex: 'not there' })
    expect(verdictOf(result)).toBe('content_missing')
    const artifact = result.evidence?.artifacts.find(({ typeId }) => typeId === 'har')
    const text = Buffer.from(artifact?.bytes ?? []).toString()
    const har = JSON.parse(text)
    const ajv = new Ajv({ allErrors: true, strict: false })
    formats.default(ajv)
    const isValid = ajv.compile(harSchema)
    expect(isValid(har) ? [] : isValid.errors).toEqual([])
    const asked = har.log.entries.map(
      ({ request }: { request: { method: string; url: string } }) =>
        `${request.method} ${new URL(request.url).pathname.slice(0, 20)}`,
    )
    expect(asked).toEqual(expect.arrayContaining(['GET /', 'GET /page', 'GET /missing', 'POST /form', 'GET /cut']))
    expect(har.log.entries[0].serverIPAddress).toBe('127.0.0.1')
    expect(text).not.toMatch(/a=1;|card=4111|A{3000}/)
  })
})
