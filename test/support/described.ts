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

/** Objects hold what they are said to hold and nothing else. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  return 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Holds answers to the OpenAPI document. */
export interface Description {
  /** The status is described for the operation, and the body is what the description says. */
  check(operation: Operation, reply: Reply): void
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
  ajv.addSchema(closed(document) as Json, 'openapi')
  const known = new Map<string, ValidateFunction>()

  function schemaAt(...place: string[]): ValidateFunction {
    const pointer = `openapi#/${place.map((part) => encodeURIComponent(escaped(part))).join('/')}`
    const found = known.get(pointer) ?? ajv.compile({ $ref: pointer })
    known.set(pointer, found)
    return found
  }

  return {
    schemaAt,
    exampleOf: (operation) => exampleIn(document, operation),
    needsBody: ({ path, method }) =>
      (document as Paths).paths[path]?.[method.toLowerCase()]?.requestBody?.required ?? false,
    check(operation, reply) {
      const method = operation.method.toLowerCase()
      const responses = (document as Paths).paths[operation.path]?.[method]?.responses
      const described = responses?.[String(reply.status)]
      expect([operation.id, reply.status, described === undefined ? reply.text : 'described']).toEqual([
        operation.id,
        reply.status,
        'described',
      ])
      if (described === undefined) return
      const [type = ''] = String(reply.headers['content-type'] ?? '').split(';')
      if ('$ref' in described) return holdTo(schemaAt('components', 'schemas', 'problems'), operation, reply)
      if (!('content' in described)) return expect([operation.id, reply.text]).toEqual([operation.id, ''])
      if (!(type in (described['content'] as Json))) return
      const place = ['paths', operation.path, method, 'responses', String(reply.status), 'content', type, 'schema']
      holdTo(schemaAt(...place), operation, reply)
    },
  }
}

/** A body that is no JSON is a text of its bytes. */
function holdTo(validate: ValidateFunction, operation: Operation, reply: Reply): void {
  validate(reply.body ?? reply.text)
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
  expect(`${operation.id}: ${JSON.stringify(faults)}`).toBe(`${operation.id}: []`)
}
