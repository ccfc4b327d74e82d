import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { agentFor } from '../../src/sensor/far/proxy.ts'
import { type FarCore, farCore } from '../support/far-core.ts'

interface Proxy {
  readonly url: string
  /** Where it was asked to connect to, in order. */
  readonly asked: readonly string[]
  cut(): void
  close(): void
}

/** Knows CONNECT alone, for who has the password. */
async function connectProxy(password: string): Promise<Proxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', (request: IncomingMessage, near: Socket) => {
    near.on('error', () => near.destroy())
    const wanted = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
    if (request.headers['proxy-authorization'] !== wanted) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
      return
    }
    asked.push(request.url ?? '')
    const [host, port] = (request.url ?? '').split(':')
    const far = connect(Number(port), host, () => near.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
    sockets.add(near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://me:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('a station behind a proxy', () => {
  let proxy: Proxy
  let core: FarCore
  let directory: string
  beforeEach(async () => {
    proxy = await connectProxy('open sesame')
    core = await farCore()
    directory = await mkdtemp(join(tmpdir(), 'latarnik-proxy-'))
  })
  afterEach(async () => {
    await core.stop()
    proxy.close()
    await rm(directory, { recursive: true })
  })

  function station(proxyUrl: string, except: readonly string[] = []) {
    const kept = new KeptResults({ directory, maximumCount: 10, maximumBytes: 10_000, log: () => undefined })
    const stations = {
      check: () => new Promise<never>(() => undefined),
      diagnose: async () => ({ isOk: true, lines: [] }),
    }
    return connectToCore({
      ...{ server: core.url, token: 'token-1', version: 'test', categories: ['default'], city: '', country: '' },
      ...{ stations, kept, log: () => undefined, random: () => 0 },
      agent: agentFor(core.url, { url: proxyUrl, except }),
    })
  }

  test('reaches its core through it, also after the proxy has cut the line', async () => {
    const connection = station(proxy.url)
    expect(await connection.firstMeeting).toEqual({ sensorId: 1, name: 'Sensor 1' })
    expect(proxy.asked).toEqual([core.url.host])
    proxy.cut()
    await core.connected(1, false)
    await core.connected(1)
    expect(proxy.asked).toEqual([core.url.host, core.url.host])
    await connection.stop()
  })

  test('says when the proxy does not let it through', async () => {
    const connection = station(proxy.url.replace('open sesame', 'wrong'))
    expect(await connection.firstMeeting).toEqual({ refusal: 'the proxy of HTTPS_PROXY wants other credentials' })
    await connection.stop()
  })

  test('goes straight where NO_PROXY says so', async () => {
    const connection = station(proxy.url, ['127.0.0.1'])
    expect(await connection.firstMeeting).toEqual({ sensorId: 1, name: 'Sensor 1' })
    expect(proxy.asked).toEqual([])
    await connection.stop()
  })
})

test.each([
  ['https://core.example.com', 'example.com', true],
  ['https://core.example.com', '.example.com', true],
  ['https://core.example.com', '*.example.com', true],
  ['https://CORE.example.com', 'Core.Example.COM', true],
  ['https://core.example.com', 'ample.com', false],
  ['https://core.example.com', '*', true],
  ['https://core.example.com', 'example.com:443', true],
  ['https://core.example.com:8443', 'example.com:443', false],
  ['http://core.example.com', 'example.com:80', true],
  ['http://10.1.2.3', '10.1.2.3', true],
  ['http://10.1.2.3', '10.0.0.0/8', true],
  ['http://11.1.2.3', '10.0.0.0/8', false],
  ['http://10.1.2.3', '2.3', false],
  ['http://10.1.2.3', '10.0.0.0/99', false],
  ['http://[fd00::1]:8080', 'fd00::1', true],
  ['http://[fd00::1]:8080', '[fd00::1]:8080', true],
  ['http://[fd00::1]:8080', 'fd00::/8', true],
  ['http://core', '', false],
])('%s is an exception by %j: %s', (server, entry, isException) => {
  expect(agentFor(new URL(server), { url: 'http://proxy:3128', except: [entry] }) === undefined).toBe(isException)
})

test('without a proxy the way is direct', () => {
  expect(agentFor(new URL('https://core.example.com'), { url: undefined, except: [] })).toBeUndefined()
})
