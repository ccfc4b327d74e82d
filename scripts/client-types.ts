// Writes client/schema.d.ts, the types of the operations of the API, from its description; --check only compares.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../src/domain/input/json.ts'
import { interfaceDescription } from '../src/program/interface-description.ts'
import { generateTypes } from './generate-types.ts'
import { keepGenerated } from './generated.ts'

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
}

type Content = Readonly<Record<string, { readonly schema: Json }>>

interface Operation {
  readonly summary: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Description = {
  readonly openapi: string
  readonly info: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Json }
}

/** Texts that make the file large; and defaults, which the generator takes for members that must be sent. */
const prose = new Set(['example', 'examples', 'title', 'format', 'default'])

/** @param isNamed the keys are names of members, not words of a schema */
function withoutProse(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutProse(element))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => isNamed || !prose.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner, key === 'properties' && !isNamed)]))
}

function objectOf(properties: Readonly<Record<string, Json>>, required: readonly string[]): Json {
  return { type: 'object', properties, required }
}

/** The parameters at one place as members of an object; undefined: there are none. */
function parametersOf(operation: Operation, place: 'path' | 'query'): Json | undefined {
  const found = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === place ? [one] : []))
  if (found.length === 0) return undefined
  const members = found.map(({ name, schema }): [string, Json] => [
    name,
    // Numbers need no text around them in a path.
    place === 'path' && schema['type'] === 'string' ? { ...schema, type: ['string', 'integer'] } : schema,
  ])
  return objectOf(
    Object.fromEntries(members),
    found.filter(({ required }) => required === true).map(({ name }) => name),
  )
}

/** Besides JSON: a page for browsers, or the same as lines. */
const besidesJson = new Set(['application/json', 'text/html', 'application/x-ndjson'])

/** The answer as JSON, as lines, or as a file: `file` has its types. */
function answerOf({ responses }: Operation): Readonly<Record<string, Json>> {
  const contents = ['200', '201', '202'].flatMap((status): Content[] => {
    const content = responses[status]?.content
    return content === undefined ? [] : [content]
  })
  const types = contents.flatMap((content) => Object.keys(content))
  if (types.length === 0) return {}
  const bodies = contents.flatMap((content) => content['application/json']?.schema ?? [])
  if (bodies.length === 0 || types.some((type) => !besidesJson.has(type)))
    return { file: { enum: [...new Set(types)] } }
  return {
    answer: { anyOf: bodies },
    ...(types.includes('application/x-ndjson') ? { lines: { const: true } } : {}),
  }
}

function shapeOf(operation: Operation): Json {
  const { requestBody, summary } = operation
  const [path, query] = [parametersOf(operation, 'path'), parametersOf(operation, 'query')]
  const body = requestBody?.content['application/json']?.schema
  const answer = answerOf(operation)
  const isBodyRequired = requestBody?.required === true
  const isQueryRequired = ((query?.['required'] ?? []) as readonly string[]).length > 0
  const required = [
    ...(path ? ['path'] : []),
    ...(isQueryRequired ? ['query'] : []),
    ...(isBodyRequired ? ['body'] : []),
    ...Object.keys(answer),
  ]
  const members = { ...(path && { path }), ...(query && { query }), ...(body && { body }), ...answer }
  return { ...objectOf(members, required), description: summary }
}

/** An object of objects: `operations.GET['/services']` has the parameters, the body and the answer. */
function operationsOf(paths: Description['paths']): Json {
  const methods = ['get', 'post', 'put', 'delete']
  const byMethod = methods.map((method): [string, Json] => {
    const found = Object.entries(paths).flatMap(([path, item]): [string, Json][] => {
      const operation = item[method]
      return operation === undefined ? [] : [[path, shapeOf(operation)]]
    })
    return [
      method.toUpperCase(),
      objectOf(
        Object.fromEntries(found),
        found.map(([path]) => path),
      ),
    ]
  })
  return objectOf(
    Object.fromEntries(byMethod),
    byMethod.map(([method]) => method),
  )
}

const { openapi, info, paths, components } = interfaceDescription() as Description
const schemas = withoutProse({ ...components.schemas, operations: operationsOf(paths) }, true)
const directory = mkdtempSync(join(tmpdir(), 'latarnik-types-'))
const types = await generateTypes({ openapi, info, paths: {}, components: { schemas } }, directory)
rmSync(directory, { recursive: true })
const indented = types.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
keepGenerated('../client/schema.d.ts', `// Generated by npm run docs.\n${indented}`, 'npm run docs')
