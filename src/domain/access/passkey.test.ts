import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCounterRegression, relyingPartyOf } from './passkey.ts'

test.each([
  ['https://status.example.com', { id: 'status.example.com', origin: 'https://status.example.com' }],
  [
    'https://Status.Example.com:8443/latarnik/',
    { id: 'status.example.com', origin: 'https://status.example.com:8443' },
  ],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://box.localhost', { id: 'box.localhost', origin: 'http://box.localhost' }],
  ['http://status.example.com', null],
  ['https://192.0.2.7', null],
  ['http://127.0.0.1:3000', null],
  ['https://[2001:db8::1]', null],
  ['http://notlocalhost', null],
  ['ftp://localhost', null],
])('%s', (address, party) => {
  expect(relyingPartyOf(new URL(address))).toEqual(party)
})

test.each([
  [0, 0, false],
  [0, 1, false],
  [7, 8, false],
  [7, 7, true],
  [7, 6, true],
  [7, 0, true],
])('the counter %i, then %i', (stored, told, isRegression) => {
  expect(isCounterRegression(stored, told)).toBe(isRegression)
})

test('a counter that grows at each use is never one of a copy, and its former values always are', () => {
  const counter = fc.integer({ min: 1, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(counter, counter, (one, other) => {
      fc.pre(one !== other)
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      return !isCounterRegression(low, high) && isCounterRegression(high, low) && isCounterRegression(high, high)
    }),
  )
})
