import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Failure } from '../../src/outgoing/failure.ts'
import { createResolver, type Resolve } from '../../src/outgoing/resolver.ts'
import { addressOf, type DnsAnswer, type DnsServer, rcodes, startDnsServer } from '../support/dns-server.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'resolver-'))
const servers = createNastyServers()
afterAll(() => {
  servers.closeAll()
  rmSync(folder, { recursive: true })
})

let files = 0

function resolverWith(port: number, configuration = 'nameserver 127.0.0.1\n', hosts = '', isShared = false): Resolve {
  files += 1
  const paths = { hosts: join(folder, `hosts-${files}`), configuration: join(folder, `resolv-${files}`) }
  writeFileSync(paths.hosts, hosts)
  writeFileSync(paths.configuration, configuration)
  return createResolver({ isShared, files: paths, port })
}

async function start(answer: DnsAnswer): Promise<DnsServer> {
  const server = await startDnsServer(answer)
  servers.adopt(server)
  return server
}

/** Answers the question that tells a living name server, and the rest as given. */
function alive(answer: DnsAnswer): DnsAnswer {
  return (query) =>
    query.name === '.' || query.name === ''
      ? { answers: [{ type: 'NS', name: '.', ttl: 60, data: 'a.root' }] }
      : answer(query)
}

async function symbolOf(lookup: Promise<unknown>): Promise<string> {
  try {
    return `found ${JSON.stringify(await lookup)}`
  } catch (error) {
    return error instanceof Failure ? error.symbol : String(error)
  }
}

test('the hosts file answers before any server', async () => {
  const server = await start(() => null)
  const resolve = resolverWith(
    server.port,
    undefined,
    '# comment\n192.0.2.5 Shop.example shop\n2001:db8::5 shop.example # six\n',
  )
  expect(await resolve('shop.example', 4, 500)).toEqual(['192.0.2.5'])
  expect(await resolve('SHOP', 4, 500)).toEqual(['192.0.2.5'])
  expect(await resolve('shop.example', 6, 500)).toEqual(['2001:db8::5'])
  expect(await resolve('shop', 6, 500)).toEqual([])
  expect(await resolve('localhost', 4, 500)).toEqual(['127.0.0.1'])
  expect(server.queries).toEqual([])
})

test('of several tenants none learns of the hosts file, the search list or the name servers', async () => {
  const server = await start(alive((query) => addressOf(query, '10.0.0.9')))
  const hosts = '10.0.0.5 vm shop.example db.internal\n'
  const resolve = resolverWith(server.port, 'nameserver 127.0.0.1\nsearch home.example\n', hosts, true)
  for (const name of ['vm', 'VM.', 'nas']) {
    expect([name, await symbolOf(resolve(name, 4, 500))]).toEqual([name, 'sensor_address_refused'])
  }
  expect(server.queries).toEqual([])
  expect(await resolve('localhost', 4, 500)).toEqual(['127.0.0.1'])
  expect(await resolve('shop.example', 4, 500)).toEqual(['10.0.0.9'])
  expect(server.queries.map(({ name }) => name)).toEqual(['shop.example'])
  const silent = await start(alive(() => null))
  const lookup = resolverWith(silent.port, undefined, '', true)('www.example.com', 4, 500)
  await expect(lookup).rejects.toMatchObject({ message: expect.not.stringContaining('127.0.0.1') })
})

test('aliases are followed within the reply', async () => {
  const server = await start(({ name }) => ({
    answers: [
      { type: 'CNAME', name, ttl: 60, data: 'edge.example' },
      { type: 'A', name: 'edge.example', ttl: 60, data: '192.0.2.7' },
      { type: 'A', name: 'stranger.example', ttl: 60, data: '10.0.0.1' },
    ],
  }))
  expect(await resolverWith(server.port)('www.example.com', 4, 500)).toEqual(['192.0.2.7'])
})

test('a long answer comes over TCP', async () => {
  const server = await start((query) => (query.transport === 'udp' ? { flags: 0x0200 } : addressOf(query, '192.0.2.1')))
  expect(await resolverWith(server.port)('www.example.com', 4, 500)).toEqual(['192.0.2.1'])
})

test('short names go through the search list', async () => {
  const server = await start((query) =>
    query.name === 'nas.home.example' ? addressOf(query, '192.0.2.1') : { flags: rcodes.NXDOMAIN },
  )
  const resolve = resolverWith(server.port, 'nameserver 127.0.0.1\nsearch home.example\n')
  expect(await resolve('nas', 4, 500)).toEqual(['192.0.2.1'])
  expect(await symbolOf(resolve('nas.', 4, 500))).toBe('name_not_found')
})

test('a name without addresses is told from one that does not exist', async () => {
  const server = await start(({ name }) => (name === 'empty.example' ? {} : { flags: rcodes.NXDOMAIN }))
  const resolve = resolverWith(server.port)
  expect(await symbolOf(resolve('empty.example', 4, 500))).toBe('found []')
  expect(await symbolOf(resolve('missing.example', 4, 500))).toBe('name_not_found')
})

test('a lost packet is asked for again', async () => {
  const server = await start(alive((query) => (query.count === 1 ? null : addressOf(query, '192.0.2.1'))))
  expect(await resolverWith(server.port)('www.example.com', 4, 800)).toEqual(['192.0.2.1'])
})

test('silence about one name is the name’s fault while the server answers others', async () => {
  const server = await start(alive(() => null))
  expect(await symbolOf(resolverWith(server.port)('www.example.com', 4, 300))).toBe('name_timeout')
})

test('a failure of one name is the name’s fault while the server answers others', async () => {
  const failing = await start(alive(() => ({ flags: rcodes.SERVFAIL })))
  const refusing = await start(alive(() => ({ flags: rcodes.REFUSED })))
  expect(await symbolOf(resolverWith(failing.port)('www.example.com', 4, 500))).toBe('name_server_failure')
  expect(await symbolOf(resolverWith(refusing.port)('www.example.com', 4, 500))).toBe('sensor_resolver_refused')
})

test('a name server that is silent, gone or fails everything is our fault', async () => {
  const silent = await start(() => null)
  const failing = await start(() => ({ flags: rcodes.SERVFAIL }))
  const gone = await startDnsServer(() => null)
  gone.close()
  for (const server of [silent, failing, gone]) {
    expect(await symbolOf(resolverWith(server.port)('www.example.com', 4, 200))).toBe('sensor_without_resolver')
  }
})
