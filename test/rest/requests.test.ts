import { connect as dial } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const owner = 'alice'

describe('who calls', () => {
  test('without credentials: 401 that names both ways to log in', async () => {
    const reply = await api.call(null, 'GET', '/groups')
    expect(pointersOf(reply)).toEqual(['missing_credentials'])
    expect(reply.status).toBe(401)
    const ways = [reply.headers['www-authenticate']].flat().join(', ')
    expect(ways).toMatch(/^Basic realm="[^"]+", charset="UTF-8", Bearer\b/)
  })

  test('wrong credentials are refused also where none are needed', async () => {
    const authorization = `Basic ${Buffer.from('alice:wrong').toString('base64')}`
    const reply = await api.call(null, 'GET', '/sensors', undefined, { authorization })
    expect(reply.status).toBe(401)
    expect(pointersOf(reply)).toEqual(['incorrect_credentials'])
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
      expect(pointersOf(reply)).toEqual(['forbidden'])
    }
    expect((await api.call('dora', 'GET', '/service_types')).status).toBe(200)
  })
})

describe('paths and methods', () => {
  test('an unknown path is 404, also one that cannot be decoded or is too long', async () => {
    for (const path of ['/nothing', '/groups/1/nothing', `/groups/${'9'.repeat(300)}`, '/groups/']) {
      const reply = await api.call(owner, 'GET', path)
      expect([path, reply.status]).toEqual([path, 404])
      expect(pointersOf(reply)).toEqual(['not_found'])
    }
    const undecodable = await api.call(owner, 'GET', '/groups/%zz')
    expect(undecodable.status).toBe(400)
    expect(pointersOf(undecodable)).toEqual(['malformed_request'])
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
      const itsOwn = { date: '', 'x-request-id': '' }
      expect({ ...hidden.headers, ...itsOwn }).toEqual({ ...missing.headers, ...itsOwn })
    }
  })

  test('a known path with a wrong method: 405 with the methods that it has', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT'] as const) {
      const reply = await api.call(owner, method, '/groups', { name: 'x' })
      expect(reply.status).toBe(405)
      expect(reply.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
      expect(pointersOf(reply)).toEqual(['method_not_allowed'])
    }
    const head = await api.call(owner, 'HEAD', '/groups/search')
    expect([head.status, head.headers['allow'], head.text]).toEqual([405, 'POST, OPTIONS', ''])
  })

  test('a path of words is not taken for an object with such an id, whatever methods that has', async () => {
    for (const method of ['PUT', 'DELETE', 'GET', 'HEAD'] as const) {
      const reply = await api.call(owner, method, '/groups/search')
      expect([method, reply.status, reply.headers['allow']]).toEqual([method, 405, 'POST, OPTIONS'])
    }
    const options = await api.call(owner, 'OPTIONS', '/groups/search')
    expect([options.status, options.headers['allow']]).toEqual([204, 'POST, OPTIONS'])
  })

  test('OPTIONS tells the methods of a path, to anybody', async () => {
    const reply = await api.call(null, 'OPTIONS', `/groups/${api.people.sharedGroupId}`)
    expect([reply.status, reply.headers['allow'], reply.text]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS', ''])
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
    const spoken = problemsOf(reply)[0]?.message ?? ''
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
      expect([reply.status, pointersOf(reply)]).toEqual([429, ['too_many_requests']])
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

test('an account may ask more often than an address without one', async () => {
  const limited = await apiWorld({ requestsPerMinute: { anonymous: 2, account: 4 } })
  try {
    const statuses = async (person: 'alice' | null) => {
      const told = []
      for (let request = 0; request < 5; request += 1) {
        told.push((await limited.call(person, 'GET', '/sensors?limit=1')).status)
      }
      return told
    }
    expect(await statuses(null)).toEqual([200, 200, 429, 429, 429])
    expect(await statuses('alice')).toEqual([200, 200, 200, 200, 429])
  } finally {
    await limited.drop()
  }
})

describe('limits of addresses', () => {
  let limited: ApiWorld
  beforeAll(async () => {
    limited = await apiWorld({ requestsPerMinute: 3, trustedProxies: ['127.0.0.1'] })
  })
  afterAll(() => limited.drop())

  test('hold for a whole network of IPv6: it has more addresses than anybody could count', async () => {
    const from = (address: string) =>
      limited.call(null, 'GET', '/sensors?limit=1', undefined, { 'x-forwarded-for': address })
    for (const last of ['1', 'ffff:1', '2:3:4:5']) expect((await from(`2001:db8:0:1::${last}`)).status).toBe(200)
    expect((await from('2001:db8:0:1::9')).status).toBe(429)
    expect((await from('2001:db8:0:2::9')).status).toBe(200)
  })

  test.each(['/oauth/authorize', '/password?token=x', '/.well-known/oauth-authorization-server'])(
    'hold for the page %s too: it asks the database like any operation',
    async (url) => {
      const headers = { 'x-forwarded-for': `192.0.2.${url.length}` }
      const statuses = []
      for (let time = 0; time < 4; time += 1) {
        statuses.push((await limited.server.inject({ url, headers })).statusCode)
      }
      expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true])
    },
  )
})

test('ten elements of a bulk operation count as a request', async () => {
  const limited = await apiWorld({ requestsPerMinute: 10 })
  try {
    const pause = (elements: number) =>
      limited.call('alice', 'POST', '/services/bulk_pause', { ids: Array.from({ length: elements }, (_, id) => id) })
    expect((await pause(60)).status).toBe(200)
    expect((await pause(30)).status).toBe(200)
    expect(pointersOf(await pause(20))).toEqual(['too_many_requests'])
  } finally {
    await limited.drop()
  }
})

describe('what a request prefers', () => {
  test('counts as far as anybody writes; sixty thousand characters are not weighed', async () => {
    const polish = (await api.call(null, 'GET', '/nothing', undefined, { 'accept-language': 'pl' })).text
    const answerTo = async (preference: string) =>
      (await api.call(null, 'GET', '/nothing', undefined, { 'accept-language': preference })).text
    expect(await answerTo(`pl,${'xx,'.repeat(20_000)}en`)).toBe(polish)
    expect(await answerTo(`${'xx,'.repeat(20_000)}pl`)).not.toBe(polish)
    expect(await answerTo('x'.repeat(60_000))).not.toBe(polish)
  })

  test('is taken for what it is, whatever is answered: nobody guesses a type', async () => {
    for (const path of ['/nothing', '/sensors', '/public/swagger.json', '/public/doc/']) {
      const reply = await api.call(null, 'GET', path)
      expect([path, reply.headers['x-content-type-options']]).toEqual([path, 'nosniff'])
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
    const withoutItsOwn = (text: string) => text.replaceAll(/^(date|x-request-id):.*$/gim, '')
    const [get, head] = [await ask('GET'), await ask('HEAD')]
    const [headers = ''] = get.split('\r\n\r\n')
    expect(withoutItsOwn(head).trimEnd()).toBe(withoutItsOwn(headers).trimEnd())
    expect(headers).toMatch(/^content-length: \d+$/im)
    expect(headers).toMatch(/^etag: "/im)
    expect(headers).toMatch(/^x-total-count: 3$/im)
  })
})
