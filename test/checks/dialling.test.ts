import { afterAll, expect, test } from 'vitest'
import { createDialler, type Dialler } from '../../src/outgoing/dial.ts'
import { parseHost } from '../../src/outgoing/host.ts'
import type { Resolve } from '../../src/outgoing/resolver.ts'
import { createScreen } from '../../src/outgoing/screen.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { clock, createChecker, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
afterAll(() => servers.closeAll())

test.each(['10.0.0.1', '::1', 'fd00::5', '::ffff:192.168.0.1'])('a name that leads to %s is refused', async (ip) => {
  const checker = createChecker({
    allow: [],
    resolve: (_name, family) => Promise.resolve(ip.includes(':') === (family === 6) ? [ip] : []),
  })
  const result = await checker.check('http', 'rebinding.example/')
  checker.stop()
  expect(verdictOf(result)).toBe('sensor_address_refused')
  expect(result.result).toBe('unknown')
  expect(result.errorMessage).toBe('rebinding.example leads to an address that may not be checked')
  expect(result.evidence?.ip_address).toBeNull()
})

test('a site of an allowed range that leads to a refused address is refused at its hop: the station could not follow', async () => {
  const port = await servers.good((_request, response) =>
    response.writeHead(302, { Location: 'http://inside.example/' }).end(),
  )
  const addresses: Readonly<Record<string, string>> = { 'outside.example': '127.0.0.1', 'inside.example': '10.0.0.1' }
  const checker = createChecker({ allow: ['127.0.0.0/8'], resolve: (name) => Promise.resolve([addresses[name] ?? '']) })
  const result = await checker.check('http', `outside.example:${port}/`)
  checker.stop()
  expect(verdictOf(result)).toBe('sensor_redirect_refused')
  expect(result.result).toBe('unknown')
  expect(result.evidence?.base_url).toBe('http://inside.example/')
})

test('a public site that sends its visitors to a private address fails: nobody on the internet can follow', async () => {
  const port = await servers.good((_request, response) =>
    response.writeHead(302, { Location: 'http://inside.example/' }).end(),
  )
  const addresses: Readonly<Record<string, string>> = { 'outside.example': '127.0.0.1', 'inside.example': '10.0.0.1' }
  const resolve: Resolve = (name) => Promise.resolve([addresses[name] ?? ''])
  const real = createDialler({ allow: ['127.0.0.0/8'], resolve })
  const dialler: Dialler = {
    ...real,
    async connect(attempt, checked, at) {
      const socket = await real.connect(attempt, checked, at)
      // The site stands on loopback; its address is a public one as far as the check can see.
      attempt.evidence.ip_address = '93.184.216.34'
      return socket
    },
  }
  const job = jobFor('http', `outside.example:${port}/`)
  const equipment = { ...createEquipment({ allow: ['127.0.0.0/8'], resolve }), dialler }
  const result = await runCheck(job, { equipment, watch: neverBlind, clock })
  expect([verdictOf(result), result.result]).toEqual(['address_refused', 'error'])
})

test('only the allowed ones of several addresses are dialled', async () => {
  const port = await servers.good((_request, response) => response.end('hello'))
  const checker = createChecker({ allow: ['127.0.0.1/32'], resolve: () => Promise.resolve(['10.0.0.1', '127.0.0.1']) })
  expect(verdictOf(await checker.check('http', `both.example:${port}/`))).toBe('ok')
  checker.stop()
})

test('each attempt looks the name up once and dials what was screened', async () => {
  const port = await servers.good((_request, response) => response.end('hello'))
  let lookups = 0
  const resolve: Resolve = () => {
    lookups += 1
    return Promise.resolve([lookups === 1 ? '127.0.0.1' : '10.0.0.1'])
  }
  const checker = createChecker({ allow: ['127.0.0.0/8'], resolve })
  expect(verdictOf(await checker.check('http', `turning.example:${port}/`))).toBe('ok')
  checker.stop()
  expect(lookups).toBe(1)
})

test('the operator opens single ranges and nothing else', () => {
  const isAllowed = createScreen(['192.168.1.0/24', 'fd00::/8', '10.0.0.1'])
  expect(['192.168.1.7', 'fd12::1', '10.0.0.1', '8.8.8.8', '2606:4700::1'].map(isAllowed)).toEqual(Array(5).fill(true))
  expect(['192.168.2.7', 'fc00::1', '10.0.0.2', '127.0.0.1', 'not an address'].map(isAllowed)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test('hosts are read as a browser reads them', () => {
  expect(parseHost('0x7F.1')).toEqual({ name: '127.0.0.1', family: 4 })
  expect(parseHost('[2001:DB8::0:1]')).toEqual({ name: '2001:db8::1', family: 6 })
  expect(parseHost('ŻÓŁW.example')).toEqual({ name: 'xn--w-uga1v8h.example', family: 0 })
  expect(parseHost('_dmarc.Example.com.')).toEqual({ name: '_dmarc.example.com.', family: 0 })
  for (const bad of ['', ' ', 'a b', 'a..b', '-x', '1.2.3.4.5', '999.1.1.1', 'fe80::1%eth0', 'a/b']) {
    expect(() => parseHost(bad), bad).toThrow()
  }
})

test('the next address is tried when the first refuses', async () => {
  const port = await servers.good((_request, response) => response.end('hello'))
  const checker = createChecker({ resolve: () => Promise.resolve(['127.0.0.2', '127.0.0.1']) })
  expect(verdictOf(await checker.check('http', `two.example:${port}/`))).toBe('ok')
  checker.stop()
})

test('IPv6 is used where there is no IPv4, and alone in the IPv6 types', async () => {
  const port = await servers.good((_request, response) => response.end('hello'), '::1')
  const only6: Resolve = (_name, family) => Promise.resolve(family === 6 ? ['::1'] : [])
  const only4: Resolve = (_name, family) => Promise.resolve(family === 4 ? ['127.0.0.1'] : [])
  const six = createChecker({ resolve: only6 })
  const four = createChecker({ resolve: only4 })
  expect(verdictOf(await six.check('http', `six.example:${port}/`))).toBe('ok')
  expect(verdictOf(await six.check('http_ipv6', `six.example:${port}/`))).toBe('ok')
  expect(verdictOf(await six.check('http', `[::1]:${port}/`))).toBe('ok')
  expect(verdictOf(await six.check('tcp_connect_ipv6', `[::1]:${port}`))).toBe('ok')
  expect(verdictOf(await four.check('http_ipv6', `four.example:${port}/`))).toBe('name_without_ipv6_address')
  expect(verdictOf(await four.check('tcp_connect_ipv6', `127.0.0.1:${port}`))).toBe('address_not_ipv6')
  const none = createChecker({ resolve: () => Promise.resolve([]) })
  expect(verdictOf(await none.check('http', 'none.example/'))).toBe('name_without_address')
  for (const checker of [six, four, none]) checker.stop()
})

test('an international name is looked up in its ASCII form', async () => {
  const port = await servers.good((_request, response) => response.end('hello'))
  const names: string[] = []
  const checker = createChecker({
    resolve: (name) => {
      names.push(name)
      return Promise.resolve(['127.0.0.1'])
    },
  })
  await checker.check('http', `żółw.example:${port}/`)
  await checker.check('tcp_connect', `żółw.example:${port}`)
  checker.stop()
  expect(names).toEqual(['xn--w-uga1v8h.example', 'xn--w-uga1v8h.example'])
})
