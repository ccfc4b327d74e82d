import { connect as dial } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

function problems(reply: Reply): { code: number; error: string; field?: string; message: string }[] {
  expect(reply.headers['content-type']).toBe('application/json')
  const found = reply.body as { code: number; error: string; field?: string; message: string }[]
  expect(Array.isArray(found) && found.length > 0).toBe(true)
  for (const { code, message } of found) {
    expect(code).toBeGreaterThan(4_000_000)
    expect(message).not.toBe('')
  }
  expect(Math.floor((found[0]?.code ?? 0) / 10_000)).toBe(reply.status)
  return found
}

function pointers(reply: Reply): string[] {
  return problems(reply)
    .map(({ error, field }) => `${error} ${field ?? ''}`.trim())
    .sort()
}

const owner = 'alice'

describe('who calls', () => {
  test('without credentials: 401 that names both ways to log in', async () => {
    const reply = await api.call(null, 'GET', '/groups')
    expect(pointers(reply)).toEqual(['missing_credentials'])
    expect(reply.status).toBe(401)
    const ways = [reply.headers['www-authenticate']].flat().join(', ')
    expect(ways).toMatch(/^Basic realm="[^"]+", charset="UTF-8", Bearer\b/)
  })

  test('wrong credentials are refused also where none are needed', async () => {
    const authorization = `Basic ${Buffer.from('alice:wrong').toString('base64')}`
    const reply = await api.call(null, 'GET', '/sensors', undefined, { authorization })
    expect(reply.status).toBe(401)
    expect(pointers(reply)).toEqual(['incorrect_credentials'])
  })

  test('an unauthenticated caller learns nothing of the body or of the object', async () => {
    for (const path of ['/groups', '/groups/999999/permissions', '/services/search']) {
      const method = path.endsWith('search') ? 'POST' : 'GET'
      expect((await api.call(null, method, path, method === 'POST' ? '{' : undefined)).status).toBe(401)
    }
  })

  test('an administrator reaches no user resource', async () => {
    for (const path of ['/groups', '/services', '/accounts/my_account', '/packages', '/service_statuses']) {
      const reply = await api.call('dora', 'GET', path)
      expect([path, reply.status]).toEqual([path, 403])
      expect(pointers(reply)).toEqual(['forbidden'])
    }
    expect((await api.call('dora', 'GET', '/service_types')).status).toBe(200)
  })
})

describe('paths and methods', () => {
  test('an unknown path is 404, also one that cannot be decoded or is too long', async () => {
    for (const path of ['/nothing', '/groups/1/nothing', `/groups/${'9'.repeat(300)}`, '/groups/']) {
      const reply = await api.call(owner, 'GET', path)
      expect([path, reply.status]).toEqual([path, 404])
      expect(pointers(reply)).toEqual(['not_found'])
    }
    const undecodable = await api.call(owner, 'GET', '/groups/%zz')
    expect(undecodable.status).toBe(400)
    expect(pointers(undecodable)).toEqual(['malformed_request'])
  })

  test('an identifier that no object can have is 404', async () => {
    const strange = [
      '0',
      '-1',
      '1.5',
      'abc',
      '999999999999999',
      '2147483648',
      '__proto__',
      'constructor',
      '%00',
      '1%20',
      '%F0%9F%98%80',
    ]
    for (const id of strange) {
      const reply = await api.call(owner, 'GET', `/groups/${id}`)
      expect([id, reply.status, reply.text]).toEqual([id, 404, expect.stringContaining('not_found')])
    }
  })

  test.each(['my_account', '__proto__', 'constructor', '%00', 'toString'])(
    'a session called %s does not exist',
    async (id) => {
      expect((await api.call(owner, 'GET', `/sessions/${id}`)).status).toBe(404)
    },
  )

  test('an object that the caller may not read looks the same as one that does not exist', async () => {
    const [foreign] = await api.database.query<{ id: number }>(
      sql`select id from groups where owner_id = ${api.people.ids.charlie}`,
    )
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      const hidden = await api.call(owner, method, `/groups/${foreign?.id}`, body)
      const missing = await api.call(owner, method, '/groups/987654', body)
      expect(hidden.status).toBe(404)
      expect(hidden.text).toBe(missing.text)
      expect({ ...hidden.headers, date: '' }).toEqual({ ...missing.headers, date: '' })
    }
  })

  test('a known path with a wrong method: 405 with the methods that it has', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT'] as const) {
      const reply = await api.call(owner, method, '/groups', { name: 'x' })
      expect(reply.status).toBe(405)
      expect(reply.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
      expect(pointers(reply)).toEqual(['method_not_allowed'])
    }
    const head = await api.call(owner, 'HEAD', '/groups/search')
    expect([head.status, head.headers['allow'], head.text]).toEqual([405, 'POST, OPTIONS', ''])
  })

  test('OPTIONS tells the methods of a path, to anybody', async () => {
    const reply = await api.call(null, 'OPTIONS', `/groups/${api.people.sharedGroupId}`)
    expect([reply.status, reply.headers['allow'], reply.text]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS', ''])
  })
})

describe('bodies', () => {
  const refused = [
    ['broken JSON', '{"name":', {}, 400, 'incorrect_json data'],
    ['nothing but a word', 'name', {}, 400, 'incorrect_json data'],
    ['brackets nested too deep', '['.repeat(10_000) + ']'.repeat(10_000), {}, 400, 'incorrect_json data'],
    ['an array', [], {}, 422, 'incorrect_type data'],
    ['a text', '"name"', {}, 422, 'incorrect_type data'],
    ['null', 'null', {}, 422, 'incorrect_type data'],
    ['a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['a text of another type', '{"name":"x"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a broken type', '{"name":"x"}', { 'content-type': 'json' }, 415, 'unsupported_media_type'],
  ] as const

  test.each(refused)('%s: refused with a pointer', async (_name, body, headers, status, pointer) => {
    const reply = await api.call(owner, 'POST', '/groups', body, headers)
    expect(reply.status).toBe(status)
    expect(pointers(reply)).toEqual([pointer])
  })

  test('bytes that are no UTF-8 are no JSON', async () => {
    const authorization = `Basic ${Buffer.from('alice:alice may come in').toString('base64')}`
    const reply = await api.server.inject({
      method: 'POST',
      url: '/v3/groups',
      headers: { authorization, 'content-type': 'application/json' },
      payload: Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject([{ error: 'incorrect_json', field: 'data' }])
  })

  test('10 MB are too large', async () => {
    const reply = await api.call(owner, 'POST', '/groups', { name: 'x'.repeat(10 * 1024 * 1024) })
    expect(reply.status).toBe(413)
    expect(pointers(reply)).toEqual(['payload_too_large'])
  })

  test('a missing body is a missing value', async () => {
    const reply = await api.call(owner, 'POST', '/groups')
    expect([reply.status, pointers(reply)]).toEqual([422, ['missing_value data']])
  })

  test('a body that means nothing is ignored: with GET and DELETE, and an empty one with a type', async () => {
    const { body } = await api.call(owner, 'POST', '/groups', { name: 'Short-lived' })
    const path = `/groups/${(body as { id: number }).id}`
    expect((await api.call(owner, 'GET', path, '{broken')).status).toBe(200)
    expect((await api.call(owner, 'GET', path, undefined, { 'content-type': 'application/json' })).status).toBe(200)
    expect((await api.call(owner, 'DELETE', path, '{broken')).status).toBe(204)
    const empty = { 'content-type': 'application/json' }
    expect((await api.call(owner, 'POST', '/groups/search', '', empty)).status).toBe(200)
  })

  test('a type with parameters or a suffix is JSON too', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json']) {
      const reply = await api.call(owner, 'POST', '/groups/search', { limit: 0 }, { 'content-type': type })
      expect([type, reply.status]).toEqual([type, 200])
    }
  })

  test('every problem of a body comes back at once, each with its pointer', async () => {
    const reply = await api.call(owner, 'POST', '/services', {
      name: 5,
      type_id: 'telepathy',
      interval: 'often',
      colour: 'red',
      id: 7,
      notification_channel_ids: ['email', 'pigeon', 3],
      silent_hours: '01',
    })
    expect(reply.status).toBe(422)
    expect(pointers(reply)).toEqual([
      'field_is_read_only data.id',
      'incorrect_type data.interval',
      'incorrect_type data.name',
      'incorrect_type data.notification_channel_ids[2]',
      'incorrect_value data.notification_channel_ids[1]',
      'incorrect_value data.silent_hours',
      'incorrect_value data.type_id',
      'missing_value data.address',
      'unknown_field data.colour',
    ])
  })

  test('texts that the database cannot keep are refused, not stored otherwise', async () => {
    for (const name of ['a\0b', '\ud800', 'x\udc00y']) {
      const reply = await api.call(owner, 'POST', '/groups', { name })
      expect([reply.status, pointers(reply)]).toEqual([422, ['incorrect_value data.name']])
    }
  })

  test('names that every object inherits are unknown fields like others', async () => {
    const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype']
    for (const name of inherited) {
      const created = await api.call(owner, 'POST', '/groups', `{"name":"x","${name}":{"isAdmin":true}}`)
      expect([name, pointers(created)]).toEqual([name, [`unknown_field data.${name}`]])
      const changed = await api.call(owner, 'PUT', `/groups/${api.people.sharedGroupId}`, `{"${name}":1}`)
      expect([name, pointers(changed)]).toEqual([name, [`unknown_field data.${name}`]])
    }
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })
})

describe('parameters of lists', () => {
  test('every wrong parameter is listed at once', async () => {
    const query =
      'fields=id,nonsense&embed=owner.password,magic&sort=name,-colour&limit=ten&offset=-1&id=x&colour=red&is_default=maybe&assigned_sensor_ids=1'
    const reply = await api.call(owner, 'GET', `/groups?${query}`)
    expect(reply.status).toBe(422)
    expect(pointers(reply)).toEqual([
      'incorrect_type query.id',
      'incorrect_type query.is_default',
      'incorrect_type query.limit',
      'incorrect_value query.assigned_sensor_ids',
      'incorrect_value query.colour',
      'incorrect_value query.embed[0]',
      'incorrect_value query.embed[1]',
      'incorrect_value query.fields[1]',
      'incorrect_value query.offset',
      'incorrect_value query.sort[1]',
    ])
  })

  test('the two published codes', async () => {
    const value = await api.call(owner, 'GET', '/groups?fields=nonsense')
    expect(problems(value)[0]).toMatchObject({ code: 4222064, error: 'incorrect_value', field: 'query.fields[0]' })
    const type = await api.call(owner, 'GET', '/groups?limit=1.5')
    expect(problems(type)[0]).toMatchObject({ code: 4220555, error: 'incorrect_type', field: 'query.limit' })
  })

  test.each([
    ['limit=1000', 200],
    ['limit=0', 200],
    ['limit=1001', 422],
    ['limit=-1', 422],
    ['limit=', 422],
    ['limit=99999999999999999999', 422],
    ['offset=9007199254740991', 422],
    ['offset=999999999999999', 200],
    ['offset=-5', 422],
    ['id=999999999999999', 200],
    ['id=-999999999999999', 200],
    ['id=99999999999999999999', 422],
    ['id=null', 200],
    ['name=%00', 422],
    ['name~=%00', 422],
    ['query=%00', 422],
    ['query=', 200],
    ['name=%E2%28%A1', 200],
    ['permissions.constructor=true', 422],
    ['permissions.__proto__=true', 422],
    ['sort=permissions.constructor', 422],
    ['embed=permissions.constructor', 422],
    ['embed=constructor', 422],
    ['constructor=1', 422],
    ['__proto__=1', 422],
    ['__proto__.id=1', 422],
    ['owner.constructor=1', 422],
    ['sort=__proto__', 422],
    ['fields=__proto__', 422],
    ['owner.username.x=1', 422],
    ['owner.default_group_id=1', 422],
  ])('%s: %d', async (query, status) => {
    const reply = await api.call(owner, 'GET', `/groups?${query}`)
    expect([reply.status, status === 422 ? problems(reply).length : 1]).toEqual([status, 1])
  })

  test('a search refuses wrong members by their pointers', async () => {
    const reply = await api.call(owner, 'POST', '/groups/search', {
      fields: 5,
      embed: ['magic'],
      sort: [1],
      limit: '5x',
      offset: -1,
      colour: 'red',
      filters: { nonsense: 1, name: { a: 1 }, id: [1, 'x'], 'name~': '\ud800' },
    })
    expect(reply.status).toBe(422)
    expect(pointers(reply)).toEqual([
      'incorrect_type data.fields',
      'incorrect_type data.filters.id[1]',
      'incorrect_type data.filters.name',
      'incorrect_type data.limit',
      'incorrect_type data.sort',
      'incorrect_value data.embed[0]',
      'incorrect_value data.filters.name~',
      'incorrect_value data.filters.nonsense',
      'incorrect_value data.offset',
      'unknown_field data.colour',
    ])
    for (const filters of [[], 'name', 5]) {
      expect(pointers(await api.call(owner, 'POST', '/groups/search', { filters }))).toEqual([
        'incorrect_type data.filters',
      ])
    }
  })

  test('a filter has at most a thousand alternatives', async () => {
    const id = Array.from({ length: 1001 }, (_, index) => index)
    const reply = await api.call(owner, 'POST', '/groups/search', { filters: { id } })
    expect(pointers(reply)).toEqual(['value_too_long data.filters.id'])
    expect((await api.call(owner, 'POST', '/groups/search', { filters: { id: id.slice(1) } })).status).toBe(200)
  })

  test('parameters of a list mean nothing on one object', async () => {
    const path = `/groups/${api.people.sharedGroupId}`
    expect(pointers(await api.call(owner, 'GET', `${path}?name=x`))).toEqual(['incorrect_value query.name'])
    const flags = await api.call(owner, 'GET', `${path}/permissions?fields=own,fly&name=x`)
    expect(pointers(flags)).toEqual(['incorrect_value query.fields[1]', 'incorrect_value query.name'])
  })
})

describe('language', () => {
  test.each([
    [undefined, 'en'],
    ['pl', 'pl'],
    ['en', 'en'],
    ['de', 'en'],
    ['de, pl;q=0.1', 'pl'],
    ['en;q=0.4, pl;q=0.8', 'pl'],
    ['pl;q=0.3, en;q=0.7', 'en'],
    ['pl-PL,pl;q=0.9,en;q=0.8', 'pl'],
    ['pl;q=0, en', 'en'],
    ['*', 'en'],
    [';;;,q=', 'en'],
  ])('Accept-Language %s is answered in %s', async (header, language) => {
    const texts = { pl: 'Nie ma takiej rzeczy', en: 'There is no such thing' }
    const headers: Record<string, string> = header === undefined ? {} : { 'accept-language': header }
    const reply = await api.call(owner, 'GET', '/groups/0', undefined, headers)
    const spoken = problems(reply)[0]?.message ?? ''
    expect(spoken.startsWith(texts.en) ? 'en' : 'pl').toBe(language)
    expect(reply.headers['vary']).toMatch(/Accept-Language/)
  })

  test('dictionaries and descriptions of settings are translated', async () => {
    const path = '/dictionaries/notification_conditions/failure?fields=name'
    const polish = await api.call(owner, 'GET', path, undefined, { 'accept-language': 'pl' })
    const english = await api.call(owner, 'GET', path)
    expect(polish.text).not.toBe(english.text)
    expect(polish.headers['etag']).not.toBe(english.headers['etag'])
  })
})

describe('caching', () => {
  test.each(['/groups', '/sensors?limit=1', '/accounts/my_account'])(
    '%s has a strong tag that is honoured',
    async (path) => {
      const first = await api.call(owner, 'GET', path)
      const tag = String(first.headers['etag'])
      expect(tag).toMatch(/^"[^"]+"$/)
      for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*']) {
        for (const method of ['GET', 'HEAD'] as const) {
          const again = await api.call(owner, method, path, undefined, { 'if-none-match': wanted })
          expect([wanted, again.status, again.text, again.headers['etag']]).toEqual([wanted, 304, '', tag])
          expect(again.headers['content-type']).toBeUndefined()
        }
      }
      for (const wanted of ['"other"', tag.slice(1, -1), '""', '']) {
        const again = await api.call(owner, 'GET', path, undefined, { 'if-none-match': wanted })
        expect([wanted, again.status, again.text]).toEqual([wanted, 200, first.text])
      }
    },
  )

  test('a change changes the tag', async () => {
    const path = `/groups/${api.people.sharedGroupId}`
    const before = await api.call(owner, 'GET', path)
    await api.call(owner, 'PUT', path, { name: 'Renamed' })
    const after = await api.call(owner, 'GET', path, undefined, { 'if-none-match': String(before.headers['etag']) })
    expect(after.status).toBe(200)
    await api.call(owner, 'PUT', path, { name: 'Shared' })
    expect((await api.call(owner, 'GET', path)).headers['etag']).toBe(before.headers['etag'])
  })
})

describe('limits', () => {
  test('more requests than allowed: 429 that tells when to come again', async () => {
    const limited = await apiWorld({ requestsPerMinute: 3 })
    try {
      for (let request = 0; request < 3; request += 1) {
        expect((await limited.call('alice', 'GET', '/accounts/my_account')).status).toBe(200)
      }
      const reply = await limited.call('alice', 'GET', '/accounts/my_account')
      expect([reply.status, pointers(reply)]).toEqual([429, ['too_many_requests']])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
      expect((await limited.call('bob', 'GET', '/accounts/my_account')).status).toBe(200)
      const authorization = 'Bearer guessed'
      const guesses = await Promise.all(
        Array.from({ length: 4 }, () => limited.call(null, 'GET', '/groups', undefined, { authorization })),
      )
      expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429])
    } finally {
      await limited.drop()
    }
  })
})

describe('beneath HTTP', () => {
  async function send(bytes: string): Promise<string> {
    const address = api.server.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return new Promise((resolve, reject) => {
      let answer = ''
      const socket = dial({ host: '127.0.0.1', port }, () => socket.write(bytes))
      socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
      socket.on('data', (chunk) => {
        answer += chunk.toString()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
    })
  }

  beforeAll(async () => {
    await api.server.listen({ host: '127.0.0.1', port: 0 })
  })

  test.each([
    ['something that is no HTTP', 'hello\r\n\r\n'],
    ['headers too large to read', `GET /v3/sensors HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(70_000)}\r\n\r\n`],
  ])('%s is answered with the array of problems', async (_name, bytes) => {
    const answer = await send(bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head).toMatch(/^Content-Type: application\/json$/im)
    expect(JSON.parse(body)).toMatchObject([{ code: 4000002, error: 'malformed_request' }])
  })

  test('HEAD sends the headers of GET and nothing else', async () => {
    const ask = (method: string) =>
      send(`${method} /v3/sensors?limit=2 HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`)
    const withoutDate = (text: string) => text.replace(/^date:.*$/im, '')
    const [get, head] = [await ask('GET'), await ask('HEAD')]
    const [headers = ''] = get.split('\r\n\r\n')
    expect(withoutDate(head).trimEnd()).toBe(withoutDate(headers).trimEnd())
    expect(headers).toMatch(/^content-length: \d+$/im)
    expect(headers).toMatch(/^etag: "/im)
    expect(headers).toMatch(/^x-total-count: 3$/im)
  })
})
