import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { trySmtp } from '../../src/channels/email/smtp.ts'
import { examinePort } from '../../src/cli/examine/examine.ts'
import { examineCore } from '../../src/cli/examine/far-core.ts'
import { examineNames } from '../../src/cli/examine/names.ts'
import { targetsFinding } from '../../src/cli/examine/targets.ts'
import { rcodes, startDnsServer } from '../support/dns-server.ts'

const station = {
  token: 'x'.repeat(40),
  city: '',
  country: '',
  latitude: null,
  longitude: null,
  allowPrivateTargets: [],
  proxy: { url: undefined, except: [] },
}

describe('name servers', () => {
  test('are asked each, and any answer will do', async () => {
    const right = await startDnsServer(() => ({ flags: rcodes.REFUSED }))
    const silent = await startDnsServer(() => null)
    const at = (port: number) => ({ ip: '127.0.0.1', port })
    try {
      expect(await examineNames([at(right.port)])).toMatchObject({
        state: 'ok',
        text: `127.0.0.1:${right.port} answers`,
      })
      expect(await examineNames([at(right.port), at(silent.port)])).toMatchObject({
        state: 'missing',
        text: `127.0.0.1:${right.port} answers; not 127.0.0.1:${silent.port}: each name waits for it`,
      })
      expect(await examineNames([at(silent.port)])).toMatchObject({ state: 'fault' })
    } finally {
      right.close()
      silent.close()
    }
  })
})

describe('a core far away', () => {
  async function coreThat(answer: { readonly status: number; readonly body: string; readonly aheadMs?: number }) {
    const server = createServer((request, response) => {
      response.sendDate = false
      response.setHeader('date', new Date(Date.now() + (answer.aheadMs ?? 0)).toUTCString())
      response.statusCode = request.url === '/below/v3/sensors?limit=1' ? answer.status : 404
      response.end(answer.body)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/v3`
    const findings = await examineCore({ ...station, server: url })
    server.close()
    return findings.map(({ subject, state }) => [subject, state])
  }

  test('is asked where the station would go', async () => {
    expect(await coreThat({ status: 200, body: '[]' })).toEqual([
      ['Core', 'ok'],
      ['Token', 'ok'],
      ['Clock of the core', 'ok'],
    ])
  })

  test('whose clock differs is told of', async () => {
    expect(await coreThat({ status: 200, body: '[]', aheadMs: 60_000 })).toContainEqual([
      'Clock of the core',
      'missing',
    ])
  })

  test.each([
    { status: 502, body: '[]' },
    { status: 200, body: '<html>' },
    { status: 200, body: '{}' },
  ])('that answers %j is none', async (answer) => {
    expect(await coreThat(answer)).toContainEqual(['Core', 'fault'])
  })
})

test('a port that something else has is a fault', async () => {
  const other = createListener((socket) => socket.on('error', () => undefined).destroySoon())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  expect(await examinePort('API', { host: '127.0.0.1', port })).toMatchObject({
    state: 'fault',
    text: expect.stringContaining('is taken by another program'),
  })
  other.close()
  await once(other, 'close')
  expect(await examinePort('API', { host: '127.0.0.1', port })).toMatchObject({ state: 'ok' })
})

test('a mail server is tried up to the login', async () => {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'me' && password === 'word' ? done(null, { user: 'me' }) : done(new Error('no')),
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  await trySmtp(`smtp://me:word@127.0.0.1:${port}?tls.rejectUnauthorized=false`)
  await expect(trySmtp(`smtp://me:wrong@127.0.0.1:${port}?tls.rejectUnauthorized=false`)).rejects.toThrow()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test.each([
  ['all', true, 'missing', /by anybody who registers \(REGISTRATION\)$/],
  [
    ['10.0.0.0/8'],
    true,
    'missing',
    /^only these private addresses may be monitored: 10\.0\.0\.0\/8 .*by anybody who registers/,
  ],
  [[], true, 'ok', /refused/],
  ['all', false, 'ok', /may be monitored/],
] as const)(
  'private targets %j with registration %s are named',
  (allowPrivateTargets, isRegistrationOpen, state, text) => {
    const found = targetsFinding({ allowPrivateTargets, isRegistrationOpen })
    expect(found).toMatchObject({ subject: 'Private targets', state, text: expect.stringMatching(text) })
  },
)
