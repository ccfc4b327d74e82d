import { encode } from 'dns-packet'
import { afterAll, expect, test } from 'vitest'
import type { ErrorTypeSymbol } from '../../src/domain/judging/error-types.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { addressOf, type DnsAnswer, type DnsServer, rcodes, startDnsServer } from '../support/dns-server.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

async function start(answer: DnsAnswer): Promise<DnsServer> {
  const server = await startDnsServer(answer)
  servers.adopt(server)
  return server
}

function ask(server: DnsServer, settings: Settings = {}) {
  return checker.check('dns', '127.0.0.1', {
    query_name: 'www.example.com',
    port: server.port,
    timeout: 3000,
    ...settings,
  })
}

const truncated = 0x0200

const rows: readonly (readonly [string, DnsAnswer, ErrorTypeSymbol | 'ok', Settings?])[] = [
  ['an address', (query) => addressOf(query, '192.0.2.1'), 'ok'],
  ['no such name', () => ({ flags: rcodes.NXDOMAIN }), 'dns_name_not_found'],
  ['no such name, as expected', () => ({ flags: rcodes.NXDOMAIN }), 'ok', { expected_rcode: 'NXDOMAIN' }],
  [
    'an address where none is expected',
    (query) => addressOf(query, '192.0.2.1'),
    'dns_unexpected_rcode',
    { expected_rcode: 'NXDOMAIN' },
  ],
  ['its own failure', () => ({ flags: rcodes.SERVFAIL }), 'dns_server_failure'],
  ['a refusal', () => ({ flags: rcodes.REFUSED }), 'dns_refused'],
  ['nothing for this type', () => ({}), 'dns_no_answer'],
  ['silence', () => null, 'dns_timeout', { timeout: 200 }],
  [
    'a reply to another question',
    () => ({ questions: [{ type: 'A', name: 'other.example' }] }),
    'dns_mismatch',
    { timeout: 200 },
  ],
  [
    'a reply with another id',
    (query) =>
      encode({ type: 'response', id: ((query.packet.id ?? 0) + 1) % 65_536, ...addressOf(query, '192.0.2.1') }),
    'dns_mismatch',
    { timeout: 200 },
  ],
  [
    'a reply cut off in its header fields',
    (query) => cutReply(query.packet.id ?? 0),
    'dns_malformed',
    { timeout: 200 },
  ],
  [
    'the expected address',
    (query) => addressOf(query, '192.0.2.1'),
    'ok',
    { expected_answer_regex: '^192\\.0\\.2\\.1$' },
  ],
  [
    'another address',
    (query) => addressOf(query, '192.0.2.9'),
    'dns_unexpected_answer',
    { expected_answer_regex: '^192\\.0\\.2\\.1$' },
  ],
]

function cutReply(id: number): Buffer {
  const reply = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0, 63, 97])
  reply.writeUInt16BE(id)
  return reply
}

for (const [what, answer, verdict, settings = {}] of rows) {
  test(`the server answers ${what}: ${verdict}`, async () => {
    const result = await ask(await start(answer), settings)
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })
}

test('a closed port is told from silence', async () => {
  const server = await startDnsServer(() => null)
  server.close()
  expect(verdictOf(await ask(server))).toBe('dns_port_closed')
})

test('a cut reply is asked for again over TCP', async () => {
  const server = await start((query) =>
    query.transport === 'udp' ? { flags: truncated } : addressOf(query, '192.0.2.1'),
  )
  expect(verdictOf(await ask(server, { expected_answer_regex: '192.0.2.1' }))).toBe('ok')
  expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp'])
})

test('transport tcp asks over TCP only', async () => {
  const server = await start((query) => addressOf(query, '192.0.2.1'))
  expect(verdictOf(await ask(server, { transport: 'tcp' }))).toBe('ok')
  expect(server.queries.map(({ transport }) => transport)).toEqual(['tcp'])
})

test('a server that stumbles over EDNS is asked without it', async () => {
  const server = await start((query) =>
    (query.packet.additionals ?? []).length > 0 ? { flags: rcodes.FORMERR } : addressOf(query, '192.0.2.1'),
  )
  expect(verdictOf(await ask(server))).toBe('ok')
})

test('one lost packet does not make a server down', async () => {
  const server = await start((query) => (query.count === 1 ? null : addressOf(query, '192.0.2.1')))
  expect(verdictOf(await ask(server, { timeout: 400 }))).toBe('ok')
  expect(server.queries).toHaveLength(2)
})

test('recursion is wished for unless the setting says no', async () => {
  const server = await start((query) => addressOf(query, '192.0.2.1'))
  await ask(server)
  await ask(server, { recursion_desired: false })
  expect(server.queries.map(({ packet }) => packet.flag_rd)).toEqual([true, false])
})

test('answers of every kind can be matched and are shown at a failure', async () => {
  const server = await start(({ name }) => ({
    answers: [
      { type: 'MX', name, ttl: 300, data: { preference: 10, exchange: 'mail.example.com' } },
      { type: 'TXT', name, ttl: 60, data: ['v=spf1 ', '-all'] },
      { type: 'CAA', name, ttl: 60, data: { flags: 128, tag: 'issue', value: 'ca.example.com' } },
    ],
    authorities: [{ type: 'NS', name, ttl: 60, data: 'ns.example.com' }],
  }))
  const settings = { query_type: 'MX' }
  expect(verdictOf(await ask(server, { ...settings, expected_answer_regex: '^10 mail\\.example\\.com$' }))).toBe('ok')
  expect(verdictOf(await ask(server, { ...settings, expected_answer_regex: 'v=spf1 -all' }))).toBe('ok')
  const { evidence } = await ask(server, { ...settings, expected_answer_regex: 'nothing' })
  expect(evidence?.facts).toMatchObject({
    dns_rcode: 'NOERROR',
    dns_authoritative: false,
    dns_answers:
      'www.example.com 300 MX 10 mail.example.com\nwww.example.com 60 TXT v=spf1 -all\nwww.example.com 60 CAA 128 issue ca.example.com',
    dns_authorities: 'www.example.com 60 NS ns.example.com',
  })
})

test.each([
  ['a missing name', { query_name: null }],
  ['an empty label', { query_name: 'a..example' }],
  ['a label of 64 letters', { query_name: `${'a'.repeat(64)}.example` }],
  ['an unknown type', { query_type: 'HINFO?' }],
])('%s cannot be asked for', async (_what, settings) => {
  const server = await start(() => null)
  expect(verdictOf(await ask(server, settings))).toBe('setting_invalid')
})
