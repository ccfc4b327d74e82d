import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAria } from '../../src/sensor/scenario/aria.ts'
import { driverSelector } from '../../src/sensor/scenario/elements.ts'
import { matchesPattern, matchesTitle, matchesUrl } from '../../src/sensor/scenario/match.ts'

const home = new URL('https://shop.example.com/start')

describe('what a recording asserts', () => {
  test.each([
    ['https://shop.example.com/account', '/account', true],
    ['https://shop.example.com/account', 'https://shop.example.com/account', true],
    ['https://shop.example.com/account', 'https://SHOP.example.com:443/account', true],
    ['https://shop.example.com/account?id=7', '/account', false],
    ['https://shop.example.com/account?id=7', '/account?id=*', true],
    ['https://other.example.com/account', '/account', false],
    ['https://other.example.com/account', '*/account', true],
    ['https://other.example.com/account', 'https://*.example.com/*', true],
    ['https://shop.example.com/', '', false],
  ])('%s is %s: %j', (url, pattern, is) => {
    expect(matchesUrl(url, pattern, home)).toBe(is)
  })

  test('of a title the spaces do not count', () => {
    expect(matchesTitle(' Shop\n  of Łódź ', 'Shop of *')).toBe(true)
    expect(matchesTitle('Shop', 'shop')).toBe(false)
  })

  test('a star stands for anything, and every other character for itself', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
        expect(matchesPattern(text, pattern)).toBe(new RegExp(`^${parts.join('.*')}$`).test(text))
      }),
    )
  })
})

describe('selectors', () => {
  test.each([
    ['Log in', { name: 'Log in', role: null }],
    [' Log   in [role="button"]', { name: 'Log in', role: 'button' }],
    ["[role='img']", { name: null, role: 'img' }],
    ['[name="A b"][role="link"]', { name: 'A b', role: 'link' }],
    ['Price [PLN]', { name: 'Price [PLN]', role: null }],
  ])('aria/%s', (written, query) => {
    expect(parseAria(written)).toEqual(query)
  })

  test('text is looked for as it is written, whatever it means elsewhere', () => {
    expect(driverSelector('text', 'Zapłać (1/2)  zł', true)).toBe(
      'text=/Zapłać \\(1\\/2\\) zł/'.replaceAll(' ', '\\s+'),
    )
  })
})
