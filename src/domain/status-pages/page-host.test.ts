import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HostProof, hostGrant, hostRecord, hostVerdict, type RecordLookup } from './page-host.ts'

const hosts = {
  permitted: ['status.example.com', '*.example.org'],
  free: ['*.pages.example.net'],
  own: ['api.example.org'],
}

test.each([
  ['status.example.com', 'proof'],
  ['shop.example.org', 'proof'],
  ['a.b.example.org', 'proof'],
  ['example.org', 'refused'],
  ['notexample.org', 'refused'],
  ['shop.pages.example.net', 'free'],
  ['pages.example.net', 'refused'],
  ['api.example.org', 'refused'],
  ['status.example.com.evil.test', 'refused'],
])('%s: %s', (host, grant) => {
  expect(hostGrant(host, hosts)).toBe(grant)
})

test('with * every host may be proven, but that of the API', () => {
  const open = { permitted: ['*'], free: [], own: ['api.example.org'] }
  expect(hostGrant('status.shop.test', open)).toBe('proof')
  expect(hostGrant('api.example.org', open)).toBe('refused')
})

test('the record is below the host', () => {
  expect(hostRecord('status.example.com', 'abc')).toEqual({
    type: 'TXT',
    name: '_latarnik.status.example.com',
    value: 'latarnik-status-page=abc',
  })
})

describe('a proof', () => {
  const minute = 60_000
  const day = 86_400_000
  const now = 1_000_000 * minute
  const claimed: HostProof = { claimedAt: now, provenAt: null, seenAt: null }
  const proven: HostProof = { claimedAt: now - 9 * day, provenAt: now - 8 * day, seenAt: now - minute }

  test.each<[string, HostProof, RecordLookup, object]>([
    ['is waited for', claimed, 'missing', { provenAt: null, nextAt: now + minute }],
    ['begins when the record is seen', claimed, 'found', { provenAt: now, seenAt: now, nextAt: now + 60 * minute }],
    ['survives silence of name servers', { ...proven, seenAt: now - 5 * day }, 'unknown', { provenAt: now - 8 * day }],
    ['survives a record that is away for hours', proven, 'missing', { provenAt: now - 8 * day }],
    ['ends a day after the record', { ...proven, seenAt: now - day }, 'missing', { provenAt: null }],
    ['is looked for less and less', { ...claimed, claimedAt: now - 2 * day }, 'missing', { nextAt: now + 60 * minute }],
    ['is given up', { ...claimed, claimedAt: now - 31 * day }, 'missing', { provenAt: null, nextAt: null }],
  ])('%s', (_what, proof, lookup, expected) => {
    expect(hostVerdict(proof, lookup, now)).toMatchObject(expected)
  })

  test('begins only with a record that was seen, and is looked at again', () => {
    const moment = fc.integer({ min: 0, max: 60 * day })
    fc.assert(
      fc.property(moment, fc.option(moment), fc.constantFrom('missing', 'unknown', 'found'), (ago, seenAgo, lookup) => {
        const claimedAt = now - ago
        const proof = { claimedAt, provenAt: null, seenAt: seenAgo === null ? null : now - seenAgo }
        const { provenAt, nextAt } = hostVerdict(proof, lookup as RecordLookup, now)
        expect(provenAt !== null).toBe(lookup === 'found')
        if (nextAt !== null) expect(nextAt).toBeGreaterThan(now)
      }),
    )
  })
})
