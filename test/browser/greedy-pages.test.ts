import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { artifactLimits } from '../../src/domain/judging/evidence.ts'
import type { CheckResult } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const megabyte = 1_048_576

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

describeWithBrowser('a page or a scenario that asks for too much', () => {
  const servers = createNastyServers()
  let checker: PageChecker
  beforeAll(() => {
    checker = createPageChecker({
      allow: ['127.0.0.0/8'],
      resolve: async (_name, family) => (family === 4 ? ['127.0.0.1'] : []),
    })
  })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  function serve(html: string): Promise<number> {
    return servers.good((request, response) => {
      if (request.url === '/never') return response
      if (request.url !== '/') return response.writeHead(404).end()
      return response.setHeader('content-type', 'text/html').end(html)
    })
  }

  function har(result: CheckResult): { log: { entries: { request: { queryString: unknown[] } }[] } } {
    const found = result.evidence?.artifacts.find(({ typeId }) => typeId === 'har')
    return JSON.parse(Buffer.from(found?.bytes ?? '{}').toString())
  }

  test('what a page keeps in the browser’s own process ends the browser before the machine, and the next check has another one', async () => {
    const reasons: string[] = []
    const own = createPageChecker({
      allow: ['127.0.0.0/8'],
      launch: {
        memoryLimits: { renderer: 1024 * megabyte, other: 400 * megabyte, sum: 4096 * megabyte },
        onEnded: (what, reason) => void reasons.push(`${what}: ${reason}`),
      },
    })
    const port = await serve(`<script>
      const kept = []
      for (let n = 0; n < 12; n++) kept.push(new Blob([new Uint8Array(50 * 1048576).fill(n + 1)]))
    </script><img src="/never">`)
    const held = await servers.good((request, response) => {
      if (request.url === '/') response.setHeader('content-type', 'text/html').end('<p>small')
    })
    const result = await own.check('fullpage', `127.0.0.1:${port}/`, { content_regex: 'nowhere', timeout: 20_000 })
    expect([result.result, verdictOf(result)]).toEqual(['unknown', 'browser_failed'])
    expect(reasons[0]).toMatch(/^browser: its browser process took \d+ MB$/)
    expect(verdictOf(await own.check('fullpage', `127.0.0.1:${held}/`))).toBe('ok')
    await own.stop()
  })

  test('addresses of two megabytes end the visit, not the station', async () => {
    const port = await serve(
      '<script>for (let n = 0; n < 9; n++) fetch("/x" + n + "?" + "a&".repeat(999000)).catch(() => {})</script>',
    )
    const before = process.memoryUsage.rss()
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { timeout: 8000 })
    expect(['page_too_many_requests', 'page_crashed', 'page_timeout']).toContain(verdictOf(result))
    expect(process.memoryUsage.rss() - before).toBeLessThan(700 * megabyte)
  })

  test('a long address is in the archive of its visit as far as it says anything', async () => {
    const port = await serve(
      '<script>for (let n = 0; n < 20; n++) fetch("/x" + n + "?" + "a&".repeat(90000)).catch(() => {})</script>',
    )
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { fail_on_resource_errors: true })
    expect(verdictOf(result)).toBe('page_resource_failed')
    const { entries } = har(result).log
    expect(entries.length).toBeGreaterThanOrEqual(10)
    expect(Math.max(...entries.map(({ request }) => request.queryString.length))).toBe(100)
    expect(JSON.stringify(entries).length).toBeLessThan(artifactLimits.har)
    expect(result.errorMessage?.length).toBeLessThanOrEqual(4000)
  })

  test('a window of more points than any screen is drawn smaller, with its layout', async () => {
    const port = await serve('<title>wide</title><p>text')
    const viewport = {
      width: 4000,
      height: 2000,
      deviceScaleFactor: 4,
      isMobile: false,
      hasTouch: false,
      isLandscape: false,
    }
    const steps = [
      { type: 'setViewport', ...viewport },
      { type: 'navigate', url: `http://127.0.0.1:${port}/` },
      { type: 'waitForExpression', expression: 'innerWidth === 4000' },
      { type: 'waitForExpression', expression: 'false', timeout: 100 },
    ]
    const scenario = JSON.stringify({ title: 'Wide', steps })
    const result = await checker.check('webappcheck', '127.0.0.1/', { scenario, timeout: 30_000 })
    expect(
      result.steps?.map(({ result: outcome }) => outcome),
      result.errorMessage ?? '',
    ).toEqual(['ok', 'ok', 'ok', 'error'])
    const picture = result.evidence?.artifacts.find(({ typeId }) => typeId === 'screenshot')
    expect(picture === undefined || picture.bytes.length < artifactLimits.screenshot).toBe(true)
  })

  test('a title of two megabytes is told in part', async () => {
    const port = await serve('<script>document.title = "<b>\\u202e" + "long ".repeat(4e5)</script>')
    const url = `http://127.0.0.1:${port}/`
    const steps = [
      { type: 'navigate', url, assertedEvents: [{ type: 'navigation', url, title: 'short' }], timeout: 5000 },
    ]
    const scenario = JSON.stringify({ title: 'Long', steps })
    const result = await checker.check('webappcheck', '127.0.0.1/', { scenario })
    expect(verdictOf(result)).toBe('scenario_title_differs')
    expect(result.errorMessage?.length).toBeLessThanOrEqual(4000)
    expect(result.errorMessage).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  test('elements without number are looked through, or too many in time', async () => {
    const port = await serve(`<script>document.write("<i>x".concat("</i><i>x".repeat(200000)))</script>`)
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, {
      ...{ content_regex: 'nowhere[0-9]', timeout: 4000 },
    })
    expect(['content_missing', 'page_timeout', 'page_unresponsive', 'page_crashed']).toContain(verdictOf(result))
  })

  test.each([
    ' file:///etc/passwd',
    'fi\tle:///etc/passwd',
    '{{scheme}}:///etc/passwd',
    'chrome://version',
    'view-source:http://x/',
  ])('no scenario opens %j', async (url) => {
    const scenario = JSON.stringify({ title: 'Files', steps: [{ type: 'navigate', url }] })
    const result = await checker.check('webappcheck', '127.0.0.1/', { scenario, secrets: 'scheme=file' })
    expect([verdictOf(result), result.evidence]).toEqual(['setting_invalid', null])
  })

  test('a page’s own ways to files and to pages of the browser lead nowhere', async () => {
    const port = await serve(`<iframe src="file:///etc/passwd"></iframe><iframe src="view-source:http://x/"></iframe>
      <object data="file:///etc/passwd"></object><script>
      for (const at of ['file:///etc/passwd', 'chrome://version', 'view-source:file:///etc/passwd', 'devtools://devtools/bundled/inspector.html'])
        try { open(at); location = at } catch {}
      fetch('file:///etc/passwd').then((answer) => answer.text()).then((text) => { document.title = text }).catch(() => {})
      </script>`)
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { content_regex: 'root:|Executable Path' })
    expect(verdictOf(result)).not.toBe('ok')
    expect(JSON.stringify(result.evidence)).not.toContain('root:x')
  })

  test('no datagram leaves a page: neither of WebRTC nor of WebTransport nor of a name', async () => {
    const heard: string[] = []
    const socket = createSocket('udp4').on('message', (bytes) => heard.push(bytes.toString('hex')))
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
    servers.adopt(socket)
    const { port: udp } = socket.address() as AddressInfo
    const port =
      await serve(`<link rel="dns-prefetch" href="//prefetched.example"><link rel="preconnect" href="https://127.0.0.1:${udp}">
      <script>
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }, { urls: 'turn:127.0.0.1:${udp}', username: 'a', credential: 'b' }] })
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
        try { new WebTransport('https://127.0.0.1:${udp}/').ready.catch(() => {}) } catch {}
        const slow = new Image(); setTimeout(() => { slow.src = '/late' }, 1500); document.body?.append(slow)
      </script><img src="/first">`)
    await checker.check('fullpage', `127.0.0.1:${port}/`, { content_regex: 'wait[0-9]' })
    // Datagrams of one machine arrive in the order in which they were sent.
    const last = createSocket('udp4')
    servers.adopt(last)
    last.send('last', udp, '127.0.0.1')
    await expect.poll(() => heard.at(-1)).toBe(Buffer.from('last').toString('hex'))
    expect(heard).toHaveLength(1)
  })
})
