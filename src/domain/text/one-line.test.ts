import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inReadingOrder, keepsReadingOrder, oneLine, parsedInReadingOrder } from './one-line.ts'

const terminal = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u

describe('text of strangers as one line', () => {
  test('holds nothing that breaks a line, commands a terminal, turns the reading around or hides', () => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          '\r',
          '\n',
          '\u001b',
          '\u0085',
          '\u009b',
          '\u2028',
          '\u202e',
          '\u2066',
          '\u200b',
          '\ufeff',
          '\u00ad',
        ),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const line = oneLine(text, longest)
        expect(line).not.toMatch(terminal)
        expect([...line].length).toBeLessThanOrEqual(longest)
      }),
    )
  })

  test('of names that look alike is alike', () => {
    expect(['ad\u200bmin', 'ad\u00admin', '\ufeffadmin', 'admin\u200e\u2060'].map((name) => oneLine(name, 20))).toEqual(
      Array(4).fill('admin'),
    )
  })

  test('keeps letters of every alphabet and joined pictures', () => {
    const text = 'Żółw 你好 مرحبا می\u200cخواهم 👩\u200d👩\u200d👧'
    expect(oneLine(text, 100)).toBe(text)
  })

  test('says that there was more, also of what is not read at all', () => {
    expect(oneLine('abcdef', 4)).toBe('abc…')
    expect(oneLine(`a${' '.repeat(1_000_000)}b`, 10)).toBe('a…')
    expect(oneLine('x'.repeat(10_000_000), 5)).toBe('xxxx…')
  })
})

test.each([
  ['مرحبا', true],
  ['a\u200eb\u200f\u061c', true],
  ['\u2068a \u2067b\u2069\u2069', true],
  ['a\u202eb', false],
  ['a\u202ab\u202c', false],
  ['a\u2067b', false],
  ['a\u2069b', false],
  ['\u2066a\u2069\u2069', false],
])('%j keeps the order of reading: %s', (text, keeps) => expect(keepsReadingOrder(text)).toBe(keeps))

test.each([
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['\u202aa\u202c', 'a'],
  ['a\u2066b', 'ab'],
  ['\u2066a\u2069', '\u2066a\u2069'],
  ['שלום\u200f', 'שלום\u200f'],
])('%j is shown in reading order as %j', (text, shown) => {
  expect(inReadingOrder(text)).toBe(shown)
  expect(keepsReadingOrder(inReadingOrder(text))).toBe(true)
})

test('the texts of a JSON text are in reading order one by one', () => {
  const stored = { name: 'invoice\u202egpj.exe', names: ['\u2066a', 'b\u2069', '\u2066c\u2069', 'ش'], count: 2 }
  const shown = { name: 'invoicegpj.exe', names: ['a', 'b', '\u2066c\u2069', 'ش'], count: 2 }
  expect(parsedInReadingOrder(JSON.stringify(stored))).toEqual(shown)
  expect(parsedInReadingOrder('{"name":"a"}')).toEqual({ name: 'a' })
})
