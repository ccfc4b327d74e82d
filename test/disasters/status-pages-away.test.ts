import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { serverPid } from '../support/launcher.ts'
import { patiently } from '../support/patience.ts'
import { bytesOf, converse } from '../support/raw-http.ts'
import { familyOf, signal } from './processes.ts'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('status pages have a port of their own, and stay there, with the moment they are from, while the database stands still', async () => {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const port = await freePort()
  const program = victim({ DATA_DIR: data.path, STATUS_PAGE_PORT: String(port), LOCAL_SENSORS: '1' })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const made = await program.call('POST', '/status_pages', { slug: 'shop', title: 'The shop', language_id: 'en' })
  const { id } = (made?.body ?? {}) as { id?: number }
  const component = { status_page_id: Number(id), name: 'Baskets', status: 'operational' }
  expect(await program.call('POST', '/status_page_components', component)).toMatchObject({ status: 201 })
  const pages = `http://127.0.0.1:${port}`
  const at = async (url: string) => {
    const response = await fetch(url, { redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  // Two origins: the API leads to the pages, and beside the pages there is nothing.
  const origin = new URL(program.api() ?? '').origin
  const led = await at(`${origin}/status/shop?key=1`)
  expect([led.status, led.headers.get('location')]).toEqual([308, `${pages}/status/shop?key=1`])
  for (const path of ['/', '/v3/groups', '/login', '/healthz', '/ping/x', '/v3/openapi.json']) {
    const { status, headers } = await at(`${pages}${path}`)
    expect([path, status, headers.get('set-cookie')]).toEqual([path, 404, null])
  }
  // Strangers fill no log with requests that are none.
  const twoHosts = [
    ['Host', 'a.test'],
    ['Host', 'b.test'],
  ] as const
  const bytes = bytesOf({ method: 'GET', target: '/status/shop', headers: twoHosts, body: Buffer.alloc(0) })
  expect(await converse(port, bytes)).toMatch(/^HTTP\/1\.1 400 /)
  expect(program.complaints()).toEqual([])
  const fresh = await at(`${pages}/status/shop`)
  expect([fresh.status, fresh.text.includes('The page cannot be updated now')]).toEqual([200, false])

  // The server of the database stops in the middle of everything, as on a machine without memory.
  const server = familyOf(serverPid(data.path))
  signal(server, 'SIGSTOP')
  onTestFinished(() => signal(server, 'SIGCONT'))
  const stale = async () => (await at(`${pages}/status/shop`)).text
  await expect
    .poll(stale, patiently)
    .toMatch(/The page cannot be updated now\. It shows the state of \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d\./)
  const began = performance.now()
  expect((await at(`${pages}/status/shop/api/v2/summary.json`)).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(5000)
  signal(server, 'SIGCONT')
  await expect.poll(stale, patiently).not.toContain('The page cannot be updated now')
}, 240_000)
