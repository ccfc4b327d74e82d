import { expect, test } from 'vitest'
import { inFamilies } from '../../../parts/families.ts'
import { foundTypes, withoutTwins } from './type-search.ts'

const type = (id: string, name: string, family: string, ...keywords: readonly string[]) => ({
  ...{ id, name, family_id: family.toLowerCase(), family_name: family, keywords },
})
const types = [
  type('https', 'HTTPS', 'Web', 'certificate'),
  type('heartbeat', 'Heartbeat', 'Jobs', 'cron', 'przeglądarka'),
  type('tls', 'TLS', 'Names', 'certificate', 'expiry'),
  type('postgresql', 'PostgreSQL', 'Databases', 'sql'),
  type('mongodb', 'MongoDB', 'Databases', 'nosql'),
  type('https_ipv6', 'HTTPS, IPv6', 'Web', 'certificate'),
  type('ping_ipv6', 'Ping, IPv6', 'Network'),
]
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

test.each([
  ['', ['https', 'heartbeat', 'tls', 'postgresql', 'mongodb', 'https_ipv6', 'ping_ipv6']],
  ['postgres', ['postgresql']],
  [' CERTIFICATE  expiry ', ['tls']],
  ['databases', ['postgresql', 'mongodb']],
  ['przegladarka', ['heartbeat']],
  ['sql', ['postgresql']],
  ['no such thing', []],
])('%j finds the types with all of its words', (typed, ids) => {
  expect(idsOf(foundTypes(types, typed))).toEqual(ids)
})

test('each family stands once, in the order of the types', () => {
  const families = inFamilies(types).map(({ name, types: members }) => [name, ...idsOf(members)])
  expect(families).toEqual([
    ['Web', 'https', 'https_ipv6'],
    ['Jobs', 'heartbeat'],
    ['Names', 'tls'],
    ['Databases', 'postgresql', 'mongodb'],
    ['Network', 'ping_ipv6'],
  ])
})

test('a type for IPv6 alone is left out only beside its base', () => {
  expect(idsOf(withoutTwins(types))).toEqual(['https', 'heartbeat', 'tls', 'postgresql', 'mongodb', 'ping_ipv6'])
})
