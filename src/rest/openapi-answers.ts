import type { Problem } from '../domain/input/problem.ts'
import type { ProblemSymbol } from '../domain/input/problem-codes.ts'
import type { AnswerDescription, Operation } from './call.ts'
import { problemBody } from './problems.ts'
import { maximumLimit } from './query.ts'
import { componentKey, maximumInteger, named, reference, type Schema } from './schemas.ts'

interface Failure {
  readonly about: string
  /** An example of an answer with this status. */
  readonly example: Problem & { readonly error: ProblemSymbol }
  readonly headers?: readonly string[]
}

const failures: Readonly<Record<number, Failure>> = {
  400: { about: 'The body is not JSON.', example: { error: 'incorrect_json' } },
  401: {
    about: 'No valid credentials.',
    example: { error: 'incorrect_credentials' },
    headers: ['WWW-Authenticate'],
  },
  403: { about: 'The caller may read this but not do it.', example: { error: 'forbidden' } },
  404: { about: 'No such object, or none that the caller may read.', example: { error: 'not_found' } },
  412: {
    about: 'Somebody changed the object: it is not in the version that `If-Match` names.',
    example: { error: 'object_changed' },
  },
  413: { about: 'The body is too large.', example: { error: 'payload_too_large' } },
  415: { about: 'The body is not application/json.', example: { error: 'unsupported_media_type' } },
  416: {
    about: 'The Range header names no byte of the content.',
    example: { error: 'range_not_satisfiable' },
    headers: ['Content-Range'],
  },
  422: {
    about: 'Values are wrong; every problem is listed.',
    example: { error: 'incorrect_value', field: 'query.limit', facts: { minimum: 1, maximum: maximumLimit } },
  },
  429: {
    about: 'Too many requests, or they took too much processing time; Retry-After tells when to come again.',
    example: { error: 'too_many_requests' },
    headers: ['Retry-After'],
  },
  500: { about: 'A fault of the server.', example: { error: 'internal_error' } },
  503: {
    about: 'The database cannot be reached now; Retry-After tells when to come again.',
    example: { error: 'service_unavailable' },
    headers: ['Retry-After'],
  },
}

/** The description of each header, unless the answer has its own words. */
const headerSchemas: Readonly<Record<string, Schema>> = {
  ETag: { description: 'Version of the answer, for `If-None-Match` and `If-Match`.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to authenticate: Basic or Bearer.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds until it is worth coming again.',
    schema: { type: 'integer', minimum: 0, maximum: maximumInteger },
  },
  'Content-Range': { description: 'Which bytes of how many.', schema: { type: 'string' } },
}

const problem: Schema = {
  type: 'object',
  description: 'One problem of a refused request.',
  required: ['code', 'error', 'description', 'message'],
  properties: {
    code: { type: 'integer', maximum: 9_999_999, description: 'Seven digits; the first three are the HTTP status.' },
    error: { type: 'string', description: 'Symbol of the problem.' },
    description: { type: 'string', description: 'For developers, in Polish.' },
    field: { type: 'string', description: 'Pointer to the faulty part; not there where no part is.' },
    message: { type: 'string', description: 'For users, in the language of Accept-Language.' },
  },
  example: problemBody(
    [{ error: 'incorrect_value', field: 'query.fields[0]', facts: { allowed: 'id, name' } }],
    'en',
  )[0],
}

export const problemSchemas: Readonly<Record<string, Schema>> = {
  problem,
  problems: { type: 'array', items: reference('problem') },
}

function headerReferences(names: readonly string[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The answers to refused requests, by status. */
export function failureResponses(): Schema {
  const responses = Object.entries(failures).map(([status, { about, example, headers }]) => {
    const body = { schema: reference('problems'), example: problemBody([example], 'en') }
    const sent = headers === undefined ? {} : { headers: headerReferences(headers) }
    return [status, { description: about, content: { 'application/json': body }, ...sent }]
  })
  return Object.fromEntries(responses)
}

export const headerComponents: Schema = headerSchemas

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

function headersOf(answer: AnswerDescription, isRead: boolean): Schema {
  const own = Object.entries(answer.headers ?? {}).map(([name, about]) => [
    name,
    {
      description: about,
      schema: name === 'X-Total-Count' ? { type: 'integer', format: 'int64' } : { type: 'string' },
    },
  ])
  return { ...(isRead ? headerReferences(['ETag']) : {}), ...Object.fromEntries(own) }
}

/** A schema of the operation's own, unless it stands for one that others have too. */
function ownSchema(schema: Schema, name: string): Schema {
  const isObject = schema['type'] === 'object' && schema['properties'] !== undefined
  if (isObject && !(componentKey in schema)) return named(name, schema)
  const items = schema['items'] as Schema | undefined
  return items === undefined ? schema : { ...schema, items: ownSchema(items, name) }
}

/** The operation's name within the names of its components. */
export function componentName({ id }: Operation): string {
  return id.replaceAll('.', '_')
}

function answerSchema(operation: Operation, answer: AnswerDescription): Schema {
  const type = answer.contentType ?? 'application/json'
  const isRead = operation.method === 'GET' && answer.schema !== undefined
  const headers = headersOf(answer, isRead)
  const schema =
    answer.schema === undefined ? undefined : ownSchema(answer.schema, `${componentName(operation)}_output`)
  const others = Object.entries(answer.others ?? {}).map(([other, of]) => [other, { schema: of }])
  return {
    description: answer.about,
    ...(schema === undefined ? {} : { content: { [type]: { schema }, ...Object.fromEntries(others) } }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  }
}

/** Every answer of the operation, by status. */
export function responsesOf(operation: Operation): Schema {
  const failed = failureStatuses(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }])
  const answered = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    answerSchema(operation, answer),
  ])
  const notModified = { description: 'The caller has this version.', headers: headerReferences(['ETag']) }
  return Object.fromEntries([...answered, ...(operation.method === 'GET' ? [[304, notModified]] : []), ...failed])
}
