import { gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import type { RawRequest } from './raw-http.ts'
import { bodyOf, type Schema } from './schema-values.ts'

/** The facts from which requests are made. */
export interface Ground {
  readonly method: string
  /** Below `/v3`, with parameters in braces. */
  readonly path: string
  readonly queryNames: readonly string[]
  readonly schema: Schema | undefined
  /** Texts for the parameters of the path. */
  readonly ids: readonly string[]
  /** Values of the Authorization header, right and wrong; empty for none. */
  readonly authorizations: readonly string[]
  /**
   * A valid request: the path of an existing object, the published body, and callers with the right. Null: nothing is
   * derived from it.
   */
  readonly right: Right | null
}

interface Right {
  readonly path: string
  /** Undefined where none is sent. */
  readonly body: unknown
  readonly authorizations: readonly string[]
}

/** A value of JSON as it is written: odd, at the edges, or none at all. */
const fragments = [
  ...['null', 'true', '0', '-0', '-1', '1.5', '1e400', '-1e400', '1e-400', 'NaN', 'Infinity', '01', '0x10'],
  ...['2147483647', '2147483648', '9223372036854775807', '9223372036854775808', '253402300799', '-9999999999999'],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"x\\udc00y"', '"\\u202ecod.exe"', '"\\ufeff"', '"\\u2028"', '"Żółć🗼"'],
  ...['"\\r\\nSet-Cookie: a=b"', '"<script>alert(1)</script>"', '"\'; drop table accounts; --"', '"$(id)"', '"%s%n"'],
  ...['"../../../../etc/passwd"', '"9999-12-31T23:59:59Z"', '"1970-01-01T00:00:00+23:59"', '"2026-02-30T00:00:00Z"'],
  ...['"0001-01-01T00:00:00Z"', '"-1"', '"null"', '[]', '{}', '[[[]]]', '[null]', '{"__proto__":{"isAdmin":true}}'],
  ...['{"constructor":{"prototype":{"isAdmin":true}}}', '{"length":1e9}', '{"toString":1,"toJSON":1}', 'undefined'],
]

const texts = ['', ' ', 'x', '0', '-1', 'null', 'true', 'id', '-id', '--id', 'id.id', 'permissions', 'owner.owner']
const strange = [
  '__proto__',
  'constructor',
  '%00',
  '%C0%80',
  '%F0%9F%97%BC',
  '%ED%A0%80',
  '%',
  '%zz',
  '..',
  '%2e%2e%2f',
]
const longNumbers = ['9'.repeat(15), '9'.repeat(16), '9'.repeat(30), '2147483648', '1e3', '0x1', '1.0', '+1', '１']

/** Ways to write a bounded JSON text into something that asks for much. */
function overgrown(text: string): readonly (() => string)[] {
  const inObject = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : ''
  const more = (member: string) => `{${[inObject, member].filter((part) => part !== '').join(',')}}`
  return [
    () => more(`"filters":{"name":[${Array(100_000).fill('"a"').join(',')}]}`),
    () => more(`"filters":{${Array.from({ length: 20_000 }, (_, at) => `"owner.${at}":["a"]`).join(',')}}`),
    () => more(`"ids":[${Array(100_000).fill('1').join(',')}]`),
    () => more(`"fields":"${'id,'.repeat(100_000)}"`),
    () => more(`"query":"${'ż'.repeat(400_000)}"`),
    () => more(`"name":"${'A'.repeat(900_000)}"`),
    () => more(`"extended_settings":{"scenario":"${'['.repeat(190_000)}"}`),
    () => more(`"extended_settings":{"request_headers":"a:${' '.repeat(8000)}\\u0001"}`),
    () => `{${Array.from({ length: 50_000 }, (_, at) => `"a${at}":1`).join(',')}}`,
    () => `[${Array(100_000).fill('{}').join(',')}]`,
    () => '['.repeat(500_000),
    () => `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
    () => ' '.repeat(1_300_000),
    () => `"${'\\u0041'.repeat(150_000)}"`,
  ]
}

/** Ways to write a JSON text as bytes that are something else. */
function misspelt(text: string): readonly (() => Buffer)[] {
  return [
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80, 0x7d])]),
    () => gzipSync(text),
    () => Buffer.from(text.slice(0, Math.floor(text.length / 2))),
    () => Buffer.from(text.replace('{', '{"name":1,"name":{"name":2},"__proto__":{"id":1},')),
    () => Buffer.from(`${text}${text}`),
  ]
}

/** One member of an object written otherwise, without reading the text that is put there. */
function spoiled(body: unknown, at: number, fragment: string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return fragment
  const members = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const [name] = Object.keys(body).slice(at % Math.max(1, members.length))
  members[at % Math.max(1, members.length)] = `${JSON.stringify(name ?? 'id')}:${fragment}`
  return `{${members.join(',')}}`
}

/** The text of a value with one part of it, however deep, written otherwise, left out, or with a member more. */
function mutated(body: unknown, at: number, fragment: string): string {
  const text = JSON.stringify(body) ?? ''
  const places = [...text.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.e+-]*|true|false|null|\[\]|\{\})/g)]
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined || at % 5 === 0) return text.replace('{', () => `{"id":${fragment},`).replace(',}', '}')
  return text.slice(0, place.index) + fragment + text.slice(place.index + place[0].length)
}

function pick<T>(choices: readonly T[]): Arbitrary<T> {
  return fc.constantFrom(...choices)
}

function bodies(schema: Schema | undefined): Arbitrary<Buffer> {
  const right = schema === undefined ? fc.constant<unknown>({}) : bodyOf(schema)
  const plain = right.map((body) => JSON.stringify(body) ?? '')
  const wrong = fc.tuple(right, fc.nat(20), pick(fragments)).map((parts) => spoiled(...parts))
  const choose = (waysOf: (text: string) => readonly (() => string | Buffer)[]) =>
    fc.tuple(plain, fc.nat(100)).map(([text, at]) => {
      const ways = waysOf(text)
      return ways[at % ways.length]?.() ?? text
    })
  return fc
    .oneof(
      { weight: 6, arbitrary: plain },
      { weight: 8, arbitrary: wrong },
      { weight: 1, arbitrary: choose(overgrown) },
      { weight: 2, arbitrary: choose(misspelt) },
      { weight: 1, arbitrary: fc.constant('') },
    )
    .map((body) => (typeof body === 'string' ? Buffer.from(body) : body))
}

function queries(names: readonly string[]): Arbitrary<string> {
  const known = pick(names.length === 0 ? ['limit'] : names)
  const value = fc.oneof(pick(texts), pick(strange), pick(longNumbers), pick(['Ż'.repeat(2000), 'a,'.repeat(3000)]))
  const name = fc.oneof(
    { weight: 4, arbitrary: known },
    known.map((one) => `${one}~`),
    pick(strange),
  )
  const pair = fc
    .tuple(name, value)
    .map(([one, text]) => `${encodeURI(one)}=${text.includes('%') ? text : encodeURIComponent(text)}`)
  const many = fc.tuple(known, pick([900, 1001, 10_000])).map(([one, times]) => {
    const most = Math.floor(60_000 / (one.length + 6))
    return Array.from({ length: Math.min(times, most) }, (_, at) => `${one}=${at % 1000}`).join('&')
  })
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 12, arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`) },
    { weight: 1, arbitrary: many.map((text) => `?${text}`) },
  )
}

const contentTypes = [
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'application/problem+json',
    'text/plain',
    'multipart/form-data',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'application/json, text/html',
    `application/${'a'.repeat(30_000)}`,
    ';',
    '\u00ff/json',
  ],
]

/** Headers that mean nothing here, or must not mean what they say. */
const odd: readonly (readonly [string, string])[] = [
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/v3/admin/accounts'],
  ['X-Forwarded-For', '127.0.0.1, ::1, unknown, "<b>"'],
  ['X-Forwarded-Host', 'evil.example.com'],
  ['X-Forwarded-Proto', 'javascript'],
  ['X-Request-Id', 'a"b\\c<d>'],
  ['X-Request-Id', 'x'.repeat(5000)],
  ['Host', 'evil.example.com:99999/<script>'],
  ['Host', '\u00ff\u00fe'],
  ['Origin', 'null'],
  ['Accept-Language', `${'pl-PL;q=0.1,'.repeat(3000)}*`],
  ['Accept-Language', '\u00ff;q=999'],
  ['Accept', `"${','.repeat(30_000)}`],
  ['Accept', `text/html;${'a="'.repeat(9000)}`],
  ['If-None-Match', `${'W/"x", '.repeat(5000)}*`],
  ['If-None-Match', '*'],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'Thu, 99 Foo 9999 99:99:99 GMT'],
  ['Range', `bytes=0-0,${'1-2,'.repeat(5000)}3-`],
  ['Range', `bytes=-${'9'.repeat(400)}`],
  ['Range', 'bytes=9007199254740993-'],
  ['If-Range', '"x"'],
  ['Content-Encoding', 'gzip'],
  ['Accept-Encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'],
  ['Expect', '100-continue'],
  ['Expect', 'the impossible'],
  ['Upgrade', 'h2c'],
  ['Cookie', `latarnik_form=${'a'.repeat(43)}; ${'b=c; '.repeat(5000)}`],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-ff'],
  ['User-Agent', `\u00ff${'u'.repeat(20_000)}`],
  ['Transfer-Encoding', 'identity'],
  ['Sec-Fetch-Site', 'cross-site'],
]

const oddMethods = [
  'HEAD',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'LOCK',
  'SEARCH',
  'PURGE',
  'M-SEARCH',
  'LINK',
]

/** Anything, of which little gets past the first look. */
function wildRequest(ground: Ground): Arbitrary<RawRequest> {
  const parameters = ground.path.match(/\{\w+\}/g) ?? []
  const id = fc.oneof({ weight: 6, arbitrary: pick(ground.ids) }, pick(strange), pick(longNumbers))
  const target = fc
    .tuple(fc.array(id, { minLength: parameters.length, maxLength: parameters.length }), queries(ground.queryNames))
    .map(([ids, query]) => {
      const path = parameters.reduce(
        (filled, name, at) => filled.replace(name, () => written(ids[at] ?? '1')),
        ground.path,
      )
      return `/v3${path}${query}`
    })
  const usual = ground.schema === undefined ? fc.constant(Buffer.alloc(0)) : bodies(ground.schema)
  const body = fc.oneof({ weight: 9, arbitrary: usual }, bodies(undefined))
  const type = fc.oneof({ weight: 12, arbitrary: fc.constant('application/json') }, pick(contentTypes))
  const method = fc.oneof({ weight: 14, arbitrary: fc.constant(ground.method) }, pick(oddMethods))
  const headers = fc.array(pick(odd), { maxLength: 3 })
  return fc.record({ method, target, headers, body, type, authorization: pick(ground.authorizations) }).map(rawRequest)
}

interface Made extends Omit<RawRequest, 'headers'> {
  readonly headers: readonly (readonly [string, string])[]
  readonly type: string
  readonly authorization: string
}

function rawRequest({ method, target, body, headers, type, authorization }: Made): RawRequest {
  return {
    ...{ method, target, body },
    headers: [
      ...(authorization === '' ? [] : [['Authorization', authorization] as const]),
      ...(body.length === 0 ? [] : [['Content-Type', type] as const]),
      ...headers.filter(([name]) => body.length === 0 || name !== 'Transfer-Encoding'),
    ],
  }
}

/** Right but for one thing, or for nothing: what is behind the first look has its turn. */
function nearlyRightRequest(ground: Ground, right: Right): Arbitrary<RawRequest> {
  const plain = JSON.stringify(right.body) ?? ''
  const spoilt = fc.tuple(fc.nat(1000), pick(fragments)).map(([at, fragment]) => mutated(right.body, at, fragment))
  const bodyTexts = plain === '' ? fc.constant('') : fc.oneof(fc.constant(plain), { weight: 4, arbitrary: spoilt })
  const query = fc.oneof({ weight: 5, arbitrary: fc.constant('') }, queries(ground.queryNames))
  return fc
    .record({
      ...{ method: fc.constant(ground.method), type: fc.constant('application/json') },
      target: query.map((text) => `/v3${right.path}${text}`),
      body: bodyTexts.map((text) => Buffer.from(text)),
      headers: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        pick(odd).map((header) => [header]),
      ),
      authorization: pick(right.authorizations),
    })
    .map(rawRequest)
}

/** Any request that a hostile program could send to the operation, in bytes. */
export function hostileRequest(ground: Ground): Arbitrary<RawRequest> {
  const wild = wildRequest(ground)
  return ground.right === null
    ? wild
    : fc.oneof(wild, { weight: 2, arbitrary: nearlyRightRequest(ground, ground.right) })
}

/** An id with percent signs is used as it is. */
function written(id: string): string {
  return id.includes('%') ? id : encodeURIComponent(id)
}
