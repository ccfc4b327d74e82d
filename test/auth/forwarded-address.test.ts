import { expect, test } from 'vitest'
import { forwardedAddress } from '../../src/auth/forwarded-address.ts'

const proxies = ['10.0.0.0/8', '2001:db8::1']

test.each([
  ['nobody is trusted', '192.0.2.1', '198.51.100.7', [], '192.0.2.1'],
  ['the peer is no proxy', '192.0.2.1', '198.51.100.7', proxies, '192.0.2.1'],
  ['a proxy says who came', '10.0.0.1', '198.51.100.7', proxies, '198.51.100.7'],
  ['a proxy says nothing', '10.0.0.1', undefined, proxies, '10.0.0.1'],
  ['two proxies in a row', '2001:db8::1', '198.51.100.7, 10.2.3.4', proxies, '198.51.100.7'],
  ['the caller has lied to the proxy', '10.0.0.1', '127.0.0.1, 198.51.100.7', proxies, '198.51.100.7'],
  ['a proxy that writes ports too', '10.0.0.1', '198.51.100.7:4711', proxies, '198.51.100.7'],
  ['such a one of IPv6', '10.0.0.1', '[2001:db8:7::9]:4711', proxies, '2001:db8:7::9'],
  ['a socket for both families', '::ffff:10.0.0.1', '::ffff:198.51.100.7', proxies, '198.51.100.7'],
])('%s', (_case, peer, header, trusted, address) => {
  expect(forwardedAddress(peer, header, trusted)).toBe(address)
})
