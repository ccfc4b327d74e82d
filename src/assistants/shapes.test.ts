import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'
import { pageResult, toolResult } from './results.ts'
import { type Shape, schemaOfShape, shaped, shapeOf, untrusted } from './shapes.ts'

const cut = { characters: 10, elements: 3 }

test.each([
  [{ type: 'integer' }, 'id', 'own'],
  [{ type: ['boolean', 'null'] }, 'is_active', 'own'],
  [{ type: 'string', format: 'date-time' }, 'time', 'own'],
  [{ type: ['string', 'null'], enum: ['ok', null] }, 'status', 'own'],
  [{ type: 'string' }, 'last_analysis_id', 'own'],
  [{ type: 'string' }, 'name', 'untrusted'],
  [{ type: ['string', 'null'] }, 'error_message', 'untrusted'],
  [{}, 'anything', 'untrusted'],
  [{ type: 'object' }, 'anything', 'untrusted'],
  [{ type: 'array' }, 'anything', 'untrusted'],
  [{ type: ['integer', 'string'] }, 'anything', 'untrusted'],
])('%j of %s is %s', (schema, name, kind) => {
  expect(shapeOf(schema, name).kind).toBe(kind)
})

test('texts of a catalogue are the program’s own', () => {
  expect(shapeOf({ type: 'object', properties: { name: { type: 'string' } } }, '', true)).toEqual({
    kind: 'object',
    members: { name: { kind: 'own', schema: { type: 'string' } } },
  })
})

test('a text is cut by characters and says its length', () => {
  expect(untrusted('żółwie i żaby', cut)).toEqual({ untrusted: 'żółwie i ż', characters: 13 })
  expect(untrusted('🐢'.repeat(10), cut)).toEqual({ untrusted: '🐢'.repeat(10) })
  expect(untrusted({ a: '"}' }, { characters: 100 })).toEqual({ untrusted: '{"a":"\\"}"}' })
})

test.each([
  ['a\u0000b\u001b[31mc', 'ab[31mc'],
  ['one\r\ntwo\u2028three\tfour', 'one\ntwo\nthree\tfour'],
  ['\u202eevil\u202c \u200bzero\ufeff', 'evil zero'],
  ['tag\u{E0069}\u{E0067}s \u{E000}', 'tags '],
  ['\ud800half', 'half'],
  ['żółw 🐢', 'żółw 🐢'],
])('%j is cleaned', (text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned)
})

const text: Shape = { kind: 'untrusted', about: undefined }
const shape: Shape = {
  kind: 'object',
  members: { id: { kind: 'own', schema: { type: 'integer' } }, name: text, tags: { kind: 'list', of: text } },
}

/** Every string of a value that stands outside a mark. */
function bare(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || 'untrusted' in value) return []
  return Object.values(value).flatMap(bare)
}

test('no text of others stands outside a mark, whatever it is', () => {
  const row = fc.record({ id: fc.anything(), name: fc.anything(), tags: fc.anything(), more: fc.anything() })
  fc.assert(
    fc.property(row, (value) => {
      const strings = bare(shaped(shape, value, cut))
      expect(strings.filter((one) => one !== value.id)).toEqual([])
    }),
  )
})

test('a result is never larger than its limit', () => {
  const row = fc.record({
    id: fc.nat(),
    name: fc.string({ maxLength: 20_000, unit: 'grapheme' }),
    tags: fc.array(fc.string()),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.nat(100), (items, offset) => {
      const result = pageResult(shape, { items, total: offset + items.length, offset })
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(32_768)
      const shown = (result['items'] as readonly unknown[]).length
      expect(result['next_offset']).toBe(shown < items.length ? offset + shown : null)
      expect(shown > 0 || items.length === 0).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('an object of many long parts is cut further, and says so', () => {
  const value = { id: 1, name: 'x'.repeat(5000), tags: Array.from({ length: 60 }, () => 'y'.repeat(5000)) }
  const result = toolResult(shape, value)
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(32_768)
  expect(result['shortened']).toBe(true)
  expect(toolResult(shape, { id: 1, name: 'a', tags: [] })).toEqual({
    found: { id: 1, name: { untrusted: 'a' }, tags: [] },
    shortened: false,
  })
})

test('the schema of a shape allows null everywhere', () => {
  expect(schemaOfShape({ kind: 'own', schema: { type: 'string', enum: ['ok'] } })).toEqual({
    type: ['string', 'null'],
    enum: ['ok', null],
  })
})
