import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wholeProgram } from '../support/own-program.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

type Shown = Readonly<Record<string, unknown>>

const patience = { timeout: 60_000, interval: 200 }
const directory = temporaryDirectory()
const stationDirectory = temporaryDirectory()
const running: ChildProcess[] = []
const page = createServer((_request, response) => response.end('ok'))
let core: Launched
let url: string

beforeAll(async () => {
  await once(page.listen(0, '127.0.0.1'), 'listening')
  core = launch({ DATA_DIR: directory.path, ADMIN_PASSWORD: 'dora keeps this', ACCOUNT_PASSWORD: 'alice owns this' })
  url = await core.ready()
}, 180_000)
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await stop(core)
  page.close()
  directory.remove()
  stationDirectory.remove()
}, 60_000)

function spawned(args: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, [wholeProgram('cli'), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory.path, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function latarnik(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const child = spawned(args, variables)
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('no output')
  const ended = once(child, 'close')
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), ended])
  return { code, stdout: out, stderr: err }
}

async function call(who: 'admin' | 'user', method: string, path: string, body?: unknown) {
  const password = who === 'admin' ? 'dora keeps this' : 'alice owns this'
  const response = await fetch(`${url}/v3${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  return { status: response.status, body: (answer === '' ? null : JSON.parse(answer)) as Shown }
}

function startStation(token: string, variables: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawned(['sensor', '--server', url], {
    ...{
      SENSOR_TOKEN: token,
      SENSOR_CITY: 'Łódź',
      ...{ SENSOR_LATITUDE: '51.759', SENSOR_LONGITUDE: '19.456' },
      DATA_DIR: stationDirectory.path,
      ALLOW_PRIVATE_TARGETS: 'all',
    },
    ...variables,
  })
}

async function shows(id: number, expected: Shown): Promise<void> {
  await vi.waitFor(
    async () => expect((await call('admin', 'GET', `/admin/sensors/${id}`)).body).toMatchObject(expected),
    patience,
  )
}

test('a second machine becomes a station, checks, changes its token without a gap, and is sent away', {
  timeout: 180_000,
}, async () => {
  const added = await latarnik(['sensor', 'add', 'Far', '--country', 'Polska'])
  expect(added).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`sensor --server ${url}\n`) })
  const id = Number(/^Station (\d+) Far was made\.$/m.exec(added.stdout)?.[1])
  const token = /once: (\S+)/.exec(added.stdout)?.[1] ?? ''
  await shows(id, { name: 'Far', is_available: false, has_token: true, last_seen_at: null })

  const station = startStation(token)
  await shows(id, { is_available: true, city: 'Łódź', country: 'Polska', ip_address: '127.0.0.1' })
  await shows(id, { latitude: 51.759, longitude: 19.456 })

  const address = `127.0.0.1:${(page.address() as AddressInfo).port}/`
  const service = { type_id: 'http', name: 'Page', address, interval: 10, sensor_ids: [id] }
  const made = await call('user', 'POST', '/services', service)
  expect(made.status).toBe(201)
  await vi.waitFor(async () => {
    const checks = await call('user', 'GET', `/services/${made.body['id']}/history/analyses/last_analysis/checks`)
    expect(checks.body).toMatchObject([{ sensor_id: id, result: 'ok' }])
  }, patience)

  const issued = await call('admin', 'POST', `/admin/sensors/${id}/token`)
  expect(issued.status).toBe(201)
  await shows(id, { is_available: true })
  station.kill('SIGTERM')
  await once(station, 'exit')
  expect(station.exitCode).toBe(0)
  const next = startStation(String(issued.body['token']))
  await vi.waitFor(async () => {
    const listed = JSON.parse((await latarnik(['sensor', 'list', '--json'])).stdout) as readonly Shown[]
    expect(listed).toContainEqual(
      expect.objectContaining({ id, name: 'Far', place: 'Łódź, Polska', state: 'reports in' }),
    )
  }, patience)
  expect(
    await latarnik(['sensor', '--server', url], { SENSOR_TOKEN: token, DATA_DIR: join(directory.path, 'other') }),
  ).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^latarnik: http:\S+: the core does not know this token/m),
  })

  expect(await latarnik(['sensor', 'revoke', 'Far'])).toMatchObject({
    code: 0,
    stdout: 'The tokens of Far were revoked.\n',
  })
  const { stdout: after } = await latarnik(['sensor', 'list', '--json'])
  expect(JSON.parse(after)).toContainEqual(expect.objectContaining({ id, state: 'revoked' }))
  await vi.waitFor(() => expect(core.stderr()).toContain('the token was revoked'), patience)
  await shows(id, { has_token: false })
  next.kill('SIGTERM')
  await once(next, 'exit')
})

test('a station whose core is away goes on trying, and ends when it is told to', async () => {
  const station = spawned(['sensor', '--server', 'http://127.0.0.1:1', '--token', 'x'.repeat(43)], {
    DATA_DIR: join(stationDirectory.path, 'lonely'),
  })
  let log = ''
  station.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  await vi.waitFor(() => expect(log.match(/Not connected to the core/g)?.length).toBeGreaterThan(1), patience)
  station.kill('SIGTERM')
  await once(station, 'exit')
  expect(station.exitCode).toBe(0)
})

test.each([
  [['sensor'], {}, /^latarnik: A station needs --server and --token/],
  [['sensor', '--server', 'ftp://core'], {}, /^SENSOR_SERVER: must be an address like http/],
  [
    ['sensor', '--server', 'http://core', '--token', 'short'],
    {},
    /^SENSOR_TOKEN: must be a token of `latarnik sensor add`\n$/,
  ],
  [['sensor', 'revoke', 'Nobody'], {}, /^latarnik: There is no station Nobody\.\n$/],
  [['sensor', 'add', ' '], {}, /1 to 200 characters/],
])('%j is refused in one sentence', async (args, variables, sentence) => {
  const outcome = await latarnik(args, variables)
  expect(outcome).toMatchObject({ code: 2, stdout: '' })
  expect(outcome.stderr).toMatch(sentence)
})

test('tokens for stations that start by themselves lie in files, and are issued once', async () => {
  const tokens = join(directory.path, 'tokens')
  mkdirSync(tokens)
  const add = ['sensor', 'add', 'Station 1', 'Station 2', '--token-directory', tokens]
  const added = await latarnik(add)
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const files = () => ['Station 1', 'Station 2'].map((name) => readFileSync(join(tokens, name), 'utf8'))
  const written = files()
  for (const token of written) {
    expect(token).toMatch(/^[\w-]{20,}\n$/)
    expect(added.stdout).not.toContain(token.trim())
  }
  expect(statSync(join(tokens, 'Station 1')).mode & 0o777).toBe(0o600)
  expect(await latarnik(add)).toEqual({ code: 0, stderr: '', stdout: 'Every station has its token already.\n' })
  expect(files()).toEqual(written)
  const station = spawned(['sensor', '--server', url], {
    ...{ SENSOR_TOKEN_FILE: join(tokens, 'Station 2'), DATA_DIR: join(stationDirectory.path, '2') },
  })
  await vi.waitFor(async () => {
    const sensors = JSON.parse((await latarnik(['sensor', 'list', '--json'])).stdout) as Shown[]
    expect(sensors.find(({ name }) => name === 'Station 2')).toMatchObject({ state: 'reports in' })
  }, patience)
  station.kill('SIGTERM')
  await once(station, 'close')
  const wrong = await latarnik(['sensor', 'add', '../elsewhere', '--token-directory', tokens])
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'latarnik: No file can be called ../elsewhere: give the station another name.\n',
  })
})
