import { generateKeyPairSync } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { problemsOf } from '../support/refused.ts'

let api: ApiWorld
beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const http = { type_id: 'https', name: 'API', address: 'api.example.com/health' }

async function create(settings: object): Promise<number> {
  const reply = await api.call('alice', 'POST', '/services', { ...http, extended_settings: settings })
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.answer.id
}

async function settingsOf(id: number): Promise<Readonly<Record<string, unknown>>> {
  const reply = await api.call('alice', 'GET', `/services/${id}`)
  return reply.answer.extended_settings
}

async function refused(settings: object): Promise<readonly string[]> {
  const reply = await api.call('alice', 'POST', '/services', { ...http, extended_settings: settings })
  expect(reply.status, reply.text).toBe(422)
  const problems = problemsOf(reply)
  return problems.map(({ error, field = '' }) => `${error} ${field.replace('data.extended_settings.', '')}`)
}

const status = { source: 'json', path: '$.status', comparison: 'equals', value: 'ok', severity: 'failure' }

test('assertions are stored and shown as a list; null and an empty one remove them', async () => {
  const id = await create({ assertions: [{ source: 'json', path: '$.status', comparison: 'equals', value: 'ok' }] })
  expect((await settingsOf(id))['assertions']).toEqual([status])
  const put = (assertions: unknown) =>
    api.call('alice', 'PUT', `/services/${id}`, { extended_settings: { assertions } })
  const slow = { source: 'time', comparison: 'less', value: '500', severity: 'degraded' }
  expect((await put([status, slow])).status).toBe(204)
  expect((await settingsOf(id))['assertions']).toEqual([status, { ...slow, path: null, value: 500 }])
  expect((await put([])).status).toBe(204)
  expect((await settingsOf(id))['assertions']).toEqual([])
  expect((await put(JSON.stringify([status]))).status, 'the dictionary calls it a string').toBe(204)
  expect((await settingsOf(id))['assertions']).toEqual([status])
  expect((await put(null)).status).toBe(204)
  expect((await settingsOf(id))['assertions']).toEqual([])
  expect((await settingsOf(await create({})))['assertions']).toEqual([])
})

test('what is shown can be written back, and changes nothing', async () => {
  const id = await create({ assertions: [status], bearer_token: 'abc' })
  const shown = await settingsOf(id)
  expect(shown['bearer_token']).toBeNull()
  expect((await api.call('alice', 'PUT', `/services/${id}`, { extended_settings: shown })).status).toBe(204)
  expect(await settingsOf(id)).toEqual(shown)
  const [row] = await api.database.query<{ token: string }>(
    sql`select extended_settings ->> 'bearer_token' as token from services where id = ${id}`,
  )
  expect(row?.token).toBe('abc')
})

const faulty: readonly (readonly [string, object, problem: string])[] = [
  ['a source that does not exist', { ...status, source: 'moon' }, 'incorrect_value [0].source'],
  ['no source', { comparison: 'exists' }, 'missing_value [0].source'],
  ['no path', { ...status, path: null }, 'missing_value [0].path'],
  ['an invalid JSONPath', { ...status, path: '$.a[' }, 'incorrect_value [0].path'],
  ['a JSONPath of the old kind', { ...status, path: '$.a[(@.length-1)]' }, 'incorrect_value [0].path'],
  ['a JSONPath with an unknown function', { ...status, path: '$[?foo(@)]' }, 'incorrect_value [0].path'],
  ['an invalid XPath', { ...status, source: 'xml', path: '//a[' }, 'incorrect_value [0].path'],
  ['an XPath with a variable', { ...status, source: 'xml', path: '//a[$x]' }, 'incorrect_value [0].path'],
  ['an XPath with an unknown function', { ...status, source: 'xml', path: '//a[foo()]' }, 'incorrect_value [0].path'],
  ['a name that is no header', { ...status, source: 'header', path: 'a b' }, 'incorrect_value [0].path'],
  ['an unknown property', { ...status, source: 'certificate', path: 'colour' }, 'incorrect_value [0].path'],
  ['a path that is not needed', { ...status, source: 'body' }, 'incorrect_value [0].path'],
  ['a path that is no text', { ...status, path: 7 }, 'incorrect_type [0].path'],
  ['a path that is too long', { ...status, path: `$.${'a'.repeat(600)}` }, 'value_too_long [0].path'],
  ['an unknown comparison', { ...status, comparison: 'like' }, 'incorrect_value [0].comparison'],
  [
    'a comparison that does not fit',
    { source: 'status', comparison: 'contains', value: '2' },
    'incorrect_value [0].comparison',
  ],
  [
    'a comparison that does not fit the property',
    { source: 'certificate', path: 'issuer', comparison: 'less', value: 5 },
    'incorrect_value [0].comparison',
  ],
  ['no value', { ...status, value: null }, 'missing_value [0].value'],
  ['a value that is not needed', { ...status, comparison: 'exists' }, 'incorrect_value [0].value'],
  ['a value that is no number', { source: 'time', comparison: 'less', value: 'fast' }, 'incorrect_type [0].value'],
  ['a list as value', { ...status, value: [1] }, 'incorrect_type [0].value'],
  ['a pattern that RE2 lacks', { ...status, comparison: 'matches', value: '(?=a)' }, 'incorrect_value [0].value'],
  [
    'a pattern that is too large',
    { ...status, comparison: 'matches', value: '(a{900}){900}' },
    'incorrect_value [0].value',
  ],
  ['a pattern that is a number', { ...status, comparison: 'matches', value: 7 }, 'incorrect_type [0].value'],
  ['an empty text to contain', { ...status, comparison: 'contains', value: '' }, 'missing_value [0].value'],
  ['an address that is none', { source: 'ip', comparison: 'equals', value: '1.2.3' }, 'incorrect_value [0].value'],
  ['an unknown severity', { ...status, severity: 'bad' }, 'incorrect_value [0].severity'],
  ['an unknown member', { ...status, pfad: '$' }, 'unknown_field [0].pfad'],
  ['a text', 'status' as unknown as object, 'incorrect_type [0]'],
]

test.each(faulty)('%s is refused at the member', async (_what, assertion, problem) => {
  const [symbol, at] = problem.split(' ')
  expect(await refused({ assertions: [assertion] })).toEqual([`${symbol} assertions${at}`])
})

test('problems of several assertions are told together, at most twenty assertions are taken', async () => {
  expect(await refused({ assertions: [status, { ...status, path: '$[' }, { ...status, value: null }] })).toEqual([
    'incorrect_value assertions[1].path',
    'missing_value assertions[2].value',
  ])
  expect(await refused({ assertions: Array(21).fill(status) })).toEqual(['value_too_long assertions'])
  expect(await refused({ assertions: status })).toEqual(['incorrect_type assertions'])
  expect(await refused({ assertions: 'many' })).toEqual(['incorrect_type assertions'])
})

const authority = createAuthority('Clients')
const { cert, key } = authority.issue({ names: ['station.example'] })
const encrypted = (passphrase: string) =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase },
  }).privateKey
const oauth = { oauth_token_url: 'https://id.example.com/token', oauth_client_id: 'a', oauth_client_secret: 'b' }

test('a client certificate comes with its key, and both are real', async () => {
  const id = await create({ client_certificate: cert, client_key: key })
  expect(await settingsOf(id)).toMatchObject({ client_certificate: cert, client_key: null })
  const strange = authority.issue({ names: ['other.example'] }).key
  const cases: readonly (readonly [object, string])[] = [
    [{ client_certificate: cert }, 'missing_value client_key'],
    [{ client_key: key }, 'missing_value client_certificate'],
    [{ client_certificate: 'PEM', client_key: key }, 'incorrect_value client_certificate'],
    [
      { client_certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', client_key: key },
      'incorrect_value client_certificate',
    ],
    [{ client_certificate: cert, client_key: 'PEM' }, 'incorrect_value client_key'],
    [{ client_certificate: cert, client_key: strange }, 'incorrect_value client_key'],
    [{ client_certificate: cert, client_key: encrypted('sesame') }, 'incorrect_value client_key_passphrase'],
    [
      { client_certificate: cert, client_key: encrypted('sesame'), client_key_passphrase: 'sesame' },
      'incorrect_value client_key',
    ],
  ]
  for (const [settings, problem] of cases) expect(await refused(settings)).toEqual([problem])
})

test('a key that would take minutes to decrypt is refused at once', async () => {
  const pem = encrypted('sesame')
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  const at = der.indexOf(Buffer.from('06092a864886f70d01050c', 'hex'))
  const saltAt = at + 13
  // Two bytes of the salt become the upper bytes of the count, so all other lengths stay right.
  const salt = (der[saltAt + 1] ?? 0) - 2
  der.writeUInt8(salt, saltAt + 1)
  der.set([2, 4, 0x7f, 0xff, 0xff, 0xff], saltAt + 2 + salt)
  const base64 =
    der
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? ''
  const slow = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----\n`
  const startedAt = performance.now()
  const settings = { client_certificate: cert, client_key: slow, client_key_passphrase: 'sesame' }
  expect(await refused(settings)).toEqual(['incorrect_value client_key'])
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('a request has one login, and each is whole', async () => {
  expect(await refused({ username: 'ala', bearer_token: 'x' })).toEqual(['incorrect_value bearer_token'])
  expect(await refused({ bearer_token: 'x', ...oauth })).toEqual(['incorrect_value oauth_token_url'])
  expect(await refused({ ...oauth, oauth_client_id: '' })).toEqual(['missing_value oauth_client_id'])
  expect(await refused({ ...oauth, oauth_token_url: 'id.example.com' })).toEqual(['incorrect_value oauth_token_url'])
  expect(await refused({ bearer_token: 'a b' })).toEqual(['incorrect_value bearer_token'])
  const id = await create({ ...oauth, oauth_scope: 'read' })
  expect(await settingsOf(id)).toMatchObject({
    ...{ oauth_token_url: oauth.oauth_token_url, oauth_scope: 'read' },
    ...{ oauth_client_id: null, oauth_client_secret: null },
  })
  const put = (settings: object) => api.call('alice', 'PUT', `/services/${id}`, { extended_settings: settings })
  expect((await put({ bearer_token: 'x' })).status, 'the stored login counts too').toBe(422)
  const change = { bearer_token: 'x', oauth_token_url: null, oauth_client_id: '', oauth_client_secret: '' }
  expect((await put(change)).status).toBe(204)
})

test('the message is in the language of the caller', async () => {
  const body = { ...http, extended_settings: { assertions: [{ ...status, path: '$[' }] } }
  const messages = await Promise.all(
    ['en', 'pl'].map(async (language) => {
      const reply = await api.call('alice', 'POST', '/services', body, { 'accept-language': language })
      return problemsOf(reply)[0].message
    }),
  )
  expect(messages[0]).toContain('Expected a JSONPath of RFC 9535')
  expect(messages[1]).toContain('Oczekiwana jest ścieżka JSONPath')
})

test('only the types of http have them', async () => {
  const ping = { type_id: 'ping', name: 'Ping', address: 'example.com', extended_settings: { assertions: [] } }
  const reply = await api.call('alice', 'POST', '/services', ping)
  expect(reply.text).toContain('unknown_field')
})
