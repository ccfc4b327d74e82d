import { describe, expect, test } from 'vitest'
import { interfaceDescription } from '../../src/program/interface-description.ts'

/** Constructs that client generators cannot handle; each was found with one of them. */

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly example?: unknown
  readonly description: string
  readonly required?: boolean
  readonly schema: Json
}

interface Described {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example: unknown }>>
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string
        readonly content?: Readonly<Record<string, { readonly schema: Json }>>
        readonly headers?: Json
      }
    >
  >
}

const document = interfaceDescription() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, { readonly headers?: Json }>>
  }
}
const { schemas, parameters: sharedParameters, responses: failures } = document.components
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)

/** The letters and digits of a name. */
const bare = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)
const lastOf = (reference: unknown) => String(reference).split('/').at(-1) ?? ''

function parametersOf({ parameters }: Described): readonly Parameter[] {
  return parameters.map((one) => (one.$ref === undefined ? one : (sharedParameters[lastOf(one.$ref)] ?? one)))
}

/** Every schema below, with its pointer; examples are none. */
function* schemasIn(value: unknown, pointer = ''): Generator<{ readonly pointer: string; readonly schema: Json }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && !pointer.endsWith('/properties')) yield { pointer, schema: value as Json }
  for (const [name, member] of Object.entries(value))
    if (!['example', 'enum', 'default'].includes(name) || pointer.endsWith('/properties'))
      yield* schemasIn(member, `${pointer}/${name}`)
}

describe('names', () => {
  test('of the parameters of an operation stay different with their letters alone', () => {
    for (const operation of operations) {
      const names = parametersOf(operation).map((parameter) => `${parameter.in} ${bare(parameter.name)}`)
      expect([operation.operationId, twice(names)]).toEqual([operation.operationId, []])
    }
  })

  test('of operations are of letters, and a point', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id) => !/^[a-z0-9_]+\.[a-z0-9_]+$/.test(id))).toEqual([])
    expect(twice(ids.map(bare))).toEqual([])
  })

  test('of schemas stay different, also from those of their members', () => {
    const names = Object.keys(schemas).map(bare)
    expect(twice(names)).toEqual([])
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties as Json).map((member) => bare(`${name}_${member}`)),
    )
    expect(members.filter((member) => names.includes(member))).toEqual([])
    expect(Object.keys(schemas).filter((name) => !/^\w+$/.test(name))).toEqual([])
  })

  test('stand for each body of a request, each answer that is an object, and each set of values', () => {
    const unnamed = operations.flatMap(({ operationId, requestBody, responses }) => {
      const bodies = [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
      const inline = bodies.map(({ schema }) => (schema['items'] ?? schema) as Json)
      return inline.some(({ properties }) => properties !== undefined) ? [operationId] : []
    })
    expect(unnamed).toEqual([])
    const choices = [...schemasIn(document)].filter(({ schema }) => Array.isArray(schema['enum']))
    expect(choices.filter(({ pointer }) => !/^\/components\/schemas\/\w+$/.test(pointer))).toEqual([])
    expect(twice(choices.map(({ schema }) => JSON.stringify(schema['enum'])))).toEqual([])
    expect(choices.length).toBeGreaterThan(20)
  })
})

describe('parameters', () => {
  const listed = (id: string) => operations.find(({ operationId }) => operationId === id)?.parameters ?? []
  const named = (id: string, name: string) => listed(id).find((one) => one.name === name)

  test('that filter have a type, a choice, and are repeated', () => {
    const choice = { type: 'array', items: { $ref: '#/components/schemas/type_id' } }
    expect(named('services.list', 'type_id')).toMatchObject({ schema: choice, style: 'form', explode: true })
    expect(named('services.list', 'id')?.schema).toEqual({ type: 'array', items: { type: 'integer', format: 'int64' } })
    expect(named('services.list', 'is_active')?.schema).toEqual({ type: 'boolean' })
    expect(named('services.list', 'name.contains')?.schema).toEqual({ type: 'array', items: { type: 'string' } })
    expect(named('services.list', 'created_at')?.schema).toEqual({ type: 'array', items: { type: 'string' } })
    expect(operations.flatMap(({ parameters }) => parameters).filter(({ name }) => name?.endsWith('~'))).toEqual([])
  })

  test('of what can be embedded are listed', () => {
    const summary = { type: 'array', items: { $ref: expect.stringMatching(/summary/) } }
    for (const id of ['services.list', 'groups.services', 'accounts.services']) {
      expect(named(id, 'status.summary')?.schema).toEqual(summary)
      expect(named(id, 'group.name.contains')).toBeDefined()
      expect(named(id, 'permissions.update')?.schema).toEqual({ type: 'boolean' })
    }
    // Means the same as `owner_id`, and has its name.
    expect(named('services.list', 'owner.id')).toBeUndefined()
  })

  test('of a query are members of the filters of the search too', () => {
    const searches = operations.filter(({ operationId }) => operationId.endsWith('.search'))
    expect(searches.length).toBeGreaterThan(20)
    for (const { operationId } of searches) {
      const input = schemas[`${operationId.replaceAll('.', '_')}_input`]?.['properties'] as Json
      const filters = Object.keys((input['filters'] as Json)['properties'] as Json)
      const others = Object.keys(input)
      const inQuery = listed(operationId.replace('.search', '.list')).filter((one) => one.in === 'query')
      expect([operationId, filters]).toEqual([
        operationId,
        inQuery.map(({ name }) => name).filter((name) => !others.includes(name)),
      ])
    }
  })

  test('that are headers are listed where they are read', () => {
    for (const operation of operations) {
      const headers = parametersOf(operation).filter((one) => one.in === 'header')
      const isRanged = Object.hasOwn(operation.responses, '206')
      const isVersioned = Object.hasOwn(operation.responses, '412')
      expect([operation.operationId, headers.map(({ name }) => name)]).toEqual([
        operation.operationId,
        [
          ...(operation.operationId === 'event_stream.listen' ? ['Last-Event-ID'] : []),
          'Accept-Language',
          ...(operation.method === 'get' ? ['If-None-Match'] : []),
          ...(isVersioned ? ['If-Match'] : []),
          ...(isRanged ? ['Range', 'If-Range'] : []),
        ],
      ])
    }
  })
})

test('headers of answers are listed where they are sent', () => {
  const headersOf = (answer: { readonly headers?: Json } | undefined) => Object.keys(answer?.headers ?? {})
  expect(headersOf(failures['401'])).toEqual(['WWW-Authenticate'])
  expect(headersOf(failures['416'])).toEqual(['Content-Range'])
  for (const status of ['429', '503']) expect(headersOf(failures[status])).toEqual(['Retry-After'])
  for (const { operationId, method, responses } of operations) {
    if (method !== 'get') continue
    for (const status of ['200', '304'])
      expect([operationId, headersOf(responses[status])]).toEqual([operationId, expect.arrayContaining(['ETag'])])
  }
})

test('an object that may be null is an alternative: openapi-generator takes two types for one that is never null', () => {
  const typed = [...schemasIn(document)].filter(({ schema }) => Array.isArray(schema['type']))
  expect(typed.length).toBeGreaterThan(100)
  const objects = typed.filter(({ schema }) => (schema['type'] as readonly string[]).includes('object'))
  expect(objects.map(({ pointer }) => pointer)).toEqual([])
  expect(((schemas['services'] as Json)['properties'] as Json)['managed_state']).toMatchObject({
    anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }],
  })
})

/** Values of parameters of paths, by name: viewers fill them in, and tools send them. */
const sampleValues: Readonly<Record<string, RegExp>> = {
  ...{ _analysis_id: /^last_analysis$/, _service_type_id: /^http$/, _language_id: /^en$/, _channel_id: /^email$/ },
  ...{ _artifact_id: /^(content|har)$/, _type_id: /^pdf$/, _key: /^\w+$/, file_name: /^\w+\.\w+$/ },
  ...{ year: /^\d{4}$/, month: /^\d{1,2}$/ },
}

test('parameters of paths have a description of their own and an example that they can have', () => {
  const inPaths = operations.flatMap((operation) =>
    parametersOf(operation)
      .filter((one) => one.in === 'path' && one.name !== '_id')
      .map((one) => ({ ...one, id: operation.operationId })),
  )
  expect(inPaths.length).toBeGreaterThan(80)
  const wrong = inPaths.filter(({ name, example }) => !(sampleValues[name] ?? /^\d+$/).test(String(example)))
  expect(wrong.map(({ id, name, example }) => `${id}: ${name} ${String(example)}`)).toEqual([])
  expect(inPaths.filter(({ description }) => description === 'Identifier.').map(({ name }) => name)).toEqual([])
})

test('parameters of a query without which nothing is found are required', () => {
  const required = operations.flatMap((operation) =>
    parametersOf(operation)
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name }) => `${operation.operationId} ${name}`),
  )
  expect(required.toSorted()).toEqual([
    'accounts.activate token',
    'artifacts.by_token token',
    'generated_attachments.by_token token',
    'reports.pdf_by_token token',
    'rotations.linked_calendar token',
  ])
})

test('the documents are named by a whole URL that leads to them', () => {
  const { url } = interfaceDescription()['externalDocs'] as { readonly url: string }
  expect(new URL(url).pathname).toBe('/docs/')
  expect(new URL((interfaceDescription('pl')['externalDocs'] as { readonly url: string }).url).pathname).toBe(
    '/docs/pl/',
  )
})

test('bytes of a file are bytes, whole or in part', () => {
  const untyped = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([type, { schema }]) =>
        type.includes('json') || schema['type'] !== undefined ? [] : [`${operationId} ${status} ${type}`],
      ),
    ),
  )
  expect(untyped).toEqual([])
})

test('integers have a bound, or 64 bits', () => {
  const integers = [...schemasIn(document)].filter(({ schema }) => [schema['type']].flat().includes('integer'))
  const narrow = integers.filter(
    ({ schema: { maximum, format } }) => !(Number(maximum) <= 2 ** 31 - 1) && format !== 'int64',
  )
  expect(narrow.map(({ pointer }) => pointer)).toEqual([])
  expect(integers.length).toBeGreaterThan(500)
})

test('every operation has a description and an example', () => {
  for (const operation of operations) {
    const { operationId, description, requestBody, responses } = operation
    expect([operationId, description]).toEqual([operationId, expect.stringMatching(/^[A-Z`].*[.!]$/s)])
    const bodies = Object.values(requestBody?.content ?? {}).map(({ example }) => example)
    const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const answered = succeeded.map(([, response]) => response).flatMap(({ content = {} }) => Object.values(content))
    const objects = answered.map(({ schema }) => (schema['items'] ?? schema) as Json)
    const shown = objects.map((schema) => (schemas[lastOf(schema['$ref'])] ?? schema)['example'])
    const inPath = parametersOf(operation).filter((one) => one.in === 'path')
    const all = [...bodies, ...shown, ...inPath.map(({ example }) => example)]
    // Logging out takes nothing and answers nothing.
    const hasNone = requestBody === undefined && answered.length === 0 && inPath.length === 0
    expect([operationId, hasNone || all.some((one) => one !== undefined)]).toEqual([operationId, true])
  }
})

/** Members of answers that are not always there, and why; everything else that is shown is required. */
const optional = new Map([
  ['problem', ['field']],
  ['sessions_create_output', ['is_2fa_verification_required']],
])

test('what is always there without fields is required', () => {
  const written = (name: string) => /_input$|^check_facts$|^extended_settings$|^reports_json_output$/.test(name)
  const embedded = (schema: Json) => String(schema['description'] ?? '').startsWith('Only with `embed=')
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema['properties'] === undefined || written(name)) continue
    const required = (schema['required'] ?? []) as readonly string[]
    const missing = Object.entries(schema['properties'] as Readonly<Record<string, Json>>)
      .filter(([member, one]) => !required.includes(member) && !embedded(one))
      .map(([member]) => member)
    expect([name, missing]).toEqual([name, optional.get(name) ?? []])
  }
})

test('settings have a shape of their own for each type, and one that every generator can read', () => {
  const chain = (((schemas['services'] as Json)['dependentSchemas'] as Json)['type_id'] ?? {}) as Json
  const found = new Map<unknown, unknown>()
  for (let link: Json | undefined = chain; link?.['if'] !== undefined; link = link['else'] as Json | undefined) {
    const { properties } = link['if'] as { properties: { type_id: { const: string } } }
    const { properties: then } = link['then'] as { properties: { extended_settings: { $ref: string } } }
    found.set(properties.type_id.const, lastOf(then.extended_settings.$ref))
  }
  expect([...found.keys()].toSorted()).toEqual(((schemas['type_id'] as Json)['enum'] as string[]).toSorted())
  expect(found.get('dns')).toBe('settings_of_dns')
  expect(found.get('https_ipv6')).toBe('settings_of_https')
  const { properties, required } = schemas['settings_of_dns'] as { properties: Json; required: readonly string[] }
  expect(required).toEqual(Object.keys(properties))
  expect(properties['port']).toMatchObject({ type: 'integer', minimum: 1, maximum: 65_535 })
  // Every type has it; a heartbeat has no sensors.
  expect(schemas['extended_settings']).toMatchObject({ required: ['disable_breakdown_checks'] })
})

test('no schema lists types beside null: oapi-codegen for Go writes none for it', () => {
  const all = [...schemasIn(schemas, '/components/schemas')]
  const several = all.filter(({ schema }) => {
    const { type } = schema
    return Array.isArray(type) && type.filter((one) => one !== 'null').length > 1
  })
  expect(all.length).toBeGreaterThan(1000)
  expect(several.map(({ pointer }) => pointer)).toEqual([])
})
