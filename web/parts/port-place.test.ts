import { expect, test } from 'vitest'
import { portPlace, splitPort, withPort } from './port-place.ts'

test.each([
  ['127.0.0.1:23714', '127.0.0.1', '23714'],
  ['db.example.com', 'db.example.com', null],
  ['redis://127.0.0.1:23714/0', '127.0.0.1', '23714'],
  ['[2001:db8::7]:5432', '2001:db8::7', '5432'],
  ['[2001:db8::7]', '2001:db8::7', null],
  ['2001:db8::7', '2001:db8::7', null],
  ['me:secret@shop.example.com:9443/cart?at=1:2', 'shop.example.com', '9443'],
  ['shop.example.com/at:8080', 'shop.example.com', null],
])('%s is the host %s and the port %s', (address, host, port) => {
  expect(splitPort(address)).toEqual({ host, port })
})

test.each([
  ['127.0.0.1', '127.0.0.1:23714'],
  ['127.0.0.1:80', '127.0.0.1:23714'],
  ['2001:db8::7', '[2001:db8::7]:23714'],
  ['[2001:db8::7]:80', '[2001:db8::7]:23714'],
  ['me:secret@shop.example.com/cart:8', 'me:secret@shop.example.com:23714/cart:8'],
])('%s with the port is %s', (address, whole) => {
  expect(withPort(address, '23714')).toBe(whole)
})

test('a port with a usual value is a setting; without one the address has it', () => {
  expect(portPlace('redis', [{ setting_id: 'port', default: 6379 }])).toBe('setting')
  expect(portPlace('https', [{ setting_id: 'port', default: null }])).toBe('address')
  expect(portPlace('tls_ipv6', [])).toBe('address')
  expect(portPlace('ping', [{ setting_id: 'timeout', default: 3000 }])).toBe('none')
})
