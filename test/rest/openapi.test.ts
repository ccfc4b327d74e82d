import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import { exampleBaseUrl } from '../../src/rest/guide.ts'
import { allOperations } from '../../src/rest/routes.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { descriptionOf } from '../support/described.ts'

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly deprecated?: boolean
  readonly security?: readonly unknown[]
  readonly responses: Json
}

const document = interfaceDescription()
const description = descriptionOf(document)
const operations = allOperations(declaredResources())
const root = fileURLToPath(new URL('../..', import.meta.url))
let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

/** Every place below a value, with its pointer. */
function* places(
  value: unknown,
  pointer: readonly string[] = [],
): Generator<{ pointer: readonly string[]; value: Json }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { pointer, value: value as Json }
  for (const [name, member] of Object.entries(value)) yield* places(member, [...pointer, name])
}

function lint(file: string): Promise<string> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const parameters = [cli, 'lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json']
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { cwd: root, env: environment, timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve(stdout === '' ? stderr : stdout),
    )
  })
}

test('is served to anybody, as the published file has it', async () => {
  const reply = await api.call(null, 'GET', '/public/swagger.json')
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
  const served: unknown = JSON.parse(reply.text.replaceAll('http://api.test/v3', exampleBaseUrl))
  expect(served).toEqual(document)
  const published: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'))
  expect(published, 'run `npm run openapi`').toEqual(document)
})

test('is OpenAPI 3.1 that a linter has nothing to say about', async () => {
  expect(document['openapi']).toMatch(/^3\.1\./)
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-openapi-'))
  try {
    const file = join(directory, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const said = JSON.parse(await lint(file)) as {
      totals: Json
      problems: readonly { ruleId: string; message: string }[]
    }
    expect(said.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
    expect(said.totals).toMatchObject({ errors: 0, warnings: 0 })
  } finally {
    await rm(directory, { recursive: true })
  }
}, 90_000)

test('holds every operation, and no other', () => {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(operations.map(({ id, method, path }) => `${id} ${method} ${path}`).toSorted())
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
})

test('tells of every path its parameters, each once', () => {
  for (const { id, path, parameters = [] } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect([id, inPath]).toEqual([id, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)])
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect([id, names]).toEqual([id, [...new Set(names)]])
  }
})

describe('every operation', () => {
  const described = Object.values(document['paths'] as Readonly<Record<string, Readonly<Record<string, Described>>>>)
    .flatMap((methods) => Object.entries(methods))
    .map(([method, one]) => ({ ...one, method: method.toUpperCase() }))
  const declared = new Map(operations.map((operation) => [operation.id, operation]))

  test('has one heading that is explained, and a short title', () => {
    const headings = (document['tags'] as readonly { name: string }[]).map(({ name }) => name)
    for (const { operationId, tags, summary } of described) {
      expect([operationId, tags]).toEqual([operationId, [expect.any(String)]])
      expect([operationId, headings]).toEqual([operationId, expect.arrayContaining([...tags])])
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[A-Z][^.]{3,80}$/)])
    }
    expect(headings.filter((name) => !described.some(({ tags }) => tags.includes(name)))).toEqual([])
  })

  test('names every status that it can be answered with', () => {
    for (const { operationId, method, responses } of described) {
      const { body, path, answers } = declared.get(operationId) ?? { body: undefined, path: '', answers: {} }
      const expected = [
        ...Object.keys(answers),
        ...(method === 'GET' ? ['304'] : []),
        ...(body === undefined ? [] : ['400', '413', '415']),
        ...(path.includes('{') ? ['404'] : []),
        ...['401', '403', '422', '429', '500', '503'],
      ]
      expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(expected)])
      expect([operationId, Object.keys(responses).some((status) => status.startsWith('2'))]).toEqual([
        operationId,
        true,
      ])
    }
  })

  test('asks for credentials, unless it is for everybody', () => {
    const open = described.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)
    const free = operations.filter(({ access }) => access === 'public' || access === 'open').map(({ id }) => id)
    expect(open.toSorted()).toEqual(free.toSorted())
    for (const { id, access, scope } of operations) {
      if (access === 'public' || access === 'open') continue
      const { security } = described.find(({ operationId }) => operationId === id) ?? {}
      const ofKeys = scope === 'none' ? [] : [{ api_key: [scope] }]
      expect([id, security]).toEqual([id, [{ basic: [] }, { bearer: [] }, ...ofKeys, { oauth: [] }]])
    }
    const schemes = Object.keys((document['components'] as { securitySchemes: Json }).securitySchemes)
    expect(document['security']).toEqual(schemes.map((scheme) => ({ [scheme]: [] })))
  })

  test('is free for everybody only where the specification or a secret link says so', () => {
    const free = operations.filter(({ access }) => access === 'public' || access === 'open').map(({ id }) => id)
    expect(free.toSorted()).toEqual([
      'accounts.activate',
      'accounts.register',
      'artifacts.by_token',
      'auth_token.create',
      'error_types.list',
      'error_types.permissions',
      'error_types.read',
      'error_types.search',
      'generated_attachments.by_token',
      'packages_available_for_new_accounts.list',
      'reports.pdf_by_token',
      'rotations.linked_calendar',
      'sensors.list',
      'sensors.permissions',
      'sensors.read',
      'sensors.search',
      'sensors.status',
      'sessions.create',
      'sessions.create_by_passkey',
      'sessions.passkey_options',
      'system.confirm_password_reset',
      'system.initialize_password_reset',
      'wallboards.shared_board',
    ])
  })

  test('is marked when it is to be removed in a later version', () => {
    const marked = described.filter(({ deprecated }) => deprecated === true).map(({ operationId }) => operationId)
    const older = operations
      .filter(({ path }) =>
        /^\/auth_token|scheduled_suspensions|\/checks\/\{_sensor_id\}\/(content|har|uncompressed_content)$/.test(path),
      )
      .map(({ id }) => id)
    expect(marked.toSorted()).toEqual(older.toSorted())
    expect(marked).toEqual(expect.arrayContaining(['auth_token.create', 'auth_token.read', 'auth_token.remove']))
  })
})

test('fields that are to be removed are marked', () => {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, { properties?: Json }>> }
  const marked = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(name.endsWith('_input') ? {} : properties)
      .filter(([, field]) => (field as Json)['deprecated'] === true)
      .map(([field]) => `${name}.${field}`),
  )
  expect(marked.toSorted()).toEqual([
    'groups.sensor_ids',
    'report_templates.title',
    'services.silent_hours',
    'services.suspension_hours',
  ])
})

test('describes everything in a sentence', () => {
  for (const { pointer, value } of places(document['paths'])) {
    if (pointer.at(-2) === 'parameters') expect([pointer.join('/'), value['description']]).not.toContain('')
    if (pointer.length === 2) expect([pointer.join('/'), value['summary']]).not.toContain(undefined)
  }
  for (const { name, description: sentence } of document['tags'] as readonly { name: string; description: string }[]) {
    expect([name, sentence]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/s)])
  }
})

describe('examples', () => {
  test('of schemas are what their schemas say', () => {
    let seen = 0
    for (const { pointer, value } of places(document['components'])) {
      if (!Object.hasOwn(value, 'example') || pointer.at(-1) === 'properties') continue
      const validate = description.schemaAt('components', ...pointer)
      validate(value['example'])
      expect(`${pointer.join('/')} ${JSON.stringify(validate.errors ?? [])}`).toBe(`${pointer.join('/')} []`)
      seen += 1
    }
    expect(seen).toBeGreaterThan(100)
  })

  test('of bodies and parameters are what their schemas say', () => {
    let seen = 0
    for (const { pointer, value } of places(document['paths'])) {
      if (!Object.hasOwn(value, 'example') || !Object.hasOwn(value, 'schema')) continue
      const validate = description.schemaAt('paths', ...pointer, 'schema')
      validate(value['example'])
      expect(`${pointer.join('/')} ${JSON.stringify(validate.errors ?? [])}`).toBe(`${pointer.join('/')} []`)
      seen += 1
    }
    expect(seen).toBeGreaterThan(100)
  })

  test('of objects show every field that is always shown', () => {
    for (const { all } of [declaredResources()]) {
      for (const { name, fields } of all) {
        const component = (document['components'] as { schemas: Readonly<Record<string, Json>> }).schemas[
          name.replaceAll('/', '_')
        ]
        const always = Object.entries(fields).filter(
          ([, field]) => !field.internal && !field.writeOnly && !field.embedOnly,
        )
        // Linters take an example with a type and a default for a schema.
        if (name === 'extended_setting_formats') continue
        expect(Object.keys((component?.['example'] ?? {}) as Json)).toEqual(always.map(([field]) => field))
      }
    }
  })
})

test('its schemas are JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: false })
  for (const { pointer, value } of places((document['components'] as Json)['schemas'])) {
    if (pointer.length === 1) expect([pointer[0], ajv.validateSchema(value)]).toEqual([pointer[0], true])
  }
})
