import { anonymousCaller } from '../domain/caller.ts'
import type { Problem } from '../domain/problem.ts'
import type { ProblemSymbol } from '../domain/problem-codes.ts'
import type { Language } from '../wording/language.ts'
import type { AnswerDescription, Operation } from './call.ts'
import type { Registry, Resource } from './declare.ts'
import type { Field, Fields } from './fields.ts'
import { guideIn } from './guide.ts'
import { itemPath } from './paths.ts'
import { problemBody } from './problems.ts'
import { maximumLimit } from './query.ts'
import { componentOf } from './routes.ts'
import { exampleOf, objectSchema, resourceSchema, type Schema, schemaOf } from './schemas.ts'

/** The version of the interface, not of the program (answers §1). */
const interfaceVersion = '3.8.0'

interface Failure {
  readonly about: string
  /** What an answer of this status looks like. */
  readonly example: Problem & { readonly error: ProblemSymbol }
}

const failures: Readonly<Record<number, Failure>> = {
  400: { about: 'The body is not JSON.', example: { error: 'incorrect_json' } },
  401: { about: 'No valid credentials.', example: { error: 'incorrect_credentials' } },
  403: { about: 'The caller may read this but not do it.', example: { error: 'forbidden' } },
  404: { about: 'No such object, or none that the caller may read.', example: { error: 'not_found' } },
  413: { about: 'The body is too large.', example: { error: 'payload_too_large' } },
  415: { about: 'The body is not application/json.', example: { error: 'unsupported_media_type' } },
  416: { about: 'The Range header names no byte of the content.', example: { error: 'range_not_satisfiable' } },
  422: {
    about: 'Values are wrong; every problem is listed.',
    example: { error: 'incorrect_value', field: 'query.limit', facts: { minimum: 1, maximum: maximumLimit } },
  },
  429: { about: 'Too many requests; Retry-After tells when to come again.', example: { error: 'too_many_requests' } },
  500: { about: 'A fault of the server.', example: { error: 'internal_error' } },
  503: {
    about: 'The database cannot be reached now; Retry-After tells when to come again.',
    example: { error: 'service_unavailable' },
  },
}

const problem: Schema = {
  type: 'object',
  description: 'One problem of a refused request.',
  required: ['code', 'error', 'message'],
  properties: {
    code: { type: 'integer', description: 'Seven digits; the first three are the HTTP status.', example: 4222064 },
    error: { type: 'string', description: 'Symbol of the problem.', example: 'incorrect_value' },
    description: { type: 'string', description: 'For developers, in Polish.' },
    field: { type: 'string', description: 'Pointer to the faulty part.', example: 'query.limit' },
    message: { type: 'string', description: 'For users, in the language of Accept-Language.' },
  },
}

function failureStatuses(operation: Operation): number[] {
  // Also where no body is asked for: one that is sent is read.
  const ofBody = { GET: [], DELETE: [400, 413, 415], POST: [400, 413, 415], PUT: [400, 413, 415] }
  const statuses = [
    ...ofBody[operation.method],
    // Public operations too: credentials that are sent are never ignored, and logging in checks its own.
    401,
    403,
    ...(operation.path.includes('{') ? [404] : []),
    ...(operation.refusals ?? []),
    422,
    429,
    500,
    503,
  ]
  return [...new Set(statuses)]
}

function answerSchema(answer: AnswerDescription): Schema {
  const type = answer.contentType ?? 'application/json'
  const headers = Object.entries(answer.headers ?? {}).map(([name, about]) => [
    name,
    { description: about, schema: { type: name === 'X-Total-Count' ? 'integer' : 'string' } },
  ])
  return {
    description: answer.about,
    ...(answer.schema === undefined ? {} : { content: { [type]: { schema: answer.schema } } }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  }
}

function isField(body: Fields | Field): body is Field {
  return typeof body['kind'] === 'string'
}

/** What may be pasted whatever the object is: no other object's number, nothing that stays as it was made. */
function isChangedAlike({ immutable, example, oneOf, kind }: Field): boolean {
  return !immutable && (example !== undefined || oneOf !== undefined || kind === 'boolean')
}

function requestBody(body: Fields | Field, { method, isBodyOptional = false }: Operation): Schema {
  const isChange = method === 'PUT'
  const schema = isField(body) ? schemaOf(body) : objectSchema(body)
  const fields = isField(body)
    ? []
    : Object.entries(body).filter(([, field]) => (isChange ? isChangedAlike(field) : field.required || field.typical))
  const example = isField(body)
    ? exampleOf(body)
    : Object.fromEntries(fields.filter(([, field]) => !field.readOnly).map(([name, field]) => [name, exampleOf(field)]))
  return { required: !isBodyOptional, content: { 'application/json': { schema, example } } }
}

/** Of each path to an object, an identifier that a newcomer has: an alias, or the example of the field. */
function sampleIds(registry: Registry): ReadonlyMap<string, string> {
  return new Map(
    registry.all.map((resource) => {
      const [alias] = Object.keys(resource.alias)
      return [itemPath(resource), alias ?? String(resource.fields['id']?.example ?? 1)]
    }),
  )
}

function parametersOf({ path, parameters = [] }: Operation, ids: ReadonlyMap<string, string>): readonly Schema[] {
  return parameters.map(({ about, ...parameter }) => {
    const isPath = parameter.in === 'path'
    const known = isPath
      ? ids.get(path.slice(0, path.indexOf(`{${parameter.name}}`) + parameter.name.length + 2))
      : undefined
    return {
      ...parameter,
      ...(known === undefined ? {} : { example: known }),
      description: about,
      required: isPath,
    }
  })
}

function operationSchema(operation: Operation, ids: ReadonlyMap<string, string>): Schema {
  const failed = failureStatuses(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }])
  const answered = Object.entries(operation.answers).map(([status, answer]) => [status, answerSchema(answer)])
  const notModified = operation.method === 'GET' ? [[304, { description: 'The caller has this version.' }]] : []
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.about === undefined ? {} : { description: operation.about }),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(operation.access === 'public' || operation.access === 'open' ? { security: [] } : {}),
    parameters: parametersOf(operation, ids),
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body, operation) }),
    responses: Object.fromEntries([...answered, ...notModified, ...failed]),
  }
}

function pathsOf(operations: readonly Operation[], ids: ReadonlyMap<string, string>): Schema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = operationSchema(operation, ids)
  }
  return paths
}

function permissionsSchema(resource: Resource): Schema {
  const flags = Object.keys(resource.permissions(anonymousCaller))
  return {
    type: 'object',
    description: `What the caller may do with a ${resource.singular}.`,
    properties: Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])),
  }
}

function componentsOf(registry: Registry): Schema {
  const schemas: Record<string, Schema> = {
    problem,
    problems: { type: 'array', items: { $ref: '#/components/schemas/problem' } },
  }
  for (const resource of registry.all) {
    schemas[componentOf(resource)] = resourceSchema(resource, (name) => componentOf(registry.get(name)))
    const hasPermissions = resource.embed.includes('permissions') || resource.operations.includes('permissions')
    if (hasPermissions) schemas[`${componentOf(resource)}_permissions`] = permissionsSchema(resource)
  }
  const responses = Object.entries(failures).map(([status, { about, example }]) => {
    const body = { schema: { $ref: '#/components/schemas/problems' }, example: problemBody([example], 'en') }
    return [status, { description: about, content: { 'application/json': body } }]
  })
  return {
    schemas,
    responses: Object.fromEntries(responses),
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: 'Username and password; only without 2FA.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'Token of a session (`POST /sessions`).' },
      oauth: {
        type: 'oauth2',
        description:
          'For programs that people let in by the login form. The token is that of a session; there are no scopes. The implicit flow is for clients that declare it (`is_implicit_flow_allowed`).',
        flows: {
          implicit: { authorizationUrl: '/oauth/authorize', scopes: {} },
          authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token', scopes: {} },
        },
      },
    },
  }
}

/** Headings that gather several resources. */
const headings: ReadonlyMap<string, string> = new Map([
  ['dictionaries', 'Read-only lists of choices, translated by Accept-Language.'],
  ['admin', 'For administrators of a distribution: its accounts, packages, OAuth clients and what was used.'],
  ['system', 'Diagnostics from a sensor, and the state of the whole system.'],
  ['auth_token', 'The older way to a session; use `sessions`.'],
  ['logs', 'What an account was notified of, how its services changed, and who logged in.'],
  ['history', 'What happened to a service: analyses, checks with their evidence, status changes, service level.'],
])

/** The OpenAPI 3.1 description of every operation, derived from the declarations (specification: What the service does). */
export function openApiDocument(
  registry: Registry,
  operations: readonly Operation[],
  language: Language = 'en',
): Schema {
  const abouts = new Map([...registry.all.map(({ name, about }) => [name, about] as const), ...headings])
  const tags = [...new Set(operations.map((operation) => operation.tag))].sort()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latarnik',
      version: interfaceVersion,
      description: guideIn(language),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v3', description: 'This server.' }],
    security: [{ basic: [] }, { bearer: [] }, { oauth: [] }],
    tags: tags.map((name) => ({ name, description: abouts.get(name) ?? `Operations of ${name}.` })),
    paths: pathsOf(operations, sampleIds(registry)),
    components: componentsOf(registry),
  }
}
