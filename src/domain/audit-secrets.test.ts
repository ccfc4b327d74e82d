import { expect, test } from 'vitest'
import { marked } from './audit.ts'

test.each([
  ['address', 'https://shop.example.com/?api_key=abc&page=2', 'https://shop.example.com/?api_key=***&page=2'],
  ['address', 'https://eva:abc@shop.example.com/', 'https://eva:***@shop.example.com/'],
  ['body', 'user=eva&password=abc', 'user=eva&password=***'],
  ['body', '{"user": "eva", "client_secret": "a\\"bc"}', '{"user": "eva", "client_secret": "***"}'],
  ['request_headers', 'Accept: text/html\nAuthorization: Bearer abc', 'Accept: text/html\nAuthorization: ***'],
  ['description', 'No password is here: ask Eva', 'No password is here: ask Eva'],
  ['address', 'https://shop.example.com/?page=2', 'https://shop.example.com/?page=2'],
])('a secret within %s is a mark: %s', (name, text, shown) => {
  expect(marked(name, { stored: text, shown: text })).toBe(shown)
})

test('says that a secret within a text was replaced, and not which', () => {
  const told = { stored: 'password=new', shown: 'password=new' }
  expect(marked('body', told, 'password=old')).toBe('password=*** (new)')
})
