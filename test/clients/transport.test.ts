import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathWith } from '../../client/address.ts'
import {
  blocksOf,
  type ClientOptions,
  createClient,
  linesOf,
  ProblemError,
  UnreachableError,
} from '../../client/client.ts'

/** The client's handling of answers, before a scripted server. */

interface Heard {
  readonly method: string
  readonly address: string
  readonly headers: Headers
}

/** Answers the requests one after the other; the last answer is repeated. */
function scripted(answers: readonly (() => Response | Promise<Response>)[], more: Partial<ClientOptions> = {}) {
  const heard: Heard[] = []
  const client = createClient({
    server: 'https://latarnik.example.com',
    token: 'secret',
    fetch: async (address, { method = '', headers }) => {
      heard.push({ method, address, headers: new Headers(headers) })
      const answer = answers[Math.min(heard.length, answers.length) - 1]
      if (answer === undefined) throw new Error('no answer')
      return answer()
    },
    ...more,
  })
  return { client, heard }
}

const json = { 'Content-Type': 'application/json' }
const fine = () => Response.json([])
const busy = (status: number, retryAfter?: string) => () =>
  new Response('[]', {
    status,
    headers: { ...json, ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }) },
  })
const group = { body: { name: 'Shop' } }

test.each([429, 503])('a read that is refused with %i comes again when the answer says', async (status) => {
  const { client, heard } = scripted([busy(status, '0'), busy(status, '0'), fine])
  expect(await client.get('/groups')).toEqual([])
  expect(heard).toHaveLength(3)
})

test('a date says when to come again, too', async () => {
  const { client, heard } = scripted([busy(429, 'Thu, 01 Jan 1970 00:00:00 GMT'), fine])
  expect(await client.get('/groups')).toEqual([])
  expect(heard).toHaveLength(2)
})

test.each([
  ['without a time', [busy(503)]],
  ['with a time that is too long', [busy(503, '61')]],
  ['for good', [busy(403, '0')]],
])('a read is not repeated that is refused %s', async (_, answers) => {
  const { client, heard } = scripted(answers)
  await expect(client.get('/groups')).rejects.toBeInstanceOf(ProblemError)
  expect(heard).toHaveLength(1)
})

test('repetitions end', async () => {
  const { client, heard } = scripted([busy(429, '0')], { retry: { times: 3, longestWaitSeconds: 1 } })
  await expect(client.get('/groups')).rejects.toMatchObject({ status: 429, retryAfter: 0 })
  expect(heard).toHaveLength(4)
})

test('a POST is not repeated, unless 429 refused it and the client may', async () => {
  const alone = scripted([busy(429, '0')])
  await expect(alone.client.post('/groups', group)).rejects.toMatchObject({ status: 429 })
  expect(alone.heard).toHaveLength(1)
  const retry = { times: 2, longestWaitSeconds: 1, repeatsPost: true }
  const refused = scripted([busy(429, '0'), () => Response.json({ id: 1 })], { retry })
  expect(await refused.client.post('/groups', group)).toEqual({ id: 1 })
  // It may have been done: the connection to the database broke.
  const unsure = scripted([busy(503, '0')], { retry })
  await expect(unsure.client.post('/groups', group)).rejects.toMatchObject({ status: 503 })
  expect(unsure.heard).toHaveLength(1)
})

test('the signal ends a request and a wait', async () => {
  const stopping = new AbortController()
  const { client, heard } = scripted([
    () => {
      setTimeout(() => stopping.abort(new Error('enough')), 0)
      return busy(429, '50')()
    },
  ])
  await expect(client.get('/groups', { signal: stopping.signal })).rejects.toThrow('enough')
  expect(heard).toHaveLength(1)
})

test('a login that is refused is renewed once', async () => {
  let token = 'old'
  const renewing = {
    token: () => token,
    renew: async () => {
      token = 'new'
      return true
    },
  }
  const { client, heard } = scripted([busy(401), fine], renewing)
  expect(await client.get('/groups')).toEqual([])
  expect(heard.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new'])
  const always = scripted([busy(401)], renewing)
  await expect(always.client.get('/groups')).rejects.toMatchObject({ status: 401 })
  expect(always.heard).toHaveLength(2)
  const never = scripted([busy(401)], { renew: async () => false })
  await expect(never.client.get('/groups')).rejects.toMatchObject({ status: 401 })
  expect(never.heard).toHaveLength(1)
})

test('a redirect is not followed with the login', async () => {
  const { client, heard } = scripted([
    () => new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example.com' } }),
  ])
  await expect(client.get('/groups')).rejects.toMatchObject({ status: 302 })
  expect(heard).toHaveLength(1)
})

test.each([
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ['a proxy whose server is away', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['an answer of something else', () => new Response('<h1>Hello</h1>')],
])('unreachable: %s', async (_, answer) => {
  await expect(scripted([answer]).client.get('/groups')).rejects.toBeInstanceOf(UnreachableError)
})

test('a refusal by something else has no problems', async () => {
  const { client } = scripted([() => new Response('<h1>Forbidden</h1>', { status: 403 })])
  await expect(client.get('/groups')).rejects.toMatchObject({ status: 403, problems: [], message: 'HTTP 403' })
})

test.each(['https://a.example.com', 'https://a.example.com/', 'https://a.example.com/v3', 'https://a.example.com/v3/'])(
  'the address %s leads to the API',
  async (server) => {
    const { client, heard } = scripted([fine], { server })
    await client.get('/groups', { query: { limit: 5, 'name.contains': ['a b', 'ż'] } })
    expect(heard[0]?.address).toBe('https://a.example.com/v3/groups?limit=5&name.contains=a+b&name.contains=%C5%BC')
  },
)

test('a password in any script opens the API', async () => {
  const { client, heard } = scripted([fine], { token: undefined, username: 'ewa', password: 'zażółć' })
  await client.get('/groups')
  const expected = Buffer.from('ewa:zażółć').toString('base64')
  expect(heard[0]?.headers.get('authorization')).toBe(`Basic ${expected}`)
})

/** A body that comes in these pieces; `ending` is how it stops. */
function pieces(texts: readonly string[], ending: 'end' | 'break' = 'end'): Response {
  const left = texts.map((text) => new TextEncoder().encode(text))
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift()
        if (next !== undefined) controller.enqueue(next)
        else if (ending === 'end') controller.close()
        else controller.error(new TypeError('terminated'))
      },
    }),
  )
}

test('lines come one by one, however the bytes are cut', async () => {
  const { client } = scripted([() => pieces(['{"a":', '1}\n{"a":2}\n\n', '{"a":3', '}'])])
  const lines: unknown[] = []
  const body = { type_id: 'http', address: 'shop.example.com' } as const
  for await (const line of client.lines('/services/trial', { body })) lines.push(line)
  expect(lines).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
})

/** Cuts the bytes of a text at these places. */
function cut(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const at = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  return at.slice(1).map((end, index) => bytes.slice(at[index], end))
}

test('any cut of the bytes gives the same lines and events', async () => {
  const values = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), number: fc.integer() }))
  await fc.assert(
    fc.asyncProperty(values, fc.array(fc.nat()), async (expected, places) => {
      const stream = (text: string) => new Response(new Blob(cut(text, places).map((part) => part.slice())).stream())
      const lines: unknown[] = []
      for await (const line of linesOf(stream(expected.map((value) => `${JSON.stringify(value)}\n`).join(''))))
        lines.push(line)
      expect(lines).toEqual(expected)
      const text = expected.map((value, id) => `event: report\ndata: ${JSON.stringify(value)}\nid: ${id}\n\n`).join('')
      const blocks: unknown[] = []
      for await (const { data, id } of blocksOf(stream(text))) blocks.push([JSON.parse(data), id])
      expect(blocks).toEqual(expected.map((value, id) => [value, String(id)]))
    }),
  )
})

test('any value stands in an address as one part of the path and one parameter', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.array(fc.string({ unit: 'grapheme' })),
      (id, names) => {
        fc.pre(id !== '.' && id !== '..')
        const { pathname, searchParams } = new URL(
          pathWith('/a/{_id}/b', { path: { _id: id }, query: { name: names } }),
          'http://x',
        )
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', id, 'b'])
        expect(searchParams.getAll('name')).toEqual(names)
      },
    ),
  )
})

test('events go on where the stream broke off, and the loop ends it', async () => {
  const { client, heard } = scripted([
    () => pieces([': hello\nid: p0\n\nevent: report\ndata: {"id":1}\nid: p1\n', '\nevent: report\ndata: {"i'], 'break'),
    busy(503),
    () => pieces(['event: report\ndata: {"id":2}\nid: p2\n\nevent: reset\ndata: {}\n\n']),
  ])
  const seen: unknown[] = []
  for await (const { event, data, id } of client.events({ groupIds: [1, 2], tags: ['web'] })) {
    seen.push([event, data, id])
    if (event === 'reset') break
  }
  expect(seen).toEqual([
    ['report', { id: 1 }, 'p1'],
    ['report', { id: 2 }, 'p2'],
    ['reset', {}, null],
  ])
  expect(heard.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'p1', 'p1'])
  expect(heard[0]?.address).toMatch(/\/event_stream\?group_id=1&group_id=2&tags=web$/)
})

test('events end with an error if the login or the filter is refused', async () => {
  const { client, heard } = scripted([busy(403)])
  await expect(client.events().next()).rejects.toMatchObject({ status: 403 })
  expect(heard).toHaveLength(1)
})
