import { expect, test } from 'vitest'
import { isAddressWithin, parseAddressRange } from '../../src/auth/address-filter.ts'

test.each([
  ['192.0.2.7', { address: '192.0.2.7', prefixLength: 32, family: 'ipv4' }],
  ['192.0.2.0/24', { address: '192.0.2.0', prefixLength: 24, family: 'ipv4' }],
  ['0.0.0.0/0', { address: '0.0.0.0', prefixLength: 0, family: 'ipv4' }],
  ['2001:db8::1', { address: '2001:db8::1', prefixLength: 128, family: 'ipv6' }],
  ['2001:db8::/32', { address: '2001:db8::', prefixLength: 32, family: 'ipv6' }],
])('%s is a range', (text, range) => {
  expect(parseAddressRange(text)).toEqual(range)
})

test.each([
  '',
  'localhost',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/08',
  '192.0.2.0/2/4',
  '::/129',
  'fe80::1%eth0',
  ' 192.0.2.1',
])('%j is no range', (text) => {
  expect(parseAddressRange(text)).toBeUndefined()
})

test.each([
  ['192.0.2.7', ['192.0.2.0/24'], true],
  ['192.0.3.7', ['192.0.2.0/24'], false],
  ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
  ['2001:db8:0:1::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['192.0.2.7', ['2001:db8::/32', '192.0.2.7'], true],
  ['192.0.2.7', [], false],
  ['192.0.2.7', ['not a range'], false],
  ['not an address', ['0.0.0.0/0', '::/0'], false],
])('the address %s within %j: %s', (address, ranges, within) => {
  expect(isAddressWithin(address, ranges)).toBe(within)
})
