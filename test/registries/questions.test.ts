import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { checkDomain } from '../../src/registries/domain-check.ts'
import { Registries } from '../../src/registries/registries.ts'
import { passingStore } from '../../src/registries/store.ts'
import { virtualClock } from '../support/clock.ts'
import { describedDomain, json, openRegistry, type Registry } from '../support/registry.ts'

/** Questions to a registry on loopback, which may answer anything. */

const domain = 'shop.example'
const path = `/rdap/domain/${domain}`
let registry: Registry
let clock: ReturnType<typeof virtualClock>
let registries: Registries

function open(bootstrapUrl = registry.bootstrapUrl): Registries {
  return new Registries({
    store: passingStore(),
    ways: registryWays(['127.0.0.1/32']),
    clock,
    bootstrapUrl,
    whois: null,
  })
}

beforeEach(async () => {
  registry = await openRegistry()
  clock = virtualClock()
  registries = open()
})
afterEach(() => registry.close())

const end = Date.UTC(2027, 4, 12)
const questions = () => registry.asked.filter((asked) => asked === path).length

async function faultFor(body: unknown, headers = {}, status = 200): Promise<readonly [string?, string?]> {
  registry.answers.set(path, json(body, headers, status))
  const { fault } = await registries.read(domain)
  return fault === null ? [] : [fault.symbol, fault.message]
}

test('a registration is read, and asked for once a day by all who watch it', async () => {
  registry.answers.set(path, json(describedDomain(domain, { end })))
  const [one, other] = await Promise.all([registries.read(domain), registries.read(domain)])
  expect(one).toBe(other)
  expect(one.registration).toEqual({
    ...{ domain, endsAt: end, registeredAt: Date.UTC(2011, 4, 12), registrar: 'Good Names Ltd' },
    ...{ nameServers: ['ns1.shop.example'], isSigned: true, statuses: ['active'] },
  })
  await registries.read(domain)
  clock.advance(dayLength - 1)
  await registries.read(domain)
  expect(questions()).toBe(1)
  clock.advance(1)
  await registries.read(domain)
  expect(questions()).toBe(2)
  expect(registry.asked.filter((asked) => asked === '/dns.json')).toHaveLength(2)
})

test('an answer that did not change is not sent again, nor is the list', async () => {
  const listed = { services: [[['example'], [`${registry.origin}/rdap/`]]] }
  const unlessKnown = (body: unknown) => (request: IncomingMessage, response: ServerResponse) => {
    const isKnown = request.headers['if-none-match'] === '"1"'
    json(isKnown ? '' : body, { etag: '"1"' }, isKnown ? 304 : 200)(request, response)
  }
  registry.answers.set('/dns.json', unlessKnown(listed))
  registry.answers.set(path, unlessKnown(describedDomain(domain, { end })))
  await registries.read(domain)
  clock.advance(dayLength)
  const memory = await registries.read(domain)
  expect(registry.headers.map((headers) => headers['if-none-match'])).toEqual([undefined, undefined, '"1"', '"1"'])
  expect(memory).toMatchObject({ answeredAt: clock.now(), fault: null, registration: { endsAt: end } })
})

test('a server that asks for a pause gets it, for every domain', async () => {
  expect(await faultFor('', { 'retry-after': '7200' }, 429)).toEqual([
    'registry_refused',
    expect.stringContaining('status 429'),
  ])
  const other = await registries.read('mill.example')
  expect(other.fault?.symbol).toBe('registry_refused')
  expect(registry.asked).not.toContain('/rdap/domain/mill.example')
  clock.advance(2 * hourLength - 1)
  await registries.read(domain)
  expect(questions()).toBe(1)
  clock.advance(1)
  expect(await faultFor(describedDomain(domain, { end }))).toEqual([])
  expect(questions()).toBe(2)
})

test('no answer keeps a server unasked for longer than a day', async () => {
  const week = String(7 * 86_400)
  expect(await faultFor('', { 'retry-after': week }, 429)).toMatchObject(['registry_refused', expect.any(String)])
  registry.answers.set('/rdap/domain/mill.example', json(describedDomain('mill.example', { end })))
  clock.advance(dayLength - 1)
  expect((await registries.read('mill.example')).fault?.symbol).toBe('registry_refused')
  clock.advance(dayLength)
  expect(await faultFor(describedDomain(domain, { end }))).toEqual([])
  expect((await registries.read('mill.example')).registration?.domain).toBe('mill.example')
})

test('a list that is not given for a week is asked for again after a day', async () => {
  registry.answers.set('/dns.json', json('', { 'retry-after': String(7 * 86_400) }, 503))
  expect((await registries.read(domain)).fault?.symbol).toBe('registry_silent')
  registry.answers.set('/dns.json', json({ services: [[['example'], [`${registry.origin}/rdap/`]]] }))
  clock.advance(dayLength)
  expect(await faultFor(describedDomain(domain, { end }))).toEqual([])
})

test('one question at a time goes to a server', async () => {
  let running = 0
  let most = 0
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.example`)
  for (const name of names) {
    registry.answers.set(`/rdap/domain/${name}`, (request, response) => {
      running += 1
      most = Math.max(most, running)
      void pause(10).then(() => {
        running -= 1
        json(describedDomain(name, { end }))(request, response)
      })
    })
  }
  const read = await Promise.all(names.map((name) => registries.read(name)))
  expect(read.map(({ registration }) => registration?.domain)).toEqual(names)
  expect(most).toBe(1)
})

test.each<[string, unknown, number | null]>([
  ['no end', [], null],
  [
    'several ends',
    [
      ['expiration', '2026-12-01T00:00:00Z'],
      ['expiration', '2027-05-12T00:00:00Z'],
    ],
    end,
  ],
  ['the end of the registrar alone', [['registrar expiration', '2026-12-01T00:00:00Z']], null],
  ['an end that is no moment', [['expiration', 'soon']], null],
  ['an end in the age of the dinosaurs', [['expiration', '0001-01-01T00:00:00Z']], null],
  ['an end in capitals', [['EXPIRATION', '2027-05-12T00:00:00Z']], end],
])('%s among the events', async (_what, events, endsAt) => {
  const written = (events as [string, string][]).map(([eventAction, eventDate]) => ({ eventAction, eventDate }))
  registry.answers.set(path, json(describedDomain(domain, { more: { events: [null, 7, ...written] } })))
  expect((await registries.read(domain)).registration?.endsAt).toBe(endsAt)
})

test('members of another kind than expected count as missing', async () => {
  const more = { events: 'none', nameservers: [{ ldhName: 7 }], status: [1, 'Active'], secureDNS: true, entities: {} }
  registry.answers.set(path, json(describedDomain(domain, { more })))
  expect((await registries.read(domain)).registration).toEqual({
    ...{ domain, endsAt: null, registeredAt: null, registrar: null, nameServers: [], isSigned: null },
    statuses: ['active'],
  })
})

describe('an answer that says nothing of the domain is unknown', () => {
  const huge = { ...describedDomain(domain, { end }), remarks: 'x'.repeat(700_000) }
  test.each<[string, unknown, Readonly<Record<string, string>>, number, string]>([
    ['about another domain', describedDomain('mill.example', { end }), {}, 200, 'registry_answer_invalid'],
    ['about no domain', { objectClassName: 'help' }, {}, 200, 'registry_answer_invalid'],
    ['without a name', describedDomain(domain, { more: { ldhName: null } }), {}, 200, 'registry_answer_invalid'],
    ['a list', [], {}, 200, 'registry_answer_invalid'],
    ['no JSON', '<html>', {}, 200, 'registry_answer_invalid'],
    ['cut short', '{"objectClassName":"domain"', {}, 200, 'registry_answer_invalid'],
    ['far too large', huge, {}, 200, 'registry_answer_invalid'],
    ['an error', {}, {}, 500, 'registry_answer_invalid'],
    ['a refusal', {}, {}, 403, 'registry_refused'],
    ['the 404 of a proxy', 'Not found', { 'content-type': 'text/html' }, 404, 'registry_answer_invalid'],
    ['a redirect to nowhere', '', {}, 302, 'registry_answer_invalid'],
    ['a redirect to itself', '', { location: path }, 302, 'registry_answer_invalid'],
    ['a redirect to a file', '', { location: 'file:///etc/passwd' }, 302, 'registry_answer_invalid'],
    ['a redirect to this machine', '', { location: 'http://127.0.0.2:1/' }, 302, 'registry_silent'],
    ['a redirect to a metadata service', '', { location: 'http://169.254.169.254/' }, 307, 'registry_silent'],
    ['a redirect to a private network', '', { location: 'http://10.0.0.1/' }, 301, 'registry_silent'],
  ])('%s', async (_what, body, headers, status, symbol) => {
    expect(await faultFor(body, headers, status)).toEqual([symbol, expect.any(String)])
  })

  test('a connection that breaks', async () => {
    registry.answers.set(path, (request) => request.socket.destroy())
    expect((await registries.read(domain)).fault?.symbol).toBe('registry_silent')
  })

  test('a server that never ends its answer', { timeout: 60_000 }, async () => {
    registry.answers.set(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rdap+json' })
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
    })
    expect((await registries.read(domain)).fault?.symbol).toBe('registry_answer_invalid')
  })
})

test('a name in other letters is asked for as registries spell it', async () => {
  const ascii = 'xn--agle-99a.example'
  registry.answers.set(`/rdap/domain/${ascii}`, json(describedDomain(ascii, { more: { ldhName: 'żagle.example' } })))
  const job = { serviceId: 1, sensorId: 0, typeId: 'domain', address: 'www.żagle.example', startAt: 0, deadlineAt: 0 }
  const settings = { expected_name_servers: `ns1.${ascii}` }
  expect(await checkDomain({ ...job, settings }, registries, clock.now)).toMatchObject({ result: 'ok' })
})

test('a redirect within the server is followed', async () => {
  registry.answers.set(path, json('', { location: '/moved' }, 302))
  registry.answers.set('/moved', json(describedDomain(domain, { end })))
  expect((await registries.read(domain)).registration?.endsAt).toBe(end)
})

test('a private server that nobody allowed is not dialled', async () => {
  const ways = registryWays([])
  const careful = new Registries({
    store: passingStore(),
    ways,
    clock,
    bootstrapUrl: registry.bootstrapUrl,
    whois: null,
  })
  expect((await careful.read(domain)).fault?.symbol).toBe('registry_silent')
  expect(registry.asked).toEqual([])
})

test('a domain without a known registry, and a list that cannot be read', async () => {
  expect((await registries.read('shop.invalid')).fault?.symbol).toBe('registry_unknown')
  registry.answers.set('/dns.json', json('no list'))
  const later = open()
  expect((await later.read(domain)).fault?.symbol).toBe('registry_silent')
  await later.read('mill.example')
  // A list that failed is not asked for again at once.
  expect(registry.asked.filter((asked) => asked === '/dns.json')).toHaveLength(2)
})

test('an old list is better than none', async () => {
  registry.answers.set(path, json(describedDomain(domain, { end })))
  await registries.read(domain)
  registry.answers.set('/dns.json', json('', {}, 500))
  clock.advance(dayLength)
  expect((await registries.read(domain)).fault).toBeNull()
  expect(questions()).toBe(2)
})
