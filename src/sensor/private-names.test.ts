import { expect, test } from 'vitest'
import { createScreen } from '../outgoing/screen.ts'
import { asksPrivately, isPrivateName, reversedAddress } from './private-names.ts'

test.each([
  ['vm', true],
  ['VM.', true],
  ['localhost', true],
  ['db.internal', true],
  ['nas.local.', true],
  ['www.example.com', false],
  ['internal.example.com', false],
  ['example.com.', false],
  ['10.0.0.1', false],
])('only the network of the station knows %s: %s', (name, isPrivate) => {
  expect(isPrivateName(name)).toBe(isPrivate)
})

test.each([
  ['5.0.0.10.in-addr.arpa', '10.0.0.5'],
  [`${'1.'}${'0.'.repeat(29)}d.f.ip6.arpa`, 'fd00:0000:0000:0000:0000:0000:0000:0001'],
  ['0.10.in-addr.arpa', null],
  ['www.example.com', null],
])('%s asks whose %s is', (name, address) => {
  expect(reversedAddress(name)).toBe(address)
})

test('the owner of a public address may be asked for, that of a private one or of a range may not', () => {
  const screen = createScreen([])
  const names = ['8.8.8.8.in-addr.arpa', '5.0.0.10.in-addr.arpa', '10.in-addr.arpa', 'www.example.com']
  expect(names.map((name) => asksPrivately(name, screen))).toEqual([false, true, true, false])
})
