import { isObject } from '../domain/input/json.ts'
import type { Problem } from '../domain/input/problem.ts'
import { unknownField } from '../domain/input/problem.ts'
import type { Operation, ParameterDescription } from '../rest/call.ts'
import type { Asked } from '../rest/calls.ts'
import type { Registry } from '../rest/declare.ts'
import type { Field } from '../rest/fields.ts'
import { refuseAny } from '../rest/problems.ts'
import { type Schema, schemaOf } from '../rest/schemas.ts'
import type { Tool } from './tool.ts'

/** Rows of a page unless the caller asks for others, and at most. */
const pageSize = { default: 20, maximum: 50 } as const

/** The place of an argument in its operation. */
type Place =
  | { readonly in: 'path' | 'query'; readonly parameter: ParameterDescription }
  | { readonly in: 'body'; readonly field: Field }

function isField(body: NonNullable<Operation['body']>): body is Field {
  return typeof body['kind'] === 'string'
}

function placeOf({ id, parameters = [], body = {} }: Operation, target: string): Place {
  const parameter = parameters.find(({ name }) => name === target)
  if (parameter !== undefined && parameter.in !== 'header') return { in: parameter.in, parameter }
  const field = isField(body) ? undefined : body[target]
  if (field === undefined) throw new Error(`${id} has no parameter or member ${target}.`)
  return { in: 'body', field }
}

const unneeded = new Set(['example', 'readOnly', 'writeOnly', 'deprecated', 'x-component'])

/** A JSON Schema without what only the API's own document needs. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (unneeded.has(key) ? [] : [[key, plain(value)]])),
  )
}

function schemaOfPlace(place: Place, target: string): unknown {
  if (place.in === 'body') return plain(schemaOf(place.field))
  if (target === 'limit') return { type: 'integer', minimum: 1, ...pageSize, description: 'Rows at once.' }
  if (target === '_id') return { type: 'integer', minimum: 1 }
  const { schema, about } = place.parameter
  return plain({ ...schema, description: about })
}

function isRequired(tool: Tool, place: Place, name: string): boolean {
  if (tool.required?.includes(name) === true) return true
  return place.in === 'body' ? place.field.required === true : place.in === 'path'
}

/** The JSON Schema of a tool's arguments, derived from its operation. */
export function argumentsSchema(tool: Tool, operation: Operation): Schema & { readonly type: 'object' } {
  const places = Object.entries(tool.arguments).map(([name, target]) => ({
    ...{ name, target, place: placeOf(operation, target) },
  }))
  return {
    type: 'object',
    properties: Object.fromEntries(places.map(({ name, target, place }) => [name, schemaOfPlace(place, target)])),
    required: places.filter(({ name, place }) => isRequired(tool, place, name)).map(({ name }) => name),
    additionalProperties: false,
  }
}

type Values = Readonly<Record<string, unknown>>
type Scalar = string | number | boolean

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The values that a parameter knows; null: any. */
function choicesOf({ enum: own, items }: Schema): readonly unknown[] | null {
  const values = own ?? (isObject(items) ? items['enum'] : undefined)
  return Array.isArray(values) ? values : null
}

const identity = /^[\w-]{1,40}$/

interface Read {
  readonly parameters: Record<string, string>
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  readonly problems: Problem[]
}

function readPlaced(read: Read, place: Place, target: string, given: { name: string; value: unknown }): void {
  const field = `arguments.${given.name}`
  const { value } = given
  if (place.in === 'body') {
    read.body[target] = value
    return
  }
  const values = Array.isArray(value) ? value : [value]
  const { schema } = place.parameter
  const isList = place.in === 'query' && schema['type'] === 'array'
  const allowed = choicesOf(schema)
  if (!values.every(isScalar) || (Array.isArray(value) && !isList))
    read.problems.push({ error: 'incorrect_type', field, facts: { expected: String(schema['type']) } })
  // The API takes any text for a filter; nothing found for a misspelt state would read as good news.
  else if (allowed !== null && !values.every((one) => allowed.includes(one)))
    read.problems.push({ error: 'incorrect_value', field, facts: { allowed: allowed.join(', ') } })
  else if (place.in === 'query') for (const one of values) read.query.append(target, String(one))
  else if (identity.test(String(value))) read.parameters[target] = String(value)
  else read.problems.push({ error: 'incorrect_value', field })
}

/** The fields and embedded objects that a tool shows, as parameters of its operation. */
export function shownParameters(
  { shows = [] }: Pick<Tool, 'shows'>,
  operation: Operation,
  registry: Registry,
): [string, string][] {
  if (shows.length === 0 || operation.resource === undefined) return []
  const { relations } = registry.get(operation.resource)
  const isEmbedded = (name: string) => Object.hasOwn(relations, name.split('.')[0] ?? '')
  const embed = shows.filter((name) => name.includes('.') && isEmbedded(name))
  const fields = shows.filter((name) => !embed.includes(name))
  return [['fields', fields.join(',')], ...(embed.length === 0 ? [] : [['embed', embed.join(',')] as [string, string]])]
}

/** The request to its operation that a call of a tool becomes. Refuses unknown, missing and mistyped arguments. */
export function askedBy(tool: Tool, operation: Operation, given: Values): Asked {
  const read: Read = { parameters: {}, query: new URLSearchParams(), body: {}, problems: [] }
  const names = Object.keys(tool.arguments)
  for (const name of Object.keys(given)) {
    if (!names.includes(name))
      read.problems.push({ error: 'unknown_field', field: `arguments.${name}`, facts: unknownField(name, names) })
  }
  for (const [name, target] of Object.entries(tool.arguments)) {
    const place = placeOf(operation, target)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined && (value !== null || place.in === 'body')) readPlaced(read, place, target, { name, value })
    else if (isRequired(tool, place, name)) read.problems.push({ error: 'missing_value', field: `arguments.${name}` })
  }
  limitRows(tool, read, given)
  refuseAny(read.problems)
  const { parameters, query } = read
  const hasBody = operation.method === 'POST' || operation.method === 'PUT'
  return { parameters, query, body: hasBody ? read.body : undefined, source: 'mcp' }
}

function limitRows(tool: Tool, { query, problems }: Read, { limit }: Values): void {
  if (tool.arguments['limit'] === undefined) return
  if (limit === undefined) query.set('limit', String(pageSize.default))
  else if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > pageSize.maximum)
    problems.push({
      ...{ error: 'incorrect_value', field: 'arguments.limit', facts: { minimum: 1, maximum: pageSize.maximum } },
    })
}

/** Problems of the operation as those of the arguments: `data.end_time` is `arguments.end_time`. */
export function ofArguments(tool: Tool, problem: Problem): Problem {
  if (problem.field === undefined) return problem
  const written = problem.field.replace(/^(data|query|path)\./, '')
  const found = Object.entries(tool.arguments).find(
    ([, target]) => written === target || written.startsWith(`${target}.`) || written.startsWith(`${target}[`),
  )
  return found === undefined ? problem : { ...problem, field: `arguments.${found[0]}${written.slice(found[1].length)}` }
}
