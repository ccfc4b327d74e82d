import fc, { type Arbitrary } from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

const words = fc.constantFrom(
  '',
  'a',
  'Żółć',
  'shop',
  '1',
  'null',
  'true',
  '__proto__',
  'x'.repeat(300),
  '\u0000',
  '🗼',
)

/** Anything that JSON can say, small. */
const anyJson: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 40, '', 'x', [], {}, [[]], { a: 1 }),
  words,
  fc.array(fc.oneof(fc.integer(), words, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(words, fc.oneof(fc.integer(), words), { maxKeys: 3 }),
)

function typesOf(schema: Schema): readonly string[] {
  const { type } = schema
  return Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)]
}

function textOf(schema: Schema): Arbitrary<unknown> {
  const example = schema['example']
  const moments = fc.constantFrom('2026-11-21T11:13:00Z', '2026-11-21 12:13:00+01:00', '0')
  if (schema['format'] === 'date-time') return moments
  const bounded = words.map((word) => word.slice(0, Number(schema['maxLength'] ?? 300)))
  return example === undefined ? bounded : fc.oneof({ weight: 3, arbitrary: fc.constant(example) }, bounded)
}

function numberOf(schema: Schema): Arbitrary<unknown> {
  const min = Number(schema['minimum'] ?? 0)
  const max = Number(schema['maximum'] ?? 2 ** 31 - 1)
  const near = fc.integer({ min, max: Math.min(max, min + 20) })
  return fc.oneof({ weight: 4, arbitrary: near }, fc.constantFrom(min, max))
}

function one(schema: Schema, type: string): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as Schema), { maxLength: 3 })
    default:
      return objectOf(schema)
  }
}

function objectOf(schema: Schema): Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const required = (schema['required'] ?? []) as readonly string[]
  const model = Object.fromEntries(properties.map(([name, property]) => [name, valuesOf(property)]))
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) })
}

/** The schema with what it refers to in its place. Bodies of requests refer to nothing that holds themselves. */
export function resolvedIn(document: Schema, schema: Schema): Schema {
  const { $ref: reference, ...beside } = schema
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    return typeof value === 'object' && value !== null ? resolvedIn(document, value as Schema) : value
  }
  if (typeof reference !== 'string')
    return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, resolve(member)]))
  const place = reference.slice(2).split('/')
  const found = place.reduce<unknown>((part, name) => (part as Schema)[name], document)
  return { ...resolvedIn(document, found as Schema), ...(resolve(beside) as Schema) }
}

/** Values that mostly fulfil the schema (of the kind that our OpenAPI document has). */
function valuesOf(schema: Schema): Arbitrary<unknown> {
  const choices = schema['enum'] as readonly unknown[] | undefined
  if (choices !== undefined) return fc.constantFrom(...choices)
  const alternatives = schema['anyOf'] as readonly Schema[] | undefined
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(valuesOf))
  const types = typesOf(schema)
  return types.length === 0 ? anyJson : fc.oneof(...types.map((type) => one(schema, type)))
}

/** Mostly right bodies, some with one member spoiled, some of another shape. */
export function bodyOf(schema: Schema): Arbitrary<unknown> {
  const right = valuesOf(schema)
  const spoiled = fc.tuple(right, words, anyJson).map(([body, name, value]) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return value
    const names = Object.keys(body)
    return { ...body, [names[name.length % Math.max(1, names.length)] ?? name]: value }
  })
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 3, arbitrary: spoiled }, anyJson)
}
