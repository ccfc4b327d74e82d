import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { trySmtp } from '../../src/channels/email/smtp.ts'
import { examineRunningMail } from '../../src/cli/examine/examine.ts'
import { examineCore } from '../../src/cli/examine/far-core.ts'
import { examineMemory } from '../../src/cli/examine/machine.ts'
import { examineNames } from '../../src/cli/examine/names.ts'
import { examinePort, openedPorts } from '../../src/cli/examine/ports.ts'
import { targetsFinding } from '../../src/cli/examine/targets.ts'
import { apiNote, mailRouteOf } from '../../src/program/running-api.ts'
import { configOf } from '../support/config-files.ts'
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

test('a memory limit below the need of the program is told with both', () => {
  const api = { databaseUrl: 'postgres://127.0.0.1/latarnik', localSensors: 0, roles: ['api'] } as const
  expect(examineMemory(api, 249_000_000)).toMatchObject({
    ...{ subject: 'Memory', state: 'missing' },
    text: expect.stringContaining('allows 249 MB, and the program needs 250 MB'),
  })
  expect(examineMemory(api, 250_000_000)).toMatchObject({ state: 'ok' })
})

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
  const place = { host: '127.0.0.1', port }
  const [metrics] = openedPorts({ ...place, roles: ['monitoring'], metrics: place, statusPages: undefined })
  if (metrics === undefined) throw new Error('the metrics have a port')
  expect(await examinePort(metrics)).toMatchObject({
    state: 'fault',
    text: `Port ${port} on 127.0.0.1 is taken by another program; choose another with METRICS_PORT`,
  })
  other.close()
  await once(other, 'close')
  expect(await examinePort(metrics)).toMatchObject({ state: 'ok' })
})

test('every port that the settings open is examined', () => {
  const all = {
    ...{ host: '127.0.0.1', port: 1, metrics: { host: '::1', port: 2 } },
    statusPages: { port: 3, url: undefined },
  }
  const shown = (roles: ('api' | 'monitoring')[]) =>
    openedPorts({ ...all, roles }).map(({ subject, host, port, names }) => [subject, host, port, names.port])
  expect(shown(['api'])).toEqual([
    ['API', '127.0.0.1', 1, 'PORT'],
    ['Status pages', '127.0.0.1', 3, 'STATUS_PAGE_PORT'],
    ['Metrics', '::1', 2, 'METRICS_PORT'],
  ])
  expect(shown(['monitoring'])).toEqual([['Metrics', '::1', 2, 'METRICS_PORT']])
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

describe('the mail settings of the program that runs', () => {
  async function notedBy(environment: Readonly<Record<string, string>>) {
    const directory = await mkdtemp(join(tmpdir(), 'latarnik-running-'))
    const program = createServer((_request, response) => response.end('{"status":"ok"}'))
    await once(program.listen(0, '127.0.0.1'), 'listening')
    const { port } = program.address() as AddressInfo
    const mailRoute = mailRouteOf(configOf({ DATA_DIR: directory, ...environment }))
    await apiNote(directory, pino({ level: 'silent' })).write({ host: '127.0.0.1', port, mailRoute })
    return {
      doctor: (own: Readonly<Record<string, string>>) => examineRunningMail(configOf({ DATA_DIR: directory, ...own })),
      note: () => readFile(join(directory, 'api-address'), 'utf8'),
      async end() {
        await new Promise((closed) => program.close(closed).closeAllConnections())
        await rm(directory, { recursive: true })
      },
    }
  }
  const right = { SMTP_URL: 'smtp://me:word@mail.example.com:2525' }

  test('are told where this command has others, without secrets', async () => {
    const running = await notedBy(right)
    expect(await running.doctor(right)).toEqual([
      { subject: 'Mail (running)', state: 'ok', text: 'the running program sends to mail.example.com:2525, too' },
    ])
    expect(await running.doctor({ SMTP_URL: 'smtps://mail.example.com' })).toMatchObject([
      {
        state: 'note',
        text: expect.stringMatching(
          /^the running program sends to mail\.example\.com:2525\. .* is about mail\.example\.com:465: /,
        ),
      },
    ])
    expect(await running.doctor({})).toMatchObject([
      { state: 'note', text: expect.stringContaining('The line above is about files in ') },
    ])
    expect(await running.note()).not.toContain('word')
    await running.end()
    expect(await running.doctor(right)).toEqual([])
  })

  test('are none where another process sends the mails', async () => {
    const running = await notedBy({ ...right, ROLES: 'api' })
    expect(await running.doctor(right)).toEqual([])
    await running.end()
  })
})
