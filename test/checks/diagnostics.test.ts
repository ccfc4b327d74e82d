import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { DiagnosticRequest } from '../../src/domain/services/diagnostic.ts'
import { createScreen } from '../../src/outgoing/screen.ts'
import { runDiagnostic } from '../../src/sensor/diagnose.ts'
import { openHopSocket } from '../../src/sensor/diagnostics/hop-socket.ts'
import { hopsWriter } from '../../src/sensor/diagnostics/traceroute.ts'
import { createEquipment, type EquipmentOptions } from '../../src/sensor/equipment.ts'
import { type LocalStations, startLocalStations } from '../../src/sensor/local.ts'
import type { DiagnosticResult } from '../../src/sensor/protocol.ts'
import { clock } from '../support/check.ts'
import { addressOf, type DnsAnswer, type DnsServer, rcodes, startDnsServer } from '../support/dns-server.ts'

const opened: DnsServer[] = []
const started: LocalStations[] = []
afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})
afterAll(async () => {
  await Promise.all(started.map((stations) => stations.stop()))
})

async function nameServer(answer: DnsAnswer): Promise<DnsServer> {
  const server = await startDnsServer(answer)
  opened.push(server)
  return server
}

function diagnose(
  request: DiagnosticRequest,
  options: Partial<EquipmentOptions> = {},
  withinMs = 10_000,
): Promise<DiagnosticResult> {
  const equipment = createEquipment({ allow: 'all', ...options })
  return runDiagnostic({ sensorId: 1, request, deadlineAt: clock.now() + withinMs }, { equipment, clock })
}

function dns(more: Partial<Extract<DiagnosticRequest, { kind: 'dns' }>> = {}): DiagnosticRequest {
  return { kind: 'dns', host: 'www.example.com', query_type: 'A', server: '127.0.0.1', port: 53, ...more }
}

function route(host: string): DiagnosticRequest {
  return { kind: 'traceroute', host }
}

describe('a DNS query', () => {
  test('shows everything that the named server answers', async () => {
    const { port } = await nameServer((query) => ({
      ...addressOf(query, '192.0.2.1'),
      authorities: [{ type: 'NS', name: 'example.com', ttl: 60, data: 'ns1.example.com' }],
    }))
    const { isOk, lines } = await diagnose(dns({ port }))
    expect(isOk).toBe(true)
    expect(lines).toEqual([
      `www.example.com A, asked 127.0.0.1 port ${port}`,
      expect.stringMatching(/^NOERROR in \d+ ms, \d+ bytes over udp$/),
      expect.stringMatching(/^authoritative: (yes|no), recursion available: (yes|no)$/),
      expect.stringMatching(/^answer: www\.example\.com \d+ A 192\.0\.2\.1$/),
      'authority: example.com 60 NS ns1.example.com',
    ])
  })

  test('asks the own name servers of the sensor without telling where they are', async () => {
    const dead = await startDnsServer(() => null)
    dead.close()
    const { port } = await nameServer((query) => addressOf(query, '8.8.8.8'))
    const nameServers = () => [
      { ip: '127.0.0.1', port: dead.port },
      { ip: '127.0.0.1', port },
    ]
    const { isOk, lines } = await diagnose(dns({ server: null }), { nameServers, allow: [] })
    expect([isOk, lines[0]]).toEqual([true, 'www.example.com A, asked the name server of the sensor'])
    expect(lines.join()).toContain('8.8.8.8')
    expect(lines.join()).not.toContain('127.0.0.1')
  })

  test.each([
    ['a private address', dns({ server: null }), 'A', '10.1.2.3'],
    ['a private IPv6 address', dns({ server: null, query_type: 'AAAA' }), 'AAAA', 'fd00::7'],
    ['an alias inside', dns({ server: null, query_type: 'CNAME' }), 'CNAME', 'vm.internal'],
  ] as const)(
    'the own name servers do not tell of %s where private addresses are refused',
    async (_what, request, type, data) => {
      const { port } = await nameServer(({ name }) => ({ answers: [{ type, name, ttl: 60, data }] }))
      const nameServers = () => [{ ip: '127.0.0.1', port }]
      const { isOk, lines } = await diagnose(request, { nameServers, allow: [] })
      expect([isOk, lines.length, lines.join()]).toEqual([false, 1, expect.stringContaining('may not be shown')])
      expect(lines.join()).not.toContain(data)
      expect((await diagnose(request, { nameServers })).lines.join()).toContain(data)
    },
  )

  test.each(['vm', 'db.internal', '5.0.0.10.in-addr.arpa', '0.10.in-addr.arpa'])(
    'the own name servers are not asked for %s where private addresses are refused',
    async (host) => {
      const { port, queries } = await nameServer(({ name }) => ({
        answers: [{ type: 'PTR', name, ttl: 60, data: 'a.b' }],
      }))
      const nameServers = () => [{ ip: '127.0.0.1', port }]
      const { isOk } = await diagnose(dns({ host, query_type: 'PTR', server: null }), { nameServers, allow: [] })
      expect([isOk, queries]).toEqual([false, []])
    },
  )

  test('a refusal is an answer too', async () => {
    const { port } = await nameServer(() => ({ flags: rcodes.NXDOMAIN }))
    const { isOk, lines } = await diagnose(dns({ port }))
    expect([isOk, lines[1]]).toEqual([true, expect.stringMatching(/^NXDOMAIN /)])
  })

  test.each([
    ['silence', { host: 'www.example.com' }, 'not finished within 200 ms'],
    ['a name that is none', { host: `${'a'.repeat(64)}.example` }, 'bad label'],
    ['a type that cannot be asked for', { query_type: 'ANY' }, 'records of type ANY cannot be asked for'],
    ['a server that is no host', { server: 'a b' }, 'is not a host name or an address'],
  ])('%s is a failure that says why', async (_what, more, reason) => {
    const { port } = await nameServer(() => null)
    const { isOk, lines } = await diagnose(dns({ port, ...more }), {}, 200)
    expect([isOk, lines.at(-1)]).toEqual([false, expect.stringContaining(reason)])
  })

  test.each(['127.0.0.1', 'localhost', '2130706433', '::ffff:127.0.0.1'])(
    'never asks %s where private addresses are refused',
    async (server) => {
      const { port, queries } = await nameServer((query) => addressOf(query, '192.0.2.1'))
      const { isOk, lines } = await diagnose(dns({ server, port }), { allow: [] })
      expect([isOk, lines.at(-1)]).toEqual([false, expect.stringContaining('may not be checked')])
      expect(queries).toEqual([])
    },
  )

  test('a hostile answer cannot grow without bounds', async () => {
    const { port } = await nameServer(({ name, transport }) => ({
      ...(transport === 'udp' ? { flags: 0x0200 } : {}),
      answers:
        transport === 'udp'
          ? []
          : Array.from({ length: 300 }, (_none, index) => ({
              type: 'TXT',
              name,
              ttl: 1,
              data: Array.from({ length: index === 0 ? 9 : 1 }, () => 'x'.repeat(150)),
            })),
    }))
    const { lines } = await diagnose(dns({ port, query_type: 'TXT' }))
    expect(lines.length).toBeLessThanOrEqual(200)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(1000)
  })
})

test('a program that traces a route names no router of the operator', () => {
  const lines: string[] = []
  const write = hopsWriter('192.0.2.9', createScreen([]), (line) => lines.push(line))
  for (const line of ['1  10.0.0.1  0.4 ms', ' 2:  8.8.8.8 (8.8.8.8)  3 ms', '3  192.0.2.9  5.0 ms']) write(line)
  expect(lines).toEqual(['1  private address  0.4 ms', ' 2:  8.8.8.8 (8.8.8.8)  3 ms', '3  192.0.2.9  5.0 ms'])
})

describe('a route', () => {
  const canTrace = openHopSocket('127.0.0.1', 4)
  canTrace?.close()

  test('to this machine has one hop', async (context) => {
    if (canTrace === null) context.skip('this machine has no sockets that hear of hops')
    const { isOk, lines } = await diagnose(route('localhost'))
    expect(lines).toEqual([
      'route to localhost (127.0.0.1), 30 hops at most',
      expect.stringMatching(/^1 {2}127\.0\.0\.1 {2}\d+\.\d ms$/),
    ])
    expect(isOk).toBe(true)
  })

  test('is heard by the packet that it was about', (context) => {
    if (canTrace === null) context.skip('this machine has no sockets that hear of hops')
    const socket = openHopSocket('127.0.0.1', 4)
    try {
      expect(socket?.receive(40_001)).toBeNull()
      expect(socket?.send(1, 40_001)).toBe(true)
      expect(socket?.receive(40_002)).toBeNull()
      expect(socket?.send(1, 40_002)).toBe(true)
      expect(socket?.receive(40_002)).toEqual({ ip: '127.0.0.1', isTarget: true, refusal: null })
    } finally {
      socket?.close()
    }
  })

  test('over IPv6 too, where the machine has it', async () => {
    const socket = openHopSocket('::1', 6)
    if (socket?.send(1, 40_003) !== true) return socket?.close()
    expect(socket.receive(40_003)).toEqual({ ip: '::1', isTarget: true, refusal: null })
    socket.close()
  })

  test('is not looked for where private addresses are refused', async () => {
    const { isOk, lines } = await diagnose(route('127.0.0.1'), { allow: [] })
    expect([isOk, lines]).toEqual([false, [expect.stringContaining('may not be checked')]])
  })

  test('to what is no host is a failure that says so', async () => {
    const { isOk, lines } = await diagnose(route('http://x/'))
    expect([isOk, lines]).toEqual([false, [expect.stringContaining('is not a host name or an address')]])
  })
})

describe('local stations', () => {
  async function start(entry?: string): Promise<LocalStations> {
    const options = { sensorIds: [1], allow: 'all', log: () => {}, ...(entry === undefined ? {} : { entry }) } as const
    const stations = await startLocalStations(options)
    started.push(stations)
    return stations
  }

  test('diagnose in their own process', async () => {
    const { port } = await nameServer((query) => addressOf(query, '192.0.2.1'))
    const stations = await start()
    const job = { sensorId: 1, request: dns({ port }), deadlineAt: clock.now() + 10_000 }
    expect(await stations.diagnose(job)).toMatchObject({ isOk: true })
    expect(await stations.diagnose({ ...job, sensorId: 9 })).toEqual({
      isOk: false,
      lines: ['sensor 9 is not a station of this process'],
    })
  })

  test('that die or say nothing are a failure', async () => {
    const stations = await start(fileURLToPath(new URL('../support/dying-station.ts', import.meta.url)))
    const job = { sensorId: 1, request: dns(), deadlineAt: clock.now() + 10_000 }
    expect(await stations.diagnose(job)).toEqual({ isOk: false, lines: ['the probing process ended meanwhile'] })
    expect(await stations.diagnose(job)).toEqual({ isOk: false, lines: ['the probing process is not running'] })
  })
})
