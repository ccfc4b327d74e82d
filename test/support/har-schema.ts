// HAR 1.2 as JSON Schema, from its specification (w3c/web-performance, HAR 1.2): the required members and their types.
// Only members that begin with an underscore may be added.
const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const count = { type: 'integer', minimum: -1 }
const ms = { type: 'number', minimum: -1 }
const comment = { comment: text }

function object(required: Record<string, unknown>, optional: Record<string, unknown> = {}): object {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional, ...comment },
    patternProperties: { '^_': {} },
    additionalProperties: false,
  }
}

function list(items: object): object {
  return { type: 'array', items }
}

const pair = object({ name: text, value: text })
const product = object({ name: text, version: text })
const cookie = object(
  { name: text, value: text },
  { path: text, domain: text, expires: text, httpOnly: { type: 'boolean' }, secure: { type: 'boolean' } },
)
const message = { httpVersion: text, cookies: list(cookie), headers: list(pair), headersSize: count, bodySize: count }
const request = object(
  { method: text, url: text, queryString: list(pair), ...message },
  { postData: object({ mimeType: text }, { params: list(pair), text }) },
)
const content = object({ size: count, mimeType: text }, { compression: { type: 'integer' }, text, encoding: text })
const response = object({ status: count, statusText: text, content, redirectURL: text, ...message })
const timings = object({ send: ms, wait: ms, receive: ms }, { blocked: ms, dns: ms, connect: ms, ssl: ms })
const entry = object(
  {
    startedDateTime: moment,
    time: { type: 'number', minimum: 0 },
    request,
    response,
    cache: { type: 'object' },
    timings,
  },
  {
    pageref: text,
    serverIPAddress: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    connection: text,
  },
)
const page = object({
  startedDateTime: moment,
  id: text,
  title: text,
  pageTimings: object({}, { onContentLoad: ms, onLoad: ms }),
})

export const harSchema = object({
  log: object(
    { version: { const: '1.2' }, creator: product, entries: list(entry) },
    { browser: product, pages: list(page) },
  ),
})
