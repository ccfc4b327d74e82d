import { describe, expect, test } from 'vitest'
import { type Destination, keptSecretProblems } from './kept-secrets.ts'
import { serviceTypes } from './service-types.ts'

function moved(
  typeId: string,
  from: Destination,
  to: Destination,
  input: unknown = {},
): readonly (string | undefined)[] {
  const type = serviceTypes.find(({ id }) => id === typeId)
  if (type === undefined) throw new Error(`There is no type ${typeId}.`)
  return keptSecretProblems(type, { before: from, after: to, input }, 'data').map(({ field }) => field)
}

describe('a password that was kept', () => {
  const settings = { password: 's3cret', username: 'alice' }
  const from = { address: 'shop.example.com/cart', settings }
  test.each<readonly [string, Partial<Destination>]>([
    ['another page', { address: 'Shop.example.com/login?from=cart' }],
    ['another name on the page', { settings: { ...settings, username: 'bob' } }],
    ['a name in the address', { address: 'eve@shop.example.com/' }],
  ])('goes to %s', (_where, to) => {
    expect(moved('http', from, { ...from, ...to })).toEqual([])
  })
  test.each<readonly [string, Partial<Destination>]>([
    ['another host', { address: 'evil.example.com/cart' }],
    ['another port', { address: 'shop.example.com:8080/cart' }],
    ['another port by its setting', { settings: { ...settings, port: 8080 } }],
    ['a host that only begins alike', { address: 'shop.example.com.evil.example.com/cart' }],
    ['a host behind the name of this one', { address: 'shop.example.com@evil.example.com/cart' }],
  ])('does not go to %s unless it is given again', (_where, to) => {
    const there = { ...from, ...to }
    expect(moved('http', from, there)).toEqual(['data.password'])
    expect(moved('http', from, there, { password: 's3cret' })).toEqual([])
    expect(moved('http', from, there, { password: null })).toEqual([])
    expect(moved('http', from, there, { username: 'eve' })).toEqual(['data.password'])
  })
  test('is nobody’s concern where there was none', () => {
    expect(moved('http', { address: 'a.example.com', settings: {} }, { address: 'b.example.com', settings })).toEqual(
      [],
    )
  })
})

test('secrets of a scenario are given again with another scenario', () => {
  const from = { address: 'shop.example.com', settings: { scenario: '{"title":"1"}', secrets: 'a=b' } }
  const to = { ...from, settings: { ...from.settings, scenario: '{"title":"2"}' } }
  expect(moved('webappcheck', from, to)).toEqual(['data.secrets'])
  expect(moved('webappcheck', from, to, { secrets: 'a=b' })).toEqual([])
  expect(moved('webappcheck', from, from)).toEqual([])
})
