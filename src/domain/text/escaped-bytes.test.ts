import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapedBytes, escapedText } from './escaped-bytes.ts'

const textOf = (text: string) => {
  const bytes = escapedBytes(text)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1')
}

test.each([
  ['', ''],
  ['PING\\r\\n', 'PING\r\n'],
  ['\\x00\\xFf', '\x00\xff'],
  ['a\\\\x41', 'a\\x41'],
  ['\\t', '\t'],
])('%j is %j', (text, bytes) => {
  expect(textOf(text)).toBe(bytes)
})

test.each(['\\', '\\q', '\\x4', '\\xzz', 'end\\'])('%j stands for nothing', (text) => {
  expect(escapedBytes(text)).toBeUndefined()
})

test('a text without a backslash is its UTF-8', () => {
  const plain = fc.string({ unit: 'binary', maxLength: 50 }).filter((text) => !text.includes('\\'))
  fc.assert(
    fc.property(plain, (text) => {
      expect(Buffer.from(escapedBytes(text) ?? [])).toEqual(Buffer.from(text))
    }),
  )
})

test('any bytes can be written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const written = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
      expect(escapedBytes(written)).toEqual(bytes)
    }),
  )
})

test('an escaped text stands for the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
      expect(Buffer.from(escapedBytes(escapedText(text)) ?? [])).toEqual(Buffer.from(text))
    }),
  )
  expect(escapedText('{"a": "\\n"}\r\n')).toBe(String.raw`{"a": "\\n"}\r\n`)
})
