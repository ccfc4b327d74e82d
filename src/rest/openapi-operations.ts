import type { Operation, ParameterDescription } from './call.ts'
import type { Registry } from './declare.ts'
import type { Field, Fields } from './fields.ts'
import { isForAnybody } from './keys.ts'
import { componentName, responsesOf } from './openapi-answers.ts'
import { itemPath } from './paths.ts'
import { conditionsOf, exampleOf, named, objectSchema, type Schema, schemaOf } from './schemas.ts'

function isField(body: Fields | Field): body is Field {
  return typeof body['kind'] === 'string'
}

/** True for fields that can be pasted into any object: no other object's number or unique name, nothing immutable. */
function isChangedAlike({ immutable, unique, untypical, example, oneOf, kind }: Field): boolean {
  return !immutable && !unique && !untypical && (example !== undefined || oneOf !== undefined || kind === 'boolean')
}

function bodyExample(fields: Fields, isChange: boolean): Schema {
  const chosen = Object.entries(fields)
    .filter(([, field]) => (isChange ? isChangedAlike(field) : field.required || field.typical))
    .filter(([, field]) => !field.readOnly)
  return Object.fromEntries(chosen.map(([name, field]) => [name, exampleOf(field)]))
}

function requestBody(body: Fields | Field, operation: Operation): Schema {
  const { method, isBodyOptional = false, variants, neededUnless } = operation
  const conditions = variants === undefined || variants === null ? {} : conditionsOf(variants, 'written')
  const schema = isField(body)
    ? schemaOf(body)
    : named(`${componentName(operation)}_input`, { ...objectSchema(body), ...conditions, ...eitherOf(neededUnless) })
  const example = isField(body) ? exampleOf(body) : bodyExample(body, method === 'PUT')
  return { required: !isBodyOptional, content: { 'application/json': { schema, example } } }
}

/** As `if` and `then`: code generators make a union without members of `anyOf`. */
function eitherOf(condition: Operation['neededUnless']): Schema {
  if (condition === undefined) return {}
  const { given, needed } = condition
  // biome-ignore lint/suspicious/noThenProperty: A JSON Schema has this keyword.
  return { if: { not: demanding([given]) }, then: demanding(needed) }
}

/** Linters look for the members where they are demanded. */
function demanding(names: readonly string[]): Schema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names }
}

const headerParameters = {
  'Accept-Language': {
    about: 'Language of the texts for people: `en` or `pl`, the first that is known; `en` without one.',
    applies: () => true,
  },
  'If-None-Match': {
    about: '`ETag` of the version that the caller has; while it is the present one, the answer is 304 without a body.',
    applies: ({ method }: Operation) => method === 'GET',
  },
  'If-Match': {
    about:
      '`ETag` of a `GET` of the object without parameters: it is changed only in that version, else the answer is 412. Without the header the last write wins.',
    applies: ({ hearsIfMatch }: Operation) => hearsIfMatch === true,
  },
  Range: {
    about: 'Which bytes are wanted, such as `bytes=0-1023`.',
    applies: ({ hasRanges }: Operation) => hasRanges === true,
  },
  'If-Range': {
    about: '`ETag` of the version of which a part is wanted; of another version the whole is sent.',
    applies: ({ hasRanges }: Operation) => hasRanges === true,
  },
} as const

const headerComponent = (name: string) => `${name.toLowerCase().replaceAll('-', '_')}_header`

/** The headers of requests that answers depend on. */
export const parameterComponents: Schema = Object.fromEntries(
  Object.entries(headerParameters).map(([name, { about }]) => [
    headerComponent(name),
    { name, in: 'header', description: about, required: false, schema: { type: 'string' } },
  ]),
)

function headerReferences(operation: Operation): readonly Schema[] {
  const applying = Object.entries(headerParameters).filter(([, { applies }]) => applies(operation))
  return applying.map(([name]) => ({ $ref: `#/components/parameters/${headerComponent(name)}` }))
}

function styleOf({ schema, isCommaSeparated = false }: ParameterDescription): Schema {
  return schema['type'] === 'array' ? { style: 'form', explode: !isCommaSeparated } : {}
}

function parametersOf(operation: Operation, ids: ReadonlyMap<string, string>): readonly Schema[] {
  const { path, parameters = [] } = operation
  const own = parameters.map((described) => {
    const { about, isCommaSeparated: _isCommaSeparated, isRequired = false, ...parameter } = described
    const isPath = parameter.in === 'path'
    // Other parameters of a path have an example of their name.
    const known = isPath && parameter.name === '_id' ? ids.get(path.slice(0, path.indexOf('{_id}') + 5)) : undefined
    return {
      ...parameter,
      ...styleOf(described),
      ...(known === undefined ? {} : { example: known }),
      description: about,
      required: isPath || isRequired,
    }
  })
  return [...own, ...headerReferences(operation)]
}

function securityOf(operation: Operation): Schema {
  const { scope = 'none' } = operation
  if (isForAnybody(operation)) return { security: [] }
  const ofKeys = scope === 'none' ? [] : [{ api_key: [scope] }]
  return { security: [{ basic: [] }, { bearer: [] }, ...ofKeys, { oauth: [] }] }
}

function operationSchema(operation: Operation, ids: ReadonlyMap<string, string>): Schema {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.about ?? `${operation.summary}.`,
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...securityOf(operation),
    parameters: parametersOf(operation, ids),
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body, operation) }),
    responses: responsesOf(operation),
  }
}

/** An identifier that a newcomer has, for each path to an object: an alias, or the example of the field. */
function sampleIds(registry: Registry): ReadonlyMap<string, string> {
  return new Map(
    registry.all.map((resource) => {
      const [alias] = Object.keys(resource.alias)
      return [itemPath(resource), alias ?? String(resource.fields['id']?.example ?? 1)]
    }),
  )
}

/** Every operation, by path and method. */
export function pathsOf(registry: Registry, operations: readonly Operation[]): Schema {
  const ids = sampleIds(registry)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = operationSchema(operation, ids)
  }
  return paths
}
