import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as Latarnik from '../../client/client.ts'
import type { RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { describeWithBrowser, launchTestBrowser } from '../support/browser.ts'
import { passwordOf } from '../support/people.ts'

/** The built client in a page of another origin than the API's. */

/** In the page. */
declare const latarnik: typeof Latarnik

const built = fileURLToPath(new URL('../../dist/client/client.js', import.meta.url))

const document = `<title>Elsewhere</title>
  <script type="module">import * as latarnik from '/client.js'; globalThis.latarnik = latarnik</script>`

let api: ApiWorld
let server = ''
let pages: Server
let running: RunningBrowser
let page: Page

/** Runs in the page. */
async function inPage(options: { readonly server: string; readonly username: string; readonly password: string }) {
  const { createClient, ProblemError } = latarnik
  const client = createClient({ ...options, language: 'pl' })
  const { id } = await client.post('/groups', { body: { name: 'From a browser' } })
  const path = { _id: id }
  const { etag, body } = await client.call('GET', '/groups/{_id}', { path })
  await client.put('/groups/{_id}', { path, body: { name: 'Changed' }, ifMatch: etag ?? '' })
  const refused = await client.put('/groups/{_id}', { path, body: { name: 'Again' }, ifMatch: etag ?? '' }).then(
    () => [],
    (error: unknown) => (error instanceof ProblemError ? [error.status, error.problems[0]?.error] : [String(error)]),
  )
  const { total } = await client.call('GET', '/groups', { query: { limit: 1 } })
  const stopping = new AbortController()
  // The place may be lost already: then the stream begins with a reset.
  const events = client.events({ signal: stopping.signal, lastEventId: 'AAAAAAAAAAAAAAAAAAAAAA' })
  const first = await events.next()
  stopping.abort()
  return { name: body.name, refused, total, event: first.done === true ? null : first.value.event }
}

describeWithBrowser('the client in a browser', () => {
  beforeAll(async () => {
    api = await apiWorld()
    server = await api.server.listen({ host: '127.0.0.1', port: 0 })
    pages = createServer((request, response) => {
      const isClient = request.url === '/client.js'
      response.writeHead(200, { 'Content-Type': isClient ? 'text/javascript' : 'text/html' })
      response.end(isClient ? readFileSync(built) : document)
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    running = await launchTestBrowser()
    page = await (await running.browser.newContext()).newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  })

  afterAll(async () => {
    await running.browser.close()
    pages.close()
    await api.drop()
  })

  test('reads, changes, is refused and listens from another origin', async () => {
    const login = { server, username: 'alice', password: passwordOf('alice') }
    const { total, ...found } = await page.evaluate(inPage, login)
    expect(found).toEqual({ name: 'From a browser', refused: [412, 'object_changed'], event: 'reset' })
    expect(total).toBeGreaterThan(1)
  })
})
