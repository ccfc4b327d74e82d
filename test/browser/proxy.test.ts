// Nothing here dials beyond loopback. Forbidden addresses are shown to be refused, with names that the test resolves.
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDialler } from '../../src/outgoing/dial.ts'
import { openProxy, type VisitProxy } from '../../src/sensor/browser/proxy.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'
import { converse } from '../support/raw-http.ts'

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const servers = createNastyServers()
const asked: string[] = []

/** `rebinding.test` is loopback the first time and the metadata address of clouds from then on. */
async function resolve(name: string, family: 4 | 6): Promise<readonly string[]> {
  asked.push(name)
  if (family === 6) return []
  if (name === 'metadata.test') return ['169.254.169.254']
  if (name === 'mixed.test') return ['10.0.0.1', '127.0.0.1']
  if (name === 'rebinding.test')
    return asked.filter((other) => other === name).length > 1 ? ['169.254.169.254'] : ['127.0.0.1']
  return ['127.0.0.1']
}

/** The addresses that the test may reach; all other private ones are refused as in production. */
const allow = ['127.0.0.1/32']

test('the proxy refuses what may not be dialled, whichever way it is asked', async () => {
  const proxy: VisitProxy = await openProxy({
    dialler: createDialler({ allow, resolve }),
    timeoutMs: 2000,
    onBytes: () => {},
  })
  const port = Number(new URL(proxy.url).port)
  const hosts = [
    '169.254.169.254',
    'metadata.test',
    '10.0.0.1',
    '[fe80::1]',
    '[::ffff:a9fe:a9fe]',
    '2852039166',
    '0xa9.254.0251.254',
  ]
  for (const host of hosts) {
    expect(await converse(port, `CONNECT ${host}:80 HTTP/1.1\r\nHost: x\r\n\r\n`), host).toMatch(/^HTTP\/1.1 502 /)
    expect(await converse(port, `GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`), host).toBe('')
    expect(proxy.dialled(`${host}:80`)?.failure?.symbol, host).toBe('sensor_address_refused')
  }
  for (const nonsense of [
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\r\n\r\n',
  ])
    expect(await converse(port, nonsense)).not.toMatch(/^HTTP\/1.1 200/)
  proxy.close()
})

test('the handshake is timed as it passes: from what the browser says first to what it says after the answer', async () => {
  const target = await servers.tcp((socket) => socket.on('data', (said) => socket.write(`answer to ${said}`)))
  const proxy = await openProxy({ dialler: createDialler({ allow, resolve }), timeoutMs: 2000, onBytes: () => {} })
  const authority = `good.test:${target}`
  const browser = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  let heard = ''
  browser.on('data', (chunk) => {
    heard += chunk
  })
  browser.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await expect.poll(() => heard).toMatch(/^HTTP\/1.1 200/)
  browser.write('hello')
  await expect.poll(() => heard).toContain('answer to hello')
  expect(proxy.dialled(authority)?.tlsMs).toBeNull()
  browser.write('finished')
  await expect.poll(() => heard).toContain('answer to finished')
  expect(proxy.dialled(authority)?.tlsMs).toBeGreaterThan(0)
  browser.destroy()
  proxy.close()
})

test('closing the proxy cuts every connection off', async () => {
  const target = await servers.tcp((socket) => socket.write('hello'))
  const proxy = await openProxy({ dialler: createDialler({ allow, resolve }), timeoutMs: 2000, onBytes: () => {} })
  const open = converse(Number(new URL(proxy.url).port), `CONNECT good.test:${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await expect.poll(() => proxy.bytesReceived()).toBe(5)
  proxy.close()
  expect(await open).toContain('hello')
})

describeWithBrowser('a page of the browser', () => {
  let checker: PageChecker
  beforeAll(() => {
    checker = createPageChecker({ allow, resolve, evidencePatienceMs: 30_000 })
  })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test.each([
    ['169.254.169.254/latest/meta-data/'],
    ['metadata.test/'],
    ['2852039166/'],
    ['[::ffff:169.254.169.254]/'],
    ['10.1.2.3:8080/'],
  ])('%s is refused', async (address) => {
    const result = await checker.check('fullpage', address)
    expect(verdictOf(result)).toBe('sensor_address_refused')
    expect(result.errorMessage).toMatch(/may not be checked$/)
  })

  /** The colour in the upper left corner of a picture, as the browser itself sees it. */
  async function cornerOf(picture: Uint8Array): Promise<string> {
    let seen = ''
    const port = await servers.good((request, response) => {
      if (request.url === '/picture') response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
      else if (request.url?.startsWith('/seen')) {
        seen = request.url
        response.end()
      } else
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>
          function tell(image) {
            const pen = document.createElement('canvas').getContext('2d')
            pen.drawImage(image, 0, 0)
            const [red, green, blue] = pen.getImageData(4, 4, 1, 1).data
            const message = new XMLHttpRequest()
            // The page has not loaded, and the check does not end, before it is through.
            message.open('GET', '/seen' + [red, green, blue].map((value) => Math.round(value / 100)).join(), false)
            message.send()
          }
        </script><img src="/picture" onload="tell(this)">`)
    })
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`))).toBe('ok')
    expect(seen).not.toBe('')
    return seen.slice('/seen'.length)
  }

  test('the picture of what did not come says so in our words, that of what came is the page', async () => {
    const ours = '1,0,0'
    const pictureOf = async (typeId: string, address: string, settings: Settings = {}) => {
      const { evidence } = await checker.check(typeId, address, { content_regex: 'not there', ...settings })
      return evidence?.artifacts.find((artifact) => artifact.typeId === 'screenshot')?.bytes ?? Buffer.alloc(0)
    }
    const silent = await servers.good(() => {})
    const port = await servers.good((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<body style="background: #00f">blue')
    })
    const pictures = [
      pictureOf('fullpage', 'metadata.test/'),
      pictureOf('fullpagehttps', 'metadata.test/'),
      pictureOf('fullpage', `good.test:${silent}/`, { timeout: 1000 }),
      pictureOf('fullpage', `good.test:${port}/`),
    ]
    const corners = await Promise.all(pictures.map(async (picture) => cornerOf(await picture)))
    expect(corners).toEqual([ours, ours, ours, '0,0,3'])
  })

  test('every page that did not come has its picture, many at once and one after another', async () => {
    const silent = await servers.good(() => {})
    const refused = () => checker.check('fullpage', 'metadata.test/')
    const certified = () => checker.check('fullpagehttps', 'metadata.test/')
    const timedOut = () => checker.check('fullpage', `good.test:${silent}/`, { timeout: 1000 })
    const missing: (string | null)[] = []
    let taken = 0
    const look = (result: Awaited<ReturnType<typeof refused>>): void => {
      const { artifacts = [] } = result.evidence ?? {}
      if (artifacts.some(({ typeId }) => typeId === 'screenshot')) taken += 1
      else missing.push(result.errorMessage)
    }
    for (let turn = 0; turn < 8; turn += 1)
      for (const result of await Promise.all([refused(), certified(), timedOut()])) look(result)
    for (let turn = 0; turn < 12; turn += 1) look(await refused())
    expect({ missing, taken }).toEqual({ missing: [], taken: 36 })
  })

  test('a page may not lead the browser where the checker may not go', async () => {
    // Until the page has been told of the last refusal it has not loaded.
    const held: ServerResponse[] = []
    const port = await servers.good((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/redirect') response.writeHead(302, { location: 'http://metadata.test/' }).end()
      else if (request.url === '/script') response.end('<script>location = "http://169.254.169.254/"</script>')
      else if (request.url === '/held') held.push(response)
      else if (request.url === '/told') for (const one of [response, ...held]) one.end()
      else if (request.url === '/rebind') response.end(`<p>${request.headers.host}</p>`)
      else
        response.end(`<img src="http://169.254.169.254/a"><iframe src="http://metadata.test/b"></iframe>
          <script>
            new WebSocket('ws://metadata.test/c'); fetch('http://10.0.0.1/d').catch(() => fetch('/told'))
            const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:metadata.test:3478' }] })
            peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
          </script><img src="/held">`)
    })
    expect(verdictOf(await checker.check('fullpage', `good.test:${port}/redirect`))).toBe('sensor_redirect_refused')
    expect(verdictOf(await checker.check('fullpage', `good.test:${port}/script`))).toBe('sensor_redirect_refused')
    const strict = await checker.check('fullpage', `good.test:${port}/parts`, { fail_on_resource_errors: true })
    expect(verdictOf(strict)).toBe('page_resource_failed')
    for (const part of ['/a', '/b', '/d']) expect(strict.errorMessage).toContain(`${part}: net::ERR_`)
  })

  test('every name is looked up once in a visit, so that it cannot change its mind', async () => {
    asked.length = 0
    let requests = 0
    const port = await servers.good((_request, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' })
      response.end('<script src="/one"></script><script src="/two"></script>')
    })
    expect(
      verdictOf(await checker.check('fullpage', `rebinding.test:${port}/`, { fail_on_resource_errors: true })),
    ).toBe('ok')
    expect(requests).toBeGreaterThanOrEqual(3)
    expect(asked.filter((name) => name === 'rebinding.test')).toHaveLength(1)
  })

  test('one good address among bad ones is used', async () => {
    const port = await servers.good((_request, response) => response.end('fine'))
    expect(verdictOf(await checker.check('fullpage', `mixed.test:${port}/`))).toBe('ok')
  })

  test('a socket of the web goes through the proxy', async () => {
    const held = new Set<Socket>()
    let isAsked = false
    const port = await servers.http((socket, request) => {
      const answer = (body: string) =>
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
      if (request.startsWith('GET /socket')) isAsked = true
      // The page has not loaded, and the check does not end, before the socket was asked for.
      else if (request.startsWith('GET /held')) held.add(socket)
      else
        socket.end(
          answer(`<script>new WebSocket('ws://good.test:${port}/socket')</script><script src="/held"></script>`),
        )
      if (isAsked) for (const one of held) one.end(answer(''))
    })
    expect(verdictOf(await checker.check('fullpage', `good.test:${port}/`, { timeout: 60_000 }))).toBe('ok')
    expect(isAsked).toBe(true)
  })
})
