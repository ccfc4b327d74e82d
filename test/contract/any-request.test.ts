import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { names, type Person } from '../support/people.ts'
import { bodyOf, type Schema } from '../support/schema-values.ts'

interface Described {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>>; readonly $ref?: string }>
  >
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Entry {
  readonly path: string
  readonly method: Method
  readonly operation: Described
}

interface Sent {
  readonly person: Person | null
  readonly path: string
  readonly body: unknown
}

const runs = Number(process.env['FUZZ_RUNS'] ?? 12)
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

let world: ApiWorld
let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }
let ajv: Ajv2020

beforeAll(async () => {
  world = await apiWorld()
  document = (await world.call(null, 'GET', '/public/swagger.json')).body as typeof document
  ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
})

afterAll(() => world.drop())

function entries(): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase() as Method, operation })),
  )
}

const identifiers = fc.constantFrom(
  '1',
  '2',
  '7',
  '8',
  '0',
  '999999',
  'my_account',
  'http',
  'email',
  'last_analysis',
  'content',
  'x',
  '%00',
  '-1',
  '1e3',
  '9'.repeat(30),
)

/** An administrator must not do away with the people of the world. */
const nobodys = fc.constantFrom('0', '999999', 'x', '%00', '-1', '9'.repeat(30))

function pathOf({ path, method }: Entry): Arbitrary<string> {
  const ids = path.startsWith('/admin/accounts/') && method !== 'GET' ? nobodys : identifiers
  const parameters = path.match(/\{\w+\}/g) ?? []
  return fc
    .array(ids, { minLength: parameters.length, maxLength: parameters.length })
    .map((values) => parameters.reduce((filled, name, index) => filled.replace(name, values[index] ?? '1'), path))
}

function queryOf(operation: Described): Arbitrary<string> {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const values = fc.constantFrom(
    '',
    '1',
    '-1',
    'null',
    'true',
    'id',
    '-id,name',
    'permissions',
    'x,y',
    'Żółć',
    '2026-11-21',
    '%00',
    '~',
  )
  const one = fc.oneof(
    ...known.map(({ name, example }) =>
      fc.oneof(values, fc.constant(String(example ?? '1'))).map((value) => [name, value] as const),
    ),
    fc.tuple(fc.constantFrom('unknown', 'a.b', '__proto__', 'name~~', 'permissions.', 'owner.owner.id'), values),
  )
  return fc.array(one, { maxLength: 3 }).map((pairs) => {
    const text = pairs.map(
      ([name, value]) => `${encodeURIComponent(name)}=${value === '%00' ? value : encodeURIComponent(value)}`,
    )
    return text.length === 0 ? '' : `?${text.join('&')}`
  })
}

function requestOf(entry: Entry): Arbitrary<Sent> {
  const { operation } = entry
  const schema = operation.requestBody?.content['application/json']?.schema
  return fc.record({
    person: fc.constantFrom(null, ...names),
    path: fc.tuple(pathOf(entry), queryOf(operation)).map((parts) => parts.join('')),
    body: schema === undefined ? fc.constant(undefined) : bodyOf(schema),
  })
}

function pointer(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')
}

const validators = new Map<string, ValidateFunction>()

function validatorOf({ path, method, operation }: Entry, status: string): ValidateFunction | null {
  const answer = operation.responses[status]
  if (answer?.$ref === undefined && answer?.content?.['application/json'] === undefined) return null
  const place =
    answer.$ref === undefined
      ? pointer('paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema')
      : pointer('components', 'responses', status, 'content', 'application/json', 'schema')
  const known = validators.get(place) ?? ajv.compile({ $ref: `openapi#/${place}` })
  validators.set(place, known)
  return known
}

function expectDeclared(entry: Entry, sent: Sent, reply: Reply): void {
  const what = `${sent.person} ${entry.method} ${sent.path} ${JSON.stringify(sent.body)} → ${reply.status} ${reply.text.slice(0, 300)}`
  expect(reply.status, what).toBeLessThan(500)
  // A parameter that the router cannot decode is refused before any operation is chosen.
  const declared = [...Object.keys(entry.operation.responses), '400', '404']
  expect(declared, what).toContain(String(reply.status))
  const validate = validatorOf(entry, String(reply.status))
  if (validate !== null) expect(validate(reply.body), `${what} ${JSON.stringify(validate.errors)}`).toBe(true)
  const isSecured = entry.operation.security?.length !== 0
  if (isSecured && sent.person === null) expect([400, 401, 404], what).toContain(reply.status)
  if (reply.status === 401) expect(reply.headers['www-authenticate'], what).toBeDefined()
}

describe(`any request, right or wrong (FUZZ_SEED=${seed})`, () => {
  it('gets a declared status, a body of the declared shape, and never a fault of the server', async () => {
    for (const entry of entries()) {
      const check = fc.asyncProperty(requestOf(entry), async (sent) => {
        expectDeclared(entry, sent, await world.call(sent.person, entry.method, sent.path, sent.body))
      })
      await fc.assert(check, { numRuns: runs, seed, endOnFailure: true })
    }
  }, 240_000)

  it('without credentials reads nothing that is not public', async () => {
    for (const { path, method, operation } of entries()) {
      if (operation.security?.length === 0) continue
      const reply = await world.call(null, method, path.replaceAll(/\{\w+\}/g, '1'), method === 'GET' ? undefined : {})
      expect(reply.status, operation.operationId).toBe(401)
    }
  })
})
