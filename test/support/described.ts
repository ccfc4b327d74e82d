import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Operation } from '../../src/rest/call.ts'
import type { Reply } from './api.ts'

type Json = Readonly<Record<string, unknown>>

interface DescribedOperation {
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, Json>>
}

interface Paths extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

/** Conditions speak of members that are listed elsewhere. */
const conditional = new Set(['dependentSchemas'])

/** Objects hold what they are said to hold and nothing else. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, conditional.has(name) ? member : closed(member)]),
  )
  return 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members
}

/** Objects of which only some members were asked for. */
function partial(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partial)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, member]) => !(name === 'required' && Array.isArray(member)))
  return Object.fromEntries(entries.map(([name, member]) => [name, conditional.has(name) ? {} : partial(member)]))
}

/** The selection of a request: with `fields`, or a part of something embedded, required members may be absent. */
interface Asked {
  readonly path: string
  readonly body?: unknown
}

function asksForParts({ path, body }: Asked): boolean {
  const { fields, embed } = (body ?? {}) as { readonly fields?: unknown; readonly embed?: unknown }
  return fields !== undefined || String(embed).includes('.') || /[?&](fields=|embed=[^&]*\.)/.test(path)
}

/** Headers that a client reads: where they are sent, they are described. */
const told = [
  'latarnik-warning',
  ...['allow', 'content-disposition', 'content-range', 'accept-ranges', 'etag', 'location', 'retry-after'],
  ...['www-authenticate', 'x-total-count'],
]

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Holds answers to the OpenAPI document. */
export interface Description {
  /** The status is described for the operation, and the body is what the description says. */
  check(operation: Operation, reply: Reply, asked?: Asked): void
  /** The published body of a request; undefined where none is sent. */
  exampleOf(operation: Operation): unknown
  /** Whether the request is described as one that must have a body. */
  needsBody(operation: Operation): boolean
  /** A validator of the schema at a place of the document: `components`, `schemas`, `group`. */
  schemaAt(...place: string[]): ValidateFunction
}

/** The published body of a request in an OpenAPI document; undefined where none is sent. */
export function exampleIn(document: Json, { path, method }: Operation): unknown {
  const body = (document as Paths).paths[path]?.[method.toLowerCase()]?.requestBody
  return body?.content['application/json']?.example
}

export function descriptionOf(document: Json): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // The package is CommonJS: its function hangs below `default`.
  addFormats.default(ajv)
  ajv.addFormat('binary', true)
  const whole = closed(document)
  ajv.addSchema(whole as Json, 'openapi')
  ajv.addSchema(partial(whole) as Json, 'partial')
  const known = new Map<string, ValidateFunction>()

  function schemaAt(...place: string[]): ValidateFunction {
    return schemaIn('openapi', place)
  }

  function schemaIn(version: 'openapi' | 'partial', place: readonly string[]): ValidateFunction {
    const pointer = `${version}#/${place.map((part) => encodeURIComponent(escaped(part))).join('/')}`
    const found = known.get(pointer) ?? ajv.compile({ $ref: pointer })
    known.set(pointer, found)
    return found
  }

  function responseAt(reference: string): Json {
    const { responses } = document['components'] as { readonly responses: Readonly<Record<string, Json>> }
    return responses[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}
  }

  return {
    schemaAt,
    exampleOf: (operation) => exampleIn(document, operation),
    needsBody: ({ path, method }) =>
      (document as Paths).paths[path]?.[method.toLowerCase()]?.requestBody?.required ?? false,
    check(operation, reply, asked) {
      const method = operation.method.toLowerCase()
      const responses = (document as Paths).paths[operation.path]?.[method]?.responses
      const described = responses?.[String(reply.status)]
      expect([operation.id, reply.status, described === undefined ? reply.text : 'described']).toEqual([
        operation.id,
        reply.status,
        'described',
      ])
      if (described === undefined) return
      expectHeaders(operation, reply, '$ref' in described ? responseAt(String(described['$ref'])) : described)
      const [type = ''] = String(reply.headers['content-type'] ?? '').split(';')
      if ('$ref' in described) return holdTo(schemaAt('components', 'schemas', 'problems'), operation, reply)
      if (!('content' in described)) return expect([operation.id, reply.text]).toEqual([operation.id, ''])
      const known = type in (described['content'] as Json) ? type : '*/*'
      const version = asked !== undefined && asksForParts(asked) ? 'partial' : 'openapi'
      const place = ['paths', operation.path, method, 'responses', String(reply.status), 'content', known, 'schema']
      holdTo(schemaIn(version, place), operation, reply)
    },
  }
}

function expectHeaders({ id }: Operation, { headers, status }: Reply, described: Json): void {
  const known = Object.keys((described['headers'] ?? {}) as Json).map((name) => name.toLowerCase())
  const sent = told.filter((name) => headers[name] !== undefined)
  expect([id, status, sent.filter((name) => !known.includes(name))]).toEqual([id, status, []])
}

/** A body that is no JSON is a text of its bytes. */
function holdTo(validate: ValidateFunction, operation: Operation, reply: Reply): void {
  validate(reply.body ?? reply.text)
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
  expect(`${operation.id}: ${JSON.stringify(faults)}`).toBe(`${operation.id}: []`)
}
