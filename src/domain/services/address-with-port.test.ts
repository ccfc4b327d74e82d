import { expect, test } from 'vitest'
import { addressWithPort } from './address-with-port.ts'

test.each([
  ['db.example.com', 23_133, 'db.example.com:23133'],
  ['2001:db8::7', 6380, '[2001:db8::7]:6380'],
  ['[2001:db8::7]', 6380, '[2001:db8::7]:6380'],
  ['shop.example.com/basket?a=1:2', 8443, 'shop.example.com:8443/basket?a=1:2'],
  ['shop.example.com:80/basket', 8443, 'shop.example.com:8443/basket'],
  ['me:secret@shop.example.com/', 8443, 'me:secret@shop.example.com:8443/'],
  ['db.example.com', null, 'db.example.com'],
  ['db.example.com', undefined, 'db.example.com'],
])('%s with port %s is %s', (address, port, whole) => {
  expect(addressWithPort(address, port)).toBe(whole)
})
