import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFaultAt, placeOf } from './json-fault.ts'

test.each([
  ['{"a": 1,}', 8],
  ["{'a': 1}", 1],
  ['{a: 1}', 1],
  ['{"a" 1}', 5],
  ['{"a": }', 6],
  ['{"a": 1', 7],
  ['[1 2]', 3],
  ['[1]]', 3],
  ['', 0],
  ['"a\nb"', 2],
  ['"\\x"', 1],
  ['01', 1],
  ['nul', 0],
  ['{"a": [true, {"b": "c"}]}', null],
])('%j stops being JSON at %j', (text, index) => {
  expect(jsonFaultAt(text)).toBe(index)
})

test('lines and columns are counted from 1', () => {
  const text = '{\n  "name": "Shop",\n}'
  expect(placeOf(text, jsonFaultAt(text) ?? -1)).toEqual({ line: 3, column: 1 })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('finds a fault exactly where the runtime does, however JSON was damaged', () => {
  const damaged = fc
    .tuple(
      fc.json(),
      fc.nat(200),
      fc.nat(2),
      fc.constantFrom('', ',', '"', '}', ']', '{', ':', '0', '\\', ' ', 't', '\n'),
    )
    .map(([json, at, count, put]) => `${json.slice(0, at)}${put}${json.slice(at + count)}`)
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
      const at = jsonFaultAt(text)
      expect(at === null).toBe(isJson(text))
      if (at !== null) expect(at).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: 2000 },
  )
})
