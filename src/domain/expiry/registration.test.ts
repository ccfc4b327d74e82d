import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayLength, hourLength } from '../calendars/durations.ts'
import {
  type DomainDemands,
  findingOf,
  longestTrust,
  memoryAfter,
  namesIn,
  nothingAsked,
  type Registration,
  type RegistryAnswer,
  type RegistryMemory,
  registrableDomain,
} from './registration.ts'

const now = Date.parse('2026-11-25T12:00:00Z')
const domain = 'shop.example'
const nobody: DomainDemands = { nameServers: [], registrar: '', mustBeSigned: false }
const quiet = { maxAge: null, retryAfter: null }

const registration: Registration = {
  ...{ domain, endsAt: now + 90 * dayLength, registeredAt: now - 900 * dayLength, registrar: 'Good Names Ltd' },
  ...{ nameServers: ['ns1.shop.example', 'ns2.shop.example'], isSigned: true, statuses: ['active'] },
}
const found = (more: Partial<Registration> = {}): RegistryAnswer => ({
  ...{ kind: 'found', registration: { ...registration, ...more }, etag: null },
})
const missing: RegistryAnswer = { kind: 'missing' }
const silent: RegistryAnswer = { kind: 'failed', fault: { symbol: 'registry_silent', message: 'no answer' } }

/** The memory after these answers, one a day. */
function remembered(...answers: readonly RegistryAnswer[]): RegistryMemory {
  return answers.reduce<RegistryMemory>(
    (memory, answer, index) => memoryAfter(memory, answer, quiet, now - (answers.length - 1 - index) * dayLength),
    nothingAsked,
  )
}

function faultOf(memory: RegistryMemory, demands: Partial<DomainDemands> = {}, at = now) {
  return findingOf(domain, memory, { ...nobody, ...demands }, at).fault?.symbol ?? null
}

test.each([
  ['example.com', 'example.com'],
  ['www.shop.example.co.uk', 'example.co.uk'],
  ['WWW.Example.COM.', 'example.com'],
  ['WWW.Żagle.Example', 'żagle.example'],
  // Its users do not register anything: the domain is that of the company behind it.
  ['people.github.io', 'github.io'],
  ['co.uk', null],
  ['com', null],
  ['localhost', null],
  ['192.0.2.1', null],
  ['[2001:db8::1]', null],
  ['a b.example', null],
  ['user@example.com', null],
  ['', null],
])('the domain of %s is %s', (name, expected) => {
  expect(registrableDomain(name)).toBe(expected)
})

test('names of a setting are read in any spelling', () => {
  expect(namesIn(' NS1.Shop.example., ns2.shop.example\n;ns3.shop.example ')).toEqual([
    'ns1.shop.example',
    'ns2.shop.example',
    'ns3.shop.example',
  ])
})

describe('what is known of a domain', () => {
  test.each<[string, Partial<Registration>, string | null]>([
    ['in good order', {}, null],
    ['without a published end', { endsAt: null }, null],
    ['with an end that has passed', { endsAt: now - 1 }, 'domain_expired'],
    ['on hold', { statuses: ['client transfer prohibited', 'client hold'] }, 'domain_on_hold'],
    ['on hold by the registry', { statuses: ['server hold'] }, 'domain_on_hold'],
    ['to be deleted', { statuses: ['redemption period'], endsAt: now - dayLength }, 'domain_in_deletion'],
    ['renewed by itself', { statuses: ['auto renew period'] }, null],
  ])('a domain %s', (_what, more, symbol) => {
    expect(faultOf(remembered(found(more)))).toBe(symbol)
  })

  test.each<[string, Partial<DomainDemands>, string | null]>([
    ['the same name servers', { nameServers: ['ns2.shop.example', 'ns1.shop.example'] }, null],
    ['other name servers', { nameServers: ['ns1.shop.example'] }, 'domain_name_servers_differ'],
    ['a part of the registrar', { registrar: 'good names' }, null],
    ['another registrar', { registrar: 'Bad Names' }, 'domain_registrar_differs'],
    ['a signature', { mustBeSigned: true }, null],
  ])('compared with %s', (_what, demands, symbol) => {
    expect(faultOf(remembered(found()), demands)).toBe(symbol)
  })

  test('a registry that does not say whether it is signed leaves the question open', () => {
    expect(faultOf(remembered(found({ isSigned: false })), { mustBeSigned: true })).toBe('domain_not_signed')
    expect(faultOf(remembered(found({ isSigned: null })), { mustBeSigned: true })).toBeNull()
  })

  test('an end that has passed since the last answer is no failure yet', () => {
    const memory = remembered(found({ endsAt: now + hourLength }))
    expect(faultOf(memory, {}, now + 2 * hourLength)).toBeNull()
    expect(findingOf(domain, memory, nobody, now + 2 * hourLength).expiry?.endsAt).toBe(now + hourLength)
    expect(faultOf(memoryAfter(memory, found({ endsAt: now + hourLength }), quiet, now + dayLength))).toBe(
      'domain_expired',
    )
  })

  test('a domain that was never seen is missing at once, a known one after a second look', () => {
    expect(faultOf(remembered(missing))).toBe('domain_missing')
    const doubtful = remembered(found(), missing)
    expect(faultOf(doubtful)).toBe('registry_answer_invalid')
    expect(doubtful.askAfter).toBe(now + hourLength)
    expect(faultOf(remembered(found(), missing, missing))).toBe('domain_missing')
    expect(faultOf(remembered(found(), missing, found()))).toBeNull()
  })

  test('a silent registry changes nothing, until its last answer is too old', () => {
    const memory = remembered(found(), silent, silent)
    expect(faultOf(memory)).toBeNull()
    expect(faultOf(memory, {}, now - 2 * dayLength + longestTrust + 1)).toBe('registry_silent')
    expect(findingOf(domain, memory, nobody, now + longestTrust).expiry).toBeNull()
    expect(faultOf(nothingAsked)).toBe('registry_silent')
  })
})

describe('the next question', () => {
  test.each<[string, RegistryAnswer, { maxAge?: number; retryAfter?: number }, number]>([
    ['found', found(), {}, dayLength],
    ['found, and fresh for two days', found(), { maxAge: 2 * dayLength }, 2 * dayLength],
    ['found, and fresh for a minute', found(), { maxAge: 60_000 }, dayLength],
    ['found, and fresh for a year', found(), { maxAge: 365 * dayLength }, 7 * dayLength],
    ['unchanged', { kind: 'unchanged' }, {}, dayLength],
    ['missing', missing, {}, dayLength],
    ['silent', silent, {}, hourLength / 4],
    ['busy for two hours', silent, { retryAfter: 2 * hourLength }, 2 * hourLength],
    ['busy for a year', silent, { retryAfter: 365 * dayLength }, dayLength],
  ])('after the answer “%s”', (_what, answer, times, pause) => {
    expect(memoryAfter(nothingAsked, answer, { ...quiet, ...times }, now).askAfter).toBe(now + pause)
  })

  test('waits longer each time that nobody answers', () => {
    const pauses: number[] = []
    let memory = nothingAsked
    for (let count = 0; count < 6; count += 1) {
      memory = memoryAfter(memory, silent, quiet, now)
      pauses.push((memory.askAfter - now) / hourLength)
    }
    expect(pauses).toEqual([0.25, 1, 4, 16, 24, 24])
  })
})

const anyAnswer = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((days) => found({ endsAt: now + days * dayLength })),
  fc.constantFrom<RegistryAnswer>(missing, silent, { kind: 'unchanged' }, found({ endsAt: null })),
)

test('whatever a registry answers: it is left alone for some time, and only answers raise an alarm', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyAnswer, fc.integer({ min: 0, max: 30 })), { maxLength: 30 }), (story) => {
      let [memory, at] = [nothingAsked, now - 900 * dayLength]
      for (const [answer, days] of story) {
        at = Math.max(at + days * dayLength, memory.askAfter)
        const before = memory
        memory = memoryAfter(memory, answer, quiet, at)
        expect(memory.askAfter).toBeGreaterThanOrEqual(at + hourLength / 4)
        if (answer.kind !== 'failed') expect(memory.askAfter).toBeGreaterThanOrEqual(at + hourLength)
        const [symbolBefore, symbol] = [before, memory].map((one) => faultOf(one, {}, at))
        const isAlarm = symbol?.startsWith('domain_') === true
        if (answer.kind === 'failed' && isAlarm) expect(symbolBefore).toBe(symbol)
      }
    }),
  )
})
