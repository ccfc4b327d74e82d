import { expect, test } from 'vitest'
import { followsGrammar } from './setting-grammars.ts'

test.each([
  ['https://example.com/hook', true],
  ['http://example.com:1', true],
  ['http://[2001:db8::7]:65535/', true],
  ['https://example.com:0/hook', false],
  ['https://example.com:65536', false],
  ['https://example.com:99999/', false],
  ['https://example.com:-1', false],
  ['https://example.com:1e3', false],
  ['https://example.com:80 ', false],
  ['https://example.com:８０', false],
  ['https://user@example.com', false],
])('%j is a web address: %s', (text, isOne) => {
  expect(followsGrammar('web_address', text)).toBe(isOne)
})
