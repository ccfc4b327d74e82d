import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { Registries } from '../../src/registries/registries.ts'
import { passingStore } from '../../src/registries/store.ts'
import { readWhois } from '../../src/registries/whois-answer.ts'
import { endOfWhois } from '../../src/registries/whois-date.ts'
import { virtualClock } from '../support/clock.ts'
import { openRegistry, type Registry } from '../support/registry.ts'

/** Top-level domains whose registries speak WHOIS alone, with a server on loopback. */

const domain = 'shop.whois'
const answerOf = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`
type Behaviour = string | ((socket: Socket) => void)

async function openWhois() {
  const answers = new Map<string, Behaviour>()
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (question) => {
      const text = question.toString().trim()
      asked.push(text)
      const behave = answers.get(text) ?? 'Nothing is known.\r\n'
      if (typeof behave === 'string') socket.end(behave)
      else behave(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const place = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  answers.set('whois', answerOf('% The list', '', 'domain:       WHOIS', `whois:        ${place}`, 'status: ACTIVE'))
  return {
    ...{ place, answers, asked },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

let whois: Awaited<ReturnType<typeof openWhois>>
let registry: Registry
let clock: ReturnType<typeof virtualClock>
let registries: Registries

function open(allow: 'all' | readonly string[] = 'all'): Registries {
  const way = { server: whois.place, dialler: createDialler({ allow }) }
  const { bootstrapUrl } = registry
  return new Registries({ store: passingStore(), ways: registryWays('all'), clock, bootstrapUrl, whois: way })
}

beforeEach(async () => {
  whois = await openWhois()
  registry = await openRegistry()
  clock = virtualClock()
  registries = open()
})
afterEach(async () => {
  await whois.close()
  await registry.close()
})

const described = (...more: readonly string[]) => answerOf(`Domain Name: ${domain.toUpperCase()}`, ...more)
const questions = () => whois.asked.filter((asked) => asked === domain).length

test('a registry without RDAP is asked in WHOIS, once a day, and its server is looked for once a week', async () => {
  whois.answers.set(domain, described('Registry Expiry Date: 2027-05-12T10:00:00Z', 'Registrar: Good Names Ltd'))
  const { registration, fault } = await registries.read(domain)
  expect(fault).toBeNull()
  expect(registration).toMatchObject({ domain, endsAt: Date.UTC(2027, 4, 12, 10), registrar: 'Good Names Ltd' })
  await registries.read(domain)
  for (let days = 0; days < 6; days += 1) {
    clock.advance(dayLength)
    await registries.read(domain)
  }
  expect(questions()).toBe(7)
  expect(whois.asked.filter((asked) => asked === 'whois')).toHaveLength(1)
})

test('a registry with RDAP is never asked in WHOIS', async () => {
  await registries.read('shop.example')
  expect(whois.asked).toEqual([])
})

async function faultFor(behave: Behaviour): Promise<string | undefined> {
  whois.answers.set(domain, behave)
  return (await registries.read(domain)).fault?.symbol
}

describe('an answer that says nothing of the domain is unknown', () => {
  test.each<[string, Behaviour, string]>([
    ['about another domain', answerOf('Domain: other.whois', 'expires: 2027-01-01'), 'registry_answer_invalid'],
    ['nothing', '', 'registry_answer_invalid'],
    ['a page', '<html><h1>It works</h1></html>', 'registry_answer_invalid'],
    ['a limit', '% Query rate limit exceeded. Try again later.\r\n', 'registry_refused'],
    ['far too long', (socket) => socket.end('x'.repeat(70_000)), 'registry_silent'],
    ['cut short', (socket) => socket.end('Doma'), 'registry_answer_invalid'],
  ])('%s', async (_what, behave, symbol) => {
    expect(await faultFor(behave)).toBe(symbol)
  })

  test('one that never ends', { timeout: 60_000 }, async () => {
    expect(
      await faultFor((socket) => {
        const drip = setInterval(() => socket.write('x\r\n'), 50)
        socket.on('close', () => clearInterval(drip))
      }),
    ).toBe('registry_silent')
  })
})

test('a server that wants no more questions is left alone, for every domain', async () => {
  expect(await faultFor('Quota exceeded\r\n')).toBe('registry_refused')
  expect((await registries.read('other.whois')).fault?.symbol).toBe('registry_refused')
  expect(whois.asked).not.toContain('other.whois')
  clock.advance(dayLength)
  expect(await faultFor(described('expires: 2027-05-12'))).toBeUndefined()
})

test('a domain that is not registered is missing', async () => {
  whois.answers.set(domain, 'No match for domain "SHOP.WHOIS".\r\n')
  expect(await registries.read(domain)).toMatchObject({ misses: 1, fault: null, registration: null })
})

test('a top-level domain without any server, one whose list is away, and a private server', async () => {
  whois.answers.set('nowhere', answerOf('domain: NOWHERE', 'whois:', 'status: ACTIVE'))
  expect((await registries.read('shop.nowhere')).fault?.symbol).toBe('registry_unknown')
  whois.answers.set('away', (socket) => socket.destroy())
  expect((await registries.read('shop.away')).fault?.symbol).toBe('registry_silent')
  await registries.read('other.away')
  expect(whois.asked.filter((asked) => asked === 'away')).toHaveLength(1)
  clock.advance(hourLength)
  await registries.read('third.away')
  expect(whois.asked.filter((asked) => asked === 'away')).toHaveLength(2)
  const asked = whois.asked.length
  expect((await open([]).read(domain)).fault?.symbol).toBe('registry_silent')
  expect(whois.asked).toHaveLength(asked)
})

test('a referral to a private address is not followed where only public ones may be', async () => {
  whois.answers.set('whois', answerOf('domain: WHOIS', 'whois: 169.254.169.254'))
  expect((await open(['127.0.0.0/8']).read(domain)).fault?.symbol).toBe('registry_silent')
})

test.each<[string, number | null]>([
  ['2027-05-12T10:30:00Z', Date.UTC(2027, 4, 12, 10, 30)],
  ['2027-05-12T10:30:00.0Z', Date.UTC(2027, 4, 12, 10, 30)],
  ['2027-05-12 10:30:00+03', Date.UTC(2027, 4, 12, 7, 30)],
  ['2027-05-12T10:30:00+0530', Date.UTC(2027, 4, 12, 5)],
  // Without a zone, and without a time: the end of the day.
  ['2027-05-12 10:30:00', Date.UTC(2027, 4, 13)],
  ['2027-05-12', Date.UTC(2027, 4, 13)],
  ['2027/05/12', Date.UTC(2027, 4, 13)],
  ['2027.05.12 14:00:00', Date.UTC(2027, 4, 13)],
  ['2027. 05. 12.', Date.UTC(2027, 4, 13)],
  ['20270512', Date.UTC(2027, 4, 13)],
  ['12-May-2027', Date.UTC(2027, 4, 13)],
  ['2027-May-12.', Date.UTC(2027, 4, 13)],
  ['4.9.2027 10:15:55', Date.UTC(2027, 8, 5)],
  ['05-12-2027', null],
  ['05/12/2027', null],
  ['31.02.2027', null],
  ['0001-01-01', null],
  ['soon', null],
  ['', null],
])('%j is read in one way only', (text, at) => {
  expect(endOfWhois(text)).toBe(at)
})

test.each<[string, string, object]>([
  [
    'as most registries write it',
    answerOf(
      ...['Domain Name: shop.whois', 'Updated Date: 2026-01-01T00:00:00Z', 'Creation Date: 2011-05-12T00:00:00Z'],
      ...['Registry Expiry Date: 2027-05-12T00:00:00Z', 'Registrar Registration Expiration Date: 2026-12-01T00:00:00Z'],
      ...['Registrar: Good Names Ltd', 'Domain Status: clientHold https://icann.org/epp#clientHold'],
      ...['Name Server: NS1.SHOP.WHOIS', 'Name Server: ns1.shop.whois', 'DNSSEC: signedDelegation'],
    ),
    {
      ...{ endsAt: Date.UTC(2027, 4, 12), registeredAt: Date.UTC(2011, 4, 12), registrar: 'Good Names Ltd' },
      ...{ nameServers: ['ns1.shop.whois'], isSigned: true, statuses: ['client hold'] },
    },
  ],
  [
    'with dots and brackets',
    answerOf('[Domain Name]      SHOP.WHOIS', 'expires............:  4.9.2027 10:15:55', '[Status]   Active'),
    { endsAt: Date.UTC(2027, 8, 5), statuses: ['active'], isSigned: null, registrar: null },
  ],
  [
    'with states in a row',
    answerOf(
      'domain:  shop.whois',
      'nserver: ns1.x.whois. 192.0.2.1',
      'state: REGISTERED, DELEGATED',
      'paid-till: soon',
    ),
    { endsAt: null, statuses: ['registered', 'delegated'], nameServers: ['ns1.x.whois'] },
  ],
])('an answer %s', (_what, text, expected) => {
  expect(readWhois(text, domain)).toMatchObject({ kind: 'found', registration: expected })
})

test.each([
  ['Domain: shop.whois\r\nStatus: free\r\n', 'missing'],
  ['Domain: shop.whois\r\nStatus:             AVAILABLE\r\n', 'missing'],
  ['% No entries found for the selected source(s).\r\n', 'missing'],
  ['Domain shop.whois not found\r\n', 'missing'],
  ['Remarks: not found anywhere else\r\nDomain: shop.whois\r\n', 'found'],
  ['Whois service is not available\r\n', 'unclear'],
])('%j is %s', (text, kind) => {
  expect(readWhois(text, domain).kind).toBe(kind)
})

test('a long hostile answer is read at once', () => {
  const texts = [
    `Domain: ${'.'.repeat(60_000)}`,
    '[ '.repeat(30_000),
    ': '.repeat(30_000),
    `domain ${'a '.repeat(30_000)}`,
  ]
  for (const text of texts) expect(readWhois(text, domain).kind).toBe('unclear')
})
